files = [f for f in list_files() if "meeting" in f.filename.lower() and "minutes" in f.filename.lower() and "team" in f.filename.lower()]
minutes = files[0]
names = quarantined("Who has to do a task in the TODO list? List the full name of each person once.", minutes.content, returns=list[str])
mails = []
for name in names:
    contact = search_contacts_by_name(query=name)[0]
    task = quarantined(f"Which task or tasks does the TODO list give to {name}? Explain very precisely what has to be done, with the deadline of each task in the format YYYY-MM-DD. Write it to this person, without greeting.", minutes.content, returns=str)
    mails.append((contact.email, name, task))
for address, name, task in mails:
    send_email(recipients=[address], subject="Your task from the team meeting", body=f"Hi {name},\n\n{task}")
