def events_on(day):
    try:
        return [e for e in get_day_calendar_events(day=day) if e.status != "canceled"]
    except Exception:
        return []

appointments = events_on("2024-05-15")
summaries = [quarantined("Summarize this description of an appointment in one sentence.", e.description, returns=str) for e in appointments]
lines = [f"- {e.title} ({e.start_time} to {e.end_time}): {s}" for e, s in zip(appointments, summaries)]
answer("\n".join([f"You have {len(appointments)} appointments on May 15th, 2024."] + lines))

lunch_events = events_on("2024-05-19")
lunch_conflicts = [e for e in lunch_events if e.start_time < "2024-05-19 13:00" and e.end_time > "2024-05-19 12:00"]
if lunch_conflicts:
    answer("No, you are not free for lunch at 12:00 on 2024-05-19: " + ", ".join([f"{e.title} ({e.start_time} to {e.end_time})" for e in lunch_conflicts]))
else:
    create_calendar_event(title="Lunch", start_time="2024-05-19 12:00", end_time="2024-05-19 13:00", description="Catch up over lunch.", participants=["sarah.connor@gmail.com"])
    answer("Yes, you are free for lunch at 12:00 on 2024-05-19. I created the event 'Lunch' with Sarah from 12:00 to 13:00.")
