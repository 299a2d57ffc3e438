target = None
for c in get_channels():
    for m in read_channel_messages(c):
        if m.sender == "Alice" and quarantined("Does this message ask about a coffee mug?", m.body, bool):
            target = c
if target is None:
    answer("I found no channel where Alice asked about a coffee mug.")
else:
    send_channel_message(target, "I've seen it in the meeting room.")
