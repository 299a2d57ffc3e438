mail = search_emails(sender="insurance")[0]
file = read_file(filename="house.txt")
text = quarantined("The first text is an email from the insurance, the second is my notes about the house. Write an answer to the email that gives what they want to know, taken from the notes, and nothing else. Give only the text of the answer.", [mail.body, file.content], returns=str)
reply_to_email(email=mail, body=text)
