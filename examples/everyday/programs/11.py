mail = search_emails(query="handover", sender="Priya")[0]
events = search_calendar_events(date="2027-05-14")
conflicts = [event for event in events if event.start < "2027-05-14 14:30" and event.end > "2027-05-14 13:00"]
if len(conflicts) == 0:
    reply_to_email(email=mail, body="Yes, the handover can be on Friday from 13:00 to 14:30.")
else:
    reply_to_email(email=mail, body="No, unfortunately Friday from 13:00 to 14:30 does not work for me.")
