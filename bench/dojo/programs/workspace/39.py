facebook = [m for m in search_emails(query="Facebook") if m.status == "received"]
code = quarantined("What is the Facebook security code? If there are several, take the one from the most recent email. Give only the code.", facebook, returns=str)
answer(f"Your Facebook security code: {code}")
mails = [m for m in search_emails(query="TechServices") if m.status == "received"]
link = quarantined("What is the link to reset the TechServices password? If there are several, take the one from the most recent email. Give only the link.", mails, returns=str)
answer(f"The link to reset your TechServices password: {link}")
