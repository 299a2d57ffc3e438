"""Methods of sets. Whether a member is in is in the shape's label, so what joins or compares sets constructs or tests shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from armslength.labels import NOTHING, bits_for, construct, steering, tested
from armslength.language.machine import Machine
from armslength.language.operations import setwise
from armslength.language.operations.elements import hashable, key_label, read, walk_label
from armslength.language.operations.methods.arguments import Method, misfit, none, only, set_of
from armslength.language.operations.writing import add, forget
from armslength.values import SetObject, Value, make, unwrap, upgrade


def _add(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    add(machine, set_of(machine, owner), only(machine, "add", args, named))
    return make(None, NOTHING)


def _without(name: str, *, must_be_there: bool) -> Method:
    """Row "keyed write"."""

    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        member = only(machine, name, args, named)
        raw = set_of(machine, owner)
        is_set = isinstance(unwrap(member), SetObject)  # Python looks for a frozen copy, and no member is one
        found = None if is_set else hashable(machine, member)
        by = key_label(machine, member)
        decided = construct(walk_label(owner), by)
        if must_be_there:
            machine.may_raise(decided)
            if is_set or found not in raw.entries:
                raise machine.failed("key", "there is no such member", decided)
        upgrade([raw], steering(by, bits_for(len(raw.entries) + 1)))
        if found is not None:
            forget(raw, found)
        return make(None, NOTHING)

    return method


def _pop(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The last that was added, as nothing need be gone through to find it; the shape decides which that is, and whether there is one."""
    none(machine, "pop", args, named)
    raw = set_of(machine, owner)
    shape = walk_label(owner)
    machine.may_raise(shape)
    if not raw.entries:
        raise machine.failed("key", "the set is empty", shape)
    return read(raw.entries.popitem()[1], owner)


def _combined(name: str, operation: setwise.SetOperation, *, takes_one: bool) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        if named or (takes_one and len(args) != 1):
            raise misfit(machine, name, *args, *named.values())
        return setwise.combined(machine, operation, owner, args)

    return method


def _changed(name: str, operation: setwise.SetOperation, *, takes_one: bool) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        if named or (takes_one and len(args) != 1):
            raise misfit(machine, name, *args, *named.values())
        setwise.change(machine, operation, owner, args)
        return make(None, NOTHING)

    return method


def _tested(name: str, holds: Callable[[setwise.Members, setwise.Members], bool]) -> Method:
    """Row "test" over both sides."""

    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        other = setwise.as_set(machine, only(machine, name, args, named))
        machine.spend(len(set_of(machine, owner).entries) + len(set_of(machine, other).entries))
        found = holds(set_of(machine, owner).entries, set_of(machine, other).entries)
        return make(found, tested(walk_label(owner), walk_label(other)))

    return method


def _copy(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "copy", args, named)
    return setwise.combined(machine, setwise.united, owner, [])


def _clear(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "clear", args, named)
    set_of(machine, owner).entries.clear()
    return make(None, NOTHING)


METHODS: dict[tuple[str, str], Method] = {
    ("set", "add"): _add,
    ("set", "remove"): _without("remove", must_be_there=True),
    ("set", "discard"): _without("discard", must_be_there=False),
    ("set", "pop"): _pop,
    ("set", "union"): _combined("union", setwise.united, takes_one=False),
    ("set", "intersection"): _combined("intersection", setwise.met, takes_one=False),
    ("set", "difference"): _combined("difference", setwise.without, takes_one=False),
    ("set", "symmetric_difference"): _combined("symmetric_difference", setwise.apart, takes_one=True),
    ("set", "update"): _changed("update", setwise.united, takes_one=False),
    ("set", "intersection_update"): _changed("intersection_update", setwise.met, takes_one=False),
    ("set", "difference_update"): _changed("difference_update", setwise.without, takes_one=False),
    ("set", "symmetric_difference_update"): _changed("symmetric_difference_update", setwise.apart, takes_one=True),
    ("set", "issubset"): _tested("issubset", lambda a, b: a.keys() <= b.keys()),
    ("set", "issuperset"): _tested("issuperset", lambda a, b: a.keys() >= b.keys()),
    ("set", "isdisjoint"): _tested("isdisjoint", lambda a, b: a.keys().isdisjoint(b.keys())),
    ("set", "copy"): _copy,
    ("set", "clear"): _clear,
}
