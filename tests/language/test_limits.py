"""Counts bound what a program uses: each bomb ends in our error, in a process with little memory and a guard on its time."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.language.world import SIGNATURES, interpreted

from armslength.errors import ArmslengthError, LimitReached
from armslength.labels import NOTHING
from armslength.language import Limits, prepare
from armslength.language.operations.writing import forget
from armslength.values import DictObject, Entry, make

ROOT = Path(__file__).parents[2]

STEPS, SIZE, DIGITS, DEPTH = "steps", "size", "digits", "depth"
DOUBLED = "x = [1]\nfor _ in range(50):\n    x = [x, x]\n"
NESTED = "x = [1]\nfor _ in range(1_000):\n    x = [x]\n"
TUPLES = "x = (1,)\nfor _ in range(1_000):\n    x = (x,)\n"
ITSELF = "x = []\nx.append(x)\n"
TWICE = "x = []\nx.append(x)\nx.append(x)\n"
BOMBS = {
    "x = [1]\nfor y in x:\n    x.append(y)": STEPS,
    "for a in range(1_000):\n    for b in range(1_000):\n        for c in range(1_000):\n            pass": STEPS,
    "x = [1 for a in range(1_000) for b in range(1_000)]": STEPS,
    "x = 'a' * 10**12": SIZE,
    "x = [0] * 10**9": SIZE,
    "x = 10**9 * (0,)": SIZE,
    "x = range(10**12)": SIZE,
    "x = range(0, -(10**30), -1)": SIZE,
    "x = range(20_000_000)": SIZE,
    "x = 'a'.zfill(10**9)": SIZE,
    "x = 'a'.center(10**30)": SIZE,
    "x = 'a'.ljust(10**18, '.')": SIZE,
    "x = ('a' * 10_000).replace('a', 'b' * 10_000)": SIZE,
    "x = ('a' * 10_000).replace('', 'b' * 10_000)": SIZE,
    "x = 'a'\nfor _ in range(100):\n    x = x + x": SIZE,
    "x = 'ab'\nfor _ in range(100):\n    x = x.replace('a', x)": SIZE,
    "x = [1]\nfor _ in range(100):\n    x += x": SIZE,
    "x = [1]\nfor _ in range(100):\n    x.extend(x)": SIZE,
    "x = (1,)\nfor _ in range(100):\n    x *= 2": SIZE,
    "x = list('a' * 19_000_000)": SIZE,
    "x = ('a ' * 6_000_000).split()": SIZE,
    "a, b = 'x' * 19_000_000": SIZE,
    "x = ('a' * 10_000_000).join(['b', 'c', 'd'])": SIZE,
    "x = sum([[0] * 1_000 for _ in range(10_000)], [])": SIZE,
    "x = [0] * 1_000_000\ny = 0\nfor _ in range(1_000):\n    y = x == x": SIZE,
    "x = [0] * 1_000_000\ny = 0\nfor _ in range(10_000):\n    y = 5 in x": SIZE,
    "x = ['a' * 1_000_000] * 100\ny = str(x)": SIZE,
    "x = ['a' * 1_000_000] * 100\nanswer(x)": SIZE,
    "x = [10**3_990] * 100_000\ny = str(x)": SIZE,
    "y = f'{1:999}'\nx = [y for _ in range(30_000)]\nz = ''.join(x)": SIZE,
    "x = 'a'.zfill(-(10**18))\ny = 'a' * 10**9": SIZE,
    DOUBLED + "y = str(x)": SIZE,
    DOUBLED + "y = x == x": SIZE,
    DOUBLED + "answer(x)": SIZE,
    DOUBLED + "send([x, ''][0], 'text')": SIZE,
    DOUBLED + "y = quarantined('what', x)": SIZE,
    DOUBLED + "raise ValueError(x)": SIZE,
    "x = (1,)\nfor _ in range(50):\n    x = (x, x)\ny = {x: 1}": SIZE,
    "x = 10**10**10": DIGITS,
    "x = (-10) ** (10**100)": DIGITS,
    "x = 7\nfor _ in range(100):\n    x = x * x": DIGITS,
    "x = 10**3_990\nfor _ in range(1_000):\n    x = x + x": DIGITS,
    "x = 10**3_990\nfor _ in range(1_000):\n    x -= -x": DIGITS,
    NESTED + "y = str(x)": DEPTH,
    NESTED + "y = x == x": DEPTH,
    NESTED + "y = x in [x]": DEPTH,
    NESTED + "y = sorted([x, x])": DEPTH,
    NESTED + "answer(x)": DEPTH,
    NESTED + "y = f'{x}'": DEPTH,
    NESTED + "send([x, ''][0], 'text')": DEPTH,
    TUPLES + "y = {x: 1}": DEPTH,
    TUPLES + "y = {x}": DEPTH,
    TUPLES + "y = {}.get(x)": DEPTH,
    TUPLES + "y = x in {1: 2}": DEPTH,
    TUPLES + "y = x < x": DEPTH,
    ITSELF + "y = str(x)": DEPTH,
    ITSELF + "y = x == x": DEPTH,
    ITSELF + "answer(x)": DEPTH,
    ITSELF + "y = max(x, x)": DEPTH,
    ITSELF + "y = quarantined('what', x)": DEPTH,
    TWICE + "y = str(x)": DEPTH,
    TWICE + "y = x == x": DEPTH,
    "d = {}\nd['d'] = d\ny = str(d)": DEPTH,
}
CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))
sys.path[:0] = ["src", "."]
from armslength.errors import LimitReached
from tests.language.test_limits import BOMBS
from tests.language.world import interpreted
for source, limit in BOMBS.items():
    try:
        interpreted(source)
        ended = "it ended"
    except LimitReached as reached:
        ended = reached.limit
    except BaseException as error:
        ended = repr(error)
    if ended != limit:
        print(f"{source!r}: {ended}, not {limit}", flush=True)
print("all ran")
"""


def test_bombs_end_in_bounded_memory_and_time() -> None:
    """Every bomb ends with the limit it is for, in 2 GB of address space, well before the guard."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("all ran\n", "")


COUNTED = {
    "a text is looked up": ("a = 'x' * 100_000\nb = a[:-1] + 'x'\nd = {a: 1}", "y = d[b]"),
    "a text is looked for": ("a = 'x' * 100_000\nb = a[:-1] + 'x'\nd = {a: 1}", "y = b in d"),
    "a text within a tuple is looked for": ("a = 'x' * 100_000\nb = a[:-1] + 'x'\nd = {(a, 1)}", "y = (b, 1) in d"),
    "a text is compared by is": ("a = 'x' * 300_000\nb = a[:-1] + 'x'", "y = a is b"),
    "a text is compared within a list": ("a = 'x' * 300_000\nb = [a[:-1] + 'x']\na = [a]", "y = a == b"),
    "texts are sorted within tuples": ("a = 'x' * 300_000\nb = a[:-1] + 'x'\nc = [(a,), (b,)]", "y = sorted(c)"),
    "the first of a list is popped": ("a = [0] * 90_000", "a.pop(0)"),
    "the first of a list is deleted": ("a = [0] * 90_000", "del a[0]"),
    "something comes before a list": ("a = [0] * 90_000", "a.insert(0, 1)"),
    "what a list has not is removed": (
        "a = [0] * 90_000",
        "try:\n        a.remove(1)\n    except ValueError:\n        y = 1",
    ),
    "a branch mentions a list of lists": (
        "a = [[0] for _ in range(10_000)]\nm = search('a')[0]",
        "if m.score:\n        y = a",
    ),
    "a number is made of a text": ("a = '9' * 3_990", "y = int(a)"),
    "a number is made of a text with a base": ("a = '9' * 3_990", "y = int(a, 10)"),
    "a number is read from json": ("a = '9' * 3_990", "y = json.loads(a)"),
    "a power is taken": ("a = 10**300 + 1", "y = pow(a, a, a + 6)"),
    "an inverse is taken": ("a = 10**3_900 + 7", "y = pow(3, -1, a)"),
    "a large number is divided": ("a = 10**3_990\nb = 10**1_995 + 1", "y = a // b"),
    "a text is said": ("a = 'x' * 300_000", "answer(a)"),
    "a text goes outside": ("a = 'x' * 300_000", "send('ann@example.com', a)"),
    "a choice is counted": ("a = 2**40 - 1", "y = math.comb(a, 300)"),
    "a date is read": ("", "y = datetime.strptime('01', '%d')"),
    "a date is written": ("a = datetime(2026, 1, 1)\nb = '%j' * 100", "y = a.strftime(b)"),
    "a text is a template without places": (
        "a = 'x' * 300_000",
        "try:\n        y = a % 3\n    except TypeError:\n        y = 1",
    ),
    "an argument does not fit": (
        "a = [0] * 90_000",
        "try:\n        y = re.search('a', a)\n    except TypeError:\n        y = 1",
    ),
    "an argument of a method does not fit": (
        "a = [0] * 90_000",
        "try:\n        y = 'a'.find(a)\n    except TypeError:\n        y = 1",
    ),
    "a loop over a dict ends at once": ("a = dict.fromkeys(range(20_000))", "for k in a:\n        break"),
    "the first of a set is asked for": ("a = set(range(20_000))", "y = next(iter(a))"),
}
"""What must be counted, each as what is there before and what is then done often."""
ENOUGH = Limits(size=1_500_000)


@pytest.mark.parametrize(("before", "often"), COUNTED.values(), ids=COUNTED)
def test_what_takes_time_is_counted(before: str, often: str) -> None:
    """What is there before is far within the limit, and so is one pass; a thousand passes are not, though they make nothing."""
    interpreted(f"{before}\ny = 0\nfor _ in range(1):\n    {often}", ENOUGH)
    with pytest.raises(LimitReached, match="size"):
        interpreted(f"{before}\ny = 0\nfor _ in range(2_000):\n    {often}", ENOUGH)


UNCOUNTED = {
    "a branch mentions a list of numbers": ("a = [0] * 90_000\nm = search('a')[0]", "if m.score:\n        y = a"),
    "a branch changes a list of texts": (
        "a = ['x'] * 90_000\nm = search('a')[0]",
        "if m.score:\n        a.append('y')",
    ),
    "the last of a list is popped": ("a = [0] * 90_000", "a.pop()"),
    "an element of a tuple is picked": ("a = tuple(range(50_000))\nm = search('a')[0]", "y = a[m.score]"),
    "short texts and numbers are looked up": ("d = {'a': 1, 2: 3, 2**40: 4}", "y = d['a'] + d[2] + d[2**40]"),
    "the only member of a set comes back": ("s = {1}", "s.add(s.pop())"),
}


@pytest.mark.parametrize(("before", "often"), UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_takes_no_time_is_not_counted(before: str, often: str) -> None:
    """A thousand passes of these are within the same limit, however much is there before."""
    interpreted(f"{before}\ny = 0\nfor _ in range(2_000):\n    {often}", ENOUGH)


def test_a_set_gives_up_its_last_member() -> None:
    """The first would be looked for among the places of all that went before it."""
    assert interpreted("s = {3, 1, 2}\nx = [s.pop(), s.pop(), s.pop()]").names["x"] == [2, 1, 3]


def test_places_that_were_freed_are_not_kept() -> None:
    """A dict of which almost all was deleted is as small as it holds, so that to walk it is."""
    made = DictObject(NOTHING)
    made.entries = {number: Entry(make(number, NOTHING), make(number, NOTHING)) for number in range(4_096)}
    for number in range(4_095):
        forget(made, number)
    assert list(made.entries) == [4_095]
    assert made.entries.__sizeof__() < 20_000


SMALL = Limits(steps=50, size=200, digits=20, depth=5)


@pytest.mark.parametrize(
    ("within", "beyond", "limit"),
    [
        ("x = 1", "x = 1\n" * 30, STEPS),
        ("x = 'a' * 100", "x = 'a' * 201", SIZE),
        ("x = 10**19", "x = 10**21", DIGITS),
        ("x = str([[[[[]]]]])", "x = str([[[[[[]]]]]])", DEPTH),
    ],
)
def test_each_limit_is_the_callers(within: str, beyond: str, limit: str) -> None:
    """A smaller limit is reached sooner, and the message names it with its line."""
    interpreted(within, SMALL)
    with pytest.raises(LimitReached) as reached:
        interpreted(beyond, SMALL)
    assert f": the limit on {limit} is used up; " in str(reached.value)


def test_a_limit_is_reached_at_its_line() -> None:
    """The line is that of the statement, also inside loops."""
    with pytest.raises(LimitReached) as reached:
        interpreted("x = 'a'\nfor _ in range(99):\n    x = x + x\n")
    assert (
        str(reached.value)
        == "line 3: the limit on size is used up; the texts are too long together; ask about fewer or shorter ones"
    )


def test_deep_data_is_thrown_away_safely() -> None:
    """100,000 levels of list are made and freed; nothing walks them."""
    assert interpreted("x = []\nfor _ in range(30_000):\n    x = [x]\nx = len(x)").names == {"x": 1, "_": 29_999}


DEEPEST = {
    "lists": "x = " + "[" * 55 + "]" * 55,
    "calls": "x = " + "len([" * 25 + "1" + "])" * 25,
    "methods": "x = 'a'" + ".strip()" * 25,
    "f-strings": "x = " + "f'{" + "(" * 20 + "1 + " * 40 + "1" + ")" * 20 + "}'",
    "items": "x = [[1]] and [[1]]" + "[:]" * 50,
    "ternaries": "x = " + "(1 if 1 else " * 50 + "0" + ")" * 50,
    "and": "x = " + "(1 and " * 50 + "1" + ")" * 50,
    "not": "x = " + "not " * 55 + "1",
    "dicts": "x = " + "{1: " * 50 + "1" + "}" * 50,
    "comprehensions": "x = " + "[" * 50 + "1" + " for _ in [1]]" * 50,
    "comprehensions in iterables": "x = " + "[y for y in " * 25 + "[1]" + "]" * 25,
    "many loops": "x = [1 " + "for a in [1] " * 50 + "]",
    "ifs": "\n".join(" " * n + "if 1:" for n in range(50)) + "\n" + " " * 50 + "x = 1",
    "fors": "\n".join(" " * n + f"for a{n} in [1]:" for n in range(18)) + "\n" + " " * 18 + "x = 1",
    "targets": "x = 1\n" + "(" * 50 + "y" + ",)" * 50 + " = " + "(" * 50 + "1" + ",)" * 50,
}


@pytest.mark.parametrize("source", DEEPEST.values(), ids=DEEPEST)
def test_the_deepest_programs_fit_on_a_stack(source: str) -> None:
    """Programs at the limit of nesting run to their end on half of Python's usual stack."""
    limit = sys.getrecursionlimit()
    assert limit >= 1_000
    depth = len(_frames())
    sys.setrecursionlimit(depth + 500)
    try:
        assert "x" in interpreted(source).names
    finally:
        sys.setrecursionlimit(limit)


def _frames() -> list[object]:
    frame, found = sys._getframe(), []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return found


def _at_depth(frames: int, source: str, ended: list[object]) -> None:
    if frames:
        _at_depth(frames - 1, source, ended)
        return
    try:
        ended.append(interpreted(source).names.get("x") is not None)
    except ArmslengthError as error:
        ended.append(type(error).__name__)


@pytest.mark.parametrize("source", DEEPEST.values(), ids=DEEPEST)
def test_a_deep_stack_of_the_caller_ends_in_our_error(source: str) -> None:
    """Called with almost no stack left, from a thread, it runs or ends in our error; at every distance to the end."""
    ended: list[object] = []

    def descend() -> None:
        for left in range(60, 900, 7):
            _at_depth(sys.getrecursionlimit() - left - len(_frames()), source, ended)

    thread = threading.Thread(target=descend)
    thread.start()
    thread.join()
    assert len(ended) == len(range(60, 900, 7))
    assert set(ended) <= {True, "ProgramRefused", "LimitReached"}
    assert ended[-1] is True


def test_preparing_is_bounded_too() -> None:
    """65,000 characters of names, of nested lists and of one long line are read."""
    names = [f"x{a}{b}{c}" for a in "abcdefghi" for b in "abcdefghijklmnop" for c in "abcdefghijklmnopqrstuvwx"]
    prepare(f"({', '.join(names)}) = 1\nx = [{', '.join(names)}]", SIGNATURES)
    prepare("x = [" + "[[]]," * 13_000 + "]", SIGNATURES)
    prepare(";".join(["x=1"] * 16_000), SIGNATURES)
