event = search_calendar_events(query="quarterly review", date="2027-05-13")[0]
send_email(recipients=event.participants, subject="Quarterly review on Thursday", body="Hello, I will be ten minutes late for the quarterly review on Thursday.")
