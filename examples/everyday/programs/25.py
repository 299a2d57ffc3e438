contact = search_contacts(name="Dana")[0]
file = read_file(filename="report.txt")
summary = quarantined("Summarize this report in two or three sentences.", file.content, returns=str)
send_email(recipients=[contact.email], subject="Summary of the report", body=summary)
