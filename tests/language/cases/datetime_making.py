"""Dates, times and durations: made, read, shown, parsed."""
from datetime import date, datetime, time, timedelta, timezone

day = date(2026, 11, 30)
at = datetime(2026, 11, 30, 9, 5)
exact = datetime(2026, 1, 2, 3, 4, 5, 678)
late = time(23, 59, 1)
span = timedelta(days=1, hours=2, minutes=30)
answer(day, at, exact, late, span, [day, at, late, span], f"{day}", str(at))
answer(day.year, day.month, day.day, at.hour, at.minute, at.second, exact.microsecond, late.hour, span.days, span.seconds, span.total_seconds())
answer(day.weekday(), day.isoweekday(), day.isoformat(), at.isoformat(), at.date(), at.time(), day.isocalendar()[1], at.isoformat(sep=" "))
answer(date.fromisoformat("2026-02-28"), datetime.fromisoformat("2026-02-28T10:30"), datetime.fromisoformat("2026-02-28 10:30:15"), time.fromisoformat("10:30"))
answer(datetime.strptime("30.11.2026", "%d.%m.%Y"), datetime.strptime("Nov 3, 2026 14:05", "%b %d, %Y %H:%M").date(), datetime.strptime("2:30 PM", "%I:%M %p").time())
answer(at.strftime("%Y-%m-%d %H:%M"), at.strftime("%d %B %Y"), day.strftime("%a %b %d"), at.strftime("%A, %I:%M %p"), f"{at:%d.%m.%Y}", f"{day:%Y%m%d}")
answer(at.replace(hour=10), day.replace(month=1, day=31), datetime.combine(day, late), datetime.combine(day, time(8)), date(2024, 2, 29).replace(year=2028))
zoned = datetime(2026, 11, 30, 9, 0, tzinfo=timezone.utc)
answer(zoned, zoned.isoformat(), datetime.fromisoformat("2026-11-30T09:00:00+01:00"), zoned.astimezone(timezone(timedelta(hours=2))))
answer(timedelta(), timedelta(minutes=90), timedelta(weeks=1), timedelta(hours=-1), str(timedelta(days=2)), timedelta(seconds=3661))
for text in ["2026-13-01", "x", "2026-02-30"]:
    try:
        answer(date.fromisoformat(text))
    except ValueError:
        answer("no date:", text)
try:
    datetime.strptime("30/11/2026", "%Y-%m-%d")
except ValueError:
    answer("does not fit")
answer(datetime.min.year, date.max.isoformat(), date.min.replace(year=5), time.max.hour, timedelta.max.days > 999)
