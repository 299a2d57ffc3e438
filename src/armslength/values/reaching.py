"""What is below a value: its parts and their labels, and the objects there that can still change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from armslength.labels import NOTHING, Label, construct, gathered, made_of, steered
from armslength.values.holding import PLAIN, children, holds_nothing_changing
from armslength.values.objects import (
    Container,
    DictObject,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    Mutable,
    Place,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    is_pending,
    restrict,
    unwrap,
)


def _uncounted(size: int) -> None:
    """For those outside the language."""


def parts(value: Value, count: Callable[[int], None] = _uncounted) -> list[Label]:
    """The labels of the reference, of every shape and of every element below it, each object once. `count` is told how much is walked."""
    found: list[Label] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        current = waiting.pop()
        found.append(current.label)
        raw = unwrap(current)
        if not isinstance(raw, Container) or id(raw) in seen:
            continue
        seen.add(id(raw))
        shape = getattr(raw, "shape", None)
        if shape is not None:
            found.append(shape)
        held = children(raw)[::-1]
        count(len(held))
        if PLAIN.issuperset(map(type, map(unwrap, held))):
            found.extend(map(_label_of, held))
        else:
            count(3 * len(held))
            waiting.extend(reversed(held))
    return found


_label_of = attrgetter("label")


def sink_label(value: Value) -> Label:
    """Row "sink": the reference, shape and all elements (`gathered`). A scalar keeps its own label."""
    labels = parts(value)
    if len(labels) == 1:
        return labels[0]
    if sum(each.bits > 0 for each in labels) != 1 or not all(each.intact for each in labels):
        return construct(*labels)
    return gathered(_around(value), labels)


def _around(value: Value) -> list[Label]:
    """The labels of references to containers, and of their shapes. What has no shape of its own is told apart by what is in it."""
    found: list[Label] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        current = waiting.pop()
        raw = unwrap(current)
        if not isinstance(raw, Container):
            continue
        found.append(current.label)
        if id(raw) not in seen:
            seen.add(id(raw))
            found.append(
                made_of(NOTHING) if isinstance(raw, SetObject | IteratorObject) else getattr(raw, "shape", NOTHING)
            )
            waiting.extend(children(raw))
    return found


def mutable_objects(values: Iterable[Value], count: Callable[[int], None]) -> list[Mutable | Place]:
    """Every object reachable from `values` that can still change, each once. `count` is told how much is walked.

    What is frozen holds nothing that changes: a tool's result and a copy for an effect are frozen all the way down. Through a function
    its free variables are reached, and are found themselves.
    """
    found: list[Mutable | Place] = []
    seen: set[int | Place] = set()
    waiting = _containers(values, count)
    while waiting:
        raw = waiting.pop()
        if id(raw) in seen or getattr(raw, "is_frozen", False):
            continue
        seen.add(id(raw))
        if isinstance(raw, Mutable):
            found.append(raw)
        elif isinstance(raw, FunctionObject):
            places = [place for place in raw.places() if place not in seen]
            seen.update(places)
            found.extend(places)
        if not holds_nothing_changing(raw):
            waiting.extend(_containers(children(raw), count))
    return found


_CONTAINERS = frozenset({
    ListObject, TupleObject, DictObject, SetObject, RecordObject,
    IteratorObject, MatchObject, MemberObject, ErrorObject, FunctionObject, MethodObject,
})  # fmt: skip


def _containers(values: Iterable[Value], count: Callable[[int], None]) -> list[Container]:
    listed = list(values)
    if not set(map(type, listed)) <= {Value}:
        listed = [value for value in listed if not is_pending(value)]
    count(1 + len(listed))
    found: list[Container] = [raw for raw in map(unwrap, listed) if type(raw) in _CONTAINERS]  # type: ignore[misc]  # by the test
    return [raw for raw in found if type(raw) is not RecordObject or not raw.is_frozen]


def upgrade(objects: Iterable[Mutable | Place], gain: Label) -> None:
    """Each object's shape takes `gain`, each assigned variable's value does, and whether it has one.

    Shapes are made, not picked, so saved-up choice counts as data. A variable keeps the gain for what it is assigned later: a function
    that was picked reaches what its variables hold when it is called.
    """
    if gain is NOTHING:
        return
    for changed in objects:
        if isinstance(changed, Place):
            _upgrade_place(changed, gain)
        else:
            upgrade_shape(changed, gain)


def upgrade_shape(changed: Mutable, gain: Label) -> None:
    """The shape of one object takes `gain`."""
    changed.shape = made_of(changed.shape.selects[gain])


def _upgrade_place(place: Place, gain: Label) -> None:
    frame, name = place.frame, place.name
    frame.reached[name] = steered(frame.reached.get(name, NOTHING), gain)
    if not place.is_assigned:
        return
    frame.shared[name] = steered(frame.shared.get(name, NOTHING), gain)
    if name in frame.names:
        frame.names[name] = restrict(frame.names[name], gain)
    if name not in frame.names or name in frame.doubts:
        frame.doubts[name] = steered(frame.doubts.get(name, NOTHING), gain)
