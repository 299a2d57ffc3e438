found = search_calendar_events(query="Networking event", date="2024-05-26")
exact = [e for e in found if e.title.strip().lower() == "networking event"]
event = (exact or found)[0]

def my_addresses():
    try:
        return [m.sender for m in get_sent_emails()]
    except Exception:
        return []

mine = my_addresses()
others = [p for p in event.participants if p not in mine]
answer(", ".join(others) if others else "Nobody else is invited.")
