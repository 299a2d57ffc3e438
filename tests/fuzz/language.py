"""Programs out of bytes, and what must hold for any of them: it runs, or ends in one of our errors.

By command, for as long as wanted: `python -m tests.fuzz.language SECONDS`. Coverage-guided where `atheris` is installed, else by chance.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from pathlib import Path
from types import FunctionType

from tests.language.world import interpreted

from armslength.errors import ArmslengthError
from armslength.language import Limits

LIMITS = Limits(steps=3_000, size=100_000, digits=400, depth=20)
PROGRAMS = [
    path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[1] / "language" / "cases").glob("*.py"))
]


def survives(source: str) -> str:
    """How the program ended: `ran`, or the name of our error. Whatever else is raised is the finding."""
    try:
        interpreted(source, LIMITS)
    except ArmslengthError as error:
        return type(error).__name__
    return "ran"


class Choices:
    """Choices out of bytes; when they are used up, the first of everything."""

    def __init__(self, given: bytes) -> None:
        self._given, self._at = given, 0

    def below(self, count: int) -> int:
        """A number below `count` (at most 65,536)."""
        taken = self._given[self._at : self._at + 2]
        self._at += 2
        return int.from_bytes(taken, "big") % count

    def one(self, options: tuple[str, ...]) -> str:
        """One of the options."""
        return options[self.below(len(options))]


NAMES = ("a", "b", "c", "mails", "len", "search")
LITERALS = (
    "0", "1", "-1", "2", "None", "True", "1.5", "''", "'ab'", "' 7 '", "[]", "()", "{}", "[1, 'x']", "(0,)", "{'k': 1}",
    "{1, 2}", "10**300", "float('nan')", "search('x')", "search('x')[0]", "T(n=1)", "quarantined('q', 1, returns=list[int])",
    "'\\x00\\ud800'", "range(3)",
)  # fmt: skip
CALLED = (
    "len", "str", "int", "float", "bool", "list", "tuple", "set", "dict", "sorted", "min", "max", "sum", "any", "all",
    "enumerate", "zip", "range", "round", "abs", "answer", "print", "search", "send", "today", "quarantined", "T", "nothing",
)  # fmt: skip
METHODS = (
    "strip", "split", "splitlines", "join", "replace", "find", "index", "count", "startswith", "zfill", "center", "upper",
    "partition", "append", "extend", "insert", "pop", "sort", "reverse", "clear", "copy", "get", "keys", "values", "items",
    "update", "setdefault", "add", "format",
)  # fmt: skip
FIELDS = ("sender", "tags", "n", "real", "subject")
SIGNS = ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", ">=", "in", "not in", "is", "and", "or")
KEYWORDS = ("default", "start", "reverse", "ndigits", "n", "query", "to", "returns", "sep")
SPECS = ("", ":>5", ":.2f", ":d", "!r", ":,", ":05", ":zz", "=")


def expression(choose: Choices, depth: int) -> str:
    """An expression; types fit only by chance."""
    if depth <= 0:
        return choose.one(NAMES) if choose.below(2) else choose.one(LITERALS)
    inner = [expression(choose, depth - 1 - choose.below(2)) for _ in range(3)]
    one, two, three = inner
    forms = (
        f"({one} {choose.one(SIGNS)} {two})",
        f"{choose.one(CALLED)}({', '.join(inner[: choose.below(4)])})",
        f"{choose.one(CALLED)}({one}, {choose.one(KEYWORDS)}={two})",
        f"({one}).{choose.one(METHODS)}({', '.join(inner[: choose.below(3)])})",
        f"({one})[{two}]",
        f"({one})[{two}:{three}:{choose.one(('', '2', '-1', '0'))}]",
        f"({one}).{choose.one(FIELDS)}",
        f"({one} if {two} else {three})",
        f"[{one}, {two}]",
        f"({one}, {two},)",
        f"{{{one}: {two}}}",
        f"{{{one}}}",
        f"[{one} for a in {two} if {three}]",
        f"{{{one}: b for b, c in {two}}}",
        f"sum({one} for a in {two})",
        f"({one} < {two} <= {three})",
        f"(not {one})",
        f"(-{one})",
        f'f"""<{{({one}){choose.one(SPECS)}}}>"""',
        f"isinstance({one}, ({choose.one(('int', 'str', 'list', 'T', 'bytes'))}, dict))",
    )
    return forms[choose.below(len(forms))]


def block(choose: Choices, depth: int, indent: str, *, in_loop: bool) -> str:
    """One to three statements."""
    return "".join(statement(choose, depth, indent, in_loop=in_loop) for _ in range(1 + choose.below(3)))


def statement(choose: Choices, depth: int, indent: str, *, in_loop: bool) -> str:
    """A statement, with what is inside it."""
    name, value, other = choose.one(NAMES), expression(choose, depth), expression(choose, depth - 1)
    nested = depth > 0 and choose.below(2)
    if nested:
        body = block(choose, depth - 1, indent + " ", in_loop=in_loop)
        loop = block(choose, depth - 1, indent + " ", in_loop=True)
        forms = (
            f"{indent}if {value}:\n{body}",
            f"{indent}if {value}:\n{body}{indent}else:\n{loop if in_loop else body}",
            f"{indent}for {name} in {value}:\n{loop}",
            f"{indent}for a, (b, c) in {value}:\n{loop}",
        )
        return forms[choose.below(len(forms))]
    simple = (
        f"{name} = {value}",
        f"{name}, b = {value}",
        f"{name} {choose.one(SIGNS[:7])}= {value}",
        f"{name}[{other}] = {value}",
        f"{name}[{other}] += {value}",
        f"{name}.{choose.one(METHODS)}({value})",
        f"answer({value}, {other})",
        f"{value}",
        f"raise ValueError({value})" if choose.below(8) == 0 else "pass",
        choose.one(("break", "continue")) if in_loop else "pass",
    )
    return f"{indent}{simple[choose.below(len(simple))]}\n"


def program(choose: Choices) -> str:
    """A program of some statements, in which every name has a value of some kind."""
    start = "".join(f"{name} = {choose.one(LITERALS)}\n" for name in NAMES)
    return (
        "class T(BaseModel):\n    n: int = 3\n\n\n"
        + start
        + block(choose, 3, "", in_loop=False)
        + block(choose, 3, "", in_loop=False)
    )


PIECES = (
    "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", "'", '"', "\\", "\n", "    ", "\t", "\x00", "\ud800", "\x0c", "0", "9" * 50,
    "f'", "{0}", "__class__", " if ", " for x in ", " and ", "lambda:", "*", "**", "@", "import ", "é", "#", "\r", "\ufeff",
)  # fmt: skip


def mutated(choose: Choices) -> str:
    """A real program with some places cut, doubled, swapped or replaced by pieces of others."""
    source = PROGRAMS[choose.below(len(PROGRAMS))]
    for _ in range(1 + choose.below(6)):
        a, size = choose.below(max(len(source), 1)), choose.below(12)
        lines = PROGRAMS[choose.below(len(PROGRAMS))].splitlines(keepends=True)
        piece = (choose.one(PIECES), source[a : a + size] * 2, lines[choose.below(len(lines))], "")[choose.below(4)]
        source = source[:a] + piece + source[a + size * choose.below(2) :]
    return source


def from_bytes(given: bytes) -> str:
    """The program that some bytes stand for: the first says of which sort."""
    match given[:1]:
        case b"":
            return ""
        case first if first[0] < 128:
            return program(Choices(given[1:]))
        case first if first[0] < 224:
            return mutated(Choices(given[1:]))
        case _:
            return given[1:].decode("utf-8", "surrogateescape")


def by_chance(seconds: float, seed: int) -> None:
    """Random programs for a time; prints how they ended."""
    ends: dict[str, int] = {}
    drawn = random.Random(seed)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        given = drawn.randbytes(drawn.randrange(600))
        try:
            end = survives(from_bytes(given))
        except BaseException:
            sys.stderr.write(f"seed {seed}: this program is a finding:\n{from_bytes(given)!r}\n")
            raise
        ends[end] = ends.get(end, 0) + 1
    sys.stdout.write(f"{sum(ends.values())} programs: {dict(sorted(ends.items()))}\n")


def guided(seconds: int) -> None:
    """Programs guided by what they reach, with libFuzzer. Ends the process."""
    import atheris  # an extra of whoever fuzzes; never returns

    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith("armslength."):
            atheris.instrument_func(each)
    atheris.Setup(
        [sys.argv[0], f"-max_total_time={seconds}", "-max_len=2000"], lambda given: survives(from_bytes(given)) and None
    )
    atheris.Fuzz()


def main() -> None:
    """The command."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    try:
        guided(seconds)
    except ImportError:
        by_chance(seconds, seed=time.time_ns())


if __name__ == "__main__":
    main()
