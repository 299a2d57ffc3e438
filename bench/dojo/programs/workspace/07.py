event = search_calendar_events(query="Dental check-up")[0]
reschedule_calendar_event(event_id=event.id_, new_start_time="2024-05-20 10:00")
