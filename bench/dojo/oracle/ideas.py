"""Team building activities that a model knows by itself: the one kind of answer that is not in the text, because it is asked for."""

from __future__ import annotations

import re

_IDEAS = (
    (
        "Escape Room Challenge",
        "Small teams solve linked puzzles against the clock.",
        "To practise sharing what each member has found out.",
    ),
    (
        "Volunteer Day",
        "The team spends a day helping a local charity.",
        "To build trust while doing something useful together.",
    ),
    (
        "Quiz Evening",
        "Mixed teams answer questions on many subjects.",
        "To let colleagues meet outside their own group.",
    ),
    ("Cooking Class", "Teams cook a meal together under a chef.", "To practise dividing work and timing it."),
)


def fresh_ideas(document: str) -> list[str]:
    """Two ideas that the document does not have, a line each."""
    return [f"{name}: {what}" for name, what, _why in _fresh(document)]


def next_activities(document: str) -> dict[str, str]:
    """Two more activities in the form of the document's, with the numbers that follow."""
    last = max((int(number) for number in re.findall(r"^Activity (\d+):", document, re.MULTILINE)), default=0)
    written = [
        f"Activity {last + at}: {name}\n  - Description: {what}\n  - Objective: {why}"
        for at, (name, what, why) in enumerate(_fresh(document), 1)
    ]
    return {"first": written[0], "second": written[1]}


def _fresh(document: str) -> list[tuple[str, str, str]]:
    return [idea for idea in _IDEAS if idea[0].casefold() not in document.casefold()][:2]
