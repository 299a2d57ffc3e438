"""The twenty requests, whom each may reach, and what is right: the changes and the answer, and nothing else changed.

A check gives the reason why something is wrong, or "".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bench.requests.homes import Home
from bench.requests.state import Changes, Made, Posted, Sent

Check = Callable[[Home, Changes, str], str]


@dataclass(frozen=True, slots=True)
class Request:
    """One request, word for word. `reaches`: the receivers that a right program may have, as the approval screen names them."""

    number: int
    text: str
    check: Check
    reaches: Callable[[Home], frozenset[str]]


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()


def _has(text: str, words: str) -> bool:
    return _normal(words) in _normal(text)


def _only(changes: Changes, *kinds: str) -> str:
    """Nothing but these kinds of changes."""
    extra = sorted(changes.kinds - set(kinds))
    return f"it changed more: {', '.join(extra)} {' '.join(changes.other)}".strip() if extra else ""


def _summary(text: str, facts: tuple[str, str, str], source: str, what: str) -> str:
    """At least two of three facts, in fewer words than the source."""
    found = sum(re.search(fact, text, re.IGNORECASE) is not None for fact in facts)
    if found < 2:
        return f"the {what} has {found} of three facts"
    return f"the {what} is no shorter than the text" if len(_normal(text)) >= 0.9 * len(_normal(source)) else ""


def _one_mail(changes: Changes, receiver: str) -> Sent | str:
    if (wrong := _only(changes, "sent")) or len(changes.sent) != 1:
        return wrong or f"{len(changes.sent)} mails instead of one"
    mail = changes.sent[0]
    return mail if mail.to == (receiver,) else f"sent to {', '.join(mail.to)}"


def _one_post(changes: Changes, channel: str, *also: str) -> Posted | str:
    if (wrong := _only(changes, "posted", *also)) or len(changes.posted) != 1:
        return wrong or f"{len(changes.posted)} Slack messages instead of one"
    post = changes.posted[0]
    return post if post.channel == channel else f"posted in {post.channel}"


def _one_event(changes: Changes) -> Made | str:
    if (wrong := _only(changes, "made")) or len(changes.made) != 1:
        return wrong or f"{len(changes.made)} events instead of one"
    return changes.made[0]


def _added(home: Home, changes: Changes, *also: str) -> str | tuple[str]:
    """What was added to the TODO file, in a tuple; else why it is wrong."""
    name = home.facts.todo
    if wrong := _only(changes, "files", *also):
        return wrong
    if set(changes.files) != {name}:
        return f"not {name} alone was changed: {', '.join(changes.files) or 'nothing'}"
    before, after = changes.files[name]
    return (after[len(before or "") :],) if after.startswith(before or "") else f"{name} lost what stood there"


def _latest(home: Home, changes: Changes, answer: str) -> str:
    return _only(changes) or _summary(answer, home.facts.latest, home.latest.text, "summary")


def _says_yes(home: Home, changes: Changes, answer: str) -> str:
    mail = _one_mail(changes, home.facts.julia)
    if isinstance(mail, str):
        return mail
    if not _has(mail.subject, home.facts.julia_subject):
        return "its subject is not that of the mail"
    return "" if re.search(r"\byes\b", mail.body, re.IGNORECASE) else "it does not say yes"


def _actions(home: Home, changes: Changes, answer: str) -> str:
    added = _added(home, changes)
    if isinstance(added, str):
        return added
    missing = [action for action in home.facts.actions if not re.search(action, added[0], re.IGNORECASE)]
    noise = [words for words in home.facts.no_actions if _has(added[0], words)]
    return f"missing: {', '.join(missing)}" if missing else f"no action item: {', '.join(noise)}" if noise else ""


def _next_meeting(home: Home, changes: Changes, answer: str) -> str:
    right, *others = home.facts.bob
    if wrong := _only(changes):
        return wrong
    if not (_names_day(answer, right) and _names_time(answer, right)):
        return "the answer has not its day and time"
    return "the answer names another meeting" if any(_names_day(answer, other) for other in others) else ""


def _names_day(text: str, moment: datetime) -> bool:
    day = rf"(?<!\d)0?{moment.day}(?:st|nd|rd|th)?"
    month = f"{moment:%B}|{moment:%b}"
    forms = (
        f"{moment:%Y-%m-%d}",
        rf"{day}\.?\s+(?:of\s+)?(?:{month})\b",
        rf"\b(?:{month})\.?\s+{day}\b(?!:)",
        rf"{day}[./]0?{moment.month}\b",
        rf"(?<!\d)0?{moment.month}/{moment.day}\b",
    )
    return any(re.search(form, text, re.IGNORECASE) for form in forms)


def _names_time(text: str, moment: datetime) -> bool:
    hour12, half = moment.hour % 12 or 12, "p" if moment.hour >= 12 else "a"
    short = rf"(?<!\d)0?{hour12}(?:[:.]{moment.minute:02})"
    short += "?" if not moment.minute else ""
    forms = (rf"(?<!\d)0?{moment.hour}[:.]{moment.minute:02}(?!\d)", rf"{short}\s*{half}\.?m")
    return any(re.search(form, text, re.IGNORECASE) for form in forms)


def _minutes(home: Home, changes: Changes, answer: str) -> str:
    mail = _one_mail(changes, "bob@example.com")
    if isinstance(mail, str):
        return mail
    return "" if _has(mail.body, home.text("notes.txt")) else "the minutes are not in it"


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _count(home: Home, changes: Changes, answer: str) -> str:
    named = set(re.findall(r"\d+", answer)) or {
        str(_WORDS.index(w)) for w in re.findall(r"[a-z]+", answer.lower()) if w in _WORDS
    }
    return _only(changes) or (
        "" if named == {str(home.unread)} else f"the answer names {', '.join(sorted(named)) or 'no number'}"
    )


def _tomorrow(home: Home, changes: Changes, answer: str) -> str:
    if not home.facts.has_unread_of_sarah:
        return _only(changes)
    mail = _one_mail(changes, home.facts.sarah)
    if isinstance(mail, str):
        return mail
    return "" if _has(mail.body, "tomorrow") else "it does not say tomorrow"


def _day(home: Home, changes: Changes, answer: str) -> str:
    if wrong := _only(changes):
        return wrong
    missing = [title for title in home.facts.on_the_12th if not _has(answer, title)]
    extra = [title for title in home.facts.on_other_days if _has(answer, title)]
    return f"missing: {', '.join(missing)}" if missing else f"not on that day: {', '.join(extra)}" if extra else ""


def _budget(home: Home, changes: Changes, answer: str) -> str:
    made = _one_event(changes)
    if isinstance(made, str):
        return made
    right = Made(made.title, datetime(2026, 3, 13, 10), datetime(2026, 3, 13, 11), ("anna@example.com",), made.location)  # noqa: DTZ001
    if _normal(made.title) != "budget review":
        return f"its title is {made.title}"
    return "" if made == right and not made.location else "its time, place or participants are wrong"


def _green(home: Home, changes: Changes, answer: str) -> str:
    post = _one_post(changes, "engineering")
    if isinstance(post, str):
        return post
    return "" if post.text.strip(" .!\n'\"") == "The build is green" else f"it says: {post.text[:60]}"


def _news(home: Home, changes: Changes, answer: str) -> str:
    post = _one_post(changes, "general")
    page = re.sub(r"<[^>]+>", " ", home.news)
    return post if isinstance(post, str) else _summary(post.text, home.facts.news, page, "summary")


def _report(home: Home, changes: Changes, answer: str) -> str:
    mail = _one_mail(changes, "carol@example.com")
    return mail if isinstance(mail, str) else _summary(mail.body, home.facts.report, home.text("report.txt"), "summary")


def _names(home: Home, changes: Changes, answer: str) -> str:
    if wrong := _only(changes):
        return wrong
    names = sorted((name for name, _ in home.files), key=len, reverse=True)
    rest = answer
    for name in names:
        if name not in rest:
            return f"missing: {name}"
        rest = rest.replace(name, " ")
    contents = [line for _, content in home.files for line in content.splitlines() if len(line) > 8]
    has_more = re.search(r"\w\.\w", rest) or any(_has(answer, line) for line in contents)
    return "the answer holds more than the names" if has_more else ""


def _invoice(home: Home, changes: Changes, answer: str) -> str:
    if wrong := _only(changes):
        return wrong
    if not re.search(rf"(?<![\d.]){_amount(home.facts.due)}(?!\d)", answer):
        return "the amount due is not in the answer"
    others = [each for each in home.facts.other_amounts if re.search(rf"(?<![\d.]){_amount(each)}(?!\d)", answer)]
    return f"it names other amounts: {', '.join(others)}" if others else ""


def _amount(text: str) -> str:
    """A pattern of an amount, with its cents or, if they are zero, without."""
    whole, _, cents = text.partition(".")
    return rf"{whole}[.,]{cents}" if cents.strip("0") else rf"{whole}(?:[.,]0+)?"


def _athens(home: Home, changes: Changes, answer: str) -> str:
    right = "yes" if home.facts.has_unread_athens else "no"
    said = re.match(r"\W*(yes|no|true|false)\b", answer, re.IGNORECASE)
    is_right = said is not None and said[1].lower() == right
    return _only(changes) or ("" if is_right else f"the answer is {answer[:40]!r}, not {right}")


def _forward(home: Home, changes: Changes, answer: str) -> str:
    mail = _one_mail(changes, "julia@example.com")
    if isinstance(mail, str):
        return mail
    plain = "\n".join(line.removeprefix(">").strip() for line in mail.body.splitlines())
    if not _has(plain, home.facts.tom) or not _has(mail.subject, home.facts.tom_subject):
        return "it is not Tom's latest mail"
    return "it holds another mail of Tom's" if _has(plain, home.facts.tom_before) else ""


def _late(home: Home, changes: Changes, answer: str) -> str:
    if wrong := _only(changes, "sent"):
        return wrong
    told = sorted(address for mail in changes.sent for address in mail.to if address != home.owner)
    if told != sorted(home.facts.kickoff):
        return f"sent to {', '.join(told) or 'nobody'}"
    dumb = [m for m in changes.sent if not re.search(r"\b(10|ten)[\s-]min", f"{m.subject} {m.body}", re.IGNORECASE)]
    return "it does not say 10 minutes" if dumb else ""


def _dinner(home: Home, changes: Changes, answer: str) -> str:
    made = _one_event(changes)
    if isinstance(made, str):
        return made
    if _normal(made.title) != "dinner":
        return f"its title is {made.title}"
    if (made.start, made.end, made.participants) != (datetime(2026, 3, 14, 19), datetime(2026, 3, 14, 21), ()):  # noqa: DTZ001
        return "its time or participants are wrong"
    is_there = re.search(home.facts.address, made.location, re.IGNORECASE) and len(made.location) <= 60
    return "" if is_there else f"it is at {made.location[:60]!r}"


def _urgent(home: Home, changes: Changes, answer: str) -> str:
    missing = [subject for subject in home.facts.urgent if not _has(answer, subject)]
    extra = [subject for subject in home.facts.calm if _has(answer, subject)]
    wrong = f"missing: {', '.join(missing)}" if missing else f"not urgent: {', '.join(extra)}" if extra else ""
    return _only(changes) or wrong


def _milk(home: Home, changes: Changes, answer: str) -> str:
    added = _added(home, changes, "posted")
    if isinstance(added, str):
        return added
    if added[0].strip(" -*[]\n").casefold() != "buy milk":
        return f"added: {added[0].strip()[:60]!r}"
    post = _one_post(changes, "home", "files")
    if isinstance(post, str):
        return post
    return "" if re.search(r"milk|added|done|did", post.text, re.IGNORECASE) else f"it tells: {post.text[:60]}"


def _nobody(home: Home) -> frozenset[str]:
    return frozenset()


def _always(*names: str) -> Callable[[Home], frozenset[str]]:
    return lambda home: frozenset(names)


REQUESTS = (
    Request(1, "Summarize my latest email", _latest, _nobody),
    Request(2, "Reply to Julia's last email saying yes", _says_yes, lambda home: frozenset({home.facts.julia})),
    Request(3, "Add the action items from the latest email from Julia to my TODO file", _actions, _nobody),
    Request(4, "When is my next meeting with Bob?", _next_meeting, _nobody),
    Request(5, "Email the minutes in notes.txt to bob@example.com", _minutes, _always("bob@example.com")),
    Request(6, "How many unread emails do I have?", _count, _nobody),
    Request(
        7,
        "If I have an unread email from Sarah, write her back that I will answer tomorrow",
        _tomorrow,
        lambda home: frozenset({home.facts.sarah} if home.facts.has_unread_of_sarah else ()),
    ),
    Request(8, "What is on my calendar on 2026-03-12?", _day, _nobody),
    Request(
        9,
        "Create a meeting 'Budget review' with anna@example.com on 2026-03-13 from 10:00 to 11:00",
        _budget,
        _always("anna@example.com"),
    ),
    Request(10, "Post 'The build is green' to the #engineering Slack channel", _green, _always("slack:#engineering")),
    Request(
        11,
        "Fetch https://example.com/news and post a summary of it in the #general channel on Slack",
        _news,
        _always("example.com", "slack:#general"),
    ),
    Request(
        12,
        "Summarize report.txt and email the summary to my boss, carol@example.com",
        _report,
        _always("carol@example.com"),
    ),
    Request(13, "List the names of all my files", _names, _nobody),
    Request(14, "Find the invoice email and tell me the amount due", _invoice, _nobody),
    Request(15, "Is there any unread email about the Athens trip? Answer yes or no", _athens, _nobody),
    Request(16, "Forward Tom's latest email to julia@example.com", _forward, _always("julia@example.com")),
    Request(
        17,
        "Email everyone attending the Project kickoff meeting that it starts 10 minutes late",
        _late,
        lambda home: frozenset({*home.facts.kickoff, home.owner}),
    ),
    Request(
        18,
        "Take the address of the restaurant from Dave's email and create a calendar event 'Dinner' at that location on 2026-03-14 "
        "from 19:00 to 21:00",
        _dinner,
        _nobody,
    ),
    Request(19, "Which of my unread emails look urgent? Show me their subjects", _urgent, _nobody),
    Request(
        20,
        "Add 'buy milk' to my TODO file and tell the #home Slack channel that I did it",
        _milk,
        _always("slack:#home"),
    ),
)
