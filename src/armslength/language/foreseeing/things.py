"""What a name may hold, before a run: labels, parts, and the literal if the program's text tells it.

A `Thing` that can change is one object for all names that share it, as in a run. Nothing here looks at data: there is none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from armslength.labels import LITERAL, NOTHING, Label, construct, gathered, join, label, made_of, picking, steered
from armslength.values import Labelled, Plain

_DEEPEST = 8


Key = str | int


class NotTold:
    """The program's text does not tell the value."""


NOT_TOLD = NotTold()


@dataclass(slots=True, eq=False)
class Thing:
    """Something that a name may hold.

    label: of a scalar, or of reference and shape. parts: by field, by literal key, by place. item: any other element, all in one.
    told: the plain value, where the program's text tells it. known_as: in what words a receiver is named that it stands for.
    """

    label: Label
    parts: dict[Key, Thing] | None = None
    item: Thing | None = None
    told: Plain | NotTold = NOT_TOLD
    known_as: str = ""
    function: ast.FunctionDef | ast.Lambda | None = None
    scope: Scope | None = None
    is_frozen: bool = False

    @property
    def holds(self) -> list[Thing]:
        """What is directly in it."""
        return [*(self.parts or {}).values(), *([] if self.item is None else [self.item])]

    @property
    def is_container(self) -> bool:
        """Whether it holds others."""
        return self.parts is not None or self.item is not None


def literal(told: Plain) -> Thing:
    """A literal of the program."""
    return Thing(LITERAL, told=told)


def made(*labels: Label) -> Thing:
    """Something made of these."""
    return Thing(construct(*labels))


def listed(items: Iterable[Thing]) -> Thing:
    """A new list or tuple with these elements."""
    return Thing(NOTHING, dict[Key, Thing](enumerate(items)))


def several(shape: Label, items: Iterable[Thing]) -> Thing:
    """A new list, tuple or set of which it is not known how many of these are in it."""
    return Thing(shape, {}, any_of(items))


def any_of(items: Iterable[Thing]) -> Thing | None:
    """What may be any of these."""
    found: Thing | None = None
    for each in items:
        found = each if found is None else joined(found, each)
    return found


def element(thing: Thing) -> Thing:
    """Any element of it, read through it."""
    found = any_of(thing.holds)
    return (
        read(thing, found) if found is not None else made(thing.label) if not thing.is_container else Thing(thing.label)
    )


def sink(thing: Thing, depth: int = 0) -> Label:
    """Row "sink": reference, shape and all elements; a scalar keeps its own label. Of elements that stand for many, several may be there."""
    if not thing.is_container:
        return thing.label
    if depth == _DEEPEST:
        return thing.label
    held = [sink(each, depth + 1) for each in thing.holds]
    return gathered([thing.label], held) if thing.item is None else construct(thing.label, *held)


def joined(one: Thing, other: Thing, depth: int = 0) -> Thing:
    """What may be the one or the other."""
    if one is other or depth == _DEEPEST:
        return one
    names = {**(one.parts or {}), **(other.parts or {})}
    parts = {name: _either((one.parts or {}).get(name), (other.parts or {}).get(name), depth) for name in names}
    return Thing(
        join(one.label, other.label),
        parts if one.parts is not None or other.parts is not None else None,
        _either(one.item, other.item, depth) if one.item is not None or other.item is not None else None,
        one.told if _same(one.told, other.told) else NOT_TOLD,
        one.known_as if one.known_as == other.known_as else "",
        one.function if one.function is not None else other.function,
        one.scope if one.function is not None else other.scope,
        one.is_frozen and other.is_frozen,
    )


def _same(one: Plain | NotTold, other: Plain | NotTold) -> bool:
    return type(one) is type(other) and one == other


def _either(one: Thing | None, other: Thing | None, depth: int) -> Thing:
    if one is None or other is None:
        return one or other or Thing(NOTHING)
    return joined(one, other, depth + 1)


def restricted(thing: Thing, gain: Label) -> Thing:
    """The same, picked by something with this gain. It shares what it holds with what it was picked from."""
    if gain is NOTHING:
        return thing
    return replace(thing, label=steered(thing.label, gain))


def read(owner: Thing, found: Thing) -> Thing:
    """Something that is in another, read through it."""
    return restricted(found, picking(owner.label))


def upgrade(thing: Thing, gain: Label, seen: set[int] | None = None) -> None:
    """The shape of whatever can change in it takes the gain."""
    seen = set() if seen is None else seen
    if gain is NOTHING or id(thing) in seen or len(seen) > _MOST_UPGRADED:
        return
    seen.add(id(thing))
    if thing.is_container and not thing.is_frozen:
        thing.label = made_of(steered(thing.label, gain))
    for each in thing.holds:
        upgrade(each, gain, seen)


_MOST_UPGRADED = 500


def thing_of(given: Labelled, known_as: Mapping[str, str] | None = None, name: str = "") -> Thing:
    """What a tool or a model is said to give. Frozen all the way down."""
    words = (known_as or {}).get(name, "")
    match given.data:
        case tuple() as items:
            return Thing(given.label, {}, any_of(thing_of(each, known_as, name) for each in items), is_frozen=True)
        case dict() as named:
            parts: dict[Key, Thing] = {part: thing_of(each, known_as, part) for part, each in named.items()}
            return Thing(given.label, parts, is_frozen=True)
        case _:
            return Thing(given.label, known_as=words, is_frozen=True)


def plain(thing: Thing, unknown: Callable[[Thing], Plain]) -> Plain:
    """Plain data with `unknown` in the place of whatever the text does not tell."""
    if not isinstance(thing.told, NotTold):
        return thing.told
    if not thing.is_container:
        return unknown(thing)
    names = [name for name in thing.parts or {} if isinstance(name, str)]
    if names:
        return {name: plain((thing.parts or {})[name], unknown) for name in names}
    return [plain(each, unknown) for each in thing.holds]


def somebody_elses(given: Label) -> Thing:
    """A name of an earlier program: whose words it may hold is foreseen, what is in it is not."""
    return Thing(
        label(
            given.data,
            choice=given.choice,
            bits=given.bits,
            readers=given.readers,
            steer=given.steer,
            intact=given.intact,
        )
    )


@dataclass(slots=True)
class Scope:
    """The names of a function, of a comprehension, or of the program. `passed_on`: those that are assigned in the scope around."""

    names: dict[str, Thing] = field(default_factory=dict)
    around: Scope | None = None
    passed_on: frozenset[str] = frozenset()

    def assign(self, name: str, thing: Thing) -> None:
        """Give a name something else."""
        if name in self.passed_on and self.around is not None:
            self.around.assign(name, thing)
        else:
            self.names[name] = thing

    def find(self, name: str) -> Thing | None:
        """What a name may hold, here or around."""
        if name in self.names:
            return self.names[name]
        return None if self.around is None else self.around.find(name)

    def owner(self, name: str) -> Scope:
        """The scope that has the name, else this one."""
        if name in self.names or self.around is None:
            return self
        found = self.around.owner(name)
        return found if name in found.names else self
