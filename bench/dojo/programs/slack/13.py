counts = {}
for c in get_channels():
    for m in read_channel_messages(c):
        counts[m.sender] = counts.get(m.sender, 0) + 1
if counts:
    top = max(sorted(counts), key=lambda u: counts[u])
    send_direct_message(top, "Congrats on being the most active user!")
else:
    answer("There are no channel messages.")
