"""The words of random programs: what stands for each kind of value, as patterns (`patterns.py`)."""

from __future__ import annotations

from tests.laws.patterns import Maker, by, comprehended, makers

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
TOOLS = {
    "i": ["num(0)", "num(1)", "num(2)", "web_num(1)", "secret()", "shared()", "hidden(0)", "hidden(1)"],
    "s": ["word(0)", "word(1)", "word(2)", "secret_word()"],
    "b": ["flag(0)", "flag(1)", "flag(2)"],
    "li": ["list(nums(0))", "list(nums(1))", "list(counted(0))", "list(counted(1))", "list(secrets())"],
    "lm": ["mails(0)", "mails(1)", "letters(0)", "letters(1)"],
}
LEAVES = {
    "i": ["0", "1", "2", "3", "-1", "10", *TOOLS["i"][:5]],
    "s": ['"a"', '"ab"', '"b a"', '""', '"2"', '"x,y"', *TOOLS["s"]],
    "b": ["True", "False", *TOOLS["b"]],
    "f": ["0.5", "1.0", "2.25"],
    "li": ["[1, 2]", "[3]", "[1, 2, 3]", *TOOLS["li"]],
    "ls": ['["a", "b"]', '["b", "a", "ab"]'],
    "lm": [*TOOLS["lm"]],
    "di": ['{"a": 1, "b": 2}'],
    "tp": ["(1, 2)"],
    "st": ["{1, 2}"],
    "o": ["None", "1"],
}
STARTS = {
    "i": ["0", "1", "2", *TOOLS["i"]],
    "s": ['"a"', '"ab c"', '"b"', *TOOLS["s"]],
    "b": ["True", "False", *TOOLS["b"], 'quarantined("is it?", num(1), returns=bool)'],
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
MENU = "quarantined(<s!>, <i>, returns=Literal[0, 1, 2])"
WORD_MENU = 'quarantined("which", <s>, returns=Literal["a", "b", "ab"])'


MAKERS: dict[str, list[Maker]] = {
    "i": [
        *makers(
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
        by(MENU), by(MENU), by("quarantined('how many?', <s>, <i>, returns=int)"),
        comprehended("sum(", "<i>", ")"), comprehended("len([", "<i>", "])"), comprehended("max([", "<i>", "] + [0])"),
        comprehended("sum(", "1", ")"),
    ],
    "s": [
        *makers(
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
        by(WORD_MENU), by(WORD_MENU), by("quarantined('say', <s>, returns=str)"), by("quarantined(<s>, <m>)"),
        comprehended('"".join(', "<s>", ")"), comprehended('"-".join([', "str(<i>)", "])"),
    ],
    "b": [
        *makers(
            "<i> == <i>", "<i> != <i>", "<i> < <i>", "<i> <= <i!>", "<i> > <i>", "<i> >= <i!>", "<i> < <i!> <= <i!>", "<s> == <s>", "<s> in <s>",
            "<s> not in <ls>", "<i> in <li>", "<i> in <st>", "<i> not in <di>", "<s> in <di>", "<li> in <g>", "not <b>", "not <li>",
            "<o> is None", "<o> is not None", "bool(<li>)", "bool(<i>)", "any(<li>)", "all(<li>)", "<s>.startswith(<s>)",
            '<s>.endswith(("a", <s!>))', "<s>.isdigit()", "<s>.isalpha()", "<s>.isupper()", "<s>.islower()", "<s>.isalnum()",
            "<s>.isspace()", "<s>.istitle()", "<s>.isdecimal()", "<s>.isnumeric()", "<s>.isidentifier()", "isinstance(<o>, int)",
            "isinstance(<i>, (int, str))", "<li> == <li>", "<li> < <li>", "<tp> == <tp>", "<tp> < <tp>", "<st> == <st>", "<di> == <di>",
            "<p> == <p>", "<m>.is_unread", '<m>.id == "m1"', "<g> == <g>", "xs is ys", "<g!>[0] is xs", "<i> is <i>", "bool(<s>)",
        ),
        by('quarantined("is it?", <s>, returns=bool)'), by("quarantined('so?', <i>, <li!>, returns=bool)"),
        comprehended("any(", "<b>", ")"), comprehended("all(", "<b>", ")"), comprehended("any([", "<i>", "])"),
    ],
    "f": makers("<i> / 2", "float(<i>)", "<f> + <i>", "<f> * 2", "abs(<f>)", "<i!> / (1 + <i!> ** 2)", "round(<f>, 1)", "float(str(<f>))"),
    "li": [
        *makers(
            "[<i>, <i>]", "[<i>]", "list(<li>)", "(<li> + <li!>)", "<li>[:<i>]", "<li>[<i!>:]", "<li>[::-1]", "<li>[::<i!> % 2 + 1]", "sorted(<li>)",
            "sorted(<li>, reverse=<b>)", "list(range(<i> % 4))", "list(range(0, <i!> % 3, <i!> % 2 + 1))", "(<li!> * (<i> % 3))", "<li>.copy()",
            "list(<st>)", "sorted(<st>)", "list(<tp>)", "list(<di>.values())", "(<g> + [[8]])[<i> % 2 - 1]", "(<g> + [[8]])[0]", "(<g> + [[8]])[-1]", "<e>.get(<i>, <li!>)",
            "<e!>.get(<i>, [])", "{0: xs, 1: ys, 2: [5]}[<i> % 3]", "[xs, ys, [6]][<i> % 3]", "max(<g>, default=<li!>)", "min(<li>, <li!>)",
            "<e>.setdefault(<i>, [4])", "<e!>.setdefault(<i!>, <li!>)", "sum(<g>, <li!>)", "sum(<g>, [])", "(<g>[:<i>] + [[7]])[0]", "(<g>[<i>:] + [xs])[0]",
            "([w0 for w0 in <g> if <b>] + [ys])[0]", "([[3]] * (<i> % 2) + [ys])[0]", "sorted(<g> + [xs])[0]", "(list(<e>.values()) + [xs])[0]",
        ),
        by("quarantined('list', <s>, returns=list[int])"),
        comprehended("[", "<i>", "]"), comprehended("[", "<i>", "]"), comprehended("list(", "<i>", ")"), comprehended("sorted(", "<i>", ")"),
    ],
    "ls": [
        *makers(
            "[<s>, <s!>]", "<s>.split()", '<s>.split("a")', "<s>.split(<s!> or None)", '<s>.rsplit(" ", 1)', "<s>.splitlines()", "list(<s>)", "list(<di>)",
            "<di>.keys()", "sorted(<di>)", "sorted(<ls>)", "<ls>[:<i!>]", "(<ls> + <ls!>)", '["x"] + (<p>.tags or [])',
            'list(<s>.partition("a"))', "<ls>[::-1]",
        ),
        by("quarantined('names', <s>, returns=list[str])"), by("quarantined('kinds', <s>, returns=list[Literal['a', 'b']])"),
        comprehended("[", "<s>", "]"), comprehended("sorted(", "<s>", ")"),
    ],
    "g": [
        *makers("[<li>, <li!>]", "[xs, ys]", "[xs, <li>]", "<g>[:<i> + 1]", "(<g> + [<li!>])", "list(<e>.values())", "list(<g>)", "<g>[::-1]", "sorted(<g>)",
                 "(<g!> * (<i> % 2 + 1))", "[w1 for w1, w2 in zip(<g>, <li>)]", "<g>.copy()", "[xs, ys, <li!>][<i!> % 3:]"),
        comprehended("[", "<li>", "]"), comprehended("[", "[<i>, 1]", "]"),
    ],
    "di": [
        *makers("{<s>: <i>, <s!>: <i!>}", '{"a": <i>, <s>: 2}', "dict(<di>)", "<di>.copy()", "dict(zip(<ls>, <li>))", "dict(a=<i>, b=<i!>)", "dict([[<s>, <i>]])",
                 "{str(n2): n3 for n2, n3 in enumerate(<li>)}"),
        comprehended("{", "<s>: <i>", "}"), comprehended("{", "<s!>: <i>", "}"),
    ],
    "e": [
        *makers("{<i>: <li>, <i!>: <li!>}", "{0: xs, <i>: ys}", "dict(zip(<li>, <g>))", "dict(enumerate(<g>))", "<e>.copy()", "dict(<e>)"),
        comprehended("{", "<i>: <li>", "}"),
    ],
    "tp": makers("(<i>, <i>)", "(<i>, <i!>)", "(<tp>[1], <tp!>[0])", "(<i> % 2, <i!>)", "tuple([<i>, <i!>])", "(<tp> + <tp!>)[1:3]", "min(<tp>, <tp!>)"),
    "st": [*makers("{<i>, <i!>}", "set(<li>)", "{1, <i>}", "set(<tp>)", "set()"), comprehended("{", "<i>", "}")],
    "m": makers("(<lm> + [m])[0]", "(<lm> + [m])[<i> % 2]", "(<lm> + mails(0))[-1]", "[m, ms[0] if ms else m][<i> % 2]"),
    "lm": [*makers("list(<lm>)", "<lm>[:<i>]", "(<lm> + <lm!>)[:4]", "[m]", "mails(<i!> % 3)", "letters(<i!> % 3)"),
           by("[w3 for w3 in <lm> if w3.is_unread]"), by("[w3 for w3 in <lm> if <b>]"), by("[w3 for w3 in <lm> if w3.body == <s!>]")],
    "p": [*makers("Part(<s>, <i>)", "Part(name=<s>, n=<i!>, tags=<ls!>)", "Part(<s!>, tags=[<s>])", "[r, Part('k', 3, [])][<i> % 2]"),
          by("quarantined('part', <s>, returns=Part)")],
    "o": [*makers("None", "<i>", "<di>.get(<s>)", "{0: 1}.get(<i>)"), by("quarantined('maybe', <s>, returns=Optional[int])")],
}  # fmt: skip

AUGMENTED = makers(
    "a += <i>", "b -= <i>", "c *= (<i> % 2)", "a //= 2", "b %= 3", "p += <s!>", "q = q + <s>", "xs = xs + [<i>]", "h /= 2", "h = h + <i>", "ys += <li!>", "ws += [<s>]",
    "c **= 2", "g += [<li!>]", "xs += [<i>]",
    "b += <i> * 2", 'd = {"a": 1}; d["a"] += <i>',
)  # fmt: skip
CHANGES = makers(
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
ANSWERS = makers(
    'answer(f"a {<i!>} b {p}")', "answer(<s>)", 'answer("x" + <s>)', "answer(<li>, <i!>)", "print(<s>)", 'answer("n", <i>)', "answer(<p>)",
)  # fmt: skip
RISKY = makers(
    "a = xs[<i>]", "a = int(<s>)", "a = 6 // <i>", "a, b = xs", "d[<s>]", 'd["zz"]', "g[<i>][0] = 1", "a = <s> + (<i> if <b> else <s>)", "a = <o> + 1", "p = ws[<i>]", "a = min(<li>)", "xs.append(1)",
    "q = (m if <b> else None).body", "a = <s!>.index(<s!>)", "a = [1, 2].index(<i>)", "a = <o>[0]", "h = float(<s>)", "(m if <b> else xs).append(1)", "a = g[0][<i>]", "sorted([<i>, <o>])", "a = sum([<i>, <o>])", "a = (-<s> if <b> else 1)",
    'f"{p:d}"', "b = xs.pop(<i>)", "raise ValueError(<s>)", "d[<li>] = 1", "quarantined(<o>, 1)", "b = d.pop(<s>)", "for v9, v8 in <g>:\n    pass", "a = (ms[0].id if <b> else 1) + 1", "a = <tp>[<i>]",
    "for n8 in <li>:\n    pass\na = n8",
)  # fmt: skip
