"""Compound statements of random programs, and the functions that a program defines at its start."""

from __future__ import annotations

import symtable
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.laws.walrus import tidied

if TYPE_CHECKING:
    from tests.laws.programs import Programs


@dataclass(frozen=True, slots=True)
class Block:
    """Where statements stand. `returns`: the kind that the function around gives; `is_nested`: inside another function's scope."""

    depth: int
    indent: int
    in_loop: bool = False
    in_try: bool = False
    returns: str = ""
    is_nested: bool = False

    def lines(self, *lines: str) -> list[str]:
        """Lines at this place."""
        return ["    " * self.indent + line for line in lines]

    @property
    def inner(self) -> Block:
        """A block below."""
        return replace(self, depth=self.depth - 1, indent=self.indent + 1)


def compound(programs: Programs, at: Block) -> list[str]:
    """A statement that holds others."""
    return programs.one([_branch, _branch, _branch, _for, _for, _for, _while, _try, _try, _try, _match])(programs, at)


def _branch(programs: Programs, at: Block) -> list[str]:
    lines = [*at.lines(f"if {programs.make('b', 2)}:"), *programs.block(at.inner)]
    if programs.random.random() < 0.25:
        lines += [*at.lines(f"elif {programs.make('b', 1)}:"), *programs.block(at.inner)]
    if programs.random.random() < 0.4:
        lines += [*at.lines("else:"), *programs.block(at.inner)]
    return lines


def _for(programs: Programs, at: Block) -> list[str]:
    over, of = programs.iterable(1)
    names = [programs.one(programs.names[kind]) for kind in of]
    if len(set(names)) < len(names):
        names = programs.names[of[0]][: len(of)]
    body = programs.block(replace(at.inner, in_loop=True))
    return [*at.lines(f"for {', '.join(names)} in {over}:"), *body, *_no_break(programs, at)]


def _while(programs: Programs, at: Block) -> list[str]:
    """At most a few passes: a counter of its own is in the test, so `continue` cannot go round for ever."""
    count = f"z{programs.random.randrange(1000)}"
    test = programs.one([f"({count} := {count} + 1) < 4", f"({count} := {count} + 1) <= {programs.make('i', 0)} % 4"])
    if programs.random.random() < 0.6:
        test = f"{test} and {programs.make('b', 1)}"
    body = programs.block(replace(at.inner, in_loop=True))
    return [*at.lines(f"{count} = 0", f"while {test}:"), *body, *_no_break(programs, at)]


def _no_break(programs: Programs, at: Block) -> list[str]:
    return [*at.lines("else:"), *programs.block(at.inner)] if programs.random.random() < 0.25 else []


_KINDS = (
    "ValueError", "KeyError", "IndexError", "TypeError", "ZeroDivisionError", "(KeyError, IndexError)", "(ValueError, TypeError)", "LookupError",
)  # fmt: skip


def _try(programs: Programs, at: Block) -> list[str]:
    lines = [*at.lines("try:"), *programs.block(replace(at.inner, in_try=True))]
    if programs.random.random() < 0.8:
        lines += replace(at, indent=at.indent + 1).lines(*programs.risky())
    has_finally = programs.random.random() < 0.3
    for _ in range(programs.one([0, 0, 1, 2])):
        lines += [
            *at.lines(f"except {programs.one(_KINDS)}{programs.one(['', ' as err'])}:"),
            *programs.block(at.inner),
        ]
    if not at.in_try or programs.random.random() < 0.5:
        lines += at.lines(programs.one(["except Exception:", "except Exception as err:", "except:"]))
        lines += at.inner.lines("q = str(err)") if lines[-1].endswith("err:") and programs.random.random() < 0.7 else []
        lines += at.inner.lines("raise") if at.in_try and programs.random.random() < 0.2 else programs.block(at.inner)
    elif not any(line.startswith(at.lines("except")[0]) for line in lines):
        has_finally = True
    if any(line.startswith(at.lines("except")[0]) for line in lines) and programs.random.random() < 0.3:
        lines += [*at.lines("else:"), *programs.block(at.inner)]
    if has_finally:
        lines += [*at.lines("finally:"), *programs.block(replace(at.inner, in_loop=False, returns=""))]
    return lines


def _match(programs: Programs, at: Block) -> list[str]:
    subject, patterns = programs.one([
        (programs.make("i", 2), ["0", "1", "2 | 3", "int(a)", "-1", "a"]),
        (programs.make("s", 2), ['"a"', '"ab" | "b"', "str(q)", "str()", "q"]),
        (programs.make("li", 2), ["[]", "[a]", "[a, 1]", "[1, *xs]", "[a, *_]", "[0 | 1 as b, *_]", "list()"]),
        (programs.make("tp", 2), ["(0, b)", "(a, 1 | 2)", "(a, b)", "[_, b]"]),
        (programs.make("di", 2), ['{"a": 1}', '{"a": a}', '{"ab": a, **d}', "{}"]),
        (programs.make("p", 2), ['Part(name="a")', "Part(n=0)", "Part(name=p, n=a)", "Part()"]),
        (programs.make("o", 2), ["None", "1", "int(b)", "int() as c"]),
        (programs.make("g", 2), ["[[1], *_]", "[[a, *_], xs]", "[xs, *gg]", "[]"]),
        (f"({programs.make('i', 1)}, {programs.make('s', 1)})", ['(0, "a")', "(1 | 2, q)", "(_, str(p))", "(a, p)"]),
    ])  # fmt: skip
    lines = at.lines(f"match {subject}:")
    chosen = sorted(programs.random.sample(patterns, min(len(patterns), programs.one([1, 2, 3]))), key=patterns.index)
    case = replace(at, indent=at.indent + 1)
    for pattern in chosen:
        is_bare = pattern in ("a", "q")
        guard = f" if {programs.make('b', 1)}" if is_bare or programs.random.random() < 0.3 else ""
        lines += [*case.lines(f"case {pattern}{guard}:"), *programs.block(case.inner)]
    if programs.random.random() < 0.6:
        lines += [*case.lines("case _:"), *programs.block(case.inner)]
    return lines


# Functions


def returning(programs: Programs, kind: str) -> str:
    """What a function returns early."""
    return str(programs.make(kind, 1))


def definitions(programs: Programs, at: Block) -> list[str]:
    """The functions of `features.FUNCTIONS`: each with a random body, that reads and changes what is outside it."""
    f0, f1 = programs.one([
        ("def f0(k, j=<i!>):", "def f1(k, j=1, *rest):"),
        ("def f0(k, j=1):", "def f1(k, j=<i!>):"),
        ("def f0(k, j=<i!>, *rest):", "def f1(k, j=0):"),
    ])  # fmt: skip
    return [
        *_function(programs, at, f0, [("i", "k"), ("i", "j")], "i"),
        *(_recursive(programs, at) if programs.random.random() < 0.4 else _function(programs, at, f1, [("i", "k"), ("i", "j")], "i")),
        *_function(programs, at, "def f2(k):", [("s", "k")], "s"),
        *_function(programs, at, "def f3(k):", [("i", "k")], "b"),
        *_function(programs, at, "def f4(k):", [("li", "k")], "li", at.lines("    k = list(k)", "    k.append(1)") if programs.random.random() < 0.5 else ()),
        *_function(programs, at, "def f5(k, j=1):", [("i", "k"), ("i", "j")], "i", at.lines(*(f"    {line}" for line in programs.risky()))),
        *_counter(programs, at),
    ]  # fmt: skip


def _function(
    programs: Programs,
    at: Block,
    head: str,
    parameters: Sequence[tuple[str, str]],
    returns: str,
    first: Sequence[str] = (),
) -> list[str]:
    head = head.replace("<i!>", programs.make("i", 0))
    body_at = Block(depth=1, indent=at.indent + 1, returns=returns, is_nested=True)
    programs.in_function += 1

    def body() -> list[str]:
        made = programs.block(body_at) if programs.random.random() < 0.5 else []
        return [*first, *made, *body_at.lines(f"return {programs.make(returns, 2)}")]

    lines = programs.local(parameters, body)
    programs.in_function -= 1
    return [*at.lines(head), *_own_names(programs, body_at, [*at.lines(head), *lines], may_share=at.is_nested), *lines]


def _own_names(programs: Programs, at: Block, function: list[str], *, may_share: bool) -> list[str]:
    """A function's names get values of their own, or are those of the function around it (`nonlocal`)."""
    text = "\n".join(line[4 * (at.indent - 1) :] for line in function)
    scope = symtable.symtable(tidied(text), "function", "exec").get_children()[0]
    own = {each.get_name() for each in scope.get_symbols() if each.is_local() and not each.is_parameter()}
    lines = []
    for kind, names in programs.names.items():
        for name in (each for each in names if each in own):
            if may_share and programs.random.random() < 0.6:
                lines += at.lines(f"nonlocal {name}")
            elif programs.random.random() < 0.98:
                lines += at.lines(f"{name} = {programs.start(kind)}")
    return lines


def _recursive(programs: Programs, at: Block) -> list[str]:
    name = programs.one(["k", "f1k"])
    return at.lines(
        f"def f1({name}, j={programs.make('i', 0)}):",
        f"    if {name} <= 0 or {name} > 4 or {programs.make('b', 0)}:",
        f"        return {programs.one(['j', name, programs.make('i', 0)])}",
        f"    {programs.one(['xs.append(1)', 'pass', 'emit(1)', 'g.append([1])'])}",
        f"    return {programs.one([f'f1({name} - 1, j)', f'f1({name} - 1) + 1', f'j + f1({name} - 2)'])}",
    )


def _counter(programs: Programs, at: Block) -> list[str]:
    number = programs.make("i", 0)
    test = programs.one(["by > 1", "flag(0)", "count > 2", "secret()", programs.make("b", 0)])
    guard = programs.one([f"if {test}:", "if True:", f"for each in range({number} % 3):"])
    change = programs.one(["count = count + by", "count += 1", "seen.append(by)", "count = by"])
    after = programs.one(["pass", "seen.append(count)", f"if {test}: return 0", "count = count + len(seen)"])
    return at.lines(
        f"def make_counter(start={number}):",
        "    count = start",
        "    seen = []",
        "    def bump(by=1):",
        "        nonlocal count",
        f"        {guard}",
        f"            {change}",
        f"        {after}",
        f"        return {programs.one(['count', 'len(seen)', 'count + len(seen)'])}",
        "    return bump",
        f"k0 = make_counter({programs.one(['', '1', 'num(0)'])})",
        f"k1 = {programs.one(['k0', 'make_counter()', 'make_counter(2)'])}",
    )
