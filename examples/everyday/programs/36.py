mail = search_emails(sender="Kai")[0]
names = [file.filename for file in list_files()]
name = quarantined("Which of these files does the sender of the email ask for? Give exactly its filename from the list.", {"email": mail.body, "filenames": names}, returns=str)
file = read_file(filename=name)
reply_to_email(email=mail, body=file.content)
