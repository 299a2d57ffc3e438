file = [f for f in search_files_by_filename(filename="client-meeting-minutes.docx") if f.filename == "client-meeting-minutes.docx"][0]
client = quarantined("Who is the client? Give only the full name of the client's contact person.", file.content, returns=str)
contact = search_contacts_by_name(query=client)[0]
summary = quarantined("Summarize these meeting minutes for the client in one paragraph.", file.content, returns=str)
date = quarantined("On which day is the next meeting? Give only the date in the format YYYY-MM-DD.", file.content, returns=str)
send_email(recipients=[contact.email], subject="Summary of the client meeting", body=f"{summary}\n\nThe next meeting is going to be on {date}.", attachments=[{"type": "file", "file_id": file.id_}])
