"""Whether the user deals with those who would get something: what a rule may go by, and what the screen says of new ones.

For the rule it is looked up where an effect sends what is private, for the screen where a person is to be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from armslength.agent.outside.boundary import Boundary
from armslength.agent.showing.cleaning import bears_name, lookalike
from armslength.errors import ToolError
from armslength.labels import Label
from armslength.policy.releasing import ADDRESS_BOOK
from armslength.tools.base import Receivers, Tool
from armslength.values import Plain


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """`are_known`: the stores know each receiver, and none is one of others whom the answered mail names. `is_alike`: one is not known and looks like, or calls itself as, somebody who is."""

    are_known: bool = False
    is_alike: bool = False


NOT_ASKED = Acquaintance()
"""Nobody is known to be known."""


def acquaintance(
    boundary: Boundary, tools: Iterable[Tool], receivers: Receivers, *, are_picked: bool = False, by: Tool | None = None
) -> Acquaintance:
    """Look the receivers up. A store that cannot be read knows nobody. Addresses are known by any store that has some.

    `by`: the tool that would be called. Where it says whom the person deals with by it, an account or a member's name means something there
    alone, also one that is written like an address.

    `are_picked`: an address came out of something that was read, so whoever bears it could be found there by any name that he gives himself.
    """
    names = receivers.names or ()
    if names and by is not None and by.deals_with is not None:
        return _by_its_store(boundary, by, by.deals_with, names)
    asked = [each for each in tools if any((each.knows, each.names, each.called))]
    if not names or not asked or not all("@" in name for name in names):
        return NOT_ASKED
    given: list[Plain] = [receivers.called, *names, *(["picked"] if are_picked else [])]
    try:
        found = boundary.cross(
            "resolve", "who is known", given, lambda: _found(asked, receivers, are_picked=are_picked)
        )
    except ToolError:
        return NOT_ASKED
    answered = cast("dict[str, bool]", found)
    return Acquaintance(answered["are_known"] is True, answered["is_alike"] is True)


def _by_its_store(
    boundary: Boundary, tool: Tool, dealt_with: Callable[[], frozenset[str]], names: Sequence[str]
) -> Acquaintance:
    """Such a name is known as it is written; none looks like another."""
    try:
        found = boundary.cross(
            "resolve", f"who is known to {tool.name}", list[Plain](names), lambda: set(names) <= dealt_with()
        )
    except ToolError:
        return NOT_ASKED
    return Acquaintance(are_known=found is True)


def is_picked(label: Label) -> bool:
    """Whether an address came neither from the program's words nor from the address book alone."""
    return not {source.name for source in label.data} <= {"program", "user", "clock", ADDRESS_BOOK}


def strangers_among(boundary: Boundary, tools: Iterable[Tool], receivers: Receivers, by: Tool) -> dict[str, str | None]:
    """The addresses that no store knows, each with a line on whom it looks like, if it does. A store that cannot be read knows nobody.

    `by`: the tool that would be called. Where it says whom the person deals with by it: the receivers that are none of them.
    """
    names = [name for name in receivers.names or () if "@" in name or by.deals_with is not None]
    asked = [each for each in tools if each.knows is not None]
    if not names or not (asked or by.deals_with is not None):
        return {}

    def perform() -> Plain:
        if by.deals_with is not None:
            return dict.fromkeys(set(names) - by.deals_with())
        known = sorted(_known(asked))
        return {name: lookalike(name, known) for name in names if name not in known}

    try:
        return cast("dict[str, str | None]", boundary.cross("resolve", "acquaintance", list[Plain](names), perform))
    except ToolError:
        return dict.fromkeys(names)


def _known(tools: Iterable[Tool]) -> frozenset[str]:
    """All of the user's own addresses are known, too: the sent folder's tool names them."""
    return frozenset[str]().union(*(tool.knows() for tool in tools if tool.knows is not None))


def _found(tools: Sequence[Tool], receivers: Receivers, *, are_picked: bool) -> Plain:
    known = _known(tools)
    named: dict[str, str] = {}
    for tool in tools:
        named |= tool.names() if tool.names is not None else {}
    names = receivers.names or ()
    strangers = [name for name in names if name not in known]
    called = [(names[0], receivers.called)] if receivers.called else []
    if are_picked and not called:
        called = [(name, each) for name in names for each in sorted(_called(tools, name) or {name})]
    others = [(address, name) for address, name in called if not _fits(name, address, named)]
    others += [(name, each) for name in strangers for each in sorted(_called(tools, name))]
    is_answer_to_more = bool(receivers.called) and len(names) > 1  # the mail's head says who, no word of the user's
    return {
        "are_known": not strangers and not others and not is_answer_to_more,
        "is_alike": any(lookalike(name, sorted(known)) is not None for name in strangers)
        or any(_is_somebody(name, address, named, known) for address, name in others),
    }


def _called(tools: Iterable[Tool], address: str) -> frozenset[str]:
    """The names that whoever has the address gives himself, by all stores: an address that a mail gave is found by its name as well."""
    return frozenset[str]().union(*(tool.called(address) for tool in tools if tool.called is not None))


def _fits(called: str, address: str, named: Mapping[str, str]) -> bool:
    """Whether somebody calls himself only what the user calls him; by his address alone, whether the address book has that one.

    The sent folder knows addresses without names, and a search for a friend's name finds who has it in his address.
    """
    if called.casefold() == address:
        return address in named
    return _words(called) <= _words(named.get(address, ""))


def _is_somebody(called: str, address: str, named: Mapping[str, str], known: Iterable[str]) -> bool:
    """Whether the name of somebody else stands in it, or an address that is not the one that it stands beside."""
    shown = called.casefold()
    return any(bears_name(called, name) for other, name in named.items() if other != address) or any(
        other in shown for other in known if other != address
    )


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(",", " ").split())
