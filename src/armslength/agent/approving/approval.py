"""The approval screen as a record, and who answers it. Anything but a clear yes is a no.

A screen has an item for each effect that needs a yes, the most dangerous first (`display.by_danger`). A person accepts all, some or none;
what is not accepted is refused. What is drawn is inert, and it is all that is shown: a surface adds no words about an effect of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Protocol

from armslength.agent.approving.display import by_danger, draw_head, draw_item
from armslength.agent.effects.effects import Pending
from armslength.agent.effects.following import falling_with
from armslength.agent.outside.boundary import Boundary
from armslength.values import Plain


@dataclass(frozen=True, slots=True)
class Offer:
    """What a person may take beside the yes, such as not to be asked again for a week: its name, and the line that says what it means."""

    name: str
    line: str


@dataclass(frozen=True, slots=True)
class Item:
    """One effect on a screen: the digest of what a yes to it covers, its drawing in full, and what may be taken with it.

    `needs`: the digests of the items without which it does not happen either.
    """

    digest: str
    text: str = field(repr=False)
    offers: tuple[Offer, ...] = ()
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Screen:
    """What a person is asked in a run: the items, the most dangerous first, and the digest of them all in the program's order."""

    run: str
    items: tuple[Item, ...]
    digest: str

    @property
    def count(self) -> int:
        """So many things are asked about."""
        return len(self.items)

    @property
    def head(self) -> str:
        """What stands above the items."""
        return draw_head(len(self.items))

    @property
    def text(self) -> str:
        """The whole screen as it is drawn without choices."""
        return "\n".join([self.head, "", *map(draw_with_offers, self.items)])


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says to a screen: the digests of what they accept, and the names of the offers that they take with it."""

    accepted: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()


REFUSED = Answer()
"""None of it."""


def all_of(screen: Screen) -> Answer:
    """A yes to everything on the screen; no offer is taken."""
    return Answer(frozenset(item.digest for item in screen.items))


class Approver(Protocol):
    """Whoever answers a screen."""

    def approve(self, screen: Screen) -> Answer | bool:
        """Show the whole screen and give the answer. True is a yes to all of it; whatever else is no `Answer` is a no to all.

        Raises:
            NotNow: there is no answer now, and the run is to wait for one.
        """
        ...


class NobodyThere:
    """No terminal, end of input: nobody can say yes."""

    def approve(self, screen: Screen) -> Answer:
        """No."""
        return REFUSED


def screen_of(run: str, asked: Sequence[Pending], offers: Mapping[str, Sequence[Offer]] | None = None) -> Screen:
    """The one screen for these effects, given in the order in which they would happen. `offers`: by `Pending.digest`."""
    digests = [pending.digest(run) for pending in asked]
    offered = offers or {}
    order = by_danger(asked)
    effects = [pending.effect for pending in asked]
    falling = [falling_with(effects, {place}) for place in range(len(asked))]
    items = tuple(
        Item(
            digests[place],
            draw_item(number, asked, order),
            tuple(offered.get(digests[place], ())),
            frozenset(digests[at] for at, fallen in enumerate(falling) if place in fallen),
        )
        for number, place in enumerate(order, 1)
    )
    return Screen(run, items, hashlib.sha256("\n".join(digests).encode()).hexdigest())


def draw_with_offers(item: Item) -> str:
    """An item with a line for each offer below."""
    return "".join([item.text, *(f"   you may also choose: {offer.line}\n" for offer in item.offers)])


def ask_person(boundary: Boundary, approver: Approver, screen: Screen) -> Answer:
    """Ask once. A yes counts only for this screen's digest, and an offer only with the item that it stands on."""
    answered = boundary.cross(
        "approval",
        screen.digest,
        {"screen": screen.text},
        lambda: _written(screen, _answer(approver, screen)),
    )
    return _heard(screen, answered)


def _answer(approver: Approver, screen: Screen) -> Answer:
    digests = {item.digest for item in screen.items}
    if len(digests) != len(screen.items):
        return REFUSED  # which of two is accepted could not be told
    try:
        said = approver.approve(screen)
    except Exception:  # noqa: BLE001  # whoever cannot be asked has not said yes
        return REFUSED
    return understood(screen, said)


def understood(screen: Screen, said: object) -> Answer:
    """What an approver gave, as an answer to this screen."""
    if said is True:
        return all_of(screen)
    return _on(screen, said.accepted, said.taken) if isinstance(said, Answer) else REFUSED


def in_words(screen: Screen, answer: Answer) -> str:
    """How much of the screen was accepted, and what of that does not happen all the same."""
    accepted = len(answer.accepted)
    if not accepted or accepted == screen.count:
        return "yes" if accepted else "no"
    lacking = falling_in(screen, answer.accepted)
    falls = f"; {', '.join(map(str, lacking))} of that will not happen, without what you refused" if lacking else ""
    return f"yes to {accepted} of {screen.count}{falls}"


def falling_in(screen: Screen, accepted: AbstractSet[str]) -> list[int]:
    """The numbers of the items that are accepted and do not happen all the same, since they need one that is not."""
    return [
        number for number, item in enumerate(screen.items, 1) if item.digest in accepted and not item.needs <= accepted
    ]


def _on(screen: Screen, accepted: Iterable[object], taken: Iterable[object]) -> Answer:
    """As far as it is about what stands on the screen; an answer that is about anything else as well is unclear."""
    yes, also = set(accepted), set(taken)
    offered = {offer.name for item in screen.items if item.digest in yes for offer in item.offers}
    if not yes <= {item.digest for item in screen.items}:
        return REFUSED
    return Answer(frozenset(map(str, yes)), frozenset(map(str, also & offered)))


def _written(screen: Screen, answer: Answer) -> dict[str, Plain]:
    """For the journal. `yes`: to all of it."""
    is_all = answer.accepted == all_of(screen).accepted
    written: dict[str, Plain] = {"digest": screen.digest, "yes": is_all}
    if answer.accepted and not is_all:
        written["accepted"] = list[Plain](sorted(answer.accepted))
    if answer.taken:
        written["taken"] = list[Plain](sorted(answer.taken))
    return written


def _heard(screen: Screen, answered: Plain) -> Answer:
    match answered:
        case {"digest": screen.digest, "yes": True, **more}:
            return _on(screen, all_of(screen).accepted, _names(more.get("taken")))
        case {"digest": screen.digest, "yes": False, "accepted": list(accepted), **more}:
            return _on(screen, _names(accepted), _names(more.get("taken")))
        case _:
            return REFUSED


def _names(given: object) -> list[str]:
    return [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
