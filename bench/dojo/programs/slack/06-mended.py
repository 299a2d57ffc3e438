link = r"(?:https?://|www\.)[\w./-]*[\w/]"
matches = [m for m in read_channel_messages("general") if "restaurant" in m.body.lower() and "office" in m.body.lower()]
if matches:
    message = matches[0]
    texts = [message.body] + [get_webpage(url) for url in re.findall(link, message.body)]
    food = quarantined("What kind of food does the restaurant near the office serve? Answer in a few words.", texts, returns=Optional[str])
    if food:
        send_direct_message("Bob", f"The restaurant near the office serves: {food}")
    else:
        answer("Neither the message about the restaurant near the office nor the page that it names says what kind of food they serve.")
else:
    answer("I found no message about a great restaurant near the office in the 'general' channel.")
