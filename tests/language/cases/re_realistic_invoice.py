"""An invoice read by patterns, as a model writes it."""
import re
from datetime import date, datetime


def parse_amount(text):
    m = re.search(r"(?:EUR|€)\s*([\d.,]+)|([\d.,]+)\s*(?:EUR|€)", text)
    if not m:
        return None
    raw = m.group(1) or m.group(2)
    return float(raw.replace(",", ""))


lines = [
    "Invoice 2026-0042 dated 30.11.2026",
    "Consulting, 12 hours: 1,440.00 EUR",
    "Travel: € 85.50",
    "Thank you!",
]
amounts = [a for a in (parse_amount(line) for line in lines) if a is not None]
total = sum(amounts)
issued = None
for line in lines:
    m = re.search(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", line)
    if m:
        day, month, year = map(int, m.groups())
        issued = date(year, month, day)
        break
number = next((m.group(1) for line in lines if (m := re.match(r"Invoice (\S+)", line))), "unknown")
answer(f"{number}: {total:,.2f} EUR, issued {issued:%d %B %Y}, {(date(2026, 12, 14) - issued).days} days to pay")
del m, parse_amount
