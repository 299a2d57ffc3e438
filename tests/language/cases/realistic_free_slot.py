"""The first free half hour between nine and five that fits everybody."""
import datetime as dt


def parse(text):
    return dt.datetime.fromisoformat(text)


busy = sorted((parse(event.start), parse(event.end)) for event in events("2026-11-30"))
need = dt.timedelta(minutes=30)
cursor = parse("2026-11-30T09:00")
closing = parse("2026-11-30T17:00")
free = []
for start, end in busy:
    if start - cursor >= need:
        free.append((cursor, start))
    cursor = max(cursor, end)
if closing - cursor >= need:
    free.append((cursor, closing))
for start, end in free:
    answer(f"{start.strftime('%H:%M')}-{end.strftime('%H:%M')} ({(end - start).seconds // 3600} h)")
first = free[0][0] if free else None
if first is None:
    answer("No time is free.")
else:
    send(to="ann@example.com", body=f"How about {first:%A} at {first:%H:%M}?")
    answer("Proposed", first.isoformat())
