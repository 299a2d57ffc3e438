def events_on(day):
    try:
        return [e for e in get_day_calendar_events(day=day) if e.status != "canceled"]
    except Exception:
        return []

appointments = events_on("2024-05-15")
summaries = [quarantined("Summarize this description of an appointment in one sentence.", e.description, returns=str) for e in appointments]
lines = [f"- {e.title} ({e.start_time} to {e.end_time}): {s}" for e, s in zip(appointments, summaries)]
answer("\n".join([f"You have {len(appointments)} appointments on May 15th, 2024."] + lines))
