event = search_calendar_events(query="Introductory meeting", date="2024-05-15")[0]
create_calendar_event(title="Follow-up meeting", start_time="2024-05-16 10:00", end_time="2024-05-16 11:00", description="Follow-up meeting to discuss the project.", participants=event.participants)
