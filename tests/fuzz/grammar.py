"""Programs of a small grammar of the language, out of bytes. Types fit only by chance; every name has a value of some kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


class Choices:
    """Choices out of bytes; when they are used up, the first of everything."""

    def __init__(self, given: bytes) -> None:
        self._given, self._at = given, 0

    def below(self, count: int) -> int:
        """A number below `count` (at most 65,536)."""
        taken = self._given[self._at : self._at + 2]
        self._at += 2
        return int.from_bytes(taken, "big") % count

    def one(self, options: Sequence[Option]) -> Option:
        """One of the options."""
        return options[self.below(len(options))]

    @property
    def are_used_up(self) -> bool:
        """Whether only firsts are left."""
        return self._at >= len(self._given)


NAMES = ("a", "b", "c", "f", "mails", "len", "search")
LITERALS = (
    "0", "1", "-1", "2", "None", "True", "1.5", "''", "'ab'", "' 7 '", "[]", "()", "{}", "[1, 'x']", "(0,)", "{'k': 1}",
    "{1, 2}", "10**300", "float('nan')", "search('x')", "search('x')[0]", "T(n=1)", "quarantined('q', 1, returns=list[int])",
    "'\\x00\\U0001f600'", "range(3)", "Color.RED", "datetime(2026, 11, 30)", "timedelta(days=2)", "date.today()", "iter([1, 2])",
    "(lambda x=1: x)", "re.search('a(b)?', 'xab')", "json.loads('[1]')", "math.pi", "D(1)", "{'a': [1, {}]}", "'%s {} {0!r:>9}'",
)  # fmt: skip
CALLED = (
    "len", "str", "int", "float", "bool", "list", "tuple", "set", "dict", "sorted", "min", "max", "sum", "any", "all",
    "enumerate", "zip", "range", "round", "abs", "answer", "print", "search", "send", "today", "quarantined", "T", "nothing",
    "f", "map", "filter", "reversed", "next", "iter", "repr", "divmod", "pow", "ord", "chr", "format", "type", "getattr", "Color",
    "D", "frozenset", "math.floor", "math.sqrt", "re.findall", "re.sub", "re.split", "json.dumps", "json.loads", "datetime",
    "timedelta", "date", "datetime.strptime", "datetime.fromisoformat", "ValueError",
)  # fmt: skip
METHODS = (
    "strip", "split", "splitlines", "join", "replace", "find", "index", "count", "startswith", "zfill", "center", "upper",
    "partition", "append", "extend", "insert", "pop", "sort", "reverse", "clear", "copy", "get", "keys", "values", "items",
    "update", "setdefault", "add", "format", "remove", "discard", "union", "intersection", "difference", "issubset", "popitem",
    "strftime", "isoformat", "weekday", "replace", "total_seconds", "date", "timestamp", "group", "groups", "span", "start",
    "model_dump", "translate", "expandtabs", "encode", "is_integer", "bit_length", "format_map",
)  # fmt: skip
FIELDS = ("sender", "tags", "n", "real", "subject", "name", "value", "args", "year", "days", "hour", "RED")
SIGNS = (
    "+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", ">=", "in", "not in", "is", "is not", "and", "or", "|", "&", "^", "<<",
)  # fmt: skip
KEYWORDS = (
    "default",
    "start",
    "reverse",
    "ndigits",
    "n",
    "query",
    "to",
    "returns",
    "sep",
    "key",
    "days",
    "strict",
    "maxsplit",
    "indent",
)
SPECS = ("", ":>5", ":.2f", ":d", "!r", ":,", ":05", ":zz", "=", ":{b}", ":%Y-%m", ":%", "!s:^9")
TYPES = ("int", "str", "list", "T", "bytes", "Color", "D", "ValueError", "datetime")
ERRORS = (
    "ValueError",
    "Exception",
    "KeyError",
    "(TypeError, IndexError)",
    "ZeroDivisionError",
    "LookupError",
    "Unknown",
)
PATTERNS = (
    "_", "0", "'ab'", "None", "[a, *b]", "[a, b]", "(0, _)", "{'k': a}", "{'k': 1, **c}", "T(n=a)", "T(a)", "str()", "int() as a",
    "1 | 2", "Color.RED", "a if b", "[]", "{}", "D(x=1 | 2)", "-1", "dict()", "[*_]", "str(a)", "(1 as b, c)", "a",
)  # fmt: skip


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
        f"[{one}, {choose.one(('', '*'))}{two}]",
        f"({one}, {two},)",
        f"{{{one}: {two}, {choose.one(('**', '0: '))}{three}}}",
        f"{{{one}, *{two}}}",
        f"[{one} for a in {two} if {three}]",
        f"{{{one}: b for b, c in {two}}}",
        f"{{{one} for a in {two} for b in a}}",
        f"sum({one} for a in {two})",
        f"({one} for a in {two})",
        f"({one} < {two} <= {three})",
        f"(not {one})",
        f"(-{one})",
        f'f"""<{{({one}){choose.one(SPECS)}}}>"""',
        f"isinstance({one}, ({choose.one(TYPES)}, dict))",
        f"(lambda a, *b, c={one}, **d: {two})",
        f"(lambda a: {one})({two})",
        f"sorted({one}, key=lambda a: {two})",
        f"max({one}, key={choose.one(CALLED)}, default={two})",
        f"f({one}, *{two}, **{three})",
        f"(a := {one})",
        f"next({one}, {two})",
        f"{choose.one(LITERALS)} % {one}",
        f"{choose.one(CALLED)}({one}).{choose.one(FIELDS)}",
    )
    return forms[choose.below(len(forms))]


def block(choose: Choices, depth: int, indent: str, *, in_loop: bool) -> str:
    """One to three statements."""
    return "".join(statement(choose, depth, indent, in_loop=in_loop) for _ in range(1 + choose.below(3)))


def statement(choose: Choices, depth: int, indent: str, *, in_loop: bool) -> str:
    """A statement, with what is inside it."""
    if depth > 0 and choose.below(2):
        return _nested(choose, depth, indent, in_loop=in_loop)
    name, value, other = choose.one(NAMES), expression(choose, depth), expression(choose, depth - 1)
    simple = (
        f"{name} = {value}",
        f"{name}, b = {value}",
        f"{name}, *c = {value}",
        f"{name} {choose.one(SIGNS[:7])}= {value}",
        f"{name}[{other}] = {value}",
        f"{name}[{other}] += {value}",
        f"{name}.{choose.one(FIELDS)} = {value}",
        f"{name}.{choose.one(METHODS)}({value})",
        f"answer({value}, {other})",
        f"{value}",
        f"{name}: {choose.one(TYPES)} = {value}",
        f"raise {choose.one(ERRORS)}({value})" if choose.below(6) == 0 else "pass",
        f"assert {value}, {other}",
        f"del {name}[{other}]",
        f"del {name}",
        f"return {value}",
        f"nonlocal {name}",
        choose.one(("break", "continue")) if in_loop else "pass",
    )
    return f"{indent}{simple[choose.below(len(simple))]}\n"


def _nested(choose: Choices, depth: int, indent: str, *, in_loop: bool) -> str:
    name, value = choose.one(NAMES), expression(choose, depth)
    body = block(choose, depth - 1, indent + " ", in_loop=in_loop)
    other = block(choose, depth - 1, indent + " ", in_loop=in_loop)
    loop = block(choose, depth - 1, indent + " ", in_loop=True)
    function = block(choose, depth - 1, indent + " ", in_loop=False)
    deeper = "".join(f" {line}\n" for line in body.splitlines())
    errors = choose.one(ERRORS)
    forms = (
        f"{indent}if {value}:\n{body}",
        f"{indent}if {value}:\n{body}{indent}elif {name}:\n{other}{indent}else:\n{body}",
        f"{indent}for {name} in {value}:\n{loop}",
        f"{indent}for a, (b, *c) in {value}:\n{loop}{indent}else:\n{body}",
        f"{indent}while {value}:\n{loop}",
        f"{indent}def {name}(a, b={value}, *c, f=1):\n{function}{indent} return a\n",
        f"{indent}def f(x):\n{indent} def g(y):\n{indent}  nonlocal x\n{indent}  x = y\n{indent} g(1)\n{function}",
        f"{indent}try:\n{body}{indent}except {errors} as {name}:\n{other}",
        f"{indent}try:\n{body}{indent}except {errors}:\n{other}{indent}else:\n{body}{indent}finally:\n{other}",
        f"{indent}try:\n{body}{indent}finally:\n{other}",
        f"{indent}match {value}:\n{indent} case {choose.one(PATTERNS)}:\n{deeper}{indent} case {choose.one(PATTERNS)}:\n{deeper}",
    )
    return forms[choose.below(len(forms))]


START = (
    "import math\nfrom datetime import datetime, timedelta\n\n\n"
    "class T(BaseModel):\n    n: int = 3\n\n\n"
    "class Color(Enum):\n    RED = 1\n    BLUE = 'b'\n\n\n"
    "@dataclass\nclass D:\n    x: int = 1\n    y: list[int] = field(default_factory=list)\n\n\n"
)


def program(choose: Choices) -> str:
    """A program of some statements, in which every name has a value of some kind."""
    start = "".join(f"{name} = {choose.one(LITERALS)}\n" for name in NAMES if name != "f")
    function = f"def f(x, y=2, *z):\n    return {expression(choose, 2)}\n\n\n"
    blocks = block(choose, 3, "", in_loop=False) + block(choose, 3, "", in_loop=False)
    return START + function + start + blocks
