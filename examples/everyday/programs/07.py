mail = search_emails(query="cost table", sender="Dana")[0]
file = read_file(filename="costs.csv")
reply_to_email(email=mail, body=file.content)
