"""How a program fails while it runs: line, code and reason, whatever the operation."""

from __future__ import annotations

import pytest
from tests.language.world import interpreted

from armslength.errors import ProgramFailed

TASK = "class Task(BaseModel):\n    title: str\n    days: int = 1\n"
COLOR = "class Color(Enum):\n    RED = 'red'\n"
UNTYPED = "def any_of(x): return {1: x, 2: json.loads('1')}[int('1')]\n"
"""A value of no declared type, so that nothing is refused before the run."""
FAILED = [
    ("x = [1]\nx[5]", "line 2: index: there is no element at that place"),
    ("x = {}\nx['a']", "line 2: there is no such key"),
    (UNTYPED + "x = any_of(1)\nx.real", "line 3: attribute: this has no field real"),
    (UNTYPED + "x = any_of(None)\nx.strip()", "line 3: attribute: this has no method strip"),
    (UNTYPED + "x = (\n    any_of(1) +\n    'a'\n)", "line 3: type: + does not take these operands"),
    ("x = len(\n    5\n)", "line 1: type: len does not take this"),
    ("if False:\n    y = 1\nx = y", "line 3: name: y is used before it has a value"),
    ("for y in []:\n    x = 1\nx += 1", "line 3: name: x is used before it has a value"),
    ("a, b = 1, 2, 3", "line 1: value: there are not 2 parts to unpack"),
    ("a, *b = []", "line 1: value: there are too few parts to unpack"),
    ("a, *b, c = [1]", "line 1: value: there are too few parts to unpack"),
    ("for a, b in [(1, 2), (3,)]:\n    pass", "line 1: value: there are not 2 parts to unpack"),
    ("x = 1 / 0", "line 1: division by zero"),
    ("x = 1 // 0", "line 1: division by zero"),
    ("x = 1 % 0", "line 1: division by zero"),
    ("x = int('x')", "line 1: value: int found no whole number"),
    ("x = int('9' * 5_000)", "line 1: type: int does not take this"),
    ("x = {[]: 1}", "line 1: type: this cannot be a key"),
    (TASK + "x = {Task(title='a')}", "line 4: type: this cannot be a key"),
    ("x = ', '.join([1])", "line 1: type: join takes texts only; use str(x) for the others"),
    ("for x in [1, 0]:\n    y = 1\n    z = 1 / x", "line 3: division by zero"),
    ("while True:\n    x = 1\n    y = [][x]", "line 3: index: there is no element at that place"),
    ("raise ValueError('stop')", "line 1: raised: the program stopped itself"),
    ("raise ValueError", "line 1: raised: the program stopped itself"),
    ("class Stop(Exception):\n    pass\nraise Stop('x')", "line 3: raised: the program stopped itself"),
    (
        "try:\n    raise ValueError('a')\nexcept ValueError:\n    raise",
        "line 2: raised: the program stopped itself",
    ),
    (
        "try:\n    raise ValueError('a')\nexcept ValueError as e:\n    raise RuntimeError('b') from e",
        "line 4: raised: the program stopped itself",
    ),
    ("try:\n    {}['a']\nexcept ValueError:\n    pass", "line 2: there is no such key"),
    ("try:\n    {}['a']\nfinally:\n    x = 1", "line 2: there is no such key"),
    ("assert 1 == 2, 'no'", "line 1: assert: what the program asserts does not hold"),
    ("assert []", "line 1: assert: what the program asserts does not hold"),
    ("def f(a):\n    return a\nf()", "line 3: type: f needs a"),
    ("def f(a):\n    return a\nf(1, 2)", "line 3: type: f takes at most 1 argument"),
    ("def f():\n    return 1\nf(1)", "line 3: type: f takes no arguments"),
    ("def f(a):\n    return a\nf(1, a=2)", "line 3: type: f gets a twice"),
    ("def f(a):\n    return a\nf(b=2)", "line 3: type: f has no parameter b"),
    ("def f(*, a):\n    return a\nf(1)", "line 3: type: f takes no arguments"),
    ("x = 1\nx()", "line 2: type: this is no function and cannot be called"),
    ("x = [1]\nx[0](2)", "line 2: type: this is no function and cannot be called"),
    ("def f():\n    return y\nf()\ny = 1", "line 2: name: y is used before it has a value"),
    ("def f():\n    x = y\n    y = 1\nf()", "line 2: name: y is used before it has a value"),
    (
        "def f():\n    def g():\n        nonlocal y\n        y += 1\n    g()\n    y = 1\nf()",
        "line 4: name: y is used before it has a value",
    ),
    ("def f():\n    return 1 / 0\n\n\nx = f()", "line 2: division by zero"),
    (UNTYPED + "x = (lambda y: y.z)(\n    any_of(1)\n)", "line 2: attribute: this has no field z"),
    ("x = 1\ndel x\nx", "line 3: name: x is used before it has a value"),
    ("x = [1]\ndel x[1]", "line 2: index: there is no element at that place"),
    ("x = {}\ndel x['a']", "line 2: there is no such key"),
    (
        "x = [1, 2, 3]\ndel x[::2]",
        "line 2: type: only a slice without a step, of a list that can change, can be written",
    ),
    (
        "x = 'abc'\nx[1:2] = 'x'",
        "line 2: type: only a slice without a step, of a list that can change, can be written",
    ),
    (COLOR + "x = Color('blue')", "line 3: Color has no member with this value"),
    (COLOR + "x = Color['BLUE'.upper()]", "line 3: key: Color has no member of this name"),
    (UNTYPED + TASK + "x = any_of(Task(title='a'))\nx.name", "line 6: attribute: this has no field name"),
    ("e = 1\nraise e", "line 2: type: only an exception can be raised"),
    ("x = range(1, 5, 0)", "line 1: value: the step of range is not zero"),
    ("x = 'a'.center(\n  5, 'xy')", "line 1: type: the arguments do not fit center"),
    ("x = f'{1:.999f}'", "line 1: this format is not part of the language"),
    ("x = sorted([1, 'a'])", "line 1: type: these have no order"),
    ("x = max([])", "line 1: value: max of nothing"),
    ("x = (-8) ** 0.5", "line 1: value: ** has no result that is a real number"),
    ("x = 1e308 ** 2", "line 1: value: the number is too large"),
    ("x = next(iter([]))", "line 1: stop: there is no next element"),
]
FROZEN = "line 3: frozen: what a tool returned does not change; copy it with list(...) or dict(...)"


@pytest.mark.parametrize(("source", "message"), FAILED, ids=[source for source, _ in FAILED])
def test_a_program_fails_at_its_line(source: str, message: str) -> None:
    """Line, code and reason; the line is that of the operation, also when its operands stand below."""
    with pytest.raises(ProgramFailed) as failed:
        interpreted(source)
    assert str(failed.value) == message


@pytest.mark.parametrize(
    "change", ["mails.append(1)", "mails[0] = 1", "mails.sort()", "mails.clear()", "mails.pop()", "mails.insert(0, 1)",
               "mails[0].tags.append('x')", "mails.extend([1])", "mails.reverse()", "del mails[0]", "mails.remove(1)"]
)  # fmt: skip
def test_what_a_tool_returned_is_frozen(change: str) -> None:
    """Changing it fails with the way out."""
    with pytest.raises(ProgramFailed) as failed:
        interpreted(f"{UNTYPED}mails = any_of(search('x'))\n{change}")
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
