"""Dates and spans of time: making, adding, comparing, sorting, parts."""
from datetime import date, datetime, time, timedelta, timezone

start = datetime(2026, 11, 30, 9, 15)
end = start + timedelta(hours=1, minutes=45)
answer(end, end - start, (end - start).total_seconds() / 60, (end - start) / 2, (end - start) // timedelta(minutes=10))
answer(start < end, start == datetime(2026, 11, 30, 9, 15), max(start, end), sorted([end, start])[0], start != end)
week = timedelta(days=7)
answer(week * 2, week / 2, -week, abs(-week), week // 2, week % timedelta(days=2), week / timedelta(hours=1), 3 * week)
answer(sum([timedelta(hours=1), timedelta(minutes=30)], timedelta()), bool(timedelta(0)), bool(week))
day = date(2026, 11, 30)
answer(day + week, day - date(2026, 1, 1), (day - date(2026, 1, 1)).days, day.weekday(), day.isoweekday(), day.replace(day=1))
days = [day + timedelta(days=i) for i in range(3)]
answer(days, [str(d) for d in days], {d: d.day for d in days}[day], day in days, date(2026, 11, 30) == day)
answer(start.year, start.month, start.day, start.hour, start.minute, start.second, start.date(), start.time(), week.days, week.seconds)
answer(datetime.combine(day, time(8, 30)), datetime.combine(day, time()), start.replace(hour=0, minute=0), start.isocalendar()[1])
monday = day - timedelta(days=day.weekday())
last_of_month = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
answer(monday, last_of_month, date.min, datetime.max, timedelta.resolution)
utc = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
east = utc.astimezone(timezone(timedelta(hours=5, minutes=30)))
answer(utc, east, utc == east, east.utcoffset(), east.isoformat(), utc.timestamp(), datetime.fromtimestamp(0, timezone.utc))
answer(utc == start, repr(day), repr(week), repr(utc), repr(time(9, 5)), [day, week])
for year, month, d in [(2026, 2, 29), (2024, 2, 29)]:
    try:
        answer(date(year, month, d))
    except ValueError:
        answer("no such day")
try:
    answer(utc < start)
except TypeError:
    answer("one has a zone, the other has none")
