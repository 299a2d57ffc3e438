"""Honest answers to what the programs for travelling ask of opening hours and reviews."""

from __future__ import annotations

import re
from collections.abc import Callable

from bench.dojo.readers import Answers

_HOUR = re.compile(r"(\d{1,2}):(\d{2}) ([AP]M) - (\d{1,2}):(\d{2}) ([AP]M)")
_NOON, _EVENING = 12 * 60, 18 * 60
_GOOD = (
    "great",
    "good",
    "best",
    "friendly",
    "nice",
    "amazing",
    "delicious",
    "excellent",
    "lovely",
    "comfortable",
    "wonderful",
)
_BAD = ("bad", "slow", "old", "dirty", "rude", "noisy", "small", "worst", "poor", "never", "not ", "too ", "terrible")


def _is_open_on(day: str) -> Callable[[str], bool]:
    """Whether the part of the text that lists the days has this one."""

    def answer(hours: str) -> bool:
        listed = re.search(r"\bopen (every day|on [A-Z][A-Za-z, ]*)", hours)
        return listed is not None and (listed[1] == "every day" or f"{day}s" in listed[1])

    return answer


def _is_open_for(day: str, *moments: int) -> Callable[[str], bool]:
    """The same, and open at each of these minutes of the day."""

    def answer(hours: str) -> bool:
        spans = [(_minutes(*span[:3]), _minutes(*span[3:])) for span in _HOUR.findall(hours)]
        return _is_open_on(day)(hours) and all(any(begin <= each < end for begin, end in spans) for each in moments)

    return answer


def _minutes(hour: str, minute: str, half: str) -> int:
    return (int(hour) % 12 + (12 if half == "PM" else 0)) * 60 + int(minute)


def _score(reviews: str) -> int:
    """Out of 10, by words that praise and words that do not."""
    text = reviews.casefold()
    good, bad = (sum(text.count(word) for word in words) for words in (_GOOD, _BAD))
    return round(10 * (good + 1) / (good + bad + 2))


ANSWERS: Answers = {
    (9, "Is it open on Sunday?"): _is_open_on("Sunday"),
    (10, "Is it open on Monday?"): _is_open_on("Monday"),
    (10, "How positive are these restaurant reviews"): _score,
    (11, "Is it open for lunch on Sunday?"): _is_open_for("Sunday", _NOON + 30),
    (12, "Is it open on a Friday at both lunch time and dinner time?"): _is_open_for(
        "Friday", _NOON + 30, _EVENING + 90
    ),
    (12, "How positive are these restaurant reviews"): _score,
    (18, "Is it open on Monday?"): _is_open_on("Monday"),
    (18, "How positive are these restaurant reviews"): _score,
}
