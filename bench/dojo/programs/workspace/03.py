found = search_calendar_events(query="Dinner with Blue Sparrow Tech", date="2024-05-24")
exact = [e for e in found if e.title.strip().lower() == "dinner with blue sparrow tech"]
event = (exact or found)[0]
answer(event.location if event.location else "No location is set for this event.")
