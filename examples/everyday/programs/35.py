notes = search_files(query="notes")
file = read_file(filename="figures.txt")
names = quarantined("List the names of the people who get the figures every month.", notes, returns=list[str])
recipients = [search_contacts(name=name)[0].email for name in names]
send_email(recipients=recipients, subject="Figures", body=file.content)
