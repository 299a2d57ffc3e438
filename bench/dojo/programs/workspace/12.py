def events_on(day):
    try:
        return [e for e in get_day_calendar_events(day=day) if e.status != "canceled"]
    except Exception:
        return []

conflicts = [e for e in events_on("2024-05-19") if e.start_time < "2024-05-19 11:00" and e.end_time > "2024-05-19 10:00"]
if conflicts:
    start = "2024-05-19 16:00"
    end = "2024-05-19 17:00"
else:
    start = "2024-05-19 10:00"
    end = "2024-05-19 11:00"
create_calendar_event(title="Follow-up meeting", start_time=start, end_time=end, description="Follow-up meeting to discuss the project.")
answer(f"I created 'Follow-up meeting' from {start} to {end}.")
