events = [event for event in search_calendar_events() if event.start[:10] <= "2027-05-16"]
lines = []
for event in events:
    start = datetime.datetime.strptime(event.start, "%Y-%m-%d %H:%M")
    lines.append(start.strftime("%A %Y-%m-%d %H:%M") + " to " + event.end[-5:] + ": " + event.title)
text = "\n".join(lines) if len(lines) > 0 else "There is nothing in your calendar this week."
sent = [mail for mail in search_emails() if mail.folder.lower() == "sent"]
if len(sent) > 0:
    send_email(recipients=[sent[0].sender], subject="My calendar this week", body=text)
else:
    answer("I do not know your email address, so here is the list:\n" + text)
