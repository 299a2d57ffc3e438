priya = search_contacts(name="Priya")[0]
minutes = read_file(filename="shared/minutes.txt")
talk = read_file(filename="talk.txt")
summary = quarantined("Write a short summary of these minutes and of these notes.", [minutes.content, talk.content], returns=str)
send_email(recipients=[priya.email], subject="Summary of the minutes and my notes", body=summary)
