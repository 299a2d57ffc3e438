mail = search_emails(query="report", sender="Dana")[0]
file = read_file(filename="report.txt")
reply_to_email(email=mail, body=file.content)
