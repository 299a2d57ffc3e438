"""Every function, method and operator over every kind of value: nothing but our errors comes out, and results are Python's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.language.beside import KINDS, Difference, Form, differences
from tests.language.differences import TABLES, TO_MEND, Known, known_of
from tests.language.world import in_cpython, interpreted

from armslength.language.operations.builtins import BUILTINS
from armslength.language.operations.library import FUNCTIONS
from armslength.language.operations.methods import METHODS

SOME = ("None", "2", '"ab"', "[1, 2]", '{"a": 1}', "10**40", "iter([1, 2])", "Word.AB", "Level.LOW", "lambda *rest: 1")
MANY = (
    "None", "True", "0", "-3", "1.5", "10**40", '""', '"ab"', '"%s{}"', "[]", "[1, 2]", '(1, "x")', '{"a": 1}', "{1, 2}", "iter([1, 2])",
    'Note(n=1, s="s")', "Color.RED", "Level.LOW", "Word.AB", "Tone.AB", "raised()", "len", "datetime(2026, 11, 30, 9, 15)",
    "date(2026, 11, 30)", "timedelta(days=1)", "lambda *rest: 1",
)  # fmt: skip
PLAIN = tuple(kind for kind in KINDS if kind != "Level.LOW")
"""CPython takes a member of an IntEnum for a sequence where it is multiplied in place."""
FEW = ("0", '"ab"', "[1, 2]", "10**40", "len")
FEWER = ("0", '"ab"', "10**40")
PLACES = ("None", "-3", '"ab"', "10**40")
OWNERS = {
    "str": ('"ab"', '""', '"%s{}"', "Word.AB"),
    "list": ("[1, 2]", "[]", '["b", "a"]', "[[1], 2]", "mails()"),
    "tuple": ('(1, "x")', "()"),
    "dict": ('{"a": 1}', "{}"),
    "set": ("{1, 2}", "set()"),
    "int": ("2", "True", "Level.LOW"),
    "float": ("1.5", 'float("nan")'),
}
"""The kinds whose methods are functions of their type, too."""
OTHERS = {
    "record": ('Note(n=1, s="s")',),
    "match": ('re.search("(a)b", "ab")',),
    "datetime": ("datetime(2026, 11, 30, 9, 15)",),
    "date": ("date(2026, 11, 30)",),
    "time": ("time(9, 15)",),
    "timedelta": ("timedelta(days=1)",),
}
KEYWORDS = {
    "enumerate": ("start",), "int": ("base",), "max": ("key", "default"), "min": ("key", "default"), "pow": ("base", "exp", "mod"),
    "round": ("ndigits",), "sorted": ("key", "reverse"), "sum": ("start",), "zip": ("strict",),
    "expandtabs": ("tabsize",), "sort": ("key", "reverse"), "rsplit": ("sep", "maxsplit"), "split": ("sep", "maxsplit"),
    "splitlines": ("keepends",),
}  # fmt: skip
"""Beside these, each is called with one that nothing but `dict`, `update` and `format` takes."""
BINARY = (
    "+", "-", "*", "/", "//", "%", "**", "|", "&", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not",
    "and", "or",
)  # fmt: skip


def of_function(name: str) -> list[Form]:
    """Calls with no to three arguments, and with names."""
    forms = [Form(f"{name}()"), Form(f"{name}(A)", (KINDS,)), Form(f"{name}(A, B)", (MANY, SOME))]
    forms.append(Form(f"{name}(A, B, C)", (FEW, FEW, FEW)))
    for keyword in (*KEYWORDS.get(name, ()), "a"):
        forms += [Form(f"{name}({keyword}=A)", (SOME,)), Form(f"{name}(A, {keyword}=B)", (FEW, SOME))]
    return forms


def of_library(module: str) -> list[Form]:
    """Calls of the functions of a module with no to three arguments."""
    names = [name for name in FUNCTIONS if name.startswith(f"{module}.")]
    return [
        *(Form(f"{name}()") for name in names),
        *(Form(f"{name}(A)", (KINDS,)) for name in names),
        *(Form(f"{name}(A, B)", (FEWER, SOME)) for name in names),
        *(Form(f"{name}(A, B, C)", (FEWER, FEWER, FEWER)) for name in names),
    ]


def of_method(name: str) -> list[Form]:
    """Calls on all kinds with no argument and one, and on those that have the method with more."""
    own = [owner for kind, method in METHODS if method == name for owner in {**OWNERS, **OTHERS}.get(kind, ())]
    forms = [
        Form(f"A.{name}()", (KINDS,)),
        Form(f"A.{name}(B)", (own, MANY)),
        Form(f"A.{name}(B, C)", (own, FEW, FEW)),
        Form(f'A.{name}("a", B, C)', (own, FEWER, FEWER)),
    ]
    for keyword in (*KEYWORDS.get(name, ()), "a"):
        forms += [Form(f"A.{name}({keyword}=B)", (own, SOME)), Form(f'A.{name}("a", {keyword}=B)', (own, FEW))]
    return forms


def of_type(kind: str) -> list[Form]:
    """The methods of a type as functions."""
    owners = [kinds[0] for kinds in OWNERS.values()] + ["None", "Level.LOW", "Word.AB"]
    names = [f"{kind}.{name}" for owner, name in METHODS if owner == kind]
    return [
        *(Form(f"{name}()") for name in names),
        *(Form(f"{name}(A)", (owners,)) for name in names),
        *(Form(f"{name}(A, B)", (OWNERS[kind][:1], FEW)) for name in names),
    ]


def of_operator(sign: str) -> list[Form]:
    """All pairs; and in place, where that is written."""
    forms = [Form(f"A {sign} B", (KINDS, MANY))]
    if sign in BINARY[:12]:
        forms.append(Form(f"A {sign}= B\nreturn A", (PLAIN, SOME)))
    return forms


SPECS = ("", ">5", "d", ".1f", ",", "s", "05", "x", "c", "%", "e", "=+8", "^9.2", "\\n", "zz", "999")
TYPES = (
    "str", "int", "float", "bool", "list", "tuple", "dict", "set", "Note", "Color", "Level", "Word", "Exception", "date", "datetime",
)  # fmt: skip
QUESTIONS: dict[str, list[Form]] = {
    **{name: of_function(name) for name in BUILTINS},
    **{f"{module}.": of_library(module) for module in ("math", "json", "re")},
    **{f".{name}": of_method(name) for _, name in METHODS},
    **{f"{kind}.": of_type(kind) for kind in OWNERS},
    **{sign: of_operator(sign) for sign in BINARY},
    "dict.fromkeys": of_function("dict.fromkeys"),
    "str.maketrans": of_function("str.maketrans"),
    "one operand": [Form(f"{sign}A", (KINDS,)) for sign in ("-", "+", "~", "not ")],
    "item": [Form("A[B]", (KINDS, MANY))],
    "slice": [Form("A[B:C]", (KINDS, PLACES, PLACES)), Form("A[::B]", (KINDS, SOME))],
    "store": [
        Form("A[B] = 7\nreturn 0", (KINDS, SOME)),
        Form("A[0:] = B\nreturn 0", (KINDS, SOME)),
        Form("A[B:C] = [7]\nreturn 0", (KINDS, PLACES, PLACES)),
    ],
    "delete": [Form("del A[B]\nreturn 0", (KINDS, SOME)), Form("del A[B:C]\nreturn 0", (KINDS, PLACES, PLACES))],
    "walk": [
        Form(text, (KINDS,))
        for text in (
            "[x for x in A]", "{x: 1 for x in A}", "{x for x in A}", "[*A]", "(0, *A)", "{0, *A}", "{**A}", "max(*A, 0)",
            "for x in A:\n    pass\nreturn 0", "x, y = A\nreturn x, y", "x, *y = A\nreturn x, y", "for x, y in A:\n    pass\nreturn 0",
        )
    ],
    "truth": [Form(text, (KINDS,)) for text in ("1 if A else 2", "[0 for x in [1] if A]", "while A:\n    return 1\nreturn 2")],
    "f-string": [
        *(Form(f"f'''{{A:{spec}}}'''", (KINDS,)) for spec in SPECS),
        *(Form(f"f'''{{A!{how}:{spec}}}'''", (KINDS,)) for how in "rs" for spec in ("", ">5", "d")),
        Form("f'{A:{B}}'", (KINDS, SOME)),
    ],
    "isinstance": [Form(f"isinstance(A, {kind})", (KINDS,)) for kind in TYPES],
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_operation_takes_anything(name: str) -> None:
    """An operation gives Python's result and leaves its operands as Python does, or fails as our error; what differs is listed, and real."""
    explained = {each: explanations(name, each) for each in differences(QUESTIONS[name])}
    used = {known for several in explained.values() for known in several}
    assert [each for each, several in explained.items() if not several] == []
    assert [known for table in TABLES for known in table if name in known.names and known not in used] == []


def explanations(name: str, found: Difference) -> list[Known]:
    """What is listed for it."""
    return [known for known in (*known_of(found), *TO_MEND) if known.explains(name, found)]


def test_what_is_listed_is_an_operation_and_a_row_of_the_page() -> None:
    """No entry has a name that no question has, and each but the mistakes has its row in the list of differences from Python."""
    page = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \|", page.split("## Where it differs from Python")[1].split("\n## ")[0], re.MULTILINE)
    listed = [known for table in TABLES for known in table]
    assert {name for known in listed for name in known.names} - set(QUESTIONS) == set()
    assert {known.row for known in listed} - {""} - set(rows) == set()
    assert [known for known in listed if not known.row and known not in TO_MEND] == []


MEMBER_KEYS = """
from enum import Enum

class Color(Enum):
    RED = "red"

class Tone(str, Enum):
    AB = "ab"

colors = {Color.RED: 1}
likenesses = [("member", "Color", "RED"), ("Color", "RED"), ("Color", "RED", "red"), "RED", "red", "Color.RED"]
found = [likeness in colors for likeness in likenesses]
for likeness in likenesses:
    colors[likeness] = 2
read = colors[Color.RED]
size = len(colors)
nested = ((("member", "Color", "RED"), 1) in {(Color.RED, 1)}, (Color.RED, 1) in {(Color.RED, 1)})
mixed = {Tone.AB: 1}["ab"]
"""


def test_no_value_but_the_member_is_found_where_a_member_is_a_key() -> None:
    """A tuple that spells a member is no member: attack by data that has the shape of an internal key."""
    names = interpreted(MEMBER_KEYS).names
    assert names == in_cpython(MEMBER_KEYS).names
    assert (names["found"], names["read"], names["size"]) == ([False] * 6, 1, 7)
