"""Free time between meetings, and reminders, as a model writes it."""
from datetime import datetime, timedelta

meetings = [
    {"title": "Standup", "start": "2026-11-30T09:00", "minutes": 15},
    {"title": "Review", "start": "2026-11-30T11:00", "minutes": 60},
    {"title": "Dentist", "start": "2026-11-30T14:30", "minutes": 45},
]
day_start, day_end = datetime(2026, 11, 30, 8), datetime(2026, 11, 30, 17)
free, cursor = [], day_start
for meeting in sorted(meetings, key=lambda m: datetime.fromisoformat(m["start"])):
    begin = datetime.fromisoformat(meeting["start"])
    finish = begin + timedelta(minutes=meeting["minutes"])
    if begin - cursor >= timedelta(minutes=30):
        free.append((cursor, begin))
    cursor = max(cursor, finish)
if cursor < day_end:
    free.append((cursor, day_end))
for begin, finish in free:
    hours, rest = divmod((finish - begin).seconds, 3600)
    answer(f"{begin:%H:%M}-{finish:%H:%M} ({hours}h {rest // 60:02d}m)")
total = sum((finish - begin for begin, finish in free), timedelta())
answer(total, total.total_seconds() / 3600, [m["title"] for m in meetings if datetime.fromisoformat(m["start"]).hour >= 11])
