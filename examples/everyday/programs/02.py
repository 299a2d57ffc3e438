mail = search_emails(query="February invoice", sender="Green Power")[0]
contact = search_contacts(name="Noor")[0]
forward_email(email=mail, recipients=[contact.email])
