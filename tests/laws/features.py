"""The rest of the language as features: each has kinds of its own, and a program draws on a few of them.

Kinds: `fi` function of an int, `fs` of a text, `fb` predicate of an int, `fx` function of a list that it may change, `fr` function that may
raise, `hs` list of functions, `ct` counter (a closure), `it` iterator of ints, `ig` iterator of lists, `en` member, `pt` point, `bx` box,
`dy` date, `gp` time between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.laws.patterns import Maker, by, makers


@dataclass(frozen=True, slots=True)
class Feature:
    """A part of the language: `before` stands at the top of a program; the others join those of `words.py`."""

    before: str = ""
    names: dict[str, list[str]] = field(default_factory=dict)
    starts: dict[str, list[Maker]] = field(default_factory=dict)
    makers: dict[str, list[Maker]] = field(default_factory=dict)
    changes: list[Maker] = field(default_factory=list)
    risky: list[Maker] = field(default_factory=list)


FUNCTIONS = Feature(
    names={"fi": ["f0", "f1"], "fs": ["f2"], "fb": ["f3"], "fx": ["f4"], "fr": ["f5"], "hs": ["hs"], "ct": ["k0", "k1"]},
    starts={"hs": makers("[f0, f1]", "[f0, f1, lambda v, w=1: v + w]")},
    makers={
        "i": makers(
            "<fi>(<i>)", "<fi>(<i>)", "<fi>(<i>, <i!>)", "<fi>(<i!>, j=<i!>)", "<fi>(*[<i>, <i!>])", "[<fi>, <fi>][<i> % 2](<i>)", "{0: f0, 1: f1}.get(<i> % 3, f0)(<i>)",
            "(<fi> if <b> else <fi>)(<i>)", "hs[<i> % 2](<i>)", "hs[0](<i>)", "(lambda v: v + <i!>)(<i>)", "sum(map(<fi>, <li>))", "len(list(filter(<fb>, <li>)))", "max(<li> + [1], key=<fi>)",
            "min([3, 1, 2], key=<fi>)", "sorted(<li> + [2], key=<fi>)[0]", "max([1, 2, 3], key=lambda v: <i>)", "k0()", "k1()", "<ct>()", "<ct>(<i!>)", "[k0, k1][<i> % 2]()", "(k0 if <b> else k1)(2)",
            "len(f4(<li>))", "next(map(<fi>, <li> + [1]))", "sum([v9(<i!>) for v9 in hs])", "(lambda *vs: len(vs))(*<li>)",
        ),
        "s": makers("f2(<s>)", "f2(<s>)", "str(<fi>(<i>))", '", ".join(map(str, <li>))', "max(<ls> + [<s>], key=len)", "(lambda: <s>)()"),
        "b": makers("f3(<i>)", "f3(<i>)", "any(map(<fb>, <li>))", "<fi> is <fi>", "all(v9(<i!>) < 9 for v9 in hs)", "(lambda: <b>)()", "callable(<fi>)"),
        "li": makers(
            "list(map(<fi>, <li>))", "list(filter(<fb>, <li>))", "sorted(<li>, key=<fi>)", "sorted(<li>, key=<fi>, reverse=<b>)", "f4(<li>)", "f4(xs)", "[v9(<i!>) for v9 in hs]",
            "sorted(<g> + [xs], key=len)[0]", "max(<g> + [xs], key=len)", "min(<g> + [ys], key=sum)", "[v9() for v9 in [lambda: v8 for v8 in <li>]]", "[v9() for v9 in [lambda v8=v8: v8 for v8 in <li>]]",
            "[v9(1) for v9 in [<fi> for v8 in <li>]]", "list(map(lambda v8, v9: v8 + v9, <li>, <li!>))",
        ),
        "fi": makers("f0", "f1", "(f0 if <b> else f1)", "hs[<i!> % 2]", "[f0, f1][<i!> % 2]", "(lambda v, j=1: v + <i!>)", "(lambda v, j=<i!>: j)"),
        "fb": makers("f3", "(lambda v: <b>)", "(lambda v: v > <i!>)"),
        "ct": makers("k0", "k1", "(k0 if <b> else k1)", "make_counter(<i!>)"),
        "hs": makers("hs", "[<fi>, <fi>]", "hs[::-1]"),
    },
    changes=makers(
        "f0 = f1", "f0, f1 = f1, f0", "if <b>:\n    f0 = lambda v, j=<i!>: v + j + a", "f1 = <fi>", "hs = <hs>", "hs.append(<fi>)", "hs[<i> % 2] = <fi>", "xs = list(xs)\nxs.sort(key=<fi>)",
        "g.sort(key=len)", "f4(xs)", "f4(ys)", "g = [f4(w9) for w9 in g]", "k0()", "if <b>:\n    k0()", "k0 = k1", "k1 = make_counter(<i!>)", "[k0, k1][<i> % 2]()", "(k0 if <b> else k1)(3)", "a = k0() + k1()",
        "for v9 in hs:\n    a = v9(a % 5)", "f6 = lambda: xs\nf6().append(<i>)", "b = f0(<i>)", "f3 = <fb>", "if <b>:\n    hs = [f1, f0]\na = hs[0](1)",
        "box = []\nput = lambda v: box.append(v)\nif <b>:\n    put(1)\nc = len(box)", "list(map(k0, <li>))", "xs = list(map(lambda v: k0(), <li>))",
    ),
    risky=makers("a = f5(<i>)", "a = f5(<i>)", "a = [f5, f0][<i> % 2](<i>)", "xs = [f5(v9) for v9 in <li>]", "xs = list(map(f5, <li>))", "a = max([1, 2], key=f5)", "a = (f0 if <b> else 1)(2)", "a = [f0, 1][<i> % 2](1)"),
)  # fmt: skip

ITERATORS = Feature(
    names={"it": ["it", "iu"], "ig": ["ig"]},
    starts={
        "it": makers("iter([1, 2, 3])", "iter(<li!>)", "map(lambda v: v + 1, <li!>)", "reversed([1, 2, 3])", "filter(lambda v: v > <i!>, [1, 2, 3])", "(v + 1 for v in <li!>)", "iter([num(0), 1, 2])"),
        "ig": makers("iter(g)", "reversed([xs, ys, [1]])", "filter(len, [xs, ys, []])", "(w for w in [xs, ys])"),
    },
    makers={
        "i": makers(
            "next(<it>, <i>)", "next(it, 0)", "next(iter(<li>), 0)", "sum(<it>)", "next((v9 for v9 in <li> if v9 > <i!>), <i!>)", "max(<it>, default=0)", "(1 if <i> in it else 0)", "len(list(<it>))",
            "len(next(<ig>, [0]))", "next(enumerate(<li>, 1), (0, 0))[1]", "next(zip(<li>, <li>), (1, 2))[0]", "next(reversed(<li>), 3)", "next(reversed([*<li>, 4]))",
        ),
        "s": makers('"".join(reversed(<s>))', "next(iter(<s>), 'e')", '"-".join(str(v9) for v9 in it)'),
        "b": makers("any(v9 == <i!> for v9 in <it>)", "all(<it>)", "<i> in <it>"),
        "li": makers(
            "list(<it>)", "[v9 for v9 in <it>]", "[v8 for v8, v9 in zip(<it>, <li>)]", "list(reversed(<li>))", "sorted(<it>)", "next(<ig>, <li!>)", "next(iter(<g>), xs)", "[v9 for w9 in <ig> for v9 in w9]",
            "list(map(lambda v, w: v + w, <it>, <li>))", "list(filter(None, <li>))", "[next(it, 0), next(it, 0)]", "next((w9 for w9 in <g> if <b>), ys)", "list(v8 for w8 in (w9 for w9 in <g>) for v8 in w8)",
        ),
        "g": makers("list(<ig>)", "[list(w9) for w9 in <ig>]", "list(reversed(<g>))", "[w9 for w9 in <ig> if <b>]"),
        "it": makers("it", "iu", "(it if <b> else iu)", "iter(<li>)", "[it, iu][<i!> % 2]", "(v9 for v9 in <li> if v9 != <i!>)"),
        "ig": makers("ig", "iter(<g>)", "reversed(<g>)"),
    },
    changes=makers(
        "it = iter(<li>)", "iu = it", "it, iu = iu, it", "if <b>:\n    next(it, 0)", "next(<it>, 0)", "for v9 in it:\n    if <b>:\n        break", "for v9 in it:\n    if v9 == <i!>:\n        break\n    xs = [v9]", "next(ig, [0]).append(<i>)",
        "ig = iter(<g>)", "ig = iter([xs, ys, [2]])", "a = next(it, <i>)", "it = (v9 + a for v9 in <li>)", "for v9, w9 in zip(it, iu):\n    a = v9 + w9", "c = len(list(it))", "ig = (w9 for w9 in g if <b>)", "g.append(next(ig, [3]))",
        "it = enumerate(<li>)\na = sum(v8 * v9 for v8, v9 in it)\nit = iter([a])", "iu = iter(xs)\nnext(iu, 0)\na = next(iu, 5)", "pair = [iter(xs), iter(ys)]\na = next(pair[<i> % 2], 0)\nb = next(pair[0], 7)", "<it>",
    ),
    risky=makers("a = next(it)", "a = next(iter(<li>))", "a, b = it", "a = min(it)", "xs = next(ig)", "a = next(<li>)"),
)  # fmt: skip

_LEVEL = "class Level(Enum):\n    LOW = 0\n    MID = 1\n    HIGH = 2\n"
RECORDS = Feature(
    before=_LEVEL + "@dataclass\nclass Point:\n    x: int\n    y: int = 0\nclass Box(BaseModel):\n    part: Part\n    size: int = 1\n    level: Optional[str] = None\n",
    names={"en": ["en"], "pt": ["pt"], "bx": ["bx"]},
    starts={
        "en": makers("Level.LOW", "[Level.LOW, Level.MID, Level.HIGH][num(0)]", "Level(num(1))", "Level(secret())"),
        "pt": makers("Point(1)", "Point(num(0), 2)", "Point(x=1, y=secret())"),
        "bx": makers("Box(part=r)", "Box(part=Part(name='k', n=2, tags=[]), size=<i!>)", 'quarantined("box", word(0), returns=Box)'),
    },
    makers={
        "i": makers("<en>.value", "<pt>.x", "<pt>.y", "<bx>.size", "<bx>.part.n", "{Level.LOW: 1, Level.MID: 2, Level.HIGH: 3}[<en>]", "len([v9 for v9 in Level])", "len(<bx>.part.tags or [])", "{Level.LOW: 5}.get(<en>, <i>)"),
        "s": makers("<en>.name", "<bx>.part.name", "str(<pt>)", "str(<bx>)", "str(<en>)", "(<bx>.level or <s>)"),
        "b": makers("<en> == Level.MID", "<en> is Level.LOW", "<en> in [Level.LOW, <en>]", "<pt> == <pt>", "<en> != <en>", "<bx>.level is None", "isinstance(<pt>, Point)", "<bx>.part == <p>", "<en> in {Level.HIGH}"),
        "en": [*makers("Level.HIGH", "[Level.LOW, Level.MID, Level.HIGH][<i> % 3]", 'Level["LOW"]', "Level(<i> % 3)", "[v9 for v9 in Level][<i> % 3]", "max(Level, key=lambda v: v.value)"), by("quarantined('level', <s>, returns=Level)")],
        "pt": makers("Point(<i>)", "Point(<i>, <i!>)", "Point(y=<i>, x=<i!>)", "[pt, Point(3)][<i> % 2]", "max([pt, Point(2, <i!>)], key=lambda v: v.x)"),
        "bx": makers("Box(part=<p>)", "Box(part=<p>, size=<i>)", "[bx, Box(part=r, level=<s!>)][<i> % 2]", "quarantined('box', <s>, returns=Box)"),
        "li": makers("[<pt>.x, <pt>.y]", "[v9.x for v9 in [pt, Point(<i!>)]]", "sorted([<pt>.x, <en>.value])"),
        "p": makers("<bx>.part"),
    },
    changes=makers("pt = Point(pt.y, pt.x)", "en = <en>", "if <en> == Level.LOW:\n    a = <i>", "a = pt.x + pt.y", "e = {Level.LOW: xs, Level.MID: ys}\ne[<en>] = [1]\ne = {0: [1]}", "pair = [Point(<i>), pt]\npt = pair[<i> % 2]", "xs = [v9.value for v9 in [en, <en>]]"),
    risky=makers("a = Level(<i>).value", "a = Level[<s>].value", "a = (pt if <b> else None).x"),
)  # fmt: skip

DATES = Feature(
    before="from datetime import date, datetime, timedelta\n",
    names={"dy": ["dy"], "gp": ["gp"]},
    starts={
        "dy": makers("date(2026, 1, 5)", "date(2026, 1, 1 + num(0))", "date(2026, 1 + secret(), 7)"),
        "gp": makers("timedelta(days=2)", "timedelta(days=num(0))", "timedelta(hours=36 + secret())"),
    },
    makers={
        "i": makers("<dy>.year", "<dy>.month", "<dy>.day", "<dy>.weekday()", "<gp>.days", "int(<gp>.total_seconds()) // 3600", "<dy>.isoweekday()", "datetime(2026, 1, 1, <i> % 24).hour"),
        "s": makers("<dy>.isoformat()", "str(<dy>)", '<dy>.strftime("%d.%m.%Y")', "str(<gp>)", 'f"{<dy!>:%d.%m}"', 'f"{<dy!>}"'),
        "b": makers("<dy> == <dy>", "<gp> == <gp>", "<gp> < <gp>", "dy in [<dy>]", "<dy> != <dy>", "bool(<gp>)", "isinstance(<dy>, date)"),
        "dy": makers("(<dy> + <gp>)", "(<dy> - <gp>)", "date(2026, 1 + <i> % 12, 1 + <i!> % 28)", "<dy>.replace(day=1 + <i> % 28)", 'date.fromisoformat("2026-01-0" + str(1 + <i> % 3))', "[dy, date(2026, 2, 2)][<i> % 2]"),
        "gp": makers("(<gp> * 2)", "(<gp> + <gp>)", "timedelta(days=<i> % 5)", "abs(<gp>)", "(<gp> - <gp>)", "(date(2026, 1, 1 + <i> % 9) - date(2026, 1, 3))", "-<gp>", "(<gp> // 2)", "min(<gp>, <gp>)"),
        "li": makers("[v9.days for v9 in [gp, <gp>]]", "[v9.day for v9 in [dy, <dy>]]"),
    },
    changes=makers("dy = <dy>", "gp = <gp>", "dy += gp", "dy -= timedelta(days=<i> % 3)", "if <gp>:\n    a = 1", "days = {dy: 1}\ndays[<dy>] = 2\nb = len(days)"),
    risky=makers("dy = date(2026, <i>, 1)", "dy = date.fromisoformat(<s>)", "t = dy < <gp>", "dy = dy.replace(day=<i>)", "dy = datetime.strptime(<s>, '%d')"),
)  # fmt: skip

TEXT = Feature(
    before="import json\nimport math\nimport re\n",
    makers={
        "i": makers(
            'len(re.findall("[ab]", <s>))', "ord((<s> + 'a')[0])", "math.floor(<f>)", "math.ceil(<f>)", "math.gcd(<i>, <i>)", "len(json.dumps(<li>))", 'json.loads("[1, 2]")[<i> % 2]', "json.loads(json.dumps([<i>]))[0]",
            '(re.search("a", <s> + "a")).start()', '(re.search("b|$", <s>)).end()', "json.loads(json.dumps({'k': <i>}))['k']", "divmod(<i>, 3)[1]", "pow(<i> % 3, 2)", "math.isqrt(abs(<i>))", 'int("1" + str(abs(<i>)), 10)',
        ),
        "s": makers(
            '("%s-%d" % (<s>, <i>))', '"{}:{}".format(<s>, <i>)', '"{0:>3}|{1}".format(<i>, <s>)', '"{k}".format(k=<s>)', '("%s" % <i>)', '("%r" % (<li>,))', "repr(<s>)", '("%5.1f" % <f>)', "chr(97 + <i> % 3)", 're.sub("a", <s!>, <s>)',
            're.sub("b", "c", <s>)', '(re.search("(a)(b?)", <s> + "a")).group(1)', 're.search("(?P<key>.)$", <s> + "z").group("key")', "json.dumps(<li>)", "json.dumps(<di>)", "json.dumps([<s>, <i>])", '(re.split(" ", <s>) + ["e"])[0]',
            '(re.findall("[a-z]", <s>) + ["n"])[0]', 'f"{p:>{<i!> % 5 + 1}}"', "format(<i>, '03d')", '"{:d}".format(<i>)', '("%(k)s" % {"k": <s>})', 're.match("a?", <s>).group(0)', "re.escape(<s>)", 're.sub(<s!> or "a", "-", <s>)',
            're.sub("a", lambda v: v.group(0) + <s!>, <s>)', "repr(<li>)",
        ),
        "b": makers('re.search("a", <s>) is not None', 'bool(re.match("b", <s>))', 're.fullmatch("a|ab", <s>) is None', "math.isclose(<f>, 0.5)", 'not re.search(<s!> or "a", "abc")', "math.isnan(<f>)", "isinstance(json.loads('1'), int)"),
        "f": makers("math.sqrt(abs(<i>))", "math.fabs(<f>)", "math.pi", "json.loads(json.dumps(<f>))"),
        "li": makers("json.loads(json.dumps(<li>))", '[v9.start() for v9 in re.finditer("a", <s>)]', '[int(v9) for v9 in re.findall("[0-9]", <s> + "2")]', "list(divmod(<i>, 2))"),
        "ls": makers('re.split(" |a", <s>)', 're.findall("a|b", <s>)', "[*<ls>, <s>]", "[repr(v9) for v9 in <li>]"),
        "di": makers("json.loads(json.dumps(<di>))", "json.loads('{\"a\": 1}')"),
    },
    changes=makers("found = re.search('a', <s>)\nif found:\n    p = found.group(0)", "found = re.match('(a)?(b)?', <s>)\na = len([v9 for v9 in found.groups() if v9])", 'p = "%s" % (<s>,)', "p = p.format()", "d = json.loads(json.dumps(<di>))", 'q = "{:>{}}".format(<s>, <i!> % 4 + 1)'),
    risky=makers('p = re.search("a", <s>).group(0)', 'p = "%d" % <s>', 'p = "{}{}".format(<s>)', "a = json.loads(<s>)", "h = math.sqrt(<i>)", "p = chr(<i> - 1)", "a = ord(<s>)", "a = re.search(<s>, <s>)", 'p = "%s %s" % (<s>,)', "h = math.log(<i>)", "p = json.dumps(st)"),
)  # fmt: skip

DISPLAYS = Feature(
    makers={
        "i": makers("(a := <i>)", "(c := <i>)", "max(*<li>, 0, 1)", "len([*<s>])", "sum((v9 for v9 in <li>), <i!>)", "len(<st> | <st>)", "[0, *<li>, 1][-2]", "sum([b := v9 for v9 in <li>])", "len({**<di>, 'z': 1})", "(<b> + <i>)", "(lambda a=<i>: a)()"),
        "b": makers("(a := <i>) > 1", "<st> <= <st>", "<st> < <st>", "<st>.issubset(<st>)", "(t := <b>)", "<st>.isdisjoint(<st>)", "any((b := v9) == <i!> for v9 in <li>)", "<st> >= <st>", "(xs and (a := xs[0]) > 0) is True"),
        "li": makers("[*<li>, <i>]", "[*<li>, *<li!>]", "[*<st>]", "[v9 for w9 in [*<g>, xs] for v9 in w9]", "[(a := v9) for v9 in <li>]", "(xs := <li>)", "[v8 for v8 in [v9 for v9 in <li>] if v8 in [v9 for v9 in <li>]]", "[*range(<i> % 4)]", "[b, *<tp>]"),
        "tp": makers("(*<tp>, 1)[:2]", "(a, b)", "tuple([*<tp>][:2])"),
        "st": makers("(<st> | <st>)", "(<st> & <st>)", "(<st> - <st>)", "(<st> ^ <st>)", "{*<li>, <i>}", "<st>.union(<li>)", "<st>.difference(<st>)", "<st>.intersection(<st>)"),
        "di": makers("{**<di>, <s>: <i>}", "{**<di>, **<di!>}", "(<di> | <di!>)"),
        "g": makers("[*<g>, <li>]", "[*<g>, *<g!>]"),
    },
    changes=makers(
        "a, *xs = [0] + <li>", "*ys, b = <li> + [1]", "a, *ys, b = [1, *<li>, 2]", "(a, *ys), b = [1, *<li>], 3", "xs = list(<li>) + [1]\ndel xs[<i> % len(xs)]", "d = dict(<di>)\nd['a'] = 1\ndel d['a']", "v7 = 1\nif <b>:\n    del v7\n    v7 = 2",
        "a = b = <i>", "xs = ys = [<i>]", "g.append([0])\ng[0] += [<i>]", "e[0] = [1]\ne[0] += <li>", "st.discard(<i>)", "st = set(st)\nst |= {<i>}", "st = set(st)\nst -= {<i>}", "st.update(<li>)", "assert a != 77", "assert a != 77, 'no'",
        "if (a := <i>) > 1:\n    b = a", "xs = [1, 2, 3]\ndel xs[0:<i>]", "d = dict(<di>)\nd['k'] = 1\ndel d['k']\na = len(d)", "e = {0: xs, 1: ys}\ndel e[<i> % 2]\na = len(e)", "d['q'] = 1\nd['q'] += <i>", "a, xs = <i>, [1]", "xs = list(<li>)\nxs[0:0] = [<i>]",
        "xs = list(<li>)\nxs.remove(xs[0]) if xs else 0", "a = d.pop('zz', <i>)", "d = dict.fromkeys(<ls>, 0)", "for a, *xs in [[1, 2], [3, <i>]]:\n    pass", "[xs.append(v9) for v9 in list(<li>)[:2]]", "xs: list[int] = <li>", "d |= <di>",
    ),
    risky=makers("a, *xs = <li>", "del d[<s>]", "del xs[<i>]", "xs.remove(<i>)", "assert <b>", "assert <b>, <s>", "st.remove(<i>)", "a = b9 if <b> else (b9 := 1)", "if <b>:\n    v6 = 1\na = v6", "v6 = 1\nif <b>:\n    del v6\na = v6", "a, b, *xs = <li>", "d.popitem()"),
)  # fmt: skip

FEATURES = {
    "functions": FUNCTIONS,
    "iterators": ITERATORS,
    "records": RECORDS,
    "dates": DATES,
    "text": TEXT,
    "displays": DISPLAYS,
}
