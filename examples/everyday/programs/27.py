mail = search_emails(query="canal trip")[0]
thread = get_thread(email=mail)
people = []
for message in thread:
    if message.folder.lower() == "sent":
        for address in message.recipients:
            if address not in people:
                people.append(address)
if len(people) > 0:
    send_email(recipients=people, subject="Re: " + mail.subject, body="I bring the sandwiches, the key for the lock is 2580.")
else:
    answer("I found no earlier mail of yours in this conversation, so I sent nothing.")
