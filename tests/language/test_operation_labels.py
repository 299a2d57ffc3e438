"""No operation loses a label: what differs between two runs because of an untrusted or secret operand is untrusted or secret after it.

Each operation is run with operands that differ in one place only, there labelled; then results, operands, functions and halt are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from tests.language.operands import (
    ALIKE,
    FEW,
    FEWER,
    KINDS,
    OTHERS,
    SECRET,
    SHAPED,
    Labels,
    Operating,
    everywhere,
    fresh,
    value_of,
)

from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import LITERAL, Label
from armslength.language.operations.builtins import BUILTINS
from armslength.language.operations.comparing import COMPARISONS, compare
from armslength.language.operations.elements import read_field, read_item, sequence, slice_item, walk_label
from armslength.language.operations.formatting import formatted
from armslength.language.operations.methods import METHODS, call_method
from armslength.language.operations.operators import DRAFTS, UNARY, augmented, binary
from armslength.language.operations.walking import walk_all
from armslength.language.operations.writing import delete_item, write_item
from armslength.language.running.functions import Arguments, call_path
from armslength.language.running.slices import write_slice
from armslength.values import (
    DictObject,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    make,
    unwrap,
)

Operation = Callable[[Operating, Sequence[Value]], Value | None]


@dataclass(frozen=True)
class Run:
    """One run: the result (None if it failed), the operands as they are afterwards, and whether halt tells nothing."""

    result: Value | None
    operands: tuple[Value, ...]
    is_open: bool
    failed: bool


def run(operation: Operation, operands: Sequence[Value]) -> Run | None:
    """Run it once; None if a limit was reached."""
    machine = Operating()
    try:
        result = operation(machine, operands)
    except LimitReached:
        return None
    except ProgramFailed:
        return Run(None, tuple(operands), _is_open(machine.halt), failed=True)
    return Run(result, tuple(operands), _is_open(machine.halt), failed=False)


def _is_open(label: Label) -> bool:
    return label.is_trusted and label.readers.names is None and label.steer.names is None


def differences(a: Value, b: Value, where: str = "it", depth: int = 6) -> Iterator[str]:
    """Where two values differ although one of them says that nothing untrusted or secret is in it."""
    if not (_is_open(a.label) or _is_open(b.label)):
        return
    x, y = unwrap(a), unwrap(b)
    if a.label is not b.label:
        yield f"{where}: {a.label} and {b.label}"
        return
    if type(x) is not type(y):
        yield f"{where}: {a} and {b}"
        return
    shapes = [raw.shape for raw in (x, y) if isinstance(raw, _SHAPED)]
    if shapes and not any(map(_is_open, shapes)):
        return
    if shapes and shapes[0] is not shapes[1]:
        yield f"{where}: shapes {shapes}"
        return
    yield from _below(x, y, where, depth)


_SHAPED = (ListObject, TupleObject, DictObject, SetObject, IteratorObject)


def _below(x: Any, y: Any, where: str, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    mine, theirs = _parts(x), _parts(y)
    if mine.keys() != theirs.keys():
        yield f"{where}: {list(mine)} and {list(theirs)}"
        return
    for name, (a, b) in {name: (mine[name], theirs[name]) for name in mine}.items():
        if isinstance(a, Value):
            yield from differences(a, b, f"{where}.{name}", depth - 1)
        elif repr(a) != repr(b):
            yield f"{where}: {a!r} and {b!r}"


def _parts(raw: Any) -> dict[Any, Any]:
    match raw:
        case ListObject() | TupleObject():
            return dict(enumerate(raw.items))
        case IteratorObject():
            return dict(enumerate(raw.left[::-1]))
        case DictObject():
            return {key: entry.value for key, entry in raw.entries.items()} | {"order": list(raw.entries)}
        case SetObject():
            return dict(raw.entries)
        case RecordObject():
            return dict(raw.fields)
        case MemberObject():
            return {"name": raw.name, "value": raw.value}
        case ErrorObject():
            return {"name": raw.name, **dict(enumerate(raw.arguments))}
        case MatchObject():
            return dict(enumerate(raw.groups))
        case FunctionObject():
            return {"code": raw.code.name, "kept": raw.frame.names["kept"]}
        case _ if hasattr(raw, "name"):
            return {"name": raw.name}
        case _:
            return {"data": raw}


def losses(operation: Operation, given: Sequence[Any], at: int, varied: Sequence[Value]) -> Iterator[str]:
    """What the operation loses of the label at one operand, for which each of `varied` stands in: each against the first and the last."""
    before: list[Run] = []
    for value in varied:
        operands = [fresh(value) if n == at else value_of(copy(each)) for n, each in enumerate(given)]
        found = run(operation, operands)
        if found is None:
            continue
        known = [each for each in before if each.failed is not found.failed][:1]
        known += [each for each in before if not each.failed][:: max(len(before) - 1, 1)]
        before.append(found)
        for loss in {each for other in known for each in _between(other, found, at)}:
            yield f"{given} with {value!r} at {at}: {loss}"


def _between(a: Run, b: Run, at: int) -> Iterator[str]:
    if a.failed or b.failed:
        if a.failed is not b.failed and (a.is_open or b.is_open):
            yield "one of them failed, and halt says nothing"
        return
    if a.result is not None and b.result is not None:
        yield from differences(a.result, b.result)
    for n, (mine, theirs) in enumerate(zip(a.operands, b.operands, strict=True)):
        if n != at:
            yield from differences(mine, theirs, f"operand {n}")


def all_losses(operation: Operation, arities: Sequence[int], label: Label) -> list[str]:
    """Over each operand in turn, all kinds in its place, few in the others; there also what is alike but for its elements, or its shape."""
    found: list[str] = []
    for arity in arities:
        whole = [value_of(plain, everywhere(label)) for plain in (KINDS if arity < 3 else FEW)]
        alike = [[value_of(plain, Labels(held=label)) for plain in group] for group in ALIKE]
        shaped = [[value_of(plain, Labels(shape=label)) for plain in group] for group in SHAPED]
        for at in range(arity):
            for others in product(FEW if arity < 3 else FEWER, repeat=arity - 1):
                for varied in (whole, *alike, *shaped):
                    found += losses(operation, [*others[:at], None, *others[at:]], at, varied)
    return found[:5]


def method(name: str) -> Operation:
    """The method on its first operand."""
    return lambda machine, operands: call_method(machine, operands[0], name, operands[1:], {})


def function(name: str, *names: str) -> Operation:
    """The function; its last operands have these names."""

    def operation(machine: Operating, operands: Sequence[Value]) -> Value:
        cut = len(operands) - len(names)
        return call_path(machine, name, Arguments(operands[:cut], dict(zip(names, operands[cut:], strict=True))))

    return operation


LABELS = pytest.mark.parametrize("label", [OTHERS, SECRET], ids=["untrusted", "secret"])


@LABELS
@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_functions_lose_nothing(name: str, label: Label) -> None:
    """Every function of the language with one and two operands."""
    assert all_losses(function(name), (1, 2), label) == []


NAMED = (
    ("sorted", "key"), ("sorted", "reverse"), ("min", "key"), ("max", "default"), ("zip", "strict"), ("enumerate", "start"), ("sum", "start"),
    ("int", "base"), ("round", "ndigits"), ("dict", "a"), ("pow", "exp"), ("list.sort", "key"), ("dict.update", "a"), ("str.format", "a"),
    ("str.split", "sep"),
)  # fmt: skip


@LABELS
@pytest.mark.parametrize("named", NAMED, ids="=".join)
def test_named_arguments_lose_nothing(named: tuple[str, str], label: Label) -> None:
    """Arguments with a name."""
    assert all_losses(function(*named), (2,), label) == []


@LABELS
@pytest.mark.parametrize("name", ["sorted", "min", "max", "map", "filter", "zip", "next", "pow", "int"])
def test_functions_of_three_lose_nothing(name: str, label: Label) -> None:
    """`map` of several, `sorted` and `min` with `key=` and more."""
    if name == "sorted":
        assert all_losses(function(name, "key", "reverse"), (3,), label) == []
    elif name in ("min", "max"):
        assert all_losses(function(name, "key", "default"), (3,), label) == []
    else:
        assert all_losses(function(name), (3,), label) == []


@LABELS
@pytest.mark.parametrize("name", sorted({name for _, name in METHODS}))
def test_methods_lose_nothing(name: str, label: Label) -> None:
    """Every method on every kind, with no and with one argument."""
    assert all_losses(method(name), (1, 2), label) == []


@LABELS
@pytest.mark.parametrize("name", sorted({name for kind, name in METHODS if kind in ("list", "dict", "set", "tuple")}))
def test_methods_with_two_arguments_lose_nothing(name: str, label: Label) -> None:
    """Methods of containers with two arguments."""
    assert all_losses(method(name), (3,), label) == []


@LABELS
@pytest.mark.parametrize("sign", [*DRAFTS, *COMPARISONS], ids=lambda sign: sign.__name__)
def test_operators_lose_nothing(sign: Any, label: Label) -> None:
    """Every operator of two operands, and in place."""
    if sign in COMPARISONS:
        assert all_losses(lambda machine, pair: compare(machine, sign(), *pair), (2,), label) == []
        return
    assert all_losses(lambda machine, pair: binary(machine, sign(), *pair), (2,), label) == []
    assert all_losses(lambda machine, pair: augmented(machine, sign(), *pair), (2,), label) == []


@LABELS
def test_signs_and_walks_lose_nothing(label: Label) -> None:
    """Operators of one operand, walking, and the fields of each kind."""
    for sign in UNARY:
        assert all_losses(lambda machine, one, sign=sign: UNARY[sign](machine, *one), (1,), label) == []

    def walked(machine: Operating, operands: Sequence[Value]) -> Value:
        return make(TupleObject(walk_all(machine, operands[0]), walk_label(operands[0])), operands[0].label)

    assert all_losses(walked, (1,), label) == []
    for name in ("n", "xs", "name", "value", "args", "none"):
        assert all_losses(lambda machine, one, name=name: read_field(machine, one[0], name), (1,), label) == []


@LABELS
def test_items_and_slices_lose_nothing(label: Label) -> None:
    """Reading, writing and deleting by key and by slice."""
    plain: dict[str, tuple[Operation, int]] = {
        "read": (lambda machine, given: read_item(machine, *given), 2),
        "write": (lambda machine, given: write_item(machine, *given), 3),
        "delete": (lambda machine, given: delete_item(machine, *given), 2),
        "slice": (lambda machine, given: slice_item(machine, given[0], (given[1], given[2], None)), 3),
        "step": (lambda machine, given: slice_item(machine, given[0], (None, None, given[1])), 2),
        "write slice": (lambda machine, given: write_slice(machine, given[0], (given[1], None, None), given[2]), 3),
        "delete slice": (
            lambda machine, given: write_slice(machine, given[0], (given[1], given[2], None), sequence([], LITERAL)),
            3,
        ),
        "format": (lambda machine, given: formatted(machine, *given), 2),
    }
    assert {name: all_losses(operation, (arity,), label) for name, (operation, arity) in plain.items()} == {
        name: [] for name in plain
    }


@LABELS
def test_type_functions_lose_nothing(label: Label) -> None:
    """`str.lower(x)` and the like are the methods."""
    for name in ("str.lower", "dict.fromkeys", "str.maketrans", "list.append", "dict.get"):
        assert (
            all_losses(lambda machine, given, name=name: call_path(machine, name, Arguments(given, {})), (1, 2), label)
            == []
        )
