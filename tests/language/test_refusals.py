"""What is refused before anything runs: the exact message for each program of `refusals`, and that no refusal is without one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.language.world import SIGNATURES, interpreted

from armslength.errors import ProgramRefused
from armslength.language import prepare
from armslength.language.reading.refused import FUNCTIONS, METHODS
from armslength.language.reading.syntax import MAX_SOURCE, check_nodes

FOLDER = Path(__file__).parent / "refusals"
LANGUAGE = Path(__file__).parents[2] / "src" / "armslength" / "language"


def refusals(name: str) -> list[tuple[str, str]]:
    """Programs and their messages in a file: blocks that a line of `=> message` ends."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"(.*?)\n=> ([^\n]*)\n", text, re.DOTALL)
    return [(program.removeprefix("\n"), message) for program, message in blocks]


FILES = sorted(path.stem for path in FOLDER.glob("*.txt"))
REFUSED = [pair for name in FILES for pair in refusals(name)]


def refusal(source: str) -> str:
    """The message with which a program is refused."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(source, SIGNATURES)
    return str(refused.value)


@pytest.mark.parametrize(("source", "message"), REFUSED, ids=[source for source, _ in REFUSED])
def test_it_is_refused_with_the_way_out(source: str, message: str) -> None:
    """Line, reason, and what to write instead."""
    assert refusal(source) == message


def test_the_refusals_are_all_there() -> None:
    """The folder was found, and each file has been read to its end."""
    assert len(REFUSED) >= 250
    for name in FILES:
        assert len(refusals(name)) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8").count("\n=> ")


@pytest.mark.parametrize(("source", "message"), refusals("grammar"))
def test_what_python_does_not_compile_is_refused(source: str, message: str) -> None:
    """The programs of `grammar` are none for Python either, although its parser takes them."""
    ast.parse(source)
    with pytest.raises(SyntaxError):
        compile(source, "program", "exec")
    assert message.startswith("line ")


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_of_python_is_refused_by_name(name: str) -> None:
    """Called or passed on, it is none of the language, and the message says what to write."""
    assert refusal(f"x = {name}(1)") == f"line 1: there is no tool or function {name}; {FUNCTIONS[name]}"
    assert refusal(f"x = [{name}]") == f"line 1: {name} is not part of the language; {FUNCTIONS[name]}"


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_method_of_python_is_refused_by_name(name: str) -> None:
    """So are methods, whatever they are called on."""
    assert refusal(f"x = 'a'.{name}(1)") == f"line 1: there is no method {name}; {METHODS[name]}"


# No refusal without a test

BEHIND = frozenset({"matching.py", "statements.py", "targets.py"})
"""The second wall: what `syntax` lets through is refused again where it is compiled. Not reached by any program."""
ELSEWHERE = frozenset({"inference.py", "slots.py"})
"""Tested in a file of their own; what a key may be, in tests/attacks/test_memory.py."""


def reasons() -> Iterator[tuple[str, str]]:
    """Where the language refuses, and a pattern that the reason given there fits."""
    for path in sorted(LANGUAGE.rglob("*.py")):
        if path.name in BEHIND | ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="refuse"), args=[_, ast.Constant() | ast.JoinedStr() as reason, _]):
                    yield f"{path.name}:{node.lineno}", _pattern(reason)


def _pattern(reason: ast.Constant | ast.JoinedStr) -> str:
    parts = reason.values if isinstance(reason, ast.JoinedStr) else [reason]
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in parts)


BUILT = {
    "type parameters are not part of the language": "Python 3.12 and later parse them",
    "this cannot be assigned to": "no Python parses such a target",
}
"""What the parser at hand makes no node of; tested below with nodes that are built."""


def test_each_refusal_in_the_code_is_tested() -> None:
    """Every reason that the code gives stands in a message above."""
    messages = [message for _, message in REFUSED] + [TOO_MANY_DIGITS, *BUILT]
    found = list(reasons())
    missing = [f"{place} {reason}" for place, reason in found if not any(re.search(reason, each) for each in messages)]
    assert missing == []
    assert len(found) > 70


@pytest.mark.parametrize("source", ["def f(): pass", "class A: pass"])
def test_type_parameters_are_refused(source: str) -> None:
    """What Python 3.12 and later write as `def f[T]()`."""
    node = ast.parse(source).body[0]
    node.type_params = [ast.Name("T", ast.Load())]  # type: ignore[attr-defined]
    with pytest.raises(ProgramRefused) as refused:
        check_nodes(node)
    assert str(refused.value) == "line 1: type parameters are not part of the language; leave them out"


def test_a_target_that_no_parser_makes_is_refused() -> None:
    """Whatever else stands on the left is on no list."""
    call = ast.Call(ast.Name("f", ast.Load(), lineno=2), [], [], lineno=2)
    with pytest.raises(ProgramRefused) as refused:
        check_nodes(ast.Assign([call], ast.Constant(1, lineno=2), lineno=2))
    instead = "assign to a name, several names, or an item such as d[key]"
    assert str(refused.value) == f"line 2: this cannot be assigned to; {instead}"


# Texts

TOO_DEEP = "line 1: the program is nested too deep; use more, simpler statements"
NO_TEXT = "line 1: the text has characters or numbers that no program has; use plain text"
TOO_MANY_DIGITS = "line 3: the number has too many digits; use a smaller one"


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
        "x = " + "lambda: " * 100 + "1",
        "x = 1" + "(1)" * 100,
        "\n".join(" " * n + "def f():" for n in range(70)) + "\n" + " " * 70 + "x = 1",
        "match 1:\n    case " + "[" * 70 + "]" * 70 + ":\n        pass",
    ],
    ids=[
        "minus", "lists", "not", "plus", "attributes", "ternaries", "ifs", "elifs", "lambdas", "calls", "functions",
        "patterns",
    ],
)  # fmt: skip
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
    """NUL and surrogates are refused in the program's text. By its escape NUL is text; a surrogate is none, in whatever literal."""
    with pytest.raises(ProgramRefused):
        prepare("x = 1\x00", ())
    assert refusal("x = '\ud800'") == NO_TEXT
    assert interpreted("x = '\\x00\\ud7ff\\ue000\\U0001f600'").names == {"x": "\x00\ud7ff\ue000😀"}
    assert interpreted("x = r'[\\ud800-\\udfff]'").names == {"x": r"[\ud800-\udfff]"}
    assert interpreted("\x0cx = 1\n\x0c\ny = '\x0c'\r\nz = 2\r").names == {"x": 1, "y": "\x0c", "z": 2}
    with pytest.raises(ProgramRefused):
        prepare("x\u202e = 1", ())


def test_numbers_have_at_most_4000_digits() -> None:
    """In decimal, in hexadecimal, in a default and in a menu."""
    assert refusal("\n\nx = 0x" + "f" * 4_000) == TOO_MANY_DIGITS
    assert refusal("class A(BaseModel):\n    x: int = 0x" + "f" * 4_000).startswith("line 2: the number has too many")
    assert refusal("quarantined('a', returns=Literal[0x" + "f" * 4_000 + "])").startswith("line 1: the number has too")
    with pytest.raises(ProgramRefused):
        prepare("x = " + "9" * 5_000, ())
