"""An event as text for the approval screen."""

from __future__ import annotations

from datetime import tzinfo

from armslength.tools.calendar.ics import Entry, local


def drawn(entry: Entry, zone: tzinfo | None) -> str:
    """An event as text for the approval screen, its times local; `zone` None is the machine's."""
    start, end = (local(moment, zone) for moment in (entry.start, entry.start + entry.length))
    answers = dict(entry.answers)
    people = [f"{each} ({answers.get(each.lower(), 'NEEDS-ACTION').lower()})" for each in entry.participants]
    lines = {
        "Title": entry.title,
        "When": f"{start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}{', repeated' if entry.rule or entry.added else ''}",
        "Not on": ", ".join(sorted(f"{local(each, zone):%Y-%m-%d}" for each in entry.excluded)),
        "Where": entry.location,
        "Organizer": entry.organizer,
        "Participants": ", ".join(people),
    }
    said = "".join(f"{name}: {' '.join(text.split())}\n" for name, text in lines.items() if text)
    return said + "".join(f"  {line}\n" for line in entry.description.splitlines())
