"""Methods of dates handed over by their class."""
from datetime import date, datetime, timedelta
import datetime as dt
days = [date(2026, 1, 2), date(2026, 3, 4)]
answer(list(map(date.isoformat, days)), [f(days[0]) for f in (date.weekday, dt.date.isoformat)])
answer(sum(map(timedelta.total_seconds, [timedelta(1), timedelta(2)])), sorted(days, key=date.toordinal))
