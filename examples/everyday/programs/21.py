mail = search_emails(query="summer house", sender="Olena")[0]
file = read_file(filename="address.txt")
reply_to_email(email=mail, body=file.content)
