mail = search_emails(query="storage room", sender="Dana")[0]
quote = "\n".join(["> " + line for line in mail.body.split("\n")])
reply_to_email(email=mail, body="Fine with me, from June on.\n\n" + quote)
