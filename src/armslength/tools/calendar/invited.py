"""What an event's organizer is known to have said of it: the mail that brought the invitation, if its sender is authenticated.

An event counts as its organizer's while it shows what the latest mail about it from that very address says, which is a request to the user
(iTIP, RFC 5546, section 3.2.2). Both texts are read by one reader, and all that programs see of an event is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from armslength.errors import OperatorError, ToolError
from armslength.tools.calendar.changing import uid_of
from armslength.tools.calendar.comparing import people_of
from armslength.tools.calendar.editing import Component, address_of, read_calendar
from armslength.tools.calendar.ics import Entry, Moment, read_entries
from armslength.tools.mail.invitations import Invitation, Invitations

_PLACE = "invitation"


def nobody_invited(_senders: frozenset[str]) -> list[Invitation]:
    """Where there is no mail to look into."""
    return []


@dataclass(frozen=True, slots=True, repr=False)
class _Word:
    """What an organizer said of an event. `rank`: by what it is the latest; `said`: None where it is no invitation of the user's."""

    rank: tuple[int, str, datetime]
    said: tuple[object, ...] | None


class Invited:
    """The invitations to the events of one look at the calendars. `own`: the user's addresses, lower case."""

    def __init__(self, invitations: Invitations, own: frozenset[str]) -> None:
        self._ask, self._own = invitations, own
        self._senders: frozenset[str] = frozenset()
        self._words: dict[tuple[str, str], _Word] | None = {}

    def look(self, entries: Iterable[Entry]) -> None:
        """From now on it is about these events. The mail is asked once, and only if one of them is asked about."""
        self._senders = frozenset(each.organizer.lower() for each in entries if self._may_be_known(each))
        self._words = None

    def is_known(self, entry: Entry) -> bool:
        """Whether its organizer said just this of it, as far as programs see it."""
        if not self._may_be_known(entry):
            return False
        if self._words is None:
            self._words = self._told()
        word = self._words.get((entry.organizer.lower(), entry.uid))
        return word is not None and word.said is not None and word.said == _shown(entry)

    def _may_be_known(self, entry: Entry) -> bool:
        """Somebody else invites the user, and nobody else than those who are named. A changed time of a series is not looked at."""
        people = {each.lower() for each in entry.participants}
        is_other = bool(entry.organizer) and entry.organizer.lower() not in self._own
        return (
            is_other
            and bool(entry.uid)
            and not entry.has_more_people
            and entry.replaces is None
            and bool(people & self._own)
        )

    def _told(self) -> dict[tuple[str, str], _Word]:
        """By organizer and UID. A mailbox that cannot be read, or lets nobody in, vouches for nobody."""
        try:
            invitations = self._ask(self._senders) if self._senders else []
        except (ToolError, OperatorError):
            return {}
        found: dict[tuple[str, str], _Word] = {}
        for invitation in invitations:
            for uid, word in self._words_of(invitation):
                key = (invitation.sender, uid)
                if key not in found or found[key].rank <= word.rank:
                    found[key] = word
        return found

    def _words_of(self, invitation: Invitation) -> Iterator[tuple[str, _Word]]:
        """What one mail says of its sender's events, by UID. Of two events in one mail, or by another method, it says that it is otherwise now."""
        try:
            calendar = read_calendar(invitation.content)
        except ToolError:
            return
        events = [each for each in calendar.components("VEVENT") if _organizer(each) == invitation.sender]
        is_request = (invitation.method, _only(calendar, "METHOD")) == ("REQUEST", "REQUEST")
        entry = _only_entry(invitation.content) if is_request and len(calendar.components("VEVENT")) == 1 else None
        for event in events:
            uid, sequence = uid_of(event), event.value("SEQUENCE") or "0"
            named = entry is not None and (entry.uid, str(entry.sequence), entry.organizer.lower())
            is_it = named == (uid, sequence, invitation.sender)
            said = _shown(entry) if entry is not None and is_it and self._may_be_known(entry) else None
            number = int(sequence) if _NUMBER.fullmatch(sequence) else _HIGHEST
            stamp = event.value("DTSTAMP")
            yield uid, _Word((number, stamp if _STAMP.fullmatch(stamp) else "", invitation.delivered), said)


_NUMBER, _STAMP = re.compile(r"[0-9]{1,9}"), re.compile(r"[0-9]{8}T[0-9]{6}Z")
_HIGHEST = 10**9


def _organizer(event: Component) -> str:
    named = list(event.properties("ORGANIZER"))
    return address_of(named[0]) if len(named) == 1 else ""


def _only(calendar: Component, name: str) -> str:
    found = list(calendar.properties(name))
    return found[0].value.strip().upper() if len(found) == 1 else ""


@lru_cache(maxsize=1_000)
def _only_entry(content: bytes) -> Entry | None:
    """The one event of an invitation that can be read without a flaw."""
    entries, flaws = read_entries(_PLACE, content)
    return entries[0] if len(entries) == 1 and not flaws else None


def _shown(entry: Entry) -> tuple[object, ...] | None:
    """All that is seen of an event, but for who answered what. None: a time is outside the calendar, or a zone cannot be evaluated."""
    try:
        return _all_of(entry)
    except (ToolError, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _all_of(entry: Entry) -> tuple[object, ...]:
    return (
        entry.uid,
        entry.sequence,
        entry.title,
        entry.location,
        entry.description,
        entry.participants,
        entry.has_more_people,
        entry.organizer,
        people_of(entry.content),
        entry.length,
        entry.rule,
        entry.zones,
        _written(entry.start),
        _written(entry.until),
        _written(entry.replaces),
        tuple(map(_written, entry.added)),
        tuple(sorted(map(_written, entry.excluded))),
    )


def _written(moment: Moment | None) -> str:
    """A moment with its kind and its zone: those that are equal may repeat at other times."""
    if moment is None:
        return ""
    if not isinstance(moment, datetime):
        return f"{moment.isoformat()} day"
    if moment.tzinfo is None:
        return f"{moment.isoformat()} floating"
    return f"{moment.replace(tzinfo=None).isoformat()} {moment.astimezone(UTC).isoformat()} {moment.tzinfo}"
