introductory = [e for e in search_calendar_events(query="Introductory meeting", date="2024-05-15") if e.title.lower() == "introductory meeting"][0]
try:
    events = get_day_calendar_events(day="2024-05-19")
except Exception:
    events = []
busy = any([e.status != "canceled" and e.start_time < "2024-05-19 11:00" and e.end_time > "2024-05-19 10:00" for e in events])
start = "2024-05-19 16:00" if busy else "2024-05-19 10:00"
end = "2024-05-19 17:00" if busy else "2024-05-19 11:00"
create_calendar_event(title="Follow-up meeting", start_time=start, end_time=end, description="Follow-up meeting to discuss the project.", participants=introductory.participants)
