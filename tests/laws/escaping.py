"""Random programs about escapes: few numbers and lists, many branches, loops, `try` and functions, and every way out of them.

What a raise, a return or a break skips differs from run to run; whatever was skipped has to carry that (rules 4 and 5).
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

_PLACE = re.compile(r"<(\w)>")
_WORDS = {
    "n": ["n", "n", "m", "num(0)", "secret()"],
    "i": ["a", "b", "c", "0", "1", "2", "n", "len(x)", "len(y)", "a + 1", "b + n", "num(0)", "secret()", "(a if <b> else b)", "g0(a)" ],
    "b": ["f", "f", "n == 1", "n", "n > m", "flag(0)", "flag(1)", "secret()", "a == 1", "a", "x", "len(y) == 1", "True", "not f", "f and a", "a or n", "len(x) < 3"],
    "l": ["x[:3]", "y[:2]", "list(y)", "[1, 2]", "nums(0)", "[a, b]", "secrets()", "range(n)", "[0]", "iter(x[:2])", "list(x)", "[v for v in y if <b>]"],
    "r": [  # may raise
        "a = 6 // <n>", "a = [1, 2][<n>]", "a = {0: 1, 1: 2}[<n>]", "b = int(s)", "b = int(word(0) + '1')", "a = [5, 6][a]", "c = 1 // a", "x.pop()", "a = x[1]", "a = x[<n>]", "assert <b>", "assert <b>, s",
        "a, b = y", "a = next(iter(y))", "c = o + 1", "if <b>: raise ValueError(s)", "if <b>: raise KeyError(a)", "if <b>: raise IndexError", "if a == 99: barred()", "if <b> and n == 2: barred()", "raise ValueError('no')", "a = g1(<n>)", "b = g1(<i>)", "x.append(g1(<n>))",
        "a = min([v for v in [1, 2] if v < <n>])", "a = max(y)", "a = [h(1) for h in [g0, g1]][1]", "y.remove(<n>)", "c = w9", "b = sum([1, o])", "a = s.index('a')", "del x[<n>]", "a = <n> and 1 // (<n> - 1)", "a = shaky()", "c = guarded()",
    ],
    "k": ["ValueError", "KeyError", "IndexError", "ZeroDivisionError", "LookupError", "TypeError", "(ValueError, KeyError)", "(IndexError, ZeroDivisionError)", "AssertionError"],
    "s": [  # simple
        "a = <i>", "b = <i>", "c = <i>", "a += 1", "b += <i>", "x.append(<i>)", "y.append(1)", "x.append(1)", "x = [<i>]", "y = list(x)", "x, y = y, x", "emit(<i>)", "emit(1)", "send(<i>)", "send(1)", "answer('k')", "a, b = b, a",
        "m = <n>", "y = x", "pass", "a = len(x)", "if <b>: a = <i>", "f = <b>", "z = [x, y]\nz[<n> % 2].append(1)", "w9 = 1", "s = str(<i>)", "a = (c := <i>)", "x.clear()", "o = 1 if <b> else None",
    ],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _At:
    depth: int
    indent: int
    in_loop: bool = False
    in_function: bool = False
    in_try: bool = False

    @property
    def inner(self) -> _At:
        return replace(self, depth=self.depth - 1, indent=self.indent + 1)


def escaping(seed: int) -> str:
    """A program about escapes."""
    return _Escapes(random.Random(seed)).program()


class _Escapes:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = 0
        self._known = 0

    def program(self) -> str:
        """Two functions, the second of which may raise; then statements."""
        lines = ["n, m, f, s, o = num(0), 1, flag(0), word(0), None", "a, b, c, x, y, w9 = 0, 1, 2, [1], [1, 2], 0"]
        lines += self._function("g0", raises=False)
        self._known = 1
        lines += self._function("g1", raises=True)
        self._known = 2
        at = _At(self._chance.choice([2, 2, 3]), 0)
        if self._chance.random() < 0.2:
            lines += [
                *self._function("g2", raises=True),
                "try:",
                "    c = g2(n)",
                "except Exception:",
                "    c = 9",
                "else:",
                "    x.append(c)",
            ]
        for _ in range(self._chance.randrange(1, 4)):
            lines += self._statement(at)
        if self._chance.random() < 0.2:
            lines += [*self._simple(at, "r"), "send(1)"]
        return "\n".join(lines) + "\n"

    def _function(self, name: str, *, raises: bool) -> list[str]:
        head = self._chance.choice([f"def {name}(a, b=n):", f"def {name}(a, b=1, *rest):", f"def {name}(a, b=2):"])
        lines = [head, "    c, m, f, s, o, w9 = 0, a, a == 1, '1', None, 0"]
        if self._chance.random() < 0.5:
            lines.append("    x, y = [1], [2]")
        else:
            lines.append("    n = a")
        at = _At(self._chance.choice([1, 1, 2]), 1, in_function=True, in_try=raises)
        for _ in range(self._chance.randrange(1, 3)):
            lines += self._statement(at)
        lines.append(f"    return {self._filled('<i>', 2)}")
        return self._bound(lines)

    def _bound(self, lines: list[str]) -> list[str]:
        """A function that assigns x, y or n has its own."""
        body = "\n".join(lines[2:])
        own = [name for name in "xyn" if re.search(rf"\b{name}\b[^=\n]* = |\b{name} \+=|for {name} in", body)]
        missing = [name for name in own if f"    {name} = a" not in lines and "    x, y = [1], [2]" not in lines]
        values = {"x": "[1]", "y": "[2]", "n": "1"}
        return [*lines[:2], *(f"    {name} = {values[name]}" for name in missing), *lines[2:]]

    def _block(self, at: _At) -> list[str]:
        return [line for _ in range(self._chance.randrange(1, 3)) for line in self._statement(at)]

    def _statement(self, at: _At) -> list[str]:
        draw = self._chance.random()
        if at.depth > 0 and draw < 0.03:
            return [
                *self._lines(at, "for v in x:"),
                *self._lines(at.inner, "if <b>:"),
                *self._lines(replace(at.inner, indent=at.indent + 2), "break"),
                *self._lines(at.inner, "if len(x) < 5:", "    x.append(<i>)"),
            ]
        if at.depth > 0 and draw < 0.5:
            return self._chance.choice([self._if, self._for, self._while, self._try, self._try, self._try])(at)
        if at.in_loop and draw < 0.62:
            word = self._chance.choice(["break", "continue"])
            return [*self._lines(at, "if <b>:"), *self._lines(at.inner, word)] if draw < 0.6 else self._lines(at, word)
        if at.in_function and draw < 0.72:
            if draw < 0.68:
                return [*self._lines(at, "if <b>:"), *self._lines(at.inner, "return <i>")]
            return self._lines(at, "return <i>") if at.indent > 1 else self._simple(at, "s")
        return self._simple(at, "r" if at.in_try and draw < 0.82 else "s")

    def _simple(self, at: _At, kind: str) -> list[str]:
        return self._lines(at, *self._filled(f"<{kind}>", 3).split("\n"))

    def _lines(self, at: _At, *patterns: str) -> list[str]:
        return ["    " * at.indent + self._filled(pattern, 2) for pattern in patterns]

    def _filled(self, pattern: str, depth: int) -> str:
        def word(found: re.Match[str]) -> str:
            options = _WORDS[found[1]]
            if not depth:
                options = [each for each in options if "<" not in each]
            if self._known < 2:
                options = [each for each in options if "g1" not in each and (self._known or "g0" not in each)]
            return self._filled(self._chance.choice(options), depth - 1)

        return _PLACE.sub(word, pattern)

    def _if(self, at: _At) -> list[str]:
        lines = [*self._lines(at, "if <b>:"), *self._block(at.inner)]
        return [*lines, *self._lines(at, "else:"), *self._block(at.inner)] if self._chance.random() < 0.5 else lines

    def _for(self, at: _At) -> list[str]:
        target = self._chance.choice(["v", "a", "b"])
        lines = [*self._lines(at, f"for {target} in <l>:"), *self._block(replace(at.inner, in_loop=True))]
        return self._after(lines, at)

    def _while(self, at: _At) -> list[str]:
        self._count += 1
        count = f"z{self._count}"
        test = self._chance.choice(["", "", " and (<b>)", " and (<b>)"])
        lines = [
            *self._lines(at, f"{count} = 0", f"while ({count} := {count} + 1) < 4{test}:"),
            *self._block(replace(at.inner, in_loop=True)),
        ]
        return self._after(lines, at)

    def _after(self, lines: list[str], at: _At) -> list[str]:
        return [*lines, *self._lines(at, "else:"), *self._block(at.inner)] if self._chance.random() < 0.3 else lines

    def _try(self, at: _At) -> list[str]:
        inside = replace(at.inner, in_try=True)
        lines = [*self._lines(at, "try:"), *self._block(inside), *self._simple(inside, "r")]
        if self._chance.random() < 0.4:
            lines += self._simple(inside, "s")
        handlers = 0
        for _ in range(self._chance.choice([0, 0, 1, 1, 2])):
            handlers += 1
            lines += [*self._lines(at, f"except <k>{self._chance.choice(['', ' as e'])}:"), *self._handler(at)]
        if not at.in_try or self._chance.random() < 0.4:
            handlers += 1
            lines += [
                *self._lines(at, self._chance.choice(["except:", "except Exception:", "except Exception as e:"])),
                *self._handler(at),
            ]
        if handlers and self._chance.random() < 0.35:
            lines += [*self._lines(at, "else:"), *self._block(at.inner)]
        if not handlers or self._chance.random() < 0.35:
            is_plain = self._chance.random() < 0.85
            last = replace(at.inner, in_loop=False, in_function=False) if is_plain else at.inner
            lines += [*self._lines(at, "finally:"), *self._block(last)]
        return lines

    def _handler(self, at: _At) -> list[str]:
        if at.in_try and self._chance.random() < 0.25:
            return self._lines(at.inner, "a += 1", self._chance.choice(["raise", "raise", "raise ValueError('again')"]))
        return self._block(at.inner)
