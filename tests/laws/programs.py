"""Random programs of the language, as text. Types are followed loosely, so that most programs run to their end.

Each kind of value has a few fixed names, all bound by the prelude to something trusted, untrusted, secret or mixed. Kinds: `i` int,
`s` text, `b` bool, `f` float, `li` `ls` lists, `g` a list of lists, `di` a dict of text to int, `e` a dict of int to lists, `tp` a pair,
`st` a set, `m` a mail, `lm` mails, `p` a record of the program, `o` an optional int.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.laws.sharing import sharing

NAMES = {
    "i": ["a", "b", "c"],
    "s": ["p", "q"],
    "b": ["t"],
    "f": ["h"],
    "li": ["xs", "ys"],
    "ls": ["ws"],
    "g": ["g", "gg"],
    "di": ["d"],
    "e": ["e"],
    "tp": ["tp"],
    "st": ["st"],
    "m": ["m"],
    "lm": ["ms"],
    "p": ["r"],
    "o": ["o"],
}
SCHEMA = "class Part(BaseModel):\n    name: str\n    n: int = 0\n    tags: list[str] = None\n"
_FORMATS = ["{%s}", "{%s}", "{%s!r}", "{%s!s}"]


def program(number: int) -> str:
    """The program of this number: a third of them are about shared objects, a few about failing."""
    if number % 3 == 2:
        return sharing(number)
    return Programs(number, risk=0.3 if number % 12 == 4 else 0.04).program()


class Programs:
    """Draws programs. `risk` is the share of operations that may raise without being guarded."""

    def __init__(self, seed: int, risk: float = 0.04) -> None:
        self.random = random.Random(seed)
        self._risk = risk
        self._local: list[tuple[str, str]] = []

    # Expressions: `make(kind, depth)`

    def make(self, kind: str, depth: int) -> str:
        """An expression of this kind."""
        draw = self.random.random()
        if depth <= 0 or draw < 0.22:
            return self._leaf(kind)
        if draw < 0.30:
            return f"({self.make(kind, depth - 1)} if {self.make('b', depth - 1)} else {self.make(kind, depth - 1)})"
        if draw < 0.35:
            word = self._one(["and", "or"])
            return f"({self.make(kind, depth - 1)} {word} {self.make(kind, depth - 1)})"
        return self._one(_MAKERS[kind])(self, depth - 1)

    def _one(self, options: list) -> object:
        return self.random.choice(options)

    def _name(self, kind: str) -> str:
        local = [name for of, name in self._local if of == kind]
        return self._one(local * 3 + NAMES[kind])

    def _leaf(self, kind: str) -> str:
        if kind in ("m", "p", "lm", "o", "e", "g") or self.random.random() < 0.55:
            return self._name(kind)
        return self._one(_LEAVES.get(kind, [])) if kind in _LEAVES else self._name(kind)

    def comprehension(self, element: Callable[[str], str], kind: str, depth: int) -> str:
        """The part from `for` on, around an element that may use the loop's name."""
        loops, names = [], []
        before = list(self._local)
        for _ in range(self._one([1, 1, 1, 2])):
            over, of = self.iterable(depth)
            name = self._one(["v", "w"]) if self.random.random() < 0.8 else self._one(["a", "xs", "g", "p"])
            if len(of) > 1 or name in names:
                name = f"v{len(names)}"
            shape, bound = self._target(name, of)
            loops.append(f"for {shape} in {over}")
            names.append(name)
            self._local.extend(bound)
            loops.extend(f"if {self.make('b', depth)}" for _ in range(self._one([0, 0, 1, 1, 2])))
        made = element(kind)
        self._local = before
        return f"{made} {' '.join(loops)}"

    def _target(self, name: str, of: list[str]) -> tuple[str, list[tuple[str, str]]]:
        if len(of) == 1:
            return name, [(of[0], name)]
        names = [f"{name}{letter}" for letter in "xyz"[: len(of)]]
        return ", ".join(names), list(zip(of, names, strict=True))

    def iterable(self, depth: int) -> tuple[str, list[str]]:
        """Something to walk, and the kinds of its elements' parts."""
        return self._one(
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
                lambda: (self._one(["nums(0)", "counted(1)", "secrets()"]), ["i"]),
            ]
        )()

    # Statements

    def block(self, depth: int, indent: int, *, in_loop: bool) -> list[str]:
        """One to three statements."""
        return [
            line for _ in range(self.random.randrange(1, 4)) for line in self.statement(depth, indent, in_loop=in_loop)
        ]

    def statement(self, depth: int, indent: int, *, in_loop: bool) -> list[str]:
        """One statement, as lines."""
        pad = "    " * indent
        draw = self.random.random()
        if depth > 0 and draw < 0.22:
            return self._branch(depth, indent, in_loop=in_loop)
        if depth > 0 and draw < 0.36:
            over, of = self.iterable(1)
            shape, _bound = self._loop_target(of)
            before = list(self._local)
            body = self.block(depth - 1, indent + 1, in_loop=True)
            self._local = before
            return [f"{pad}for {shape} in {over}:", *body]
        if in_loop and draw < 0.45:
            test = self.make("b", 1)
            return [f"{pad}if {test}:", f"{pad}    {self._one(['break', 'continue'])}"]
        if draw < 0.455:
            test = self.make("b", 1)
            message = self._one(['ValueError("no")', f"Exception({self.make('s', 1)})", "RuntimeError", "KeyError(1)"])
            return [f"{pad}if {test} and a == 77:", f"{pad}    raise {message}"]
        if draw < 0.46 and self.random.random() < self._risk * 5:
            return [f"{pad}if {self.make('b', 1)}:", f"{pad}    raise ValueError({self.make('s', 1)})"]
        return [pad + line for line in self._simple()]

    def _branch(self, depth: int, indent: int, *, in_loop: bool) -> list[str]:
        pad = "    " * indent
        lines = [f"{pad}if {self.make('b', 2)}:", *self.block(depth - 1, indent + 1, in_loop=in_loop)]
        if self.random.random() < 0.25:
            lines += [f"{pad}elif {self.make('b', 1)}:", *self.block(depth - 1, indent + 1, in_loop=in_loop)]
        if self.random.random() < 0.4:
            lines += [f"{pad}else:", *self.block(depth - 1, indent + 1, in_loop=in_loop)]
        return lines

    def _loop_target(self, of: list[str]) -> tuple[str, list[tuple[str, str]]]:
        names = [self._one(NAMES[kind]) for kind in of]
        if len(set(names)) < len(names):
            names = [*NAMES[of[0]][: len(of)]]
        return ", ".join(names), []

    def _simple(self) -> list[str]:
        kind = self._one(
            ["i", "i", "s", "s", "b", "f", "li", "li", "ls", "g", "di", "e", "tp", "st", "m", "lm", "p", "o"]
        )
        draw = self.random.random()
        if draw < 0.34:
            return [f"{self._one(NAMES[kind])} = {self.make(kind, 3)}"]
        if draw < 0.42:
            return [self._one(_AUGMENTED)(self)]
        if draw < 0.78:
            return self._one(_CHANGES)(self).split("\n")
        if draw < 0.86:
            return [f"send({self.make(self._one(['i', 's', 'b', 'li', 'g', 'di', 'tp', 'p', 'o']), 2)})"]
        if draw < 0.92:
            return [f"emit({self.make(self._one(['i', 's', 'b', 'li', 'g', 'di', 'tp', 'lm', 'p']), 2)})"]
        if draw < 0.97:
            return [self._one(_ANSWERS)(self)]
        return [self._one(["pass", f"len({self.make('li', 1)})", f"n1: int = {self.make('i', 2)}"])]

    def program(self) -> str:
        """One program: a prelude that binds every name, then random statements."""
        lines = [SCHEMA]
        lines += [f"{name} = {self._one(_STARTS[kind])}" for kind, names in NAMES.items() for name in names]
        for _ in range(self.random.randrange(3, 9)):
            lines += self.statement(2, 0, in_loop=False)
        if self.random.random() < self._risk * 3:
            lines.append(self._one(_RISKY)(self))
            lines += self.statement(1, 0, in_loop=False)
            lines.append("send(1)")
        active = self._one([1, 1, 2, 2, 3])
        text = "\n".join(lines) + "\n"
        return _INDEXED.sub(lambda found: f"{found[1]}({int(found[2]) % active})", text)


_INDEXED = re.compile(r"\b(num|web_num|word|nums|counted|flag|mails|hidden|letters)\((\d)\)")
_PLACE = re.compile(r"<([a-z]{1,2}!?)>")


def _by(text: str) -> Callable[[Programs, int], str]:
    """A maker from a pattern: `<i>` stands for an expression of that kind, `<i!>` for a leaf of it."""
    pieces = _PLACE.split(text)

    def maker(programs: Programs, depth: int = 1) -> str:
        return "".join(
            piece if at % 2 == 0 else programs.make(piece.removesuffix("!"), 0 if piece.endswith("!") else depth)
            for at, piece in enumerate(pieces)
        )

    return maker


def _comprehended(before: str, element: str, after: str) -> Callable[[Programs, int], str]:
    def maker(programs: Programs, depth: int) -> str:
        return before + programs.comprehension(lambda _: _by(element)(programs, depth), "", min(depth, 1)) + after

    return maker


_TOOLS = {
    "i": ["num(0)", "num(1)", "num(2)", "web_num(1)", "secret()", "shared()", "hidden(0)", "hidden(1)"],
    "s": ["word(0)", "word(1)", "word(2)", "secret_word()"],
    "b": ["flag(0)", "flag(1)", "flag(2)"],
    "li": ["list(nums(0))", "list(nums(1))", "list(counted(0))", "list(counted(1))", "list(secrets())"],
    "lm": ["mails(0)", "mails(1)", "letters(0)", "letters(1)"],
}
_LEAVES = {
    "i": ["0", "1", "2", "3", "-1", "10", *_TOOLS["i"][:5]],
    "s": ['"a"', '"ab"', '"b a"', '""', '"2"', '"x,y"', *_TOOLS["s"]],
    "b": ["True", "False", *_TOOLS["b"]],
    "f": ["0.5", "1.0", "2.25"],
    "li": ["[1, 2]", "[3]", "[1, 2, 3]", *_TOOLS["li"]],
    "ls": ['["a", "b"]', '["b", "a", "ab"]'],
    "lm": [*_TOOLS["lm"]],
    "di": ['{"a": 1, "b": 2}'],
    "tp": ["(1, 2)"],
    "st": ["{1, 2}"],
    "o": ["None", "1"],
}
_STARTS = {
    "i": ["0", "1", "2", *_TOOLS["i"]],
    "s": ['"a"', '"ab c"', '"b"', *_TOOLS["s"]],
    "b": ["True", "False", *_TOOLS["b"], 'quarantined("is it?", num(1), returns=bool)'],
    "f": ["0.5", "1.5", "float(num(0))", "float(secret())"],
    "li": ["[1, 2]", "[2, 1, 3]", "[0]", "[num(0), 1]", "[secret(), 1]", "list(nums(1))", "list(counted(2))"],
    "ls": ['["a", "b"]', '["a", word(0)]', '["b", secret_word()]', 'quarantined("which?", word(1), returns=list[str])'],
    "g": ["[[1], [2, 3]]", "[[1], [2], [3]]", "[[num(0)], [1, secret()]]"],
    "di": ['{"a": 1, "b": 2}', '{"a": 1, "ab": num(0)}', '{"b": secret(), word(0): 1}', "{}"],
    "e": ["{0: [1], 1: [2, 3]}", "{1: [num(1)], 2: []}", "{0: [1], num(0): [2]}"],
    "tp": ["(1, 2)", "(num(0), 1)", "(secret(), num(2))"],
    "st": ["{1, 2}", "{0, num(0)}", "{secret(), 1}", "set()"],
    "m": ["mails(0)[0]", "letters(1)[0]", "mails(1)[-1]"],
    "lm": ["mails(0)", "letters(0)", "mails(2)", "list(mails(1))"],
    "p": [
        'Part("a", 1, ["x"])',
        "Part(name=word(0), n=1, tags=[word(1)])",
        'Part(name="b", n=secret(), tags=["y", "z"])',
        'quarantined("part", word(0), returns=Part)',
        'Part("c", tags=[])',
    ],
    "o": ["None", "1", 'quarantined("number?", word(1), returns=Optional[int])', "2"],
}
_MENU = "quarantined(<s!>, <i>, returns=Literal[0, 1, 2])"
_WORD_MENU = 'quarantined("which", <s>, returns=Literal["a", "b", "ab"])'


def _makers(*patterns: str) -> list[Callable[[Programs, int], str]]:
    return [_by(pattern) for pattern in patterns]


_MAKERS: dict[str, list[Callable[[Programs, int], str]]] = {
    "i": [
        *_makers(
            "(<i> + <i>)", "(<i> - <i>)", "(<i> * <i!>)", "(<i> % 3)", "(<i> // 2)", "-<i>", "+<i>", "(<i> % 3) ** 2",
            "len(<li>)", "len(<s>)", "len(<g>)", "len(<di>)", "len(<st>)", "len(<ls>)", "len(<lm>)", "len(<tp>)",
            "abs(<i>)", "int(<f>)", "int(<b>)", "int(str(<i>))", "round(<f>)", "round(<f>, <i!> % 3)", "sum(<li>)", "sum(<li>, <i!>)",
            "min(<i>, <i>)", "max(<i>, <i!>)", "max(<li>, default=<i!>)", "min(<li>, default=0)", "min([9] + <li>)",
            "<tp>[0]", "<tp>[<i> % 2]", "<tp>[-1]", "([7, 8, 9] + <li>)[<i> % 3]", "(<li> + [4])[<i> % (len(<li!>) + 1) - 1]",
            "(<li> + [4])[0]", "(<li> + [4])[-1]", "sorted(<li> + [5])[0]", "sorted(<li> + [5], reverse=<b>)[0]", "<di>.get(<s>, <i>)",
            '{"a": 1, "ab": 2, "b a": 3, "b": 4}.get(<s>, 5)', '{"a": 1}.get(<s>, <i>)', "{0: 5, 1: 6, 2: 7}[<i> % 3]",
            "{(0, 1): 5, (1, 1): 6, (2, 1): 7}[(<i> % 3, 1)]", "<s>.find(<s>)", "<s>.count(<s!>)", "<li>.count(<i>)",
            "(<li> + [0, <i>]).index((<i!>) * 0)", "([4] + <li>).index(4)", "<s>.rfind(<s!>)", '(<s> + "a").index("a")',
            '("a" + <s>).rindex("a")', "<p>.n", "<m>.size", '<m>["size"]', "<tp>.count(<i>)", "(<tp> + (<i>, 3)).index(3)",
            "(1 if <o!> is None else 2)",
        ),
        _by(_MENU), _by(_MENU), _by("quarantined('how many?', <s>, <i>, returns=int)"),
        _comprehended("sum(", "<i>", ")"), _comprehended("len([", "<i>", "])"), _comprehended("max([", "<i>", "] + [0])"),
        _comprehended("sum(", "1", ")"),
    ],
    "s": [
        *_makers(
            "(<s> + <s!>)", "str(<i>)", "str(<b>)", "str(<li>)", "str(<f>)", "(<s!> * (<i> % 3))", 'f"{<i!>}-{<i!>}"', 'f"{<i!>:03d}"',
            'f"{<f!>:.1f}"', 'f"{<li!>}"', "<s>.upper()", "<s>.lower()", "<s>.strip()", '<s>.replace("a", <s!>)', "<s>.title()",
            "<s>.capitalize()", "<s>.swapcase()", "<s>.casefold()", "<s>.lstrip()", "<s>.rstrip(<s!>)", '<s>.removeprefix("a")',
            "<s>.removesuffix(<s!>)", "<s>.zfill(<i!> % 4)", "<s>.ljust(<i!> % 5)", '<s>.rjust(3, ".")', "<s>.center(<i!> % 5)",
            "<s>[<i!>:]", "<s>[:<i>]", "<s>[::-1]", "<s>[1:<i!>]", '(<s> + "z")[0]', '(<s> + "z")[-1]', '", ".join(<ls>)', "<s!>.join(<ls>)",
            '(<ls> + ["k"])[0]', '(["j", "k", "l"] + <ls>)[<i> % 3]', '{0: "u", 1: "v", 2: "w"}[<i> % 3]', "min(<s>, <s!>)",
            "max(<ls>, default=<s!>)", "<m>.id", "<m>.body", "<p>.name", 'min(<ls> + ["m"])', "(<lm> + [m])[0].id", "(<lm> + [m])[-1].body",
            '(<s> + ",x").split(",")[0]', '<s>.partition("a")[0]', '<s>.rpartition("a")[2]', "str(<tp>)", "str(<di>)", "str(<st>)", "str(<p>)",
            "str(<o>)", "sorted(<di> or {'k': 1})[0]",
        ),
        _by(_WORD_MENU), _by(_WORD_MENU), _by("quarantined('say', <s>, returns=str)"), _by("quarantined(<s>, <m>)"),
        _comprehended('"".join(', "<s>", ")"), _comprehended('"-".join([', "str(<i>)", "])"),
    ],
    "b": [
        *_makers(
            "<i> == <i>", "<i> != <i>", "<i> < <i>", "<i> <= <i!>", "<i> > <i>", "<i> >= <i!>", "<i> < <i!> <= <i!>", "<s> == <s>", "<s> in <s>",
            "<s> not in <ls>", "<i> in <li>", "<i> in <st>", "<i> not in <di>", "<s> in <di>", "<li> in <g>", "not <b>", "not <li>",
            "<o> is None", "<o> is not None", "bool(<li>)", "bool(<i>)", "any(<li>)", "all(<li>)", "<s>.startswith(<s>)",
            '<s>.endswith(("a", <s!>))', "<s>.isdigit()", "<s>.isalpha()", "<s>.isupper()", "<s>.islower()", "<s>.isalnum()",
            "<s>.isspace()", "<s>.istitle()", "<s>.isdecimal()", "<s>.isnumeric()", "<s>.isidentifier()", "isinstance(<o>, int)",
            "isinstance(<i>, (int, str))", "<li> == <li>", "<li> < <li>", "<tp> == <tp>", "<tp> < <tp>", "<st> == <st>", "<di> == <di>",
            "<p> == <p>", "<m>.is_unread", '<m>.id == "m1"', "<g> == <g>", "xs is ys", "<g!>[0] is xs", "<i> is <i>", "bool(<s>)",
        ),
        _by('quarantined("is it?", <s>, returns=bool)'), _by("quarantined('so?', <i>, <li!>, returns=bool)"),
        _comprehended("any(", "<b>", ")"), _comprehended("all(", "<b>", ")"), _comprehended("any([", "<i>", "])"),
    ],
    "f": _makers("<i> / 2", "float(<i>)", "<f> + <i>", "<f> * 2", "abs(<f>)", "<i!> / (1 + <i!> ** 2)", "round(<f>, 1)", "float(str(<f>))"),
    "li": [
        *_makers(
            "[<i>, <i>]", "[<i>]", "list(<li>)", "(<li> + <li!>)", "<li>[:<i>]", "<li>[<i!>:]", "<li>[::-1]", "<li>[::<i!> % 2 + 1]", "sorted(<li>)",
            "sorted(<li>, reverse=<b>)", "list(range(<i> % 4))", "list(range(0, <i!> % 3, <i!> % 2 + 1))", "(<li!> * (<i> % 3))", "<li>.copy()",
            "list(<st>)", "sorted(<st>)", "list(<tp>)", "list(<di>.values())", "(<g> + [[8]])[<i> % 2 - 1]", "(<g> + [[8]])[0]", "(<g> + [[8]])[-1]", "<e>.get(<i>, <li!>)",
            "<e!>.get(<i>, [])", "{0: xs, 1: ys, 2: [5]}[<i> % 3]", "[xs, ys, [6]][<i> % 3]", "max(<g>, default=<li!>)", "min(<li>, <li!>)",
            "<e>.setdefault(<i>, [4])", "<e!>.setdefault(<i!>, <li!>)", "sum(<g>, <li!>)", "sum(<g>, [])", "(<g>[:<i>] + [[7]])[0]", "(<g>[<i>:] + [xs])[0]",
            "([w0 for w0 in <g> if <b>] + [ys])[0]", "([[3]] * (<i> % 2) + [ys])[0]", "sorted(<g> + [xs])[0]", "(list(<e>.values()) + [xs])[0]",
        ),
        _by("quarantined('list', <s>, returns=list[int])"),
        _comprehended("[", "<i>", "]"), _comprehended("[", "<i>", "]"), _comprehended("list(", "<i>", ")"), _comprehended("sorted(", "<i>", ")"),
    ],
    "ls": [
        *_makers(
            "[<s>, <s!>]", "<s>.split()", '<s>.split("a")', "<s>.split(<s!> or None)", '<s>.rsplit(" ", 1)', "<s>.splitlines()", "list(<s>)", "list(<di>)",
            "<di>.keys()", "sorted(<di>)", "sorted(<ls>)", "<ls>[:<i!>]", "(<ls> + <ls!>)", '["x"] + (<p>.tags or [])',
            'list(<s>.partition("a"))', "<ls>[::-1]",
        ),
        _by("quarantined('names', <s>, returns=list[str])"), _by("quarantined('kinds', <s>, returns=list[Literal['a', 'b']])"),
        _comprehended("[", "<s>", "]"), _comprehended("sorted(", "<s>", ")"),
    ],
    "g": [
        *_makers("[<li>, <li!>]", "[xs, ys]", "[xs, <li>]", "<g>[:<i> + 1]", "(<g> + [<li!>])", "list(<e>.values())", "list(<g>)", "<g>[::-1]", "sorted(<g>)",
                 "(<g!> * (<i> % 2 + 1))", "[w1 for w1, w2 in zip(<g>, <li>)]", "<g>.copy()", "[xs, ys, <li!>][<i!> % 3:]"),
        _comprehended("[", "<li>", "]"), _comprehended("[", "[<i>, 1]", "]"),
    ],
    "di": [
        *_makers("{<s>: <i>, <s!>: <i!>}", '{"a": <i>, <s>: 2}', "dict(<di>)", "<di>.copy()", "dict(zip(<ls>, <li>))", "dict(a=<i>, b=<i!>)", "dict([[<s>, <i>]])",
                 "{str(n2): n3 for n2, n3 in enumerate(<li>)}"),
        _comprehended("{", "<s>: <i>", "}"), _comprehended("{", "<s!>: <i>", "}"),
    ],
    "e": [
        *_makers("{<i>: <li>, <i!>: <li!>}", "{0: xs, <i>: ys}", "dict(zip(<li>, <g>))", "dict(enumerate(<g>))", "<e>.copy()", "dict(<e>)"),
        _comprehended("{", "<i>: <li>", "}"),
    ],
    "tp": _makers("(<i>, <i>)", "(<i>, <i!>)", "(<tp>[1], <tp!>[0])", "(<i> % 2, <i!>)", "tuple([<i>, <i!>])", "(<tp> + <tp!>)[1:3]", "min(<tp>, <tp!>)"),
    "st": [*_makers("{<i>, <i!>}", "set(<li>)", "{1, <i>}", "set(<tp>)", "set()"), _comprehended("{", "<i>", "}")],
    "m": _makers("(<lm> + [m])[0]", "(<lm> + [m])[<i> % 2]", "(<lm> + mails(0))[-1]", "[m, ms[0] if ms else m][<i> % 2]"),
    "lm": [*_makers("list(<lm>)", "<lm>[:<i>]", "(<lm> + <lm!>)[:4]", "[m]", "mails(<i!> % 3)", "letters(<i!> % 3)"),
           _by("[w3 for w3 in <lm> if w3.is_unread]"), _by("[w3 for w3 in <lm> if <b>]"), _by("[w3 for w3 in <lm> if w3.body == <s!>]")],
    "p": [*_makers("Part(<s>, <i>)", "Part(name=<s>, n=<i!>, tags=<ls!>)", "Part(<s!>, tags=[<s>])", "[r, Part('k', 3, [])][<i> % 2]"),
          _by("quarantined('part', <s>, returns=Part)")],
    "o": [*_makers("None", "<i>", "<di>.get(<s>)", "{0: 1}.get(<i>)"), _by("quarantined('maybe', <s>, returns=Optional[int])")],
}  # fmt: skip

_AUGMENTED = _makers(
    "a += <i>", "b -= <i>", "c *= (<i> % 2)", "a //= 2", "b %= 3", "p += <s!>", "q = q + <s>", "xs = xs + [<i>]", "h /= 2", "h = h + <i>", "ys += <li!>", "ws += [<s>]",
    "c **= 2", "g += [<li!>]", "xs += [<i>]",
    "b += <i> * 2", 'd = {"a": 1}; d["a"] += <i>',
)  # fmt: skip
_CHANGES = _makers(
    "xs = list(xs)\nxs.append(<i>)", "ys = list(ys)\nys.append(<i>)", "g[0].append(<i>)", "(<g!> or [[]])[0].append(<i>)", "(<g!> + [[0]])[<i> % 2].append(<i!>)", "xs = [<i>, 1]\nxs[<i> % 2] = <i>",
    "gg = [xs, ys, [0]]\ngg[<i> % 3] = [<i>]", "xs = [1, 2]\nxs[0] = <i>", "d = dict(d)\nd[<s>] = <i>", 'd = dict(d)\nd["a"] = <i>', "e = dict(e)\ne[<i>] = <li>", "e[<i> % 2] = xs", "e = dict(e)\ne[1] = ys",
    "st.add(<i>)", "g.append(<li>)", "g.insert(<i>, <li!>)", "g.insert(0, xs)", "g = list(g)\ng.extend(<g!>)", "gg.extend(<g>)", "g.reverse()", "xs = list(xs)\nxs.sort()", "ys = sorted(ys)\nys.reverse()",
    "xs = [3, 1]\nxs.sort(reverse=<b>)", "g.sort()", "a = (xs + [1]).pop()", "ys = [1, 2, 3]\na = ys.pop(<i> % 3)", "g.append([5])\nxs = g.pop()", "g.append(xs)\nys = g.pop(<i> % 1)", 'd = {"a": 1, "b": 2, "ab": 3}\na = d.pop("a")',
    'd = {"a": 1, "b a": 2, "ab": 3, word(0): 1}\nb = d.pop(<s!>) if <s!> in d else 0', "d.update(<di>)", "d.setdefault(<s>, <i>)", "e.setdefault(<i>, xs)\ne[1] = [2]", "d.clear()", "st.clear()", "ws = list(ws)\nws.insert(0, <s>)",
    "tp = (<i>, <i>)\na, b = tp", "a, b = b, a", "(a, b), c = tp, <i>", "for a, p in enumerate(<ls>):\n    pass", "(<g!> or [xs])[0] = <li>", "([e, {0: ys}][<i> % 2])[0] = xs", "([g, gg][<i> % 2]).append(xs)", "([g, gg][<i> % 2]).append([1])",
    "(list(xs) if <b> else g[0] if g else [2]).append(<i!>)", "g.append([1])\ng[0].append(7)\nc = len(g[-1])", "xs = [a, b, c][:<i>]", "ys = xs", "xs = list(ys)", "g = [xs, ys]",
    "xs = [0]\ne[0] = xs\ne[0].append(1)", "gg = g[<i>:] + [ys]\nys = gg[0]", "gg = g * (<i> % 2)\nxs = (gg + [[0]])[0]", "gg = [v3 for v3, v4 in zip(g, <li>)]", 'd["a"] = d.get("a", 0) + <i>',
    "tags = <p>.tags or []\na = len(tags)", "r = Part(<s!>, <i>, ws)", "xs = list(xs)\nxs.append(<i>)\nys = list(ys)\nys.append(<i>)", "xs[0:0]", 'd = {(k + "a"): 1 for k in d}',
)  # fmt: skip
_ANSWERS = _makers(
    'answer(f"a {<i!>} b {p}")', "answer(<s>)", 'answer("x" + <s>)', "answer(<li>, <i!>)", "print(<s>)", 'answer("n", <i>)', "answer(<p>)",
)  # fmt: skip
_RISKY = _makers(
    "a = xs[<i>]", "a = int(<s>)", "a = 6 // <i>", "a, b = xs", "d[<s>]", 'd["zz"]', "g[<i>][0] = 1", "a = <s> + <i>", "a = <o> + 1", "p = ws[<i>]", "a = min(<li>)", "xs.append(1)",
    "q = (m if <b> else None).body", "a = <s!>.index(<s!>)", "a = [1, 2].index(<i>)", "a = <o>[0]", "h = float(<s>)", "m.body.append(1)", "a = g[0][<i>]", "sorted([<i>, <o>])", "a = sum([<i>, <o>])", "a = (-<s> if <b> else 1)",
    'f"{p:d}"', "b = xs.pop(<i>)", "raise ValueError(<s>)", "d[<li>] = 1", "quarantined(<o>, 1)", "a = n9\nn9 = 1", "b = d.pop(<s>)", "for v9, v8 in <g>:\n    pass", "a = ms[0].id + 1", "a = <tp>[<i>]",
    "if <b>:\n    a = n8\nn8 = 1", "for n8 in <li>:\n    pass\na = n8",
)  # fmt: skip
