"""Calendars on servers (CalDAV, RFC 4791): which events lie in them, whose words those are, and where one is written.

Anybody can send an invitation that a server puts into a calendar: what an event says is `calendar:unverified`, and what we wrote has the
label in our ledger, joined with that where it was changed since.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from armslength.errors import ConfigError, ToolError
from armslength.events import Trust
from armslength.labels import NOTHING, PRIVATE, Label, Readers, join, label
from armslength.tools.calendar.comparing import words_of
from armslength.tools.calendar.ics import Entry, Occurrence, Window, occurrences, read_entries
from armslength.tools.calendar.invited import Invited, nobody_invited
from armslength.tools.calendar.recurrence import Budget
from armslength.tools.calendar.tools import INVITERS, STORE, claimed
from armslength.tools.dav.collection import Collection
from armslength.tools.dav.connection import Connection, Request
from armslength.tools.dav.copy import Item
from armslength.tools.dav.discovery import chosen
from armslength.tools.dav.places import is_member, place_of
from armslength.tools.dav.settings import DavSettings
from armslength.tools.ledger import Ledger, digest, knowing, read_back
from armslength.tools.listing import Listing, listing_among, steered_by
from armslength.tools.mail.invitations import Invitations

_MOST_DAYS = 50_000
_MOVED = "moved"
UNVERIFIED = "calendar:unverified"
"""Whoever can put an event into a calendar."""


@dataclass(frozen=True, slots=True)
class CalendarAccount:
    """What is told of one table of calendars on a server. `name`: of the table, nothing where it is the only one.

    `writes`: what the calendar is called that is written to, where there are several. `addresses`: the owner's, lower case, the first
    invites. `shared_with`: whoever else sees what lies in it. `is_told`: what is written there counts as told to whoever has the server,
    though it is the user's own account: where some data stays on this machine.
    """

    name: str
    server: DavSettings
    addresses: tuple[str, ...] = ()
    shared_with: tuple[str, ...] = ()
    writes: str = ""
    is_told: bool = False

    @property
    def onlookers(self) -> tuple[str, ...]:
        """Who learns of whatever is written there: those who see it, and where that counts the user's own account on the server."""
        own = self.addresses[:1] or (place_of(self.server.url, self.server.setting).origin.host,)
        return (*self.shared_with, *own) if self.is_told else self.shared_with


class ServedCalendars:
    """The calendars of one account. They are found at the first use."""

    def __init__(self, settings: CalendarAccount, state: Path) -> None:
        """Nothing is contacted yet.

        Raises:
            ConfigError: the settings cannot be used.
        """
        self.settings, self._state = settings, state
        self.connection = Connection(settings.server)
        self._lock = threading.Lock()
        self._found: list[Collection] | None = None
        self._tells: bool | None = None

    def tells(self) -> bool:
        """Whether the server itself sends invitations, answers and cancellations (RFC 6638, section 2)."""
        if self._tells is None:
            answer = self.connection.ask(Request("OPTIONS", self.written().path))
            said = {each.strip().lower() for each in answer.headers.get("dav", "").split(",")}
            self._tells = "calendar-auto-schedule" in said
        return self._tells

    def all(self) -> list[Collection]:
        """Its calendars."""
        with self._lock:
            if self._found is None:
                found = chosen(self.connection, "calendar")
                self._found = [Collection(self.connection, "calendar", each, self._state) for each in found]
            return self._found

    def written(self) -> Collection:
        """The one that is written to.

        Raises:
            ToolError: there are several, and the settings name none or more than one of them.
        """
        wanted = self.settings.writes
        fitting = [each for each in self.all() if not wanted or each.title == wanted]
        if len(fitting) != 1:
            name = self.connection.name
            raise self.connection.failed(
                f"which of its {len(self.all())} calendars is written to is not said; name one in {name}.writes"
            )
        return fitting[0]

    def holding(self, path: str) -> Collection:
        """The calendar that a path lies in.

        Raises:
            ToolError: it lies in none.
        """
        for each in self.all():
            if is_member(path, each.path):
                return each
        raise self.connection.failed("the calendar that this lay in is not there any more")


@dataclass(frozen=True, slots=True, repr=False)
class Placed:
    """An event and where it lies. `together`: all that lies in one text with it, itself and changed times of a series among them."""

    account: ServedCalendars
    collection: Collection
    path: str
    entry: Entry
    together: tuple[Entry, ...]


class Agenda:
    """All calendars as one, with their ledger."""

    def __init__(
        self,
        accounts: Iterable[CalendarAccount],
        trust: Trust,
        state: Path,
        zone: tzinfo | None,
        invitations: Invitations = nobody_invited,
    ) -> None:
        """`zone`: what local time is; None is the machine's. `invitations`: what mails of authenticated senders say.

        Raises:
            ConfigError: an account cannot be used, or two have one name.
        """
        self.accounts = [ServedCalendars(each, state / "dav") for each in accounts]
        names = [each.settings.name for each in self.accounts]
        if len({*names}) < len(names) or (len(names) > 1 and "" in names):
            raise ConfigError("calendar: several accounts need a name each, all different")
        self.trust, self.zone = knowing(trust, STORE), zone
        self.ledger = Ledger(state / "calendar.ledger.json", self.trust)
        self._moves = Ledger(state / "calendar-moves.ledger.json", self.trust)
        self._read: dict[str, tuple[str, list[Entry]]] = {}
        own = (address.lower() for each in self.accounts for address in each.settings.addresses)
        self._invited = Invited(invitations, frozenset(own))

    def account(self, name: str) -> ServedCalendars:
        """The account of that name, for no name the first."""
        for each in self.accounts:
            if name in {"", each.settings.name}:
                return each
        raise ToolError("calendar: there is no calendar of that name; name one that is configured")

    def events(self, calendar: str = "") -> list[Placed]:
        """Every event that can be read, of one account or of all."""
        accounts = [self.account(calendar)] if calendar else self.accounts
        found = [
            Placed(account, collection, item.path, entry, tuple(entries))
            for account in accounts
            for collection in account.all()
            for item in collection.listed().items
            for entries in [self._entries(account, item)]
            for entry in entries
        ]
        self._invited.look(each.entry for each in found)
        return found

    def _entries(self, account: ServedCalendars, item: Item) -> list[Entry]:
        where = self.where(account, item.path)
        known = self._read.get(where)
        if known is None or known[0] != digest(item.content):
            known = self._read[where] = (digest(item.content), read_entries(where, item.content)[0])
        return known[1]

    @staticmethod
    def where(account: ServedCalendars, path: str) -> str:
        """The name of a resource among those of all accounts."""
        return f"{account.connection.start.origin.url}{path}"

    def named(self, key: str) -> Placed:
        """The event with this id, or one of whose times has it.

        Raises:
            ToolError: there is none any more.
        """
        bare = key.partition("-")[0]
        for each in self.events():
            if each.entry.key == bare:
                return each
        raise ToolError("calendar: the event is not there any more; search again")

    def occurrence(self, entry: Entry, key: str) -> Occurrence | None:
        """Which time of an event that repeats has this id; None: it is the id of the event as a whole.

        Raises:
            ToolError: it does not take place then any more.
        """
        _, dash, day = key.partition("-")
        if not dash:
            return None
        try:
            begin = datetime.strptime(day, "%Y%m%d").date()  # noqa: DTZ007  # a day
            window = Window(begin, begin, self.zone)
            found = [each for each in occurrences(entry, window, Budget(_MOST_DAYS)) if each.key == key]
        except (ArithmeticError, LookupError, TypeError, ValueError):
            found = []
        if not found:
            raise ToolError("calendar: the event does not take place then any more; search again")
        return found[0]

    # Labels

    def label_of(self, entry: Entry) -> Label:
        """What the ledger says of an event, else whose it is known to be; private in any case. Who answered to it wrote nothing in it."""
        default = self.others if self.is_ours(entry) else self._said(entry)
        return read_back(self.ledger.label_of(name_of(entry), words_of(entry), default), STORE)

    def _said(self, entry: Entry) -> Label:
        """Its organizer's words, where a mail of his brought just these; else anybody's."""
        if not self.is_invited(entry):
            return join(self.others, label(claimed(entry)))
        return label([self.trust(f"mail:{entry.organizer.lower()}")], readers=PRIVATE)

    def is_invited(self, entry: Entry) -> bool:
        """Whether its organizer is known to have said just this: a mail of his, who is authenticated, brought it."""
        return self._invited.is_known(entry)

    @property
    def others(self) -> Label:
        """Of what anybody may have written into a calendar."""
        return label([self.trust(UNVERIFIED)], readers=PRIVATE)

    def is_ours(self, entry: Entry) -> bool:
        """Whether it says exactly what we wrote."""
        return self.ledger.holds(name_of(entry), words_of(entry))

    def listing(self, events: Iterable[Placed], steer: Readers) -> Listing:
        """What a listing of these adds: all who can add an event, whose words stand in those that we wrote, and who steered what we moved.

        Whoever can add one may as well change his own: that others' words stand in an event that we wrote too says no more.
        """
        ours, moved = self.ledger.names(), self._moved()
        written = [self.label_of(each.entry) for each in events if name_of(each.entry) in ours]
        others = frozenset().union(*(each.data | each.choice for each in written)) - {self.trust(UNVERIFIED)}
        return listing_among(STORE, [label([INVITERS, *others]), moved], steer=steer.intersect(moved.steer))

    def move(self, which: Label) -> None:
        """An event is about to be moved or taken out by our tools. Whoever steered that, `which` says, steers what is found, for good."""
        with self._moves.alone():
            before = self._moves.label_of(_MOVED, b"", NOTHING)
            if (both := join(before, steered_by(which, STORE))) is not before:
                self._moves.record(_MOVED, b"", both)

    def _moved(self) -> Label:
        return steered_by(read_back(self._moves.label_of(_MOVED, b"", NOTHING), STORE), STORE)

    def record(
        self, account: ServedCalendars, path: str, content: bytes, written: Label, before: bytes | None = None
    ) -> None:
        """The events of a resource are about to be what we write there. What the ledger knew of one of that name is not forgotten.

        One that says what it said `before` got no words of ours, but an answer: it stays whose it was.
        """
        where = self.where(account, path)
        earlier = {} if before is None else {name_of(each): words_of(each) for each in read_entries(where, before)[0]}
        for entry in read_entries(where, content)[0]:
            if earlier.get(name_of(entry)) != words_of(entry):
                known = self.ledger.label_of(name_of(entry), b"", written)
                self.ledger.record(name_of(entry), words_of(entry), join(known, written))

    def known(self, account: ServedCalendars, path: str, content: bytes) -> tuple[tuple[str, Label], ...]:
        """What the ledger has of the events of a resource, where they are as we wrote them."""
        entries = read_entries(self.where(account, path), content)[0]
        return tuple((name_of(each), self.label_of(each)) for each in entries if self.is_ours(each))


def name_of(entry: Entry) -> str:
    """An event in the ledger: by its UID, one changed time of it by that time as well."""
    return entry.uid if entry.replaces is None else f"{entry.uid} {entry.replaces.isoformat()}"
