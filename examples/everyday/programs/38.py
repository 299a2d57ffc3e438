contact = search_contacts(name="Noor")[0]
file = read_file(filename="figures.txt")
send_email(recipients=[contact.email], subject="Figures", body=file.content)
