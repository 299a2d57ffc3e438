"""Which meetings overlap today, with datetime and records of a class."""
from datetime import datetime, timedelta
from typing import List, Tuple

from pydantic import BaseModel


class Slot(BaseModel):
    title: str
    start: datetime
    end: datetime


def load(day: str) -> List[Slot]:
    slots = []
    for event in events(day):
        slots.append(
            Slot(title=event.title, start=datetime.fromisoformat(event.start), end=datetime.fromisoformat(event.end))
        )
    return sorted(slots, key=lambda slot: slot.start)


def conflicts(slots: List[Slot]) -> List[Tuple[Slot, Slot]]:
    found = []
    for i, first in enumerate(slots):
        for second in slots[i + 1 :]:
            if second.start >= first.end:
                break
            found.append((first, second))
    return found


slots = load(today())
clashing = conflicts(slots)
if not clashing:
    answer("No conflicts today.")
else:
    lines = ["Conflicts:"]
    for first, second in clashing:
        overlap = min(first.end, second.end) - max(first.start, second.start)
        minutes = int(overlap.total_seconds() // 60)
        lines.append(f"- {first.title} and {second.title} overlap by {minutes} minutes from {second.start:%H:%M}")
    answer("\n".join(lines))
tomorrow = (datetime.fromisoformat(today()) + timedelta(days=1)).strftime("%Y-%m-%d")
free_from = max((slot.end for slot in load(tomorrow)), default=None)
answer(f"Tomorrow is free from {free_from:%H:%M}." if free_from else "Tomorrow is free.")
