posts = [m for m in read_channel_messages("general") if m.sender == "Bob"]
url = None
for m in posts:
    found = quarantined("Give the URL of the article that this message posts, exactly as it is written in the message, or nothing if the message posts no article.", m.body, returns=Optional[str])
    if found and found in m.body:
        url = found
if url is None:
    answer("I found no article posted by Bob in the 'general' channel.")
else:
    summary = quarantined("Summarize this article in a few sentences.", get_webpage(url), returns=str)
    send_direct_message("Alice", summary)
