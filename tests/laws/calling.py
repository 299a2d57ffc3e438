"""Random programs about functions: what they capture, keep and change; who is called, and what is told by it.

Functions read and change lists and variables outside (rule 3), are picked by untrusted keys (rule 7), keep counts (`nonlocal`), and are
handed to `map`, `sorted` and the like.
"""

from __future__ import annotations

import random
import re

_PLACE = re.compile(r"<(\w)>")
_WORDS = {
    "u": ["num(0)", "num(1)", "n", "f", "0", "1", "secret()", 'quarantined("k", n, returns=Literal[0, 1])', "len(<x>)", "<i>"],
    "b": ["f", "flag(1)", "num(0)", "n == 1", "<x>", "len(<x>) == 1", "secret()", "True", "<i> == 1", "f0(1)", "<f> is <f>"],
    "x": ["x0", "x1", "x2", "kept()", "kept2()"],
    "i": ["a", "b", "t0()", "t1()", "n", "1", "2", "<f>(<v>)", "f0(<v>)", "fs[<u> % 2](<v>)", "len(<x>)", "(lambda q: q + <v>)(1)", "rec(2)", "sum(map(<f>, <x>))", "max([1, 2], key=<f>)"],
    "v": ["0", "1", "n", "a", "num(0)", "secret()", "len(x0)"],
    "f": ["f0", "f1", "fs[<u> % 2]", "(f0 if <b> else f1)", "{0: f0, 1: f1}.get(<v>, f0)", "[f0, f1][<u> % 2]", "(lambda q=1: q + a)", "pick(<b>)"],
    "t": ["t0", "t1", "(t0 if <b> else t1)", "[t0, t1][<u> % 2]"],
    "p": ["put", "put2", "(put if <b> else put2)", "[put, put2][<u> % 2]"],
    "l": ["[<x>, <x>]", "[x0, x1]", "list(map(kept, []))", "[v for v in [x0, x1] if <b>]", "sorted([x0, x1, x2], key=len)", "list(filter(lambda q: <b>, [x0, x1]))"],
}  # fmt: skip
_STATEMENTS = [
    "a = <i>", "a = <i>", "b = <i>", "f0 = <f>", "f1 = <f>", "fs = [<f>, <f>]", "fs.append(<f>)", "fs[<u> % 2] = <f>", "t0 = <t>", "t1 = <t>", "t1 = ticker(<v>)", "t0()", "<t>()", "<t>(<v>)", "<p>(<v>)", "<p>(1)",
    "if <b>:\n    t0()", "if <b>:\n    f0 = f1", "if <b>:\n    put(1)", "if <b>:\n    t0 = t1", "if <b>:\n    swap()", "for v in <x>:\n    t0()", "for v in nums(0):\n    put(v)", "list(map(<p>, nums(1)))", "list(map(t0, <x>))", "[<p>(v) for v in [1, 2] if <b>]",
    "<x>.append(<v>)", "<x>.append(1)", "x0 = [1]", "x1 = <x>", "if <b>:\n    x0 = [<v>]", "x2 = kept()", "y = <x>\ny.append(1)", "n = <u>", "f = <b>", "send(<i>)", "emit(<i>)", "emit([len(<x>), t0()])", "x1 = sorted(<x>, key=<f>)", "<l>[0].append(3)" , "x2 = (<l> + [x2])[0]",
    "x0.sort(key=<f>)", "a = [h(<v>) for h in fs][0]", "a = [h() for h in [lambda: v for v in [1, 2]] if <b>]", "a = [h() for h in [lambda v=v: v for v in [n, 2]]]", "def again(q=<v>):\n    x0.append(q)\n    return t0()\nb = again()", "swap()", "swap()\nt0()",
    "try:\n    a = fail(<v>)\nexcept ValueError as e:\n    b = str(e)", "try:\n    <p>(1)\n    fail(<u>)\n    <p>(2)\nexcept ValueError:\n    t0()", "try:\n    fs[<u>](1)\nexcept Exception:\n    a = 7\nelse:\n    <p>(1)", "if (w := t0()) > <v>:\n    b = w",
    "it = map(t0, [1, 1, 1])\nif <b>:\n    next(it, 0)\na = t0()", "h = lambda: <x>\nx0 = [5]\nh().append(1)", "h = lambda: a + n\na = 4\nb = h()", "pair = (t0, put)\npair[0]()", "g = {1: put, 0: put2}\ng[<u> % 2](1)", "def once():\n    if <b>:\n        return <i>\n    <p>(1)\n    return 1\na = once()",
    "r = None\nr = t0 if <b> else None\nif r:\n    r()", "a = rec(<v>)", "a = loop(<v>)", "a = [loop(v) for v in [0, 1, 2]]", "a = deep()()", "h = deep()\nh()\nb = h()", "a = (lambda *q: len(q))(*<x>)", "a = f0(*[<v>])", "x0 = [t0, f0]\nx0 = [1]", "del y\ny = x0",
]  # fmt: skip


def calling(seed: int) -> str:
    """A program about functions."""
    chance = random.Random(seed)

    def filled(pattern: str, depth: int) -> str:
        def word(found: re.Match[str]) -> str:
            options = _WORDS[found[1]]
            if depth <= 0:
                options = [each for each in options if "<" not in each]
            return filled(chance.choice(options), depth - 1)

        return _PLACE.sub(word, pattern)

    statements = [filled(chance.choice(_STATEMENTS), 3) for _ in range(chance.randrange(4, 10))]
    prelude = [*_START, *(filled(chance.choice(options), 1) for options in _FUNCTIONS)]
    if chance.random() < 0.5:
        return "\n".join([*prelude, *statements]) + "\n"
    swap = "def swap():\n    nonlocal x0, x1, a, f0\n    a = a + 1\n    if f:\n        x0, x1 = x1, x0\n        f0 = f1"
    lines = "\n".join([*(swap if each.startswith("def swap") else each for each in prelude), *statements]).split("\n")
    kept = "a, b, n, f, x0, x1, x2, y, f0, f1, fs, t0, t1, t0(0), t1(0)"
    given = "a, b, n, f, x0, x1, x2, y, f0, f1, fs, t0, t1, c0, c1"
    return (
        "\n".join(["def main():", *(f"    {line}" for line in lines), f"    return {kept}", f"{given} = main()"]) + "\n"
    )


_START = [
    "n, f, a, b = num(0), flag(0), 0, 1",
    "x0, x1, x2 = [1], [1, 2], [3]",
    "y = x0",
    "def swap():\n    x0.append(x1[0] if x1 else 0)",
]
_FUNCTIONS = [
    [
        "def ticker(start):\n    count = start\n    def tick(by=1):\n        nonlocal count\n        count = count + by\n        return count\n    return tick",
        "def ticker(start):\n    count = [start]\n    def tick(by=1):\n        count.append(by)\n        return len(count)\n    return tick",
        "def ticker(start):\n    count, old = start, 0\n    def tick(by=1):\n        nonlocal count, old\n        if by == 1:\n            old, count = count, count + n\n        return old\n    return tick",
        "def ticker(start):\n    count = start\n    def tick(by=1):\n        nonlocal count\n        if count > 2:\n            return 0\n        count = count + by\n        return 1\n    return tick",
    ],
    ["t0, t1 = ticker(0), ticker(n)", "t0, t1 = ticker(0), ticker(1)", "t0 = ticker(0)\nt1 = t0"],
    ["def f0(q=1):\n    return q + 1", "def f0(q=n):\n    if q:\n        return 1\n    return a", "f0 = lambda q=0: q", "def f0(q=1):\n    x1.append(q)\n    return q", "def f0(q=<v>):\n    if f:\n        emit(1)\n    return len(x2)"],
    ["def f1(q=2):\n    return a + q", "f1 = lambda q=1: len(x0)", "def f1(q=1):\n    return x0[0] if x0 else q", "def f1(q=1):\n    send(1)\n    return 2"],
    ["fs = [f0, f1]", "fs = [f1, f0]\nfs.append(f0)"],
    ["def put(q):\n    x0.append(q)", "def put(q):\n    if q:\n        x0.append(1)\n    else:\n        x1.append(1)", "put = lambda q: x0.append(q)"],
    ["def put2(q):\n    x1.append(q)", "def put2(q):\n    y.append(q)\n    return q", "put2 = put"],
    ["def kept(q=0):\n    return x0", "kept = lambda q=x2: q", "def kept(q=0):\n    return x1 if f else x2"],
    ["kept2 = lambda: x2", "def kept2():\n    return [x0, x1, x2][n]", "kept2 = kept"],
    ["def pick(q):\n    return f0 if q else f1", "def pick(q):\n    if q:\n        return f1\n    return lambda q=1: q * 2", "def pick(q):\n    for h in fs:\n        if q:\n            return h\n    return f0"],
    ["def fail(q):\n    if q:\n        raise ValueError(n)\n    return 1", "def fail(q):\n    x0.append(1)\n    if q == 1:\n        raise ValueError('one')\n    x1.append(2)\n    return q", "def fail(q):\n    try:\n        return 6 // q\n    except ZeroDivisionError:\n        raise ValueError('zero')\n    finally:\n        x2.append(1)"],
    ["def rec(q):\n    if q <= 0 or q > 4:\n        return 0\n    x0.append(q)\n    return 1 + rec(q - 1)", "def rec(q):\n    if q == n or q < 0 or q > 4:\n        return q\n    return rec(q - 1)"],
    ["def loop(q):\n    for v in [0, 1, 2]:\n        if v == q:\n            return v + 5\n        x1.append(v)\n    return 9", "def loop(q):\n    for v in x0:\n        while v:\n            if v == q:\n                return 1\n            v = v - 1\n            if v < 0:\n                break\n        else:\n            continue\n        return 2\n    return 3"],
    ["def deep():\n    k = [0]\n    m = 0\n    def middle():\n        nonlocal m\n        def inner():\n            nonlocal m\n            m = m + n\n            k.append(m)\n            return len(k)\n        inner()\n        return m\n    return middle", "def deep():\n    return lambda: len(x0)"],
]  # fmt: skip
