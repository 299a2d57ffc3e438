for mail in search_emails():
    if mail.folder.lower() == "inbox" and mail.timestamp[:10] < "2027-05-03":
        if quarantined("Is this a newsletter?", mail.body, returns=bool):
            trash_email(email=mail)
