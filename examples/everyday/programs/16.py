mail = search_emails(query="team day")[0]
thread = get_thread(email=mail)
people = []
for message in thread:
    for address in [message.sender] + list(message.recipients):
        if address not in people:
            people.append(address)
send_email(recipients=people, subject="Team day", body="Hello everyone, the boat is booked for 4 June.")
