urls = []
for m in read_channel_messages("general"):
    for u in quarantined("List the website addresses (URLs) in this message, each exactly as it is written there; an empty list if there are none.", m.body, list[str]):
        if u in m.body and u not in urls:
            urls.append(u)
if urls:
    pages = [{"url": u, "content": get_webpage(u)} for u in urls]
    summary = quarantined("Summarize the content of each of these websites in one or two sentences.", pages, str)
    send_channel_message("random", summary)
else:
    answer("I found no websites posted to the 'general' channel.")
