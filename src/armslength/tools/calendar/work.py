"""What the tools over calendars on servers do, each by its name.

A change is kept as a step before it is made, and made only of what was seen: with the entity tag that was looked up when a person was asked.
An event that we create has a UID and a path that its effect's key decides, so that it is not created twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from armslength.errors import OperatorError, ToolError
from armslength.labels import LITERAL, NOTHING, PRIVATE, Label, Readers, Source, construct, label
from armslength.tools.base import UNKNOWN, Prospect, Receivers, ToolCall, names_in
from armslength.tools.calendar.agenda import UNVERIFIED, Agenda, Placed, ServedCalendars, name_of
from armslength.tools.calendar.changing import (
    Change,
    Clock,
    addresses_of_all,
    answered_event,
    changed_event,
    check_alone,
    new_event,
    raised,
    without_occurrence,
)
from armslength.tools.calendar.comparing import core_of, whole_of, words_of
from armslength.tools.calendar.drawing import drawn
from armslength.tools.calendar.finding import taking_place
from armslength.tools.calendar.ics import Entry, Occurrence, local, read_entries
from armslength.tools.calendar.planning import (
    TEXTS,
    Planned,
    addresses_in,
    checked_text,
    day_line,
    planned_event,
    time_in,
)
from armslength.tools.calendar.steps import Step, Steps
from armslength.tools.dav.copy import Item
from armslength.tools.ledger import digest
from armslength.tools.text.addresses import uri_address
from armslength.values import Plain

Args = dict[str, Plain]
_MOST_LOOKED = 1_000
_GONE = "-"
_UNKNOWN = label([Source(UNVERIFIED)], readers=PRIVATE, steer=PRIVATE)
"""Of an argument that has none."""


@dataclass(frozen=True, slots=True, repr=False)
class _Aim:
    """A change of a resource that was worked out: whose, of what, and what it leaves (None: nothing)."""

    account: ServedCalendars
    path: str
    before: Item | None
    after: bytes | None
    at: Occurrence | None = None
    entry: Entry | None = None


class CalendarWork:
    """What the tools do. All raise ToolError where they cannot."""

    def __init__(self, agenda: Agenda, state: Path) -> None:
        """`state`: the folder in which steps are kept."""
        self.agenda = agenda
        self._steps = Steps(state / "calendar-steps", agenda.trust)
        self._looked: dict[str, str] = {}

    # Creating

    def create(self, call: ToolCall, args: Args) -> None:
        """A new event. One that an earlier attempt of this effect made already is left as it is."""
        aim = self._creation(call, args)
        self._make(call, aim, construct(*(call.labels.get(name, LITERAL) for name in args)))

    def _creation(self, call: ToolCall, args: Args) -> _Aim:
        account = self._account(args)
        name = hashlib.sha256(call.key.encode()).hexdigest()[:32]
        organizer = next(iter(account.settings.addresses), "")
        made = new_event(planned_event(args), f"{name}@armslength", organizer, self._clock(call))
        return _Aim(account, f"{account.written().path}{name}.ics", None, made)

    def creating(self, call: ToolCall, args: Args) -> Prospect:
        """The day on which the event begins, before and after, a line for each event."""
        planned, account = planned_event(args), self._account(args)
        lines, whose = self._day(planned, account)
        mine = (planned.start, day_line(planned.start, planned.end, planned.title))
        before, after = _text(lines), _text([*lines, mine])
        state = account.written().path
        place = f"{self._called(account)} on {planned.start.date()}{self._telling(account, planned.participants)}"
        return Prospect(place, before, after, whose, state=state, account=self._writer(account))

    def _day(self, planned: Planned, account: ServedCalendars) -> tuple[list[tuple[datetime, str]], tuple[str, ...]]:
        day, entries = planned.start.date(), [each.entry for each in self.agenda.events(account.settings.name)]
        found = taking_place(entries, day, day, self.agenda.zone)
        whose = construct(*(self.agenda.label_of(each.entry) for each in found)) if found else NOTHING
        return [(each.start, day_line(each.start, each.end, each.entry.title)) for each in found], names_in(whose)

    @staticmethod
    def _called(account: ServedCalendars) -> str:
        return f'the calendar "{account.settings.name}"' if account.settings.name else "the calendar"

    @staticmethod
    def _telling(account: ServedCalendars, people: tuple[str, ...], what: str = "of it") -> str:
        """Whether the server tells the others (RFC 6638), where there are any."""
        if not people:
            return ""
        if account.tells():
            return f"; the server tells the others {what}"
        return f"; this server sends no mail {what}: write to them yourself"

    def creates(self, args: Args) -> str:
        """In one line, with how many others and whether they are told."""
        listed = args.get("participants") or []
        invited = len(listed) if isinstance(listed, list) else 1
        people = f", with {invited} participant{'s' * (invited > 1)}" if invited else ""
        with suppress(ToolError):
            people += self._telling(self._account(args), ("",) * invited)
        return f"create a calendar event from {args.get('start')} to {args.get('end')}{people}"

    def answers(self, args: Args) -> str:
        """In one line, with whether the organizer is told."""
        said = f"answer an invitation: {args.get('answer')}"
        with suppress(ToolError):
            said += self._telling(self._named(args)[0].account, ("",), "of the answer")
        return said

    @staticmethod
    def _writer(account: ServedCalendars) -> str:
        return next(iter(account.settings.addresses), "")

    def _account(self, args: Args) -> ServedCalendars:
        return self.agenda.account(str(args.get("calendar") or ""))

    def _clock(self, call: ToolCall) -> Clock:
        return Clock(call.now, self.agenda.zone)

    def invited(self, args: Args) -> Receivers:
        """Who learns of a new event: its participants, and whoever sees the calendar. No store is looked into."""
        try:
            names = (*addresses_in(args, "participants"), *self._account(args).settings.onlookers)
        except ToolError:
            return UNKNOWN
        return Receivers(tuple(dict.fromkeys(names)))

    # Events that are there

    def answer(self, call: ToolCall, args: Args) -> None:
        """The user's answer to an invitation, which the server tells its organizer."""
        self._change(call, args, self._answering(call, args))

    def change(self, call: ToolCall, args: Args) -> None:
        """Other texts or times, or more participants, of an event of the user's own."""
        self._change(call, args, self._changing(call, args))

    def cancel(self, call: ToolCall, args: Args) -> None:
        """An event of the user's own is no more, or one time of it."""
        self._change(call, args, self._cancelling(call, args))

    def answering(self, call: ToolCall, args: Args) -> Prospect:
        """What that would find and leave."""
        return self._prospect(call, self._answering(call, args))

    def changing(self, call: ToolCall, args: Args) -> Prospect:
        """What that would find and leave."""
        return self._prospect(call, self._changing(call, args))

    def cancelling(self, call: ToolCall, args: Args) -> Prospect:
        """What that would find and leave."""
        return self._prospect(call, self._cancelling(call, args))

    def _answering(self, call: ToolCall, args: Args) -> _Aim:
        aim, own = self._meant(args), self._own(args)
        entry = _entry(aim)
        if not entry.organizer or entry.organizer.lower() in own:
            raise ToolError("answer_invitation: nobody else invites to this event, so there is nothing to answer")
        answer = str(args.get("answer", "")).upper()
        after = answered_event(_content(aim), entry.uid, own, answer, self._clock(call))
        return replace(aim, after=after)

    def _changing(self, call: ToolCall, args: Args) -> _Aim:
        aim = self._meant(args)
        self._check_own(aim, args, "change_calendar_event")
        texts = {name: text for name in TEXTS if (text := checked_text(args, name)).strip()}
        start, end = (time_in(args, name) if str(args.get(name) or "").strip() else None for name in ("start", "end"))
        change = Change(texts, start, end, addresses_in(args, "add_participants"))
        if change.is_nothing:
            raise ToolError(
                "change_calendar_event: nothing is to be changed; give a title, a time, a place or participants"
            )
        entry = _entry(aim)
        if change.more and not entry.organizer:
            raise ToolError("change_calendar_event: the event has no organizer; create one with participants instead")
        if args.get("whole_series") and entry.replaces is not None:
            raise ToolError(
                "change_calendar_event: this one time was changed apart from its series; find another time of it to change the whole"
            )
        at = aim.at or self._whole(entry)
        is_one = not args.get("whole_series") and (aim.at is not None or entry.replaces is not None)
        return replace(aim, after=changed_event(_content(aim), at, change, self._clock(call), is_one=is_one))

    def _cancelling(self, call: ToolCall, args: Args) -> _Aim:
        aim = self._meant(args)
        self._check_own(aim, args, "cancel_calendar_event")
        entry = _entry(aim)
        if args.get("whole_series") or (aim.at is None and entry.replaces is None):
            check_alone(_content(aim), entry.uid)
            return replace(aim, after=None)
        at = aim.at or self._whole(entry)
        return replace(aim, after=without_occurrence(_content(aim), at, self._clock(call)))

    def _whole(self, entry: Entry) -> Occurrence:
        start, end = (local(moment, self.agenda.zone) for moment in (entry.start, entry.start + entry.length))
        return Occurrence(entry.key, entry, start, end, entry.start)

    def _meant(self, args: Args) -> _Aim:
        """The event that a call names, as it lies on the server now."""
        placed, key = self._named(args)
        item = placed.collection.read(placed.path)
        if item is None:
            raise ToolError("calendar: the event is not there any more; search again")
        where = self.agenda.where(placed.account, placed.path)
        bare = key.partition("-")[0]
        entries = read_entries(where, item.content)[0]
        entry = next((each for each in entries if each.key == bare), None)
        if entry is None or (entry.uid, _people(entries)) != (placed.entry.uid, _people(placed.together)):
            raise ToolError("calendar: the event is not there any more as it was; search again")
        return _Aim(placed.account, placed.path, item, item.content, self.agenda.occurrence(entry, key), entry)

    def _named(self, args: Args) -> tuple[Placed, str]:
        event = args.get("event")
        key = str(event.get("id", "")) if isinstance(event, dict) else ""
        return self.agenda.named(key), key

    def _own(self, args: Args) -> frozenset[str]:
        return frozenset(self._named(args)[0].account.settings.addresses)

    def _check_own(self, aim: _Aim, args: Args, tool: str) -> None:
        organizer = _entry(aim).organizer.lower()
        if organizer and organizer not in self._own(args):
            raise ToolError(f"{tool}: somebody else invites to this event; answer the invitation instead")
        entries = read_entries(self.agenda.where(aim.account, aim.path), _content(aim))[0]
        if not addresses_of_all(_content(aim)) <= {each.lower() for each in _people(entries)}:
            raise ToolError(
                f"{tool}: somebody takes part in a way that cannot be read, so nothing was changed; do it by hand"
            )

    def concerned(self, args: Args) -> Receivers:
        """Who learns of a change: everybody else in the event, whoever is added, and whoever sees the calendar.

        That they are in it is vouched for only where nobody else wrote it.
        """
        placed, _ = self._named(args)
        try:
            added = addresses_in(args, "add_participants")
        except ToolError:
            return UNKNOWN
        return self._receivers(placed, (*_people(placed.together), *added))

    def organizing(self, args: Args) -> Receivers:
        """Who learns of an answer: whoever invites, and whoever sees the calendar. A mail of his that brought it vouches for him."""
        placed, _ = self._named(args)
        found = self._receivers(placed, (placed.entry.organizer,))
        is_invited = all(map(self.agenda.is_invited, placed.together))
        return replace(found, are_vouched=True) if found is not UNKNOWN and is_invited else found

    def _receivers(self, placed: Placed, people: Iterable[str]) -> Receivers:
        own = placed.account.settings.addresses
        names = [uri_address(each) for each in people if each and each.lower() not in own]
        plain = [each for each in names if each is not None]
        if len(plain) < len(names) or any(each.has_more_people for each in placed.together):
            return UNKNOWN
        is_vouched = not plain or all(self.agenda.label_of(each).is_trusted for each in placed.together)
        return Receivers(tuple(dict.fromkeys((*plain, *placed.account.settings.onlookers))), are_vouched=is_vouched)

    def carried(self, args: Args) -> Label:
        """The label of what goes out with a change: the whole event. What we wrote, those who take part in it have read.

        Whoever had a say in which event it is may have written it, too: it is theirs.
        """
        placed, _ = self._named(args)
        known = construct(*map(self.agenda.label_of, placed.together))
        if known.is_trusted and all(map(self.agenda.is_ours, placed.together)):
            # Who comes to one time of a series has not read the others.
            who = (frozenset(each.lower() for each in _people([entry])) for entry in placed.together)
            return label(known.data, readers=Readers(frozenset.intersection(*who)))
        return label(known.data | known.choice, readers=PRIVATE, steer=PRIVATE, intact=False)

    def _prospect(self, call: ToolCall, aim: _Aim) -> Prospect:
        state = _state(aim)
        if len(self._looked) >= _MOST_LOOKED:
            self._looked.clear()
        self._looked[call.key] = state
        whose = names_in(self._label(aim))
        return Prospect(
            f"an event in {self._called(aim.account)}{self._telling(aim.account, _people([_entry(aim)]))}",
            self._drawn(aim.account, aim.path, _content(aim)),
            self._drawn(aim.account, aim.path, aim.after),
            whose,
            state=state,
            account=self._writer(aim.account),
        )

    def _drawn(self, account: ServedCalendars, path: str, content: bytes | None) -> str | None:
        if content is None:
            return None
        entries = read_entries(self.agenda.where(account, path), content)[0]
        return "\n".join(drawn(each, self.agenda.zone) for each in entries) or None

    def _label(self, aim: _Aim) -> Label:
        """Whose words the whole resource is made of."""
        entries = read_entries(self.agenda.where(aim.account, aim.path), _content(aim))[0]
        return construct(*map(self.agenda.label_of, entries)) if entries else NOTHING

    def _change(self, call: ToolCall, args: Args, aim: _Aim) -> None:
        looked = self._looked.pop(call.key, None)
        if looked is not None and looked != _state(aim):
            raise ToolError("calendar: the event was changed meanwhile, so nothing was overwritten; ask again")
        self.agenda.move(call.labels.get("event", _UNKNOWN))
        self._make(call, aim, construct(self._label(aim), *(call.labels.get(name, LITERAL) for name in args)))

    # Making it so

    def _make(self, call: ToolCall, aim: _Aim, written: Label) -> None:
        before, after = None if aim.before is None else aim.before.content, aim.after
        labels = () if before is None else self.agenda.known(aim.account, aim.path, before)
        step = Step(aim.account.settings.name, aim.path, before, after, labels=labels)
        self._steps.keep(call.key, step)
        if after is not None:
            self.agenda.record(aim.account, aim.path, after, written, before)
        self._put_or_find(aim)
        left = self._left(aim)
        if left is not None and left != after:
            self.agenda.record(aim.account, aim.path, left, written, before)
        self._steps.keep(call.key, replace(step, left=_GONE if left is None else whole_of(left)))

    def _put_or_find(self, aim: _Aim) -> None:
        """Where the answer to a change was lost on the way, what lies there says whether it was made.

        Raises:
            ToolError: it was not, or that cannot be told either.
        """
        try:
            self._put(aim)
        except ToolError as error:
            try:
                is_made = self._is_there(aim)
            except ToolError:
                raise ToolError(
                    f"{error}; whether the event was changed cannot be told, so look for yourself"
                ) from error
            if not is_made:
                raise

    def _put(self, aim: _Aim) -> None:
        collection = aim.account.holding(aim.path)
        if aim.before is None and aim.after is not None:
            if not collection.create(aim.path, aim.after) and not self._is_there(aim):
                raise ToolError("calendar: something else lies where the event should, so nothing was overwritten")
        elif aim.before is not None and aim.after is not None:
            collection.replace(aim.path, aim.after, aim.before.etag)
        elif aim.before is not None:
            collection.remove(aim.path, aim.before.etag)

    def _is_there(self, aim: _Aim) -> bool:
        """Whether what should lie there does: by this attempt, or by an earlier one of the same effect."""
        found = aim.account.holding(aim.path).read(aim.path)
        if found is None or aim.after is None:
            return found is None and aim.after is None
        return core_of(found.content) == core_of(aim.after)

    def _left(self, aim: _Aim) -> bytes | None:
        """What lies there now, as the server wrote it, if it shows what it was given; else what it was given."""
        if aim.after is None:
            return None
        found = None
        with suppress(ToolError, OperatorError):  # it is done; what it looks like there is not needed
            found = aim.account.holding(aim.path).read(aim.path)
        return found.content if found is not None and core_of(found.content) == core_of(aim.after) else aim.after

    def happened(self, call: ToolCall, _args: Args) -> bool | None:
        """Whether the change lies there; None where neither it nor what was before does."""
        step = self._steps.of(call.key)
        if step is None:
            return False
        found = self._found(step)
        now = None if found is None else core_of(found.content)
        before, after = (None if each is None else core_of(each) for each in (step.before, step.after))
        if now == before:
            return False
        return True if now == after else None

    def _found(self, step: Step) -> Item | None:
        return self.agenda.account(step.calendar).holding(step.path).read(step.path)

    # Taking back

    def undo(self, call: ToolCall, _args: Args, _outcome: Plain) -> None:
        """What lay there before lies there again, if nobody changed what was left."""
        step = self._step(call)
        account, found = self.agenda.account(step.calendar), self._found(step)
        _check_left(step, _GONE if found is None else whole_of(found.content))
        collection = account.holding(step.path)
        if step.before is None:
            collection.remove(step.path, "" if found is None else found.etag)
        elif found is None:
            if not collection.create(step.path, step.before):
                raise _changed()
        else:
            collection.replace(step.path, raised(step.before, found.content), found.etag)
        self._restore(account, step)

    def _restore(self, account: ServedCalendars, step: Step) -> None:
        """Its events have the labels of before, where they had some; the others keep those of what was made of them."""
        known = dict(step.labels)
        now = account.holding(step.path).read(step.path)
        if now is None or step.before is None or core_of(now.content) != core_of(step.before):
            return
        for entry in read_entries(self.agenda.where(account, step.path), now.content)[0]:
            if name_of(entry) in known:
                self.agenda.ledger.record(name_of(entry), words_of(entry), known[name_of(entry)])

    def undoing(self, call: ToolCall, _args: Args, _outcome: Plain, ahead: Sequence[Prospect]) -> Prospect:
        """What that would find and leave, once inverses that leave `ahead` are done."""
        step = self._step(call)
        account = self.agenda.account(step.calendar)
        where = self.agenda.where(account, step.path)
        later = [each.state.partition(" ")[2] for each in ahead if each.state.partition(" ")[0] == where]
        if later:
            _check_left(step, later[-1])
        else:
            found = self._found(step)
            _check_left(step, _GONE if found is None else whole_of(found.content))
        leaves = _GONE if step.before is None else whole_of(step.before)
        return Prospect(
            f"an event in {self._called(account)}",
            self._drawn(account, step.path, step.after),
            self._drawn(account, step.path, step.before),
            state=f"{where} {leaves}",
            account=self._writer(account),
        )

    def _step(self, call: ToolCall) -> Step:
        step = self._steps.of(call.key)
        if step is None or not step.left:
            raise ToolError("calendar: nothing is kept of that change, so nothing was undone")
        return step


def _check_left(step: Step, now: str) -> None:
    if now != step.left:
        raise _changed()


def _changed() -> ToolError:
    return ToolError("calendar: the event was changed since, so nothing was undone; change it by hand")


def _entry(aim: _Aim) -> Entry:
    if aim.entry is None:
        raise ToolError("calendar: the event is not there any more; search again")
    return aim.entry


def _content(aim: _Aim) -> bytes:
    return b"" if aim.before is None else aim.before.content


def _state(aim: _Aim) -> str:
    """What must still be so when it is done: which resource it is, its entity tag, and its very bytes."""
    return f"{aim.path} {'' if aim.before is None else aim.before.etag} {digest(_content(aim))}"


def _people(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Everybody in them, each once."""
    found = (name for entry in entries for name in (*entry.participants, entry.organizer) if name)
    return tuple(dict.fromkeys(found))


def _text(lines: Iterable[tuple[datetime, str]]) -> str | None:
    return "".join(line for _, line in sorted(lines)) or None
