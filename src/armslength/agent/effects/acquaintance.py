"""Whether the user deals with those who would get something: what a rule may go by, and what the screen says of new ones.

For the rule it is looked up where an effect sends what is private, for the screen where a person is to be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from armslength.agent.outside.boundary import Boundary
from armslength.agent.showing.cleaning import bears_name, lookalike
from armslength.errors import ToolError
from armslength.tools.base import Receivers, Tool
from armslength.values import Plain


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """`are_known`: the stores know each receiver. `is_alike`: one is not known and looks like, or calls itself as, somebody who is."""

    are_known: bool = False
    is_alike: bool = False


NOT_ASKED = Acquaintance()
"""Nobody is known to be known."""


def acquaintance(boundary: Boundary, tools: Iterable[Tool], receivers: Receivers) -> Acquaintance:
    """Look the receivers up. A store that cannot be read knows nobody; only addresses are ever known."""
    names = receivers.names or ()
    asked = [each for each in tools if each.knows is not None or each.names is not None]
    if not names or not asked or not all("@" in name for name in names):
        return NOT_ASKED
    given = [receivers.called, *names]
    try:
        found = boundary.cross("resolve", "who is known", list[Plain](given), lambda: _found(asked, receivers))
    except ToolError:
        return NOT_ASKED
    answered = cast("dict[str, bool]", found)
    return Acquaintance(answered["are_known"] is True, answered["is_alike"] is True)


def strangers_among(boundary: Boundary, tools: Iterable[Tool], receivers: Receivers) -> dict[str, str | None]:
    """The addresses that no store knows, each with a line on whom it looks like, if it does. A store that cannot be read knows nobody."""
    names = [name for name in receivers.names or () if "@" in name]
    asked = [each for each in tools if each.knows is not None]
    if not names or not asked:
        return {}

    def perform() -> Plain:
        known = sorted(_known(asked))
        return {name: lookalike(name, known) for name in names if name not in known}

    try:
        return cast("dict[str, str | None]", boundary.cross("resolve", "acquaintance", list[Plain](names), perform))
    except ToolError:
        return dict.fromkeys(names)


def _known(tools: Iterable[Tool]) -> frozenset[str]:
    """All of the user's own addresses are known, too: the sent folder's tool names them."""
    return frozenset[str]().union(*(tool.knows() for tool in tools if tool.knows is not None))


def _found(tools: Sequence[Tool], receivers: Receivers) -> Plain:
    known = _known(tools)
    named: dict[str, str] = {}
    for tool in tools:
        named |= tool.names() if tool.names is not None else {}
    names = receivers.names or ()
    strangers = [name for name in names if name not in known]
    is_alike = any(
        lookalike(name, sorted(known)) is not None
        or any(_is_somebody(called, name, named, known) for called in _called(tools, name))
        for name in strangers
    )
    if receivers.called and not _fits(receivers.called, named.get(names[0], "")):
        is_alike = is_alike or _is_somebody(receivers.called, names[0], named, known)
        return {"are_known": False, "is_alike": is_alike}
    return {"are_known": not strangers, "is_alike": is_alike}


def _called(tools: Iterable[Tool], address: str) -> frozenset[str]:
    """The names that whoever has the address gives himself, by all stores: an address that a mail gave is found by its name as well."""
    return frozenset[str]().union(*(tool.called(address) for tool in tools if tool.called is not None))


def _fits(called: str, name: str) -> bool:
    """Whether somebody calls himself only what the user calls him."""
    return _words(called) <= _words(name)


def _is_somebody(called: str, address: str, named: Mapping[str, str], known: Iterable[str]) -> bool:
    """Whether the name of somebody else stands in it, or an address that is not the one that it stands beside."""
    shown = called.casefold()
    return any(bears_name(called, name) for other, name in named.items() if other != address) or any(
        other in shown for other in known if other != address
    )


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(",", " ").split())
