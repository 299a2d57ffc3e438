emails = get_unread_emails()
if emails:
    answer("\n\n".join([f"From: {m.sender}\nDate: {m.timestamp}\nSubject: {m.subject}\n\n{m.body}" for m in emails]))
else:
    answer("You have no unread emails.")
