"""What a server gave, as labelled data of the declared type: its own structure where it declared one and keeps to it, else its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from armslength.errors import ToolError, WrongResult
from armslength.events import Trust
from armslength.labels import PUBLIC, SATURATED, Label, Readers, Source, label
from armslength.schema import NONE, ListOf, OptionalOf, RecordType, Type
from armslength.tools.mcp.ifc import Claim
from armslength.tools.mcp.schemas import OTHER, Given, fitted
from armslength.tools.mcp.settings import ToolChoices
from armslength.values import Labelled

_DEEPEST = 32
MOST_TEXT = 2_000_000
"""Characters of a result."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A result as it came. `structured` counts if `has_structure`."""

    texts: tuple[str, ...] = field(repr=False)
    structured: Any = field(default=None, repr=False)
    has_structure: bool = False
    is_error: bool = False
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose words a tool's results are: `SERVER/TOOL` of a server, by the configuration of the tool."""

    store: str
    tool: str
    choices: ToolChoices
    trust: Trust
    is_honest: bool = False

    def label_of(self, path: str, claim: Claim | None = None) -> Label:
        """The label of the field at a dotted path, "" for what is in none.

        A field that the server itself knows is the store's, and which things there are was still decided by whoever writes there.
        """
        words = self.trust(f"{self.store}/{self.tool}")
        readers = self._readers(path, claim)
        if self.is_honest and claim is not None and claim.is_untrusted:
            return label([Source(f"{self.store}/{self.tool}/others")], readers=readers, steer=readers)
        if path and path in self.choices.known:
            own = self.trust(f"store:{self.store}")
            return label([own], choice=[words], bits=SATURATED, readers=readers, steer=readers)
        return label([words], readers=readers, steer=readers)

    def _readers(self, path: str, claim: Claim | None) -> Readers:
        """As configured; where nothing is, an honest server's word; else the user and the server, which said it. A claim of less makes it less."""
        choices, itself = self.choices, Readers(frozenset({self.store}))
        if choices.public is None and choices.readers is None:
            return PUBLIC if self.is_honest and claim is not None and claim.is_public else itself
        if self.is_honest and claim is not None and not claim.is_public:
            return itself
        public = choices.public or ()
        return PUBLIC if "*" in public or path in public else Readers(frozenset({self.store, *(choices.readers or ())}))


def labelled(answered: Answered, given: Given, whose: Whose) -> Labelled:
    """The result.

    Raises:
        ToolError: the tool says that it failed, or what it gave is too long.
        WrongResult: it is not what it declares.
    """
    name = f"{whose.store}: {whose.tool}"
    if answered.is_error:
        raise ToolError(f"{name} says that it failed: {_quoted(answered.texts)}")
    if sum(map(len, answered.texts)) > MOST_TEXT:
        raise ToolError(f"{name} gave more than {MOST_TEXT:,} characters; ask it for less")
    if given.type == NONE and not given.is_structured:
        return Labelled(None, whose.label_of("", answered.claim))
    if not given.is_structured:
        return Labelled("\n".join(answered.texts), whose.label_of("", answered.claim))
    if not answered.has_structure:
        raise WrongResult(f"{name} declares what its result is made of, and gave none of it")
    try:
        data = answered.structured
        if given.is_wrapped:
            if not isinstance(data, dict) or "result" not in data:
                raise WrongResult(OTHER)
            data = data["result"]
        return _tree(fitted(data, given.type), given.type, _Place(whose, answered.claim))
    except WrongResult:
        raise WrongResult(
            f"{name} gave a result of another type than it declares; look at what it did before you ask again"
        ) from None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a result, by dotted names; the elements of a list stand where the list does."""

    whose: Whose
    claim: Claim | None
    path: str = ""
    depth: int = 0

    @property
    def label(self) -> Label:
        return self.whose.label_of(self.path, self.claim)

    def below(self, name: str = "") -> _Place:
        path = f"{self.path}.{name}".strip(".") if name else self.path
        return _Place(self.whose, self.claim, path, self.depth + 1)


def _tree(data: Any, declared: Type | None, place: _Place) -> Labelled:
    """The data with a label at each node."""
    if place.depth > _DEEPEST:
        raise WrongResult(OTHER)
    match declared, data:
        case OptionalOf(inner), _ if data is not None:
            return _tree(data, inner, place)
        case ListOf(item), list():
            return Labelled(
                tuple(_tree(each, item, place.below()) for each in data), place.whose.label_of("", place.claim)
            )
        case RecordType(_, fields), dict():
            parts = {each.name: _tree(data[each.name], each.type, place.below(each.name)) for each in fields}
            return Labelled(parts, place.whose.label_of("", place.claim), declared)
        case _, list():
            return Labelled(
                tuple(_tree(each, None, place.below()) for each in data), place.whose.label_of("", place.claim)
            )
        case _, dict():
            return Labelled(_named(data, place), place.whose.label_of("", place.claim))
        case _:
            return Labelled(data, place.label)


def _named(data: Mapping[str, Any], place: _Place) -> dict[str, Labelled]:
    return {name: _tree(part, None, place.below()) for name, part in data.items()}


def _quoted(texts: tuple[str, ...]) -> str:
    """The beginning of a server's words for a message: letters, digits and blanks of ASCII, so that nothing in it acts or is an address."""
    said = "".join(
        char if char.isascii() and (char.isalnum() or char in " ,'()") else " " for char in " ".join(texts)[:400]
    )
    words = " ".join(said.split())
    return f"“{words[:160]}”" if words else "it does not say why"
