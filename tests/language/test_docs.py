"""The page about the language: its programs run, its lists are the code's, its differences are real."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

import pytest
from tests.language.world import SIGNATURES, World, interpreted

from armslength.errors import ProgramError, ToolError
from armslength.language import Call, prepare, run
from armslength.language.machine import ELEMENT, Limits
from armslength.language.operations.builtins import BUILTINS
from armslength.language.operations.methods import METHOD_NAMES
from armslength.language.reading.classes import EXCEPTIONS
from armslength.language.reading.syntax import MAX_SOURCE
from armslength.language.running.calls import FORM_NAMES
from armslength.values import Value, promise

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```py\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

SAID = [
    ["From your mail:\n" + "\n".join([" 1. reading (no date)", " 2. reading (no date)"] * 3)],
    ["cheapest: milk", "5"],
    ["urgent"],
]


@pytest.mark.parametrize(("source", "said"), list(zip(BLOCKS, SAID, strict=True)))
def test_the_programs_of_the_page_run(source: str, said: list[str]) -> None:
    """Each block is a program, and says what it says here."""
    assert interpreted(source).said == said


def test_the_page_lists_every_function_and_method() -> None:
    """What the code has stands in the table of what is in the language."""
    listed = set(re.findall(r"\w+", PAGE.split("## Before it runs", maxsplit=1)[0]))
    assert set(BUILTINS) | METHOD_NAMES | FORM_NAMES | set(EXCEPTIONS) <= listed


def test_the_page_has_the_limits() -> None:
    """The numbers of the table are those of the code."""
    limits = Limits()
    for row in (
        f"| source | {MAX_SOURCE:,} characters",
        f"| steps | {limits.steps:,} |",
        f"| size | {limits.size:,} | characters made, all together; an element of a container counts as {ELEMENT};",
        f"| digits | {limits.digits:,} |",
        f"| depth | {limits.depth} |",
        f"| calls | {limits.calls} |",
    ):
        assert row in PAGE


DIFFERENT = {
    "x = any(1 / y for y in [1, 0])": "line 1: division by zero",
    "x = range(3)\nx.append(7)\nx = [x, {1: 2}.items()]": [[0, 1, 2, 7], [(1, 2)]],
    "x = 2 < 1 < 'a'": "line 1: type: these have no order",
    "x = str({3, 1, 2})": "{3, 1, 2}",
    "x = {frozenset([1])}": "line 1: type: this cannot be a key",
    "len = 3\nx = len + len('ab')": 5,
    "def len(y):\n    return 1": "line 1: len is a function already; choose another name",
    "def f(**more):\n    return 1": "line 1: ** is not part of the language here; name each parameter, or pass a dict",
    "def f(n):\n    return f(n + 1)\n\n\nf(0)": "line 2: the limit on calls within one another is used up; ask in other words, so that the program repeats itself less",
    "x = [y for z in [[1]] for w in y for y in z]": "line 1: y is read here before its loop gives it a value; choose another name",
    "x = [1, 2, 3, 4]\nx[::2] = [0, 0]": "line 2: type: only a slice without a step, of a list that can change, can be written",
    "x = [1000 is 1000, 1 is 1.0, 'a' is 'a', [] is []]": [True, False, True, False],
    "x = []\nd = {1: 1}\nfor k in d:\n    d[k + 1] = 0\n    x.append(k)": [1],
    "class T(BaseModel):\n    n: int\n\n\nx = T('no number').n": "no number",
    "x = T(1)['n']\n\n\nclass T(BaseModel):\n    n: int": 1,
    "class T(BaseModel):\n    n: int\n\n\nx = T(1)\nx.n = 2": (
        'line 6: records do not change; write x = x.model_copy(update={"field": value})'
    ),
    "x = ['' * 10**30, [].insert(10**30, 1)]": ["", None],
    "fs = []\nfor a in [1, 2]:\n    fs.append([lambda: b for b in [a, a * 10]])\nx = [f() for row in fs for f in row]": [
        20
    ]
    * 4,
    "class P(Enum):\n    A = 1\n    B = True": (
        'line 1: the members of an enumeration have different values; write NAME = "value"'
    ),
    "if 1 == 2:\n    x = 'a' + 1": (
        "line 2: + joins a text with a text only, and this is a number; write str(x), or an f-string"
    ),
}


@pytest.mark.parametrize(("source", "result"), DIFFERENT.items())
def test_the_differences_are_real(source: str, result: object) -> None:
    """Programs that Python takes otherwise do here what the page says."""
    try:
        found: object = interpreted(source).names["x"]
    except ProgramError as error:
        found = str(error)
    assert found == result


class Failing(World):
    """A world whose `search` gives something that is still to come, and fails."""

    def call(self, call: Call) -> Value:
        """A promise that nothing keeps."""
        return promise(self._fail) if call.name == "search" else super().call(call)

    def _fail(self) -> NoReturn:
        raise ToolError("search: the mailbox cannot be read")


def failing(source: str) -> tuple[list[str], bool]:
    """What a program says in that world, and whether it came to its end."""
    world = Failing()
    try:
        run(prepare(source, SIGNATURES), world)
    except ToolError:
        return world.said, False
    return world.said, True


def test_a_caught_failure_of_what_is_still_to_come_leaves_none() -> None:
    """The body goes on to its end, and the name is None afterwards, whatever it held before."""
    caught = "x = 1\ntry:\n    x = search('a')\n    answer('in')\nexcept RuntimeError:\n    answer('caught')\nanswer(x)"
    assert failing(caught) == (["in", "caught", "None"], True)


def test_a_failure_that_nobody_needs_goes_unnoticed() -> None:
    """Outside a `try` only what is used is waited for."""
    assert failing("x = search('a')\nanswer('done')") == (["done"], True)
    assert failing("x = search('a')\nanswer('before')\nanswer(len(x))") == (["before"], False)


def test_variables_of_picked_functions_keep_that_choice() -> None:
    """What a candidate assigns later, and what can change below a name that one mentions; the others' stay as they are."""
    names = run(prepare(PICKED, SIGNATURES), World())
    steered = {name for name, value in names.items() if not value.label.is_trusted}
    assert {"later", "size"} <= steered
    assert "apart" not in steered


PICKED = """
def make():
    n = 1
    items = [1]
    def put(x):
        nonlocal n
        n = x
        return items
    def get():
        return n
    return put, get, items
put1, get1, items1 = make()
put2, get2, items2 = make()
put3, get3, items3 = make()
[put1, put2][quarantined('which?', returns=Literal[0, 1])](5)
put1(7)
later = get1()
size = len(items2)
put3(8)
apart = get3() + len(items3)
"""


def test_the_page_goes_through_the_rooms_in_their_order() -> None:
    """Its headings name them, and every file that it names is there."""
    headings = "\n".join(re.findall(r"^##.*$", PAGE, re.MULTILINE))
    rooms = re.findall(r"`(\w+)(?:/|\.py)`", headings)
    assert rooms == ["reading", "checking", "machine", "machine", "operations", "running", "foreseeing", "kept"]
    sources = [path.as_posix() for path in (Path(__file__).parents[2] / "src" / "armslength").rglob("*.py")]
    tests = [path.as_posix() for path in Path(__file__).parents[1].rglob("*.py")]
    named = re.findall(r"`((?:\w+/)*\w+\.py)`", PAGE)
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in (*sources, *tests))] == []
    assert len(named) > 40
