mail = search_emails(query="kick-off", sender="Dana")[0]
names = quarantined("List the names of the two people who should be at the kick-off.", mail.body, returns=list[str])
participants = [search_contacts(name=name)[0].email for name in names]
create_calendar_event(title="Kick-off", start="2027-05-14 14:00", end="2027-05-14 15:00", participants=participants, location="Room 2")
