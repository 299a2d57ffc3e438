"""Searching with groups, by number and by name."""
import re

text = "Order #4711 of 2026-11-30, total 1,234.50 EUR"
match = re.search(r"#(\d+) of (?P<date>[\d-]+)", text)
if match:
    answer(match.group(), match.group(1), match.group("date"), match.group(1, 2), match[1], match["date"])
    answer(match.groups(), match.groupdict(), match.start(), match.end(1), match.span("date"))
    number = int(match.group(1))
missing = re.search(r"refund", text)
answer(missing is None, missing or "no refund")
if m := re.match(r"(\w+)\s+(\d+)?", text):
    answer(m.group(1), m.group(2), m.groups("?"), m.groups())
for candidate in ("2026-11-30", "2026-11-30 ", "20261130"):
    answer(candidate, bool(re.fullmatch(r"\d{4}-\d{2}-\d{2}", candidate)))
first, second = re.search(r"(\d+)\.(\d+)", text).groups()
del match, missing, m
