"""Dates from texts and to texts."""
import datetime as dt
from datetime import datetime

moment = datetime.fromisoformat("2026-11-30T09:05:07")
answer(moment.isoformat(), moment.isoformat(" "), moment.isoformat(timespec="minutes"), str(moment), moment.date().isoformat())
answer(moment.strftime("%Y-%m-%d %H:%M"), moment.strftime("%A, %d %B %Y"), moment.strftime("%a %b %d %I:%M %p"), moment.strftime("%j %U %W %V 100%%"))
answer(f"{moment:%d.%m.%Y}", f"{moment:%H:%M}", f"on {moment.date():%d %b}", f"{moment.time():%H h}", f"{moment}", "{:%Y}".format(moment))
answer(datetime.strptime("30/11/2026 5:06 PM", "%d/%m/%Y %I:%M %p"), datetime.strptime("Nov 30, 2026", "%b %d, %Y").date())
answer(datetime.strptime("2026-11-30T09:05:07+0530", "%Y-%m-%dT%H:%M:%S%z"), dt.datetime.strptime("7:5", "%H:%M").time())
answer(dt.date.fromisoformat("2026-11-30"), dt.time.fromisoformat("09:30"), dt.date(2026, 1, 5).strftime("%d/%m/%y"))
texts = ["2026-12-24", "24.12.2026", "Dec 24 2026", "tomorrow"]
parsed = []
for text in texts:
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%b %d %Y"):
        try:
            parsed.append(datetime.strptime(text, form).date())
            break
        except ValueError:
            continue
    else:
        parsed.append(None)
answer(parsed, parsed[0] == parsed[1] == parsed[2])
try:
    datetime.fromisoformat("soon")
except ValueError:
    answer("not a date")
