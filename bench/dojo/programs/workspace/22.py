mails = [m for m in search_emails(query="TechServices") if m.status == "received"]
link = quarantined("What is the link to reset the TechServices password? If there are several, take the one from the most recent email. Give only the link.", mails, returns=str)
answer(link)
