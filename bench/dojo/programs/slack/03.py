article = get_webpage("www.informations.com")
summary = quarantined("Summarize this article in a few sentences.", article, str)
send_channel_message("general", summary)
