"""Random programs of the language, as text. Types are followed loosely, so that most programs run to their end.

Each kind of value has a few fixed names, all bound by the prelude to something trusted, untrusted, secret or mixed. Kinds: `i` int,
`s` text, `b` bool, `f` float, `li` `ls` lists, `g` a list of lists, `di` a dict of text to int, `e` a dict of int to lists, `tp` a pair,
`st` a set, `m` a mail, `lm` mails, `p` a record of the program, `o` an optional int; the features (`features.py`) have more.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from tests.laws import words
from tests.laws.blocks import Block, compound, definitions, returning
from tests.laws.calling import calling
from tests.laws.escaping import escaping
from tests.laws.features import FEATURES, Feature
from tests.laws.patterns import Maker
from tests.laws.sharing import sharing
from tests.laws.walrus import tidied

_LOOSE = ("m", "p", "lm", "o", "e", "g")


def program(number: int) -> str:
    """The program of this number: of six, one is about shared objects, one about escapes, one about functions; a few are about failing."""
    match number % 6:
        case 2:
            return sharing(number)
        case 3:
            return escaping(number)
        case 5:
            return calling(number)
        case _:
            return Programs(number, risk=0.15 if number % 12 == 4 else 0.04).program()


class Programs:
    """Draws programs. `risk` is the share of operations that may raise without being guarded."""

    def __init__(self, seed: int, risk: float = 0.04) -> None:
        self.random = random.Random(seed)
        self._risk = risk
        self._local: list[tuple[str, str]] = []
        self.in_function = 0
        chosen = self.random.sample(list(FEATURES), self.random.choice([1, 1, 2, 2, 3]))
        self.features: dict[str, Feature] = {name: FEATURES[name] for name in FEATURES if name in chosen}
        self.names = dict(words.NAMES)
        for feature in self.features.values():
            self.names |= feature.names

    # Expressions

    def make(self, kind: str, depth: int) -> str:
        """An expression of this kind."""
        draw = self.random.random()
        if depth <= 0 or draw < 0.22:
            return self._leaf(kind)
        if draw < 0.30:
            return f"({self.make(kind, depth - 1)} if {self.make('b', depth - 1)} else {self.make(kind, depth - 1)})"
        if draw < 0.35 and kind not in ("fi", "fs", "fb", "fx", "fr", "ct"):
            word = self.one(["and", "or"])
            return f"({self.make(kind, depth - 1)} {word} {self.make(kind, depth - 1)})"
        new = [feature.makers[kind] for feature in self._available() if kind in feature.makers]
        if new and (kind not in words.MAKERS or self.random.random() < 0.45):
            return self.one(self.one(new))(self, depth - 1)
        if kind not in words.MAKERS:
            return self._leaf(kind)
        return self.one(words.MAKERS[kind])(self, depth - 1)

    def one(self, options: Sequence) -> object:
        """One of these."""
        return self.random.choice(options)

    def _available(self) -> list[Feature]:
        """Functions call no functions by name, so that nothing calls itself without end."""
        return [each for name, each in self.features.items() if name != "functions" or not self.in_function]

    def name(self, kind: str) -> str:
        """A name of this kind; the nearest ones more often."""
        local = [name for of, name in self._local if of == kind]
        return self.one(local * 3 + self.names[kind])

    def _leaf(self, kind: str) -> str:
        if kind in _LOOSE or kind not in words.LEAVES or self.random.random() < 0.55:
            return self.name(kind)
        return self.one(words.LEAVES[kind])

    def start(self, kind: str) -> str:
        """What a name of this kind is bound to first."""
        if kind in words.STARTS:
            return self.one(words.STARTS[kind])
        return self.one(next(each.starts[kind] for each in self.features.values() if kind in each.starts))(self, 0)

    def local(self, names: Sequence[tuple[str, str]], draw: Callable[[], object]) -> object:
        """What `draw` gives while these names are there too."""
        before = list(self._local)
        self._local.extend(names)
        made = draw()
        self._local = before
        return made

    def comprehension(self, element: Callable[[str], str], kind: str, depth: int) -> str:
        """The part from the element on; the element may use the loop's name."""
        loops, names = [], []
        before = list(self._local)
        for _ in range(self.one([1, 1, 1, 2])):
            over, of = self.iterable(depth)
            name = self.one(["v", "w"]) if self.random.random() < 0.8 else self.one(["a", "xs", "g", "p"])
            if len(of) > 1 or name in names:
                name = f"v{len(names)}"
            shape, bound = _target(name, of)
            loops.append(f"for {shape} in {over}")
            names.append(name)
            self._local.extend(bound)
            loops.extend(f"if {self.make('b', depth)}" for _ in range(self.one([0, 0, 1, 1, 2])))
        made = element(kind)
        self._local = before
        return f"{made} {' '.join(loops)}"

    def iterable(self, depth: int) -> tuple[str, list[str]]:
        """Something to walk, and the kinds of its elements' parts."""
        return self.one(
            [
                lambda: (self.make("li", depth), ["i"]),
                lambda: (self.make("li", depth), ["i"]),
                lambda: (self.make("ls", depth), ["s"]),
                lambda: (self.make("g", depth), ["li"]),
                lambda: (self.make("s", depth), ["s"]),
                lambda: (self.make("st", depth), ["i"]),
                lambda: (self.make("tp", depth), ["i"]),
                lambda: (self.make("lm", depth), ["m"]),
                lambda: (self.make("di", depth), ["s"]),
                lambda: (f"{self.make('di', depth)}.items()", ["s", "i"]),
                lambda: (f"{self.make('e', depth)}.values()", ["li"]),
                lambda: (f"{self.make('e', depth)}.items()", ["i", "li"]),
                lambda: (f"enumerate({self.make('li', depth)})", ["i", "i"]),
                lambda: (f"enumerate({self.make('ls', depth)}, {self.make('i', 0)})", ["i", "s"]),
                lambda: (f"enumerate({self.make('g', depth)}, start=1)", ["i", "li"]),
                lambda: (f"zip({self.make('li', depth)}, {self.make('g', depth)})", ["i", "li"]),
                lambda: (f"zip({self.make('ls', depth)}, {self.make('li', depth)})", ["s", "i"]),
                lambda: (f"range({self.make('i', 1)} % 4)", ["i"]),
                lambda: (f"range({self.make('i', 0)} % 3, 3)", ["i"]),
                lambda: (f"sorted({self.make('li', depth)})", ["i"]),
                lambda: (self.one(["nums(0)", "counted(1)", "secrets()"]), ["i"]),
            ]
        )()

    # Statements

    def block(self, at: Block) -> list[str]:
        """One to three statements."""
        return [line for _ in range(self.one([1, 1, 2, 2, 3])) for line in self.statement(at)]

    def statement(self, at: Block) -> list[str]:
        """One statement, as lines."""
        draw = self.random.random()
        if at.depth > 0 and draw < 0.44:
            return compound(self, at)
        if at.in_loop and draw < 0.52:
            return at.lines(f"if {self.make('b', 1)}:", f"    {self.one(['break', 'continue'])}")
        if at.returns and draw < 0.56:
            return at.lines(f"if {self.make('b', 1)}:", f"    return {returning(self, at.returns)}")
        if draw < 0.565:
            message = self.one(['ValueError("no")', f"Exception({self.make('s', 1)})", "RuntimeError", "KeyError(1)"])
            return at.lines(f"if {self.make('b', 1)} and a == 77:", f"    raise {message}")
        if self.random.random() < (0.25 if at.in_try else self._risk * 0.1):
            return at.lines(*self.risky())
        return at.lines(*self._simple())

    def risky(self) -> list[str]:
        """Something that may raise."""
        new = [feature.risky for feature in self._available() if feature.risky]
        if self.random.random() < 0.15:
            kind = self.one(["ValueError", "KeyError", "Exception", "RuntimeError", "IndexError"])
            return [f"if {self.make('b', 1)}:", f"    raise {kind}({self.make('s', 1)})"]
        return self.one(self.one(new) if new and self.random.random() < 0.5 else words.RISKY)(self, 1).split("\n")

    def _simple(self) -> list[str]:
        kind = self.one(
            ["i", "i", "s", "s", "b", "f", "li", "li", "ls", "g", "di", "e", "tp", "st", "m", "lm", "p", "o"]
        )
        draw = self.random.random()
        if draw < 0.28:
            return [f"{self.one(self.names[kind])} = {self.make(kind, 3)}"]
        if draw < 0.34:
            return [self.one(words.AUGMENTED)(self, 1)]
        if draw < 0.78:
            return self._change().split("\n")
        if draw < 0.86:
            return [f"send({self.make(self.one(['i', 's', 'b', 'li', 'g', 'di', 'tp', 'p', 'o']), 2)})"]
        if draw < 0.92:
            return [f"emit({self.make(self.one(['i', 's', 'b', 'li', 'g', 'di', 'tp', 'lm', 'p']), 2)})"]
        if draw < 0.97:
            return [self.one(words.ANSWERS)(self, 1)]
        return [self.one(["pass", f"len({self.make('li', 1)})", f"n1: int = {self.make('i', 2)}"])]

    def _change(self) -> str:
        new: list[Sequence[Maker]] = [feature.changes for feature in self._available() if feature.changes]
        return self.one(self.one(new) if new and self.random.random() < 0.55 else words.CHANGES)(self, 1)

    def program(self) -> str:
        """One program: a prelude that binds every name, then random statements; some of it all inside a function."""
        lines = [f"{name} = {self.start(kind)}" for kind, names in words.NAMES.items() for name in names]
        is_wrapped = "functions" in self.features and self.random.random() < 0.4
        at = Block(depth=self.one([1, 2, 2]), indent=1 if is_wrapped else 0, is_nested=is_wrapped)
        body: list[str] = []
        for feature in self.features.values():
            body += definitions(self, at) if feature is FEATURES["functions"] else []
            body += at.lines(
                *(f"{name} = {self.start(kind)}" for kind in feature.starts for name in feature.names[kind])
            )
        for _ in range(self.random.randrange(2, 7)):
            body += self.statement(at)
        if self.random.random() < self._risk * 3:
            body += [*at.lines(*self.risky()), *self.statement(at), *at.lines("send(1)")]
        active = self.one([1, 1, 1, 1, 2, 2, 3])
        text = tidied(
            "\n".join(
                [
                    words.SCHEMA,
                    *(each.before for each in self.features.values()),
                    *_wrapped(lines, body, is_wrapped=is_wrapped),
                ]
            )
            + "\n"
        )
        return _INDEXED.sub(lambda found: f"{found[1]}({int(found[2]) % active})", text)


def _wrapped(prelude: list[str], body: list[str], *, is_wrapped: bool) -> list[str]:
    if not is_wrapped:
        return [*prelude, *body]
    kept = [name for names in words.NAMES.values() for name in names]
    inside = [f"    {line}" for line in prelude]
    return ["def main():", *inside, *body, f"    return {', '.join(kept)}", f"{', '.join(kept)} = main()"]


def _target(name: str, of: list[str]) -> tuple[str, list[tuple[str, str]]]:
    if len(of) == 1:
        return name, [(of[0], name)]
    names = [f"{name}{letter}" for letter in "xyz"[: len(of)]]
    return ", ".join(names), list(zip(of, names, strict=True))


_INDEXED = re.compile(r"\b(num|web_num|word|nums|counted|flag|mails|hidden|letters)\((\d)\)")
