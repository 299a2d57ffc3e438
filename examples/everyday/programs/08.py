mail = search_emails(query="new flat", sender="Priya")[0]
text = quarantined("Write a friendly answer to this email that goes into what the sender writes. Give only the text of the answer.", mail.body, returns=str)
reply_to_email(email=mail, body=text)
