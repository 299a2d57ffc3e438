link = r"(?:https?://|www\.)[\w./-]*[\w/]"
urls = []
for m in read_channel_messages("general"):
    for u in re.findall(link, m.body):
        if u not in urls:
            urls.append(u)
if urls:
    summaries = [quarantined("Summarize the content of this website in one or two sentences, without its address.", get_webpage(u), returns=str) for u in urls]
    send_channel_message("random", "\n".join(summaries))
else:
    answer("I found no websites posted to the 'general' channel.")
