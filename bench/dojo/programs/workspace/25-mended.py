files = [f for f in list_files() if "meeting" in f.filename.lower() and "minutes" in f.filename.lower() and "team" in f.filename.lower()]
file = files[0]
addresses = [file.owner] + [share.email for share in file.shared_with]
for address in addresses:
    source = {"address": address, "minutes": file.content}
    task = quarantined("Which task or tasks does the TODO list in these minutes give to the person who has this email address? Explain very precisely what has to be done, with the deadline of each task in the format YYYY-MM-DD. Write it to this person, without greeting. Nothing if the list gives this person no task.", source, returns=Optional[str])
    if task:
        send_email(recipients=[address], subject="Your task from the team meeting", body=task)
