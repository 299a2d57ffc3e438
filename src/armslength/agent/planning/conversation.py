"""A conversation: the names that its programs left, what its planner may learn, and how both go on from program to program.

What the planner is told of names is a function of program texts. Whether a name has its value may depend on data, since a program can
stop: that goes into `doubt`, which steers whatever a later program does with it. Of a program that stopped, nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from armslength.agent.planning.budget import Budget, price_of
from armslength.agent.planning.revealing import Offer, Shown, offers_of, refuse_reveal
from armslength.agent.planning.transcript import MOST_NAMES, MOST_TURNS, REFUSED, STOP_TOLD, Past, Told
from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import NOTHING, Label, steered, steering
from armslength.language import Analysis
from armslength.language.foreseeing.foresight import Foreseen, Scope, follow, scope_of
from armslength.language.kept.keeping import unshared
from armslength.schema import Type
from armslength.values import Value, mutable_objects, sink_label

MOST_KEPT = 200_000
"""Objects and their elements that the names of one program may hold once it has ended."""
STOPS = 3
"""How often the programs of one request may stop and the planner be told so: once for each attempt."""
STOPS_PRICE = price_of(STOPS)
"""The flat price of telling: it stopped three times, twice, once, or never."""
STOPPED = "the program that was to assign it stopped"
CHANGED = "a program that may have changed it stopped"
NOT_KEPT = "it holds what is not kept"


class Step(Protocol):
    """One program of a request, with what is before and after it."""

    @property
    def doubt(self) -> Label:
        """What steers that the program runs at all."""
        ...

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What it reveals."""
        ...

    @property
    def touches_data(self) -> bool:
        """Whether data of others may be in it, or was in what made its names: then it may stop by that, limits included."""
        ...

    def enter(self, request: str) -> None:
        """The program is about to run."""
        ...

    def values(self) -> Mapping[str, Value]:
        """The names that are there before it.

        Raises:
            ProgramFailed: one is not.
        """
        ...

    def ended(self, values: Mapping[str, Value], halt: Label) -> None:
        """It came to its end, which `halt` decided, and left these names.

        Raises:
            ArmslengthError: what a name waited for failed, or they hold too much.
        """
        ...

    def leave(self, shown: Sequence[Shown], *, is_told: bool) -> None:
        """All is over with it. `is_told`: it stopped, and the planner is told so."""
        ...

    def again(self) -> None:
        """The planner writes another program for the same request."""
        ...


class Memory(Protocol):
    """What there is beside one request."""

    @property
    def hears(self) -> bool:
        """Whether the planner is told that a program of this request stopped on data."""
        ...

    @property
    def kept(self) -> Mapping[str, Type | None]:
        """The names that are there, each with its declared type if one is known."""
        ...

    @property
    def foreseen(self) -> Mapping[str, Foreseen]:
        """What is known of them without looking at them."""
        ...

    def begin(self) -> None:
        """A request begins."""
        ...

    def told(self) -> Told | None:
        """What the planner is told beside the request."""
        ...

    def admit(self, analysis: Analysis) -> Step:
        """The step of a program that was checked. Nothing is charged by this.

        Raises:
            ProgramRefused: a `reveal` that cannot be. A function of text and budget.
        """
        ...

    def refused(self, request: str, program: str) -> None:
        """The last program of a request was refused."""
        ...


class Once:
    """No conversation: nothing is there before, nothing is kept, nothing is revealed, no stop on data is told."""

    hears = False
    kept: Mapping[str, Type | None] = MappingProxyType({})
    foreseen: Mapping[str, Foreseen] = MappingProxyType({})

    def begin(self) -> None:
        """Nothing is to be done."""

    def told(self) -> Told | None:
        """Nothing."""
        return None

    def admit(self, analysis: Analysis) -> Step:
        """A step with nothing before and nothing after it."""
        refuse_reveal(analysis.program.body)
        return _Lone(scope_of(analysis, {}).touches_data)

    def refused(self, request: str, program: str) -> None:
        """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class _Lone:
    touches_data: bool
    doubt: Label = NOTHING
    offers: tuple[Offer, ...] = ()

    def enter(self, request: str) -> None:
        """Nothing is to be paid."""

    def values(self) -> Mapping[str, Value]:
        """None."""
        return {}

    def ended(self, values: Mapping[str, Value], halt: Label) -> None:
        """Nothing is kept."""

    def leave(self, shown: Sequence[Shown], *, is_told: bool) -> None:
        """Nothing is kept."""

    def again(self) -> None:
        """Nothing was kept."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A name. `value` is None where the program that was to assign it stopped: `lost` says in words why.

    `doubt`: what decided whether there is a value, beside the value itself. `of_data`: the program that made it touched data of others, so
    that a limit may have decided it too, of which no label tells.
    """

    foreseen: Foreseen
    value: Value | None
    doubt: Label = NOTHING
    lost: str = ""
    of_data: bool = False


def _nobody_keeps(_conversation: Conversation) -> None:
    """It stays in memory."""


@dataclass(slots=True)
class Conversation:
    """All of one conversation. `names` in the order in which they were last assigned; `past` are its last requests.

    `keep` is told whenever it has changed: before each program runs, so that whoever is killed has paid and has lost what he may have.
    `known_types`: the record types that the planner knows from its system text.
    """

    budget: Budget = field(default_factory=Budget)
    names: dict[str, Kept] = field(default_factory=dict)
    past: list[Past] = field(default_factory=list)
    known_types: frozenset[str] = frozenset()
    keep: Callable[[Conversation], None] = _nobody_keeps
    _has_paid: bool | None = None

    @property
    def hears(self) -> bool:
        """Whether the planner is told that a program of this request stopped on data: it was paid for before the first one ran."""
        return self._has_paid is True

    @property
    def foreseen(self) -> Mapping[str, Foreseen]:
        """What is known of the names without looking at them."""
        return {name: kept.foreseen for name, kept in self.names.items()}

    @property
    def kept(self) -> Mapping[str, Type | None]:
        """The names, each with its declared type if one is known."""
        return {name: each.type for name, each in self.foreseen.items()}

    def begin(self) -> None:
        """A request begins. Those that no planner is told of any more go."""
        self._has_paid = None
        del self.past[:-MOST_TURNS]

    def told(self) -> Told:
        """What the planner is told."""
        return Told(tuple(self.past), self.foreseen, self.budget.left, self.known_types)

    def admit(self, analysis: Analysis) -> Step:
        """The step of a program among the names."""
        scope = scope_of(analysis, self.foreseen)
        offers = offers_of(analysis.program.body, scope.menus, self.budget.left)
        return _Among(self, scope, follow(scope), offers, dict(self.names))

    def refused(self, request: str, program: str) -> None:
        """The request is told later with what became of it, a function of text."""
        self.past.append(Past(request, program, note=REFUSED))
        self.keep(self)

    def pay(self, price: int, *, touches_data: bool) -> None:
        """For what a program reveals, and once for each request for telling its stops."""
        self.budget.charge(price)
        if self._has_paid is None and touches_data:
            self._has_paid = self.budget.charge(STOPS_PRICE)


@dataclass(slots=True)
class _Among:
    """A program among the names of a conversation. No run changes `before`: it gets copies.

    `after` is at first what is left if the program is killed, or stops and nobody is told; it is replaced when the program ends.
    """

    conversation: Conversation
    scope: Scope
    foreseen: Mapping[str, Foreseen]
    offers: tuple[Offer, ...]
    before: dict[str, Kept]
    after: dict[str, Kept] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.after = self._left({name: self._if_stopped(name) for name in self.foreseen if name in self.scope.touched})

    @property
    def doubt(self) -> Label:
        """What decided that the names are there which this program may read or leave in place."""
        found = NOTHING
        for name in self.scope.live:
            found = steered(found, self.before[name].doubt)
        return found

    @property
    def touches_data(self) -> bool:
        """Its own text says so, or one of the names that it may read or leave in place was made so."""
        return self.scope.touches_data or any(self.before[name].of_data for name in self.scope.live)

    def enter(self, request: str) -> None:
        """It is paid for, and what it would leave if it were killed is what is kept."""
        talk = self.conversation
        talk.pay(sum(offer.price for offer in self.offers), touches_data=self.touches_data)
        talk.names = self.after
        talk.past.append(Past(request, self.scope.analysis.program.source))
        talk.keep(talk)

    def leave(self, shown: Sequence[Shown], *, is_told: bool) -> None:
        """Where its stop is told, all is as it was before."""
        talk = self.conversation
        talk.names = self.before if is_told else self.after
        talk.past[-1] = replace(talk.past[-1], shown=tuple(shown), note=STOP_TOLD if is_told else "")
        talk.keep(talk)

    def again(self) -> None:
        """Only the last program of a request is told later."""
        self.conversation.past.pop()

    def values(self) -> Mapping[str, Value]:
        """Copies of the values of the names that the program may read or leave in place.

        That one is not there is never told for free: why depends on data.
        """
        for name, line in self.scope.reads.items():
            kept = self.before[name]
            if kept.value is None:
                reason = f"{name} has no value, since {kept.lost}; ask for it anew"
                raise ProgramFailed(line, "name", reason, is_trusted=False)
        values = {name: self.before[name].value for name in self.scope.live}
        copies = {name: unshared(value, _uncounted) for name, value in values.items() if value is not None}
        return {name: copy for name, copy in copies.items() if copy is not None}

    def ended(self, values: Mapping[str, Value], halt: Label) -> None:
        """What its names hold is waited for and copied. A name that was lost stays so, unless every way to the end assigns it."""
        doubt, count, of_data = steered(self.doubt, steering(halt, 1)), _Count(), self.touches_data
        made: dict[str, Kept] = {}
        for name, foreseen in self.foreseen.items():
            if name not in self.scope.touched:
                continue
            if name in self.scope.live and self.before[name].value is None:
                made[name] = replace(self.before[name], foreseen=foreseen)
            else:
                made[name] = replace(_kept(foreseen, values.get(name), doubt, count), of_data=of_data)
        self.after = self._left(made)

    def _if_stopped(self, name: str) -> Kept:
        """A name that only was read stays if it holds nothing that can change; that it does is told by its value."""
        foreseen, kept = self.foreseen[name], self.before.get(name)
        if kept is None or name in self.scope.assigned:
            return Kept(foreseen, None, NOTHING, STOPPED, self.touches_data)
        if kept.value is None:
            return replace(kept, foreseen=foreseen)
        if mutable_objects([kept.value], _uncounted):
            return Kept(foreseen, None, NOTHING, CHANGED, self.touches_data)
        return replace(kept, foreseen=foreseen, doubt=steered(kept.doubt, steering(sink_label(kept.value), 1)))

    def _left(self, touched: Mapping[str, Kept]) -> dict[str, Kept]:
        """The names that the program does not mention, as they were, and the others as they are now; of very many, the last ones."""
        alone = {name: kept for name, kept in self.before.items() if name in self.foreseen and name not in touched}
        return dict(list((alone | dict(touched)).items())[-MOST_NAMES:])


def _kept(foreseen: Foreseen, value: Value | None, doubt: Label, count: Callable[[int], None]) -> Kept:
    """A function is not kept; that no name here holds one is foreseen, so this decides nothing."""
    if value is None:
        return Kept(foreseen, None, NOTHING, STOPPED)
    copy = unshared(value, count)
    return Kept(foreseen, copy, doubt, "" if copy is not None else NOT_KEPT)


def _uncounted(_count: int) -> None:
    """It was counted when it was kept."""


class _Count:
    """Counts what is kept.

    Raises:
        LimitReached: it is more than `MOST_KEPT`.
    """

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, count: int) -> None:
        self._count += count
        if self._count > MOST_KEPT:
            raise LimitReached(1, "what a conversation keeps")
