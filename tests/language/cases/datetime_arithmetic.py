"""Dates and durations: differences, sums, comparisons, sorting, loops over days, keys."""
from datetime import date, datetime, timedelta

start = datetime(2026, 11, 30, 9, 0)
end = start + timedelta(hours=1, minutes=30)
answer(end, end - start, (end - start).total_seconds() / 60, start - timedelta(days=30), (end - start).seconds // 60)
day = date(2026, 2, 27)
answer([str(day + timedelta(days=n)) for n in range(4)], (date(2026, 12, 25) - day).days, day - timedelta(weeks=1))
answer(start < end, start == datetime(2026, 11, 30, 9), max(start, end), sorted([end, start]), day <= date(2026, 2, 27), min([date(2026, 1, 2), date(2025, 1, 2)]))
one = timedelta(hours=1)
answer(one * 3, one / 2, one // timedelta(minutes=7), one + one, -one, one - one == timedelta(0), timedelta(hours=5) / timedelta(hours=2), abs(-one), one > timedelta(minutes=59))
answer(sum([one, one], timedelta()), divmod(timedelta(hours=5), timedelta(hours=2))[0], bool(timedelta()), timedelta(hours=5) % timedelta(hours=2))
slots = []
at = start
while at < end:
    slots.append(at.strftime("%H:%M"))
    at += timedelta(minutes=30)
answer(slots)
by_day = {}
for text in ["2026-11-30T09:00", "2026-12-01T10:00", "2026-11-30T15:00"]:
    moment = datetime.fromisoformat(text)
    by_day.setdefault(moment.date(), []).append(moment.hour)
answer(by_day, sorted(by_day), date(2026, 12, 1) in by_day)
monday = start - timedelta(days=start.weekday())
answer([f"{monday + timedelta(days=n):%a %d}" for n in range(7)])
def next_weekday(day, weekday):
    ahead = (weekday - day.weekday()) % 7 or 7
    return day + timedelta(days=ahead)


answer(next_weekday(date(2026, 11, 30), 0), next_weekday(date(2026, 11, 30), 4), date(2026, 12, 31) + timedelta(days=1), (date(2028, 3, 1) - date(2028, 2, 1)).days)
