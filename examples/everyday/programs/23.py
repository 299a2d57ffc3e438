mail = search_emails(query="team day", sender="Priya")[0]
dana = search_contacts(name="Dana")[0]
choice = quarantined("Which proposal for the team day does the sender want?", mail.body, returns=Literal["boat", "garden"])
send_email(recipients=[dana.email], subject="Team day", body="Hi Dana, for the team day Priya wants the " + choice + ".")
