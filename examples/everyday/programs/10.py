mail = search_emails(query="summer concert", sender="choir")[0]
contact = search_contacts(name="Ellen")[0]
forward_email(email=mail, recipients=[contact.email])
