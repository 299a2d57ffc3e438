"""Records made in loops and functions, passed, grouped, updated by making new ones."""
from typing import Optional

from pydantic import BaseModel


class Event(BaseModel):
    title: str
    start: int
    end: int
    room: Optional[str] = None


def parse(line: str) -> Event:
    title, times, *room = [part.strip() for part in line.split(",")]
    start, end = (int(t) for t in times.split("-"))
    return Event(title=title, start=start, end=end, room=room[0] if room else None)


planned = [parse(line) for line in ["Standup, 9-10", "Review, 9-11, A", "Lunch, 12-13", "Talk, 10-12, A"]]
answer(planned[1], [event.title for event in planned if event.room])
def overlap(a: Event, b: Event) -> bool:
    return a.start < b.end and b.start < a.end


clashes = [(a.title, b.title) for i, a in enumerate(planned) for b in planned[i + 1 :] if overlap(a, b)]
answer(clashes)
by_room = {}
for event in planned:
    by_room.setdefault(event.room or "none", []).append(event)
answer({room: [e.title for e in listed] for room, listed in by_room.items()})
moved = [Event(title=e.title, start=e.start + 1, end=e.end + 1, room=e.room) for e in planned]
answer(moved[0], moved[0] == planned[0], sum(e.end - e.start for e in moved))
