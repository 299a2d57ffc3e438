day = "2024-05-15"
events = [e for e in get_day_calendar_events(day=day) if e.status != "canceled"]
lunches = [e for e in events if "lunch" in e.title.lower() or "lunch" in e.description.lower()]
titled = [e for e in lunches if "lunch" in e.title.lower() and "sarah" in e.title.lower()]
with_sarah = [e for e in lunches if "sarah" in (e.title + " " + e.description + " " + " ".join(e.participants)).lower()]
lunch = (titled or with_sarah or lunches)[0]
ends = [e.end_time for e in events if e.id_ != lunch.id_ and not e.all_day and e.start_time < lunch.start_time]
if ends:
    form = "%Y-%m-%d %H:%M"
    gap = datetime.datetime.strptime(lunch.start_time, form) - datetime.datetime.strptime(max(ends), form)
    minutes = max(0, int(gap.total_seconds() // 60))
    answer(f"{minutes // 60:02d}:{minutes % 60:02d}")
else:
    answer(f"You have no meeting before your lunch with Sarah, which starts at {lunch.start_time[11:]}.")
