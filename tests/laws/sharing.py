"""Random programs about shared objects: few lists, held by several containers, picked, cut, moved and changed in untrusted ways.

What changes through one name shows through others; whichever might have changed has to carry it (rules 3 and 6).
"""

from __future__ import annotations

import random
import re

_OBJECTS = ["x0", "x1", "x2", "x3"]
_HOLDERS = ["c0", "c1", "c2"]
_PLACE = re.compile(r"<(\w+)>")
_WORDS = {
    "x": [*_OBJECTS, *_OBJECTS, "y", "[8]"],
    "c": _HOLDERS,
    "u": ["num(0)", "num(1)", "n", "f", "0", "1", "-1", "secret()", 'quarantined("k", n, returns=Literal[0, 1])', "len(<x>)", "len(<c>)"],
    "b": ["f", "flag(1)", "num(0)", "<x>", "n == 1", "len(<x>) == 1", "<x> is <x>", "secret()", "<x> in <c>", "<c>", "True"],
    "e": [  # an object, picked
        "<x>", "<x>", "(<c> + [<x>])[<u> % 3 - 1]", "(<c> + [<x>])[0]", "(<c> + [<x>])[-1]", "(<x> if <b> else <x>)", "(<x> or <x>)", "(<x> and <x>)",
        "d.get(<u>, <x>)", "max(<c>, default=<x>)", "min(<x>, <x>)", "d.setdefault(<u>, <x>)", "(<l> + [<x>])[0]", "(<l> + [<x>, <x>])[<u> % 2]",
        "[<x>, <x>, <x>][<u> % 3]", "sum(<l>, <x>)", "(list(d.values()) + [<x>])[0]", "dict(enumerate(<c>)).get(<u>, <x>)", "t[<u> % 2]", "t[0]", "r.tags",
    ],
    "l": [  # a list of objects
        "<c>", "<c>[<u>:]", "<c>[:<u>]", "<c>[::-1]", "<c> * <u>", "[p for p in <c> if <b>]", "[p for p, q in zip(<c>, nums(0))]",
        "list(<c>)", "sorted(<c>)", "[<x>] * <u>", "<c> + <c>", "[<x>, <x>]", "[p for q, p in d.items()]", "[<x> for p in nums(1)]", "<c>.copy()",
        "[p for p in <c> for q in nums(0)]", "[<x> if <b> else p for p in <c>]", "d.values()", "[p for q, p in enumerate(<c>) if q == <u>]",
    ],
}  # fmt: skip
_STATEMENTS = [
    "<e>.append(<u>)", "<e>.append(1)", "<e>.append(1)", "y = <e>", "y = <e>", "y.append(2)", "<h> = <l>", "<h> = <l>", "<c>.append(<e>)", "<c>.insert(<u>, <e>)",
    "<c>.reverse()", "<c>.sort()", "<c>.extend(<l>)", "if <c>:\n    y = <c>.pop(<u> if <u> in range(len(<c>)) else 0)", "if <c>:\n    <c>[0] = <e>",
    "d[<u>] = <e>", "d = {<u>: <e>, 1: <e>}", "d.update({<u>: <e>})", "d = dict(zip(nums(1), <c>))", "<o> = <e>", "<o> = [1]", "<o> += [<u>]",
    "for p in <l>:\n    p.append(1)", "for p in <c>:\n    if <b>:\n        break\n    p.append(1)", "for p in <c>:\n    if <b>:\n        continue\n    y = p",
    "if <b>:\n    <e>.append(1)", "if <b>:\n    <h> = <l>", "if <b>:\n    <o> = <e>\nelse:\n    <c>.append(<e>)", "if <b>:\n    <c>.clear()", "t = (<e>, <e>)",
    "for p in [0, 1, 2]:\n    if p == <u>:\n        break\n    <e>.append(p)", "for p, q in enumerate(<c>):\n    if p == <u>:\n        <o> = q", 'r = Part("a", 1, <e>)',
    "(<c> if <b> else <c>).append(<e>)", "both = <c> if <b> else <c>\nboth += <l>", "both = <c> if <b> else <c>\nif both:\n    both[0] = <e>", "send(len(<x>))", "emit([len(<x>), <u>])",
    "a = [len(<e>), len(<l>)]", "<e>.clear()", "if <e>:\n    a = y", "n = <u>", "f = <b>", "<o> = [len(<e>)]",
    "<h> = [p for p in [<e>, <e>] if <b>]", "<c>[0:0]", "send([len(p) for p in <l>])",
]  # fmt: skip


def sharing(seed: int) -> str:
    """A program about shared objects."""
    chance = random.Random(seed)

    def filled(pattern: str, depth: int = 3) -> str:
        def word(found: re.Match[str]) -> str:
            name = found[1]
            if name == "o":
                return chance.choice(_OBJECTS)
            if name == "h":
                return chance.choice(_HOLDERS)
            options = _WORDS[name] if depth else [each for each in _WORDS[name] if "<" not in each] or _HOLDERS
            if not depth and name == "e":
                options = _OBJECTS
            return filled(chance.choice(options), depth - 1)

        return _PLACE.sub(word, pattern)

    start = [
        "class Part(BaseModel):\n    name: str\n    n: int\n    tags: list[int]\n",
        "n, f = num(0), flag(0)",
        "x0, x1, x2, x3 = [1], [1, 2], [3], []",
        "c0, c1, c2 = [x0, x1], [x1, x2, x3], [[5], x0]",
        "d, t, y = {0: x0, 1: x1}, (x2, x3), x0",
        'r = Part("a", 1, x1)',
    ]
    return "\n".join([*start, *(filled(chance.choice(_STATEMENTS)) for _ in range(chance.randrange(4, 11)))]) + "\n"
