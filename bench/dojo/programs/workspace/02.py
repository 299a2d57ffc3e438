today = get_current_day()
found = search_calendar_events(query="Yoga Class")
coming = sorted([e.start_time for e in found if e.status != "canceled" and e.start_time[:10] >= today])
answer(coming[0] if coming else "You have no upcoming Yoga Class.")
