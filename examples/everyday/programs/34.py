mail = search_emails(query="lift", sender="residents")[0]
priya = search_contacts(name="Priya")[0]
works = quarantined("Does the lift work again?", mail.body, returns=bool)
if works:
    text = "Hi Priya, the lift in our house works again."
else:
    text = "Hi Priya, the lift in our house does not work again yet."
send_email(recipients=[priya.email], subject="The lift", body=text)
