"""What is refused before anything runs: the exact message for each construct, and that three places refuse an unknown node."""

from __future__ import annotations

import ast

import pytest
from tests.language.world import SIGNATURES, World, interpreted

from armslength.errors import ProgramFailed, ProgramRefused
from armslength.language import Limits, prepare
from armslength.language.expressions import evaluate
from armslength.language.machine import Machine
from armslength.language.statements import execute
from armslength.language.syntax import MAX_SOURCE, _check

REFUSED = [
    ("import os", "line 1: import is not part of the language; call a tool instead"),
    ("from os import path", "line 1: import is not part of the language; call a tool instead"),
    ("def f(): pass", "line 1: def is not part of the language; write the statements where they are needed"),
    ("async def f(): pass", "line 1: async is not part of the language; call tools directly"),
    ("lambda: 1", "line 1: lambda is not part of the language; use a for loop or a comprehension"),
    ("while True: pass", "line 1: while is not part of the language; use a for loop"),
    (
        "try:\n    pass\nexcept ValueError:\n    pass",
        "line 1: try is not part of the language; test for the case with if",
    ),
    ("with x: pass", "line 1: with is not part of the language; call a tool instead"),
    ("del x", "line 1: del is not part of the language; build a new list or dict"),
    ("global x", "line 1: global is not part of the language; use plain names"),
    ("nonlocal x", "line 1: nonlocal is not part of the language; use plain names"),
    ("assert True", "line 1: assert is not part of the language; use if and raise"),
    ("match 1:\n    case 1: pass", "line 1: match is not part of the language; use if and elif"),
    ("(x := 1)", "line 1: := is not part of the language; assign on a line of its own"),
    ("x = [*[1]]", "line 1: * is not part of the language here; name each part"),
    ("a, *b = [1]", "line 1: this cannot be assigned to; assign to a name, several names, or an item such as d[key]"),
    ("await x", "line 1: await is not part of the language; call tools directly"),
    ("yield 1", "line 1: yield is not part of the language; build a list"),
    ("x = 1 @ 2", "line 1: @ is not part of the language; use + - * / // % **"),
    ("x = 1 | 2", "line 1: | is not part of the language here; use or"),
    ("x = 1 & 2", "line 1: & is not part of the language; use and"),
    ("x = 1 ^ 2", "line 1: ^ is not part of the language; use !="),
    ("x = 1 << 2", "line 1: << is not part of the language; use *"),
    ("x = 1 >> 2", "line 1: >> is not part of the language; use //"),
    ("x = ~1", "line 1: ~ is not part of the language; use not"),
    (
        "x = (y for y in [1])",
        "line 1: a generator expression may stand only as the one argument of a call; use a list comprehension",
    ),
    (
        "x = sum((y for y in [1]), 0)",
        "line 1: a generator expression may stand only as the one argument of a call; use a list comprehension",
    ),
    ("async for x in y: pass", "line 1: async is not part of the language; call tools directly"),
    (
        "try:\n    pass\nexcept* ValueError:\n    pass",
        "line 1: try is not part of the language; test for the case with if",
    ),
    ("x = 1j", "line 1: a literal of type complex is not part of the language; use str, int, float or bool"),
    ('x = b"a"', "line 1: a literal of type bytes is not part of the language; use str, int, float or bool"),
    ("x = ...", "line 1: a literal of type ellipsis is not part of the language; use str, int, float or bool"),
    (
        "for x in [1]:\n    pass\nelse:\n    pass",
        "line 1: else after for is not part of the language; set a name in the loop and test it after",
    ),
    ("for x[0] in [1]: pass", "line 1: a loop assigns to names only; assign to a name and go on from there"),
    ("x = [y for y[0] in [1]]", "line 1: a loop assigns to names only; assign to a name and go on from there"),
    ("x: int", "line 1: a declaration without a value is not part of the language; assign a value"),
    (
        "x = [1]\nx.y = 1",
        "line 2: this cannot be assigned to; assign to a name, several names, or an item such as d[key]",
    ),
    (
        "x = [1]\nx[0:1] = [2]",
        "line 2: this cannot be assigned to; assign to a name, several names, or an item such as d[key]",
    ),
    ('x = {}\nx["a"]: int = 1', "line 2: only a name can stand on the left here; write target = value in full"),
    ("f(**{})", "line 1: ** is not part of the language here; name each argument"),
    ("x = {**{}}", "line 1: ** is not part of the language here; name each key"),
    ("(lambda: 1)()", "line 1: only functions, tools and methods can be called; name the function"),
    ("[len][0](1)", "line 1: only functions, tools and methods can be called; name the function"),
    ('x = "a".__class__', "line 1: attributes that begin with _ are not part of the language; use a declared field"),
    (
        "x = ().__class__.__bases__",
        "line 1: attributes that begin with _ are not part of the language; use a declared field",
    ),
    ('x = "{0.__class__}".format(1)', "line 1: there is no method format; use an f-string"),
    ('__import__("os")', "line 1: names that begin with __ are not part of the language; choose another name"),
    ("x = __builtins__", "line 1: names that begin with __ are not part of the language; choose another name"),
    ("__x = 1", "line 1: names that begin with __ are not part of the language; choose another name"),
    ("x = _private.y", "line 1: the name _private is never assigned; assign it first, or write the text in quotes"),
    ("raise", 'line 1: raise takes an exception with one message; write raise ValueError("what is wrong")'),
    (
        'raise ValueError("a", "b")',
        'line 1: raise takes an exception with one message; write raise ValueError("what is wrong")',
    ),
    ("raise x", 'line 1: raise takes an exception with one message; write raise ValueError("what is wrong")'),
    (
        'raise ValueError("a") from None',
        'line 1: raise takes an exception with one message; write raise ValueError("what is wrong")',
    ),
    (
        'raise SystemExit("x")',
        'line 1: raise takes an exception with one message; write raise ValueError("what is wrong")',
    ),
    ('x = f"{1!a}"', "line 1: only !r and !s are conversions in an f-string; leave the conversion out"),
    ('x = f"{1:{2}}"', "line 1: only a fixed format may stand after : in an f-string; compute the text before"),
    (
        "@dec\nclass A(BaseModel):\n    x: int",
        "line 2: a class may only be a schema; write class Name(BaseModel): with annotated fields",
    ),
    (
        "class A(Enum):\n    x = 1",
        "line 1: a class may only be a schema; write class Name(BaseModel): with annotated fields",
    ),
    (
        "class A(BaseModel):\n    def f(self): pass",
        "line 2: a schema class has annotated fields only; write field: type",
    ),
    (
        'class A(BaseModel):\n    x: int = len("a")',
        "line 2: a schema class has annotated fields only; write field: type",
    ),
    ("class A(BaseModel):\n    pass", "line 1: a schema class needs a field; write field: type"),
    (
        "class A(BaseModel):\n    x: int\n    x: str",
        "line 3: a schema class names each field once, without _ before it; rename the field",
    ),
    (
        "class A(BaseModel):\n    _x: int",
        "line 2: a schema class names each field once, without _ before it; rename the field",
    ),
    (
        "class A(BaseModel):\n    x: tuple",
        "line 2: this is no type; use str, int, float, bool, list[T], Optional[T], Literal[...] or a schema class",
    ),
    (
        "class A(BaseModel):\n    x: Literal[1.5]",
        'line 2: Literal takes str, int and bool literals; write Literal["a", "b"]',
    ),
    (
        "class A(BaseModel):\n    x: Literal[()]",
        'line 2: Literal takes str, int and bool literals; write Literal["a", "b"]',
    ),
    (
        'class A(BaseModel):\n    x: bytes = b""',
        "line 2: a literal of type bytes is not part of the language; use str, int, float or bool",
    ),
    (
        "class A(BaseModel):\n    x: int = ...",
        "line 2: a literal of type ellipsis is not part of the language; use str, int, float or bool",
    ),
    (
        "class A(BaseModel):\n    x: int\nclass A(BaseModel):\n    x: int",
        "line 3: the class A stands here twice; choose another name",
    ),
    ("class len(BaseModel):\n    x: int", "line 1: len is a function already; choose another name for the class"),
    ("class search(BaseModel):\n    x: int", "line 1: search is a function already; choose another name for the class"),
    (
        "class __A(BaseModel):\n    x: int",
        "line 1: names that begin with __ are not part of the language; choose another name",
    ),
    (
        "for x in [1]:\n    class A(BaseModel):\n        x: int",
        "line 2: a class stands at the top of the program; move it there",
    ),
    ("break", "line 1: break and continue stand in a loop; use if"),
    ("continue", "line 1: break and continue stand in a loop; use if"),
    ("if True:\n    break", "line 2: break and continue stand in a loop; use if"),
    ("for x in [1]:\n    pass\nbreak", "line 3: break and continue stand in a loop; use if"),
    ("x = y", "line 1: the name y is never assigned; assign it first, or write the text in quotes"),
    ("x = len", "line 1: len is a function and can only be called; write len(...)"),
    ("x = [search]", "line 1: search is a function and can only be called; write search(...)"),
    ("x = BaseModel", "line 1: the name BaseModel is never assigned; assign it first, or write the text in quotes"),
    ('eval("1")', "line 1: there is no tool or function eval; use only the tools that are listed"),
    ('serch("x")', "line 1: there is no tool or function serch; use only the tools that are listed"),
    ("search()", "line 1: search needs query; call search(query, limit)"),
    ('search("a", 1, 2)', "line 1: search takes at most 2 arguments; call search(query, limit)"),
    ('search(q="a")', "line 1: search has no parameter q; call search(query, limit)"),
    ('search("a", query="b")', "line 1: search gets query twice; call search(query, limit)"),
    ('send("a")', "line 1: send needs body; call send(to, body)"),
    ('send("a", b="c")', "line 1: send has no parameter b; call send(to, body)"),
    ('search("a", returns=list[str])', "line 1: search has no parameter returns; call search(query, limit)"),
    ("len([1], returns=int)", "line 1: int is a function and can only be called; write int(...)"),
    ('answer("a", sep="")', "line 1: answer takes no named arguments; put the text together with an f-string or join"),
    ('print("a", end="")', "line 1: print takes no named arguments; put the text together with an f-string or join"),
    ("isinstance(1)", "line 1: isinstance takes a value and a type; write isinstance(x, str)"),
    (
        "isinstance(1, bytes)",
        "line 1: isinstance takes a type, or a tuple of types; use str, int, float, bool, list, tuple, dict, set or a schema class",
    ),
    (
        "isinstance(1, (int, 2))",
        "line 1: isinstance takes a type, or a tuple of types; use str, int, float, bool, list, tuple, dict, set or a schema class",
    ),
    ("isinstance(1, int, str)", "line 1: isinstance takes a value and a type; write isinstance(x, str)"),
    (
        'quarantined("x", returns=5)',
        "line 1: this is no type; use str, int, float, bool, list[T], Optional[T], Literal[...] or a schema class",
    ),
    (
        'quarantined("x", returns=dict)',
        "line 1: this is no type; use str, int, float, bool, list[T], Optional[T], Literal[...] or a schema class",
    ),
    (
        'quarantined("x", returns=list[foo])',
        "line 1: this is no type; use str, int, float, bool, list[T], Optional[T], Literal[...] or a schema class",
    ),
    (
        'quarantined("x", returns={"a b": str})',
        'line 1: a type of named parts has plain words as names; write {"name": str}',
    ),
    (
        'quarantined("x", returns={"a": str, "a": int})',
        "line 1: a type of named parts names each part once; rename the part",
    ),
    ('x = "a".format(1)', "line 1: there is no method format; use an f-string"),
    ("x = [1].remove(1)", "line 1: there is no method remove; build a new list with a comprehension"),
    ("x = {1}.union({2})", "line 1: there is no method union; add the members in a for loop"),
    ('x = "a".frobnicate()', "line 1: there is no method frobnicate; write it with a for loop"),
    ('x = "a".encode()', "line 1: there is no method encode; use the text as it is"),
    ("search.x = 1", "line 1: this cannot be assigned to; assign to a name, several names, or an item such as d[key]"),
    ('len("a" "b") = 1', "line 1: this is not Python; check brackets, quotes and indentation"),
    ("x = (", "line 1: this is not Python; check brackets, quotes and indentation"),
    ('x = "a', "line 1: this is not Python; check brackets, quotes and indentation"),
    ("  x = 1", "line 1: this is not Python; check brackets, quotes and indentation"),
    ("if True:\n\tx = 1\n        y = 2", "line 3: this is not Python; check brackets, quotes and indentation"),
    ("return 1", "line 1: return is not part of the language; assign to a name, or say it with answer(...)"),
    ("x = map(len, [1])", "line 1: there is no tool or function map; use a comprehension"),
    ("x = reversed([1])", "line 1: there is no tool or function reversed; write x[::-1]"),
    ('x = open("a")', "line 1: there is no tool or function open; call a tool that reads files"),
]


@pytest.mark.parametrize(("source", "message"), REFUSED, ids=[source for source, _ in REFUSED])
def test_it_is_refused_with_the_way_out(source: str, message: str) -> None:
    """Line, reason, and what to write instead."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(source, SIGNATURES)
    assert str(refused.value) == message


class Invented(ast.expr):
    """A node that no Python has."""


class InventedStatement(ast.stmt):
    """A statement that no Python has."""


def test_an_invented_node_is_refused_when_read() -> None:
    """The allow-list of `syntax` has no way round it, at the top or inside."""
    inside = ast.Expr(ast.List([Invented(lineno=3)], ast.Load(), lineno=3), lineno=3)
    for node, name in [
        (Invented(lineno=3), "Invented"),
        (InventedStatement(lineno=3), "InventedStatement"),
        (inside, "Invented"),
    ]:
        with pytest.raises(ProgramRefused) as refused:
            _check(node)
        assert str(refused.value) == f"line 3: {name} is not part of the language; write it with simpler statements"


def test_an_invented_node_is_refused_when_run() -> None:
    """Should a node pass the first list, the tables of statements and of expressions refuse it again."""
    machine = Machine(prepare("x = 1", ()), World(), Limits())
    with pytest.raises(ProgramRefused) as refused:
        execute(machine, [InventedStatement(lineno=4)])
    assert (
        str(refused.value) == "line 4: InventedStatement is not part of the language; write it with simpler statements"
    )
    with pytest.raises(ProgramRefused) as refused:
        evaluate(machine, Invented(lineno=5))
    assert str(refused.value) == "line 5: Invented is not part of the language; write it with simpler expressions"


TOO_DEEP = "line 1: the program is nested too deep; use more, simpler statements"
NO_TEXT = "line 1: the text has characters or numbers that no program has; use plain text"


def refusal(source: str) -> str:
    """The message with which a program is refused."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(source, SIGNATURES)
    return str(refused.value)


def test_source_is_bounded() -> None:
    """65,536 characters are read, one more is not."""
    prepare(("x = 1\n" + "#" * MAX_SOURCE)[:MAX_SOURCE], ())
    assert refusal("#" * (MAX_SOURCE + 1)) == "line 1: the program has more than 65,536 characters; write a shorter one"


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "-" * 10_000 + "1",
        "x = " + "[" * 70 + "]" * 70,
        "x = " + "not " * 5_000 + "1",
        "x = " + "1 + " * 70 + "1",
        "x = a" + ".b" * 100,
        "x = 1" + " if 1 else 1" * 100,
        "\n".join(" " * n + "if 1:" for n in range(70)) + "\n" + " " * 70 + "x = 1",
        "if 1:\n  pass\n" + "elif 1:\n  pass\n" * 100,
    ],
    ids=["minus", "lists", "not", "plus", "attributes", "ternaries", "ifs", "elifs"],
)
def test_nesting_is_bounded(source: str) -> None:
    """60 levels of nodes; a chain of one operator is nested too."""
    assert refusal(source).split(": ", 1)[1] == TOO_DEEP.split(": ", 1)[1]


def test_parentheses_are_bounded() -> None:
    """However many there are, the answer is ours; they leave no node behind, so few of them are no nesting."""
    assert interpreted("x = " + "(" * 50 + "1" + ")" * 50).names == {"x": 1}
    for count in (1_000, 30_000):
        with pytest.raises(ProgramRefused):
            prepare("x = " + "(" * count + "1" + ")" * count, ())


def test_characters_that_no_program_has() -> None:
    """NUL and lone surrogates are refused in the program's text; inside literals, by escapes, they are text."""
    with pytest.raises(ProgramRefused):
        prepare("x = 1\x00", ())
    assert refusal("x = '\ud800'") == NO_TEXT
    assert interpreted("x = '\\x00\\ud800'").names == {"x": "\x00\ud800"}
    assert interpreted("\x0cx = 1\n\x0c\ny = '\x0c'\r\nz = 2\r").names == {"x": 1, "y": "\x0c", "z": 2}
    with pytest.raises(ProgramRefused):
        prepare("x\u202e = 1", ())


def test_numbers_have_at_most_4000_digits() -> None:
    """In decimal, in hexadecimal, in a default and in a menu."""
    assert refusal("\n\nx = 0x" + "f" * 4_000) == "line 3: the number has too many digits; use a smaller one"
    assert refusal("class A(BaseModel):\n    x: int = 0x" + "f" * 4_000).startswith("line 2: the number has too many")
    assert refusal("quarantined('a', returns=Literal[0x" + "f" * 4_000 + "])").startswith("line 1: the number has too")
    with pytest.raises(ProgramRefused):
        prepare("x = " + "9" * 5_000, ())


FAILED = [
    ("x = [1]\nx[5]", "line 2: index: there is no element at that place"),
    ("x = {}\nx['a']", "line 2: key: there is no such key"),
    ("x = 1\nx.real", "line 2: attribute: this has no field real"),
    ("x = None\nx.strip()", "line 2: attribute: this has no method strip"),
    ("x = (\n    1 +\n    'a'\n)", "line 2: type: + does not take these operands"),
    ("x = len(\n    5\n)", "line 1: type: len does not take this"),
    ("if False:\n    y = 1\nx = y", "line 3: name: y is used before it has a value"),
    ("x += 1", "line 1: name: x is used before it has a value"),
    ("a, b = 1, 2, 3", "line 1: value: there are not 2 parts to unpack"),
    ("x = 1 / 0", "line 1: value: division by zero"),
    ("x = int('x')", "line 1: value: int found no whole number"),
    ("x = int('9' * 5_000)", "line 1: type: int does not take this"),
    ("x = {[]: 1}", "line 1: type: this cannot be a key"),
    ("x = ', '.join([1])", "line 1: type: join takes texts only; use str(x) for the others"),
    ("for x in [1, 0]:\n    y = 1\n    z = 1 / x", "line 3: value: division by zero"),
    ("raise ValueError('stop')", "line 1: raised: the program stopped itself"),
    ("x = range(1, 5, 0)", "line 1: value: the step of range is not zero"),
    ("x = 'a'.center(\n  5, 'xy')", "line 1: type: the arguments do not fit center"),
    ("x = f'{1:.999f}'", "line 1: format: this format is not part of the language"),
    ("x = sorted([1, 'a'])", "line 1: type: these have no order"),
    ("x = max([])", "line 1: value: max of nothing"),
    ("x = (-8) ** 0.5", "line 1: value: the result is no real number"),
    ("x = 1e308 ** 2", "line 1: value: the number is too large"),
]
FROZEN = "line 2: frozen: what a tool returned does not change; copy it with list(...) or dict(...)"


@pytest.mark.parametrize(("source", "message"), FAILED, ids=[source for source, _ in FAILED])
def test_a_program_fails_at_its_line(source: str, message: str) -> None:
    """Line, code and reason; the line is that of the operation, also when its operands stand below."""
    with pytest.raises(ProgramFailed) as failed:
        interpreted(source)
    assert str(failed.value) == message


@pytest.mark.parametrize(
    "change", ["mails.append(1)", "mails[0] = 1", "mails.sort()", "mails.clear()", "mails.pop()", "mails.insert(0, 1)",
               "mails[0].tags.append('x')", "mails.extend([1])", "mails.reverse()"]
)  # fmt: skip
def test_what_a_tool_returned_is_frozen(change: str) -> None:
    """Changing it fails with the way out."""
    with pytest.raises(ProgramFailed) as failed:
        interpreted(f"mails = search('x')\n{change}")
    assert str(failed.value) == FROZEN


def test_a_frozen_list_gives_way_to_a_new_one() -> None:
    """`+=` on what a tool returned makes a new list, which can change."""
    outcome = interpreted(
        "mails = search('x')\nmore = mails\nmore += ['new']\nmore.append(1)\nn = [len(mails), len(more)]"
    )
    assert outcome.names["n"] == [3, 5]


def test_names_of_functions_and_of_values_are_apart() -> None:
    """A name may be assigned although a function or tool has it; calling it still calls the function."""
    assert interpreted("len = 3\nsearch = len([1, 2]) + len\nx = search('none')").names == {
        "len": 3,
        "search": 5,
        "x": [],
    }
