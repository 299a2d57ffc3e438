event = search_calendar_events(query="Planning with suppliers")[0]
week = datetime.timedelta(days=7)
start = datetime.datetime.strptime(event.start, "%Y-%m-%d %H:%M") + week
end = datetime.datetime.strptime(event.end, "%Y-%m-%d %H:%M") + week
create_calendar_event(title="Planning with suppliers", start=start.strftime("%Y-%m-%d %H:%M"), end=end.strftime("%Y-%m-%d %H:%M"), participants=event.participants)
