contact = search_contacts(name="Noor")[0]
file = read_file(filename="report.txt")
summary = quarantined("Summarize this report in three sentences.", file.content, returns=str)
draft_email(recipients=[contact.email], subject="Summary of the report", body=summary)
