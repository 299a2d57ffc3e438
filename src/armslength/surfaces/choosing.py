"""A screen while it is being answered: what was in view, what is accepted so far. The same for every terminal; draws nothing itself.

An item can be accepted only once each of its lines was in view, so that nobody says yes to what they could not have read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from armslength.agent.approving.approval import REFUSED, Answer, Item, Offer, Screen, falling_in
from armslength.agent.showing.cleaning import clean
from armslength.surfaces.wrapping import wrap


class Choices:
    """What was read and chosen. Items and offers are counted from 0 here, from 1 for people."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.items = screen, screen.items
        self.offers: tuple[tuple[int, Offer], ...] = tuple(
            (place, offer) for place, item in enumerate(screen.items) for offer in item.offers
        )
        self.read: set[int] = set()
        self.accepted: set[int] = set()
        self.taken: set[int] = set()

    @property
    def unread(self) -> list[int]:
        """The items whose end was not in view yet."""
        return [place for place in range(len(self.items)) if place not in self.read]

    @property
    def falling(self) -> str:
        """Which accepted items do not happen as things stand, in words; nothing if each does."""
        numbers = falling_in(self.screen, {self.items[place].digest for place in self.accepted})
        needed = {digest for number in numbers for digest in self.items[number - 1].needs}
        lacking = [
            place for place, item in enumerate(self.items) if item.digest in needed and place not in self.accepted
        ]
        if not numbers:
            return ""
        return f"{_numbers([number - 1 for number in numbers])} will not happen without {_numbers(lacking)}"

    def toggle(self, place: int) -> str:
        """Accept an item, or not any more. Gives what to tell the person, nothing if it was done."""
        if place in self.accepted:
            self.accepted.discard(place)
            self._drop_offers()
            return ""
        if place not in self.read:
            return f"{place + 1} was not in view to its end yet; scroll on"
        self.accepted.add(place)
        return ""

    def accept_all(self) -> str:
        """Accept every item, if each was in view."""
        if self.unread:
            return f"{_numbers(self.unread)} {_was(self.unread)} not in view to the end yet; scroll on"
        self.accepted = set(range(len(self.items)))
        return ""

    def refuse_all(self) -> None:
        """Nothing is accepted any more."""
        self.accepted.clear()
        self.taken.clear()

    def toggle_offer(self, number: int) -> str:
        """Take an offer with its item, or not any more."""
        if not 0 <= number < len(self.offers):
            return f"there is no choice {number + 1}"
        item = self.offers[number][0]
        if item not in self.accepted:
            return f"accept {item + 1} first; the choice goes with it"
        self.taken ^= {number}
        return ""

    def answer(self) -> Answer:
        """What was chosen, as an answer."""
        if not self.accepted or not self.accepted <= self.read:
            return REFUSED
        return Answer(
            frozenset(self.items[place].digest for place in self.accepted),
            frozenset(self.offers[number][1].name for number in self.taken),
        )

    def _drop_offers(self) -> None:
        self.taken = {number for number in self.taken if self.offers[number][0] in self.accepted}

    def offers_of(self, place: int) -> list[tuple[int, Offer]]:
        """The offers of an item with their numbers."""
        return [(number, offer) for number, (item, offer) in enumerate(self.offers) if item == place]


def item_lines(item: Item, width: int) -> list[str]:
    """The drawn lines of an item, cleaned once more, none wider than `width` columns."""
    return list(wrap(clean(item.text).rstrip("\n"), width))


def styled_lines(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each line with what it is: title, mine, theirs, warning; of what changes: goes, comes. Decided by our own words before it."""
    is_change = False
    for number, line in enumerate(lines):
        bare = line.lstrip()
        is_block = bare.startswith(("│", "┆"))
        is_change = line.startswith("   what changes in ") or (is_change and is_block)
        yield _style(bare, is_first=number == 0, is_change=is_change), line


def _style(bare: str, *, is_first: bool, is_change: bool) -> str:
    if is_first:
        return "title"
    if bare.startswith("⚠"):
        return "warning"
    if not bare.startswith("│"):
        return "theirs" if "⟦" in bare else "mine"
    sign = bare[2:3]
    return {"-": "goes", "+": "comes"}.get(sign, "theirs") if is_change else "theirs"


def _numbers(places: Iterable[int]) -> str:
    numbers = [str(place + 1) for place in places]
    more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
    return f"{', '.join(numbers[:5])}{more}"


def _was(places: list[int]) -> str:
    return "were" if len(places) > 1 else "was"
