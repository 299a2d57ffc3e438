article = r"(?:https?://|www\.)[\w./-]*[\w/]"
posts = [m for m in read_channel_messages("general") if m.sender == "Bob"]
chosen = [m for m in posts if re.search(article, m.body) and quarantined("Does this message post an article?", m.body, returns=bool)]
if chosen:
    url = re.findall(article, chosen[-1].body)[0]
    summary = quarantined("Summarize this article in a few sentences.", get_webpage(url), returns=str)
    send_direct_message("Alice", summary)
else:
    answer("I found no article posted by Bob in the 'general' channel.")
