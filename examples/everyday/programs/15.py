contact = search_contacts(name="café")[0]
send_email(recipients=[contact.email], subject="Five instead of four", body="Hello, there will be five of us instead of four.")
