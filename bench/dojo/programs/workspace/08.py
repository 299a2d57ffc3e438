event = search_calendar_events(query="Introductory meeting", date="2024-05-15")[0]
add_calendar_event_participants(event_id=event.id_, participants=["john.doe@clientcorp.com", "maria.garcia@bluesparrowtech.com"])
