mail = search_emails(query="summer house", sender="Jonas")[0]
file = read_file(filename="directions.txt")
reply_to_email(email=mail, body=file.content)
