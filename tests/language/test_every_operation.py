"""Every function, method and operator over every kind of value: nothing but our errors comes out, and results are Python's."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import product

import pytest
from tests.language.world import in_cpython, interpreted

from armslength.errors import LimitReached, ProgramFailed
from armslength.language.operations.builtins import BUILTINS
from armslength.language.operations.methods import _METHODS

KINDS = (
    "None", "True", "0", "-3", "2", "1.5", '""', '"ab"', '"3"', "[]", "[1, 2]", '["a", "b"]', "[[1], 2]", "()",
    '(1, "x")', "{}", '{"a": 1}', "set()", "{1, 2}", 'search("x")', 'search("x")[0]', "10**40", 'float("nan")',
)  # fmt: skip
SOME = ("None", "2", "1.5", '"ab"', "[1, 2]", '(1, "x")', '{"a": 1}', "10**40")
FEW = ("0", '"ab"', "[1, 2]", "10**40")
OWNERS = {
    "str": ('"ab"', '""'),
    "list": ("[1, 2]", "[]", '["b", "a"]', "[[1], [0]]"),
    "tuple": ('(1, "x")', "()"),
    "dict": ('{"a": 1}', "{}"),
    "set": ("{1, 2}", "set()"),
}
KEYWORDS = (
    "default", "start", "reverse", "ndigits", "key", "strict", "maxsplit", "sep", "keepends", "count", "returns", "self",
)  # fmt: skip

NARROWER = {
    "%": "no formatting of text by %",
    "**": "no complex numbers",
    "list.clear": "what a tool returned does not change",
    "-": "no difference of sets",
    "<": "sets have no order",
    "<=": "sets have no order",
    ">": "sets have no order",
    ">=": "sets have no order",
    "in": "a set is no member of a set",
    "not in": "a set is no member of a set",
    "min": "sets have no order, no key=",
    "max": "sets have no order, no key=",
    "int": "no base",
    "round": "no places beyond 400",
    "zip": "no strict=",
    "sorted": "no key=",
    "dict.pop": "no default",
    "dict.update": "only from a dict",
    "list.sort": "no key=",
}
"""Where Python has a result and the language has none."""
WIDER = {
    "*": "nothing times any number is nothing",
    "list.insert": "a place beyond every end is the end",
    "min": "default= beside several arguments is passed over",
    "max": "default= beside several arguments is passed over",
    "sorted": "reverse= takes any truth",
    "list.sort": "reverse= takes any truth",
}
"""Where the language has a result and Python has none."""
DIFFERENT = {"is": "equal scalars are the same one", "is not": "equal scalars are the same one"}
"""Where both have a result, but not the same."""
NOT_COMPARED = frozenset({
    "frozenset",
})  # fmt: skip
"""Functions and methods whose results are held against Python by cases and tests of their own; here that only our errors come out."""


def outcome(source: str) -> object:
    """The text of `x` at the end, or the error's class; any error that is not ours fails the test."""
    try:
        return repr(interpreted(source).names["x"])
    except (ProgramFailed, LimitReached) as error:
        return type(error)


def in_python(source: str) -> object:
    """The text of `x` under CPython, or the class `ProgramFailed` for whatever it raised."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(in_cpython(source).names["x"])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return ProgramFailed


def differences(name: str, expressions: Iterable[str]) -> Iterator[str]:
    """The expressions whose outcome is neither Python's nor listed above under `name`."""
    for expression in expressions:
        ours, theirs = outcome(f"x = {expression}"), in_python(f"x = {expression}")
        if ours in (theirs, LimitReached) or name.rpartition(".")[2] in NOT_COMPARED:
            continue
        listed = NARROWER if ours is ProgramFailed else WIDER if theirs is ProgramFailed else DIFFERENT
        if name not in listed:
            yield f"{expression}: {ours}, in Python {theirs}"


def calls(function: str, keywords: Iterable[str]) -> Iterator[str]:
    """Calls with no to three arguments of all kinds, and with each keyword."""
    for arguments in [(), *product(KINDS), *product(SOME, SOME), *product(FEW, FEW, FEW)]:
        yield f"{function}({', '.join(arguments)})"
    for keyword in keywords:
        for value in SOME:
            yield f"{function}({keyword}={value})"
            yield f"{function}([2, 1], {keyword}={value})"


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_a_function_takes_anything(name: str) -> None:
    """A function of the language gives Python's result, or fails as our error."""
    keywords = [each for each in KEYWORDS if (name, each) != ("dict", "self")]
    assert list(differences(name, calls(name, keywords))) == []


@pytest.mark.parametrize(("kind", "name"), sorted(key for key in _METHODS if key[0] in OWNERS))
def test_a_method_takes_anything(kind: str, name: str) -> None:
    """A method gives Python's result, or fails as our error."""
    for owner in OWNERS[kind]:
        assert list(differences(f"{kind}.{name}", calls(f"{owner}.{name}", KEYWORDS))) == []


@pytest.mark.parametrize("name", sorted({name for _, name in _METHODS}))
def test_a_method_of_anything(name: str) -> None:
    """Each method on each kind of value: Python's result, or our error."""
    known = [kind for kind, method in _METHODS if method == name]
    for owner in KINDS:
        listed = [f"{kind}.{name}" for kind in known if f"{kind}.{name}" in NARROWER] or [name]
        calls_here = [f"({owner}).{name}({argument})" for argument in ("", "1", '"a"')]
        assert [each for each in differences(listed[0], calls_here) if not is_outside(owner, name)] == []


def is_outside(owner: str, name: str) -> bool:
    """Python has this method on that kind too, and the language has not."""
    kinds = {"[": "list", "{": "dict", "s": "set", '"': "str", "(": "tuple", "{1": "set"}
    kind = kinds.get(owner[:2], kinds.get(owner[:1], ""))
    return (kind, name) not in _METHODS


BINARY = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "not in",
    "is",
    "is not",
    "and",
    "or",
)


@pytest.mark.parametrize("sign", BINARY)
def test_an_operator_takes_anything(sign: str) -> None:
    """Each operator on each pair of kinds: Python's result, or our error."""
    pairs = [(a, b) for a, b in product(KINDS, KINDS) if (sign, b) != ("**", "10**40")]
    assert list(differences(sign, (f"({a}) {sign} ({b})" for a, b in pairs))) == []


def test_one_operand_of_anything() -> None:
    """Signs and `not` on each kind."""
    assert list(differences("unary", (f"{sign}({a})" for sign in ("-", "+", "not ") for a in KINDS))) == []


def test_anything_indexed_by_anything() -> None:
    """Items and slices of each kind with each kind."""
    assert list(differences("index", (f"({a})[{b}]" for a, b in product(KINDS, KINDS)))) == []
    slices = (f"({a})[{b}:{c}]" for a, b, c in product(KINDS, SOME, SOME))
    assert list(differences("slice", slices)) == []
    assert list(differences("step", (f"({a})[::{b}]" for a, b in product(KINDS, KINDS)))) == []


def test_anything_walked_unpacked_and_formatted() -> None:
    """Loops, unpacking, and formats over each kind."""
    for a in KINDS:
        assert list(differences("walk", [f"[y for y in ({a})]", f"{{y: 1 for y in ({a})}}"])) == []
        assert list(differences("unpack", [f"0\nx, y = {a}", f"0\nfor y in {a}:\n    x = y"])) == []
        specs = ("", ">5", "d", ".1f", ",", "s", "05", "x", "c", "%", "e", "=+8", "^9.2", "\n", "zz", "999")
        quoted = [f"f'''{{({a})!r:{spec}}}'''" for spec in specs] + [f"f'''{{({a}):{spec}}}'''" for spec in specs]
        assert list(differences("format", quoted)) == []
