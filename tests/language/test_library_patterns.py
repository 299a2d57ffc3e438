"""`re`: the same results as Python's, counted steps, exact labels, exact refusals."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.language.library_world import (
    CONSTANTS,
    called,
    data_of,
    machine_for,
    method_of,
    plain,
    value_of,
)

from armslength.errors import LimitReached, ProgramFailed
from armslength.language import Limits
from armslength.language.operations.elements import read_item
from armslength.language.operations.library import check_pattern
from armslength.language.operations.library.pattern_engine import Run
from armslength.language.operations.library.pattern_program import program_of
from armslength.language.operations.library.pattern_template import read_template
from armslength.values import MatchObject, unwrap

# The same as Python

PATTERNS = [
    (r"\d+", 0), (r"\b\d{4}-\d{2}-\d{2}\b", 0), (r"[\w.+-]+@[\w-]+\.[\w.-]+", 0), (r"\bÜbung\b", 0), (r"\w+", 0),
    (r"invoice\s*#?\s*(\d+)", re.IGNORECASE), (r"(?i)total:?\s*\$?([\d,]+\.\d{2})", 0), (r"(?<=[.!?])\s+", 0),
    (r"^\s*[-*]\s+(.*)$", re.MULTILINE), (r"(?m)^Subject: (.*)$", 0), (r"(\d+)\s*(€|\$|EUR)", 0), (r"\d+$", 0), (r"end$", 0),
    (r"(?s)<.*?>", 0), (r"https?://\S+", 0), (r"^\W+|\W+$", 0), (r"[^\W\d_]+", 0), (r"(\w+) \1", 0),
    (r"(?P<y>\d{4})-(?P<m>\d\d)", 0), (r"(?=.*\d)\w+", 0), (r"x*", 0), (r"|a", 0), (r"\s*,\s*", 0), (r"[A-ZÄÖÜ][a-zäöüß]+", 0),
    (r"\$\d+(?:\.\d{2})?", 0), (r"(?x) \d+ # digits", 0), (r"\Z", 0), (r"\Athe", 0), (r"(a*)*", 0), (r"(?:a|b)*?c", 0),
    (r"[\s\S]*?end", 0), (r"(\d+)?x", 0), (r"\bWort", 0), (r"", 0), (r"(?:(a)|b)*", 0), (r"(a|ab)(c|bcd)(d*)", 0),
    (r"(?!the)\b\w+", 0), (r"(?<!\d)\d{2}(?!\d)", 0), (r"(?P<q>['\"]).*?(?P=q)", 0), (r"(?i:THE) end", 0), (r"é", re.IGNORECASE | re.ASCII),
    (r"[^a]", re.ASCII), (r"\W", re.ASCII), (r".+", re.DOTALL), (r"a{,2}b{2,}c{3}", 0), (r"a{}", 0), (r"(?>a+)b", 0), (r"a++b", 0), (r"\B.", 0),
    (r"(ab|a)(bc)?$", 0), (r"((a)|(b))+", 0), (r"(?#note)a b", re.VERBOSE), (r"[]\]-]+", 0), (r"\x41|\u00e9|\101|\0", 0), (r"(.)\1{2}", re.IGNORECASE),
    (r"\bTHE\b.*\bend\b", re.IGNORECASE), (r"(?:\w+\s){2}", 0), (r"(?m)$", 0), (r"(?m)^", 0), (r"^$", re.MULTILINE), (r"(?-i:e)ND", re.IGNORECASE),
]  # fmt: skip
TEXTS = [
    "",
    "\n",
    "Übung macht den Meister. Müller, 12 Straße!\nthe end\n",
    "call 2026-11-30 or 2026-12-01 café, the café\n",
    "a@b.co, c.d+e@f-g.org\nSubject: Re: Hi\n- one\n* two 17\n",
    "invoice #4711 TOTAL: $1,234.50 12 € 5$\n",
    "٣٤ abc abc xaab   wide É é",
    'say "yes" or \'no\' <a href="x">AAa</a> https://example.com/?q=1',
    "aab abcd aabbccc a{} ab\x00]-",
]


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
def test_patterns_mean_what_they_mean_in_python(pattern: str, flags: int) -> None:
    """Every function gives what Python's gives, over texts with several lines and letters of several scripts."""
    flags = int(flags)
    for text in TEXTS:
        for name in ("search", "match", "fullmatch"):
            here, there = called(f"re.{name}", pattern, text, flags=flags), getattr(re, name)(pattern, text, flags)
            assert _shown(here) == (None if there is None else _spans(there))
        assert plain("re.findall", pattern, text, flags) == re.findall(pattern, text, flags)
        assert plain("re.split", pattern, text, 0, flags) == re.split(pattern, text, maxsplit=0, flags=flags)
        assert plain("re.split", pattern, text, maxsplit=2, flags=flags) == re.split(
            pattern, text, maxsplit=2, flags=flags
        )
        assert plain("re.sub", pattern, r"<\g<0>>", text, flags=flags) == re.sub(pattern, r"<\g<0>>", text, flags=flags)
        assert plain("re.subn", pattern, "-", text, 2, flags) == re.subn(pattern, "-", text, count=2, flags=flags)
        found = unwrap(called("re.finditer", pattern, text, flags))
        assert [_shown(match) for match in reversed(found.left)] == [
            _spans(match) for match in re.finditer(pattern, text, flags)
        ]


def _spans(match: re.Match[str]) -> list[tuple[int, int]]:
    return [match.span(number) for number in range(len(match.groups()) + 1)]


def _shown(value: Any) -> list[tuple[int, int]] | None:
    raw = unwrap(value)
    return list(raw.spans) if isinstance(raw, MatchObject) else raw


@pytest.mark.parametrize("args", [(), (0,), (1,), ("year",), ("year", 2), (0, 1, 2, 3)])
def test_groups_are_read_by_number_and_name(args: tuple[int | str, ...]) -> None:
    """`group` gives one text or a tuple of them."""
    pattern, text = r"(?P<year>\d{4})-(\d\d)(-\d\d)?", "on 2026-11"
    there = re.search(pattern, text)
    assert there is not None
    assert data_of(method_of(called("re.search", pattern, text), "group", *args)) == there.group(*args)


def test_everything_about_a_match_is_pythons() -> None:
    """Groups, names, places and items of a match with a group that took no part."""
    pattern, text = r"(?P<year>\d{4})-(?P<month>\d\d)(?P<day>-\d\d)?", "on 2026-11"
    here, there = called("re.search", pattern, text), re.search(pattern, text)
    assert there is not None
    assert data_of(method_of(here, "groups")) == there.groups()
    assert data_of(method_of(here, "groups", "?")) == there.groups("?")
    assert data_of(method_of(here, "groupdict")) == there.groupdict()
    assert data_of(method_of(here, "groupdict", default=1)) == there.groupdict(1)
    for group in (0, 1, 3, "month", "day"):
        assert data_of(method_of(here, "start", group)) == there.start(group)
        assert data_of(method_of(here, "end", group)) == there.end(group)
        assert data_of(method_of(here, "span", group)) == there.span(group)
        assert data_of(read_item(machine_for(), here, value_of(group))) == there[group]
    assert data_of(method_of(here, "span")) == there.span()


@pytest.mark.parametrize(
    "template", [r"\1", r"\2\1", r"\g<w>!", r"\g<1>0", r"a\nb\t\\", r"\.", r"\0x", r"\101", r"\07", "é", ""]
)
def test_replacements_are_pythons(template: str) -> None:
    """Numbers, names and escapes in a replacement; a group that took no part is an empty text."""
    pattern, text = r"(?P<w>\w)(\d)?", "a1 b c2"
    assert plain("re.sub", pattern, template, text) == re.sub(pattern, template, text)


@pytest.mark.parametrize("name", ["search", "match", "fullmatch", "findall", "split"])
def test_a_compiled_pattern_is_a_pattern(name: str) -> None:
    """What `re.compile` gives has the methods, and the functions take it."""
    pattern = called("re.compile", "A+", CONSTANTS["re.IGNORECASE"])
    assert data_of(method_of(pattern, name, "aab")) == data_of(called(f"re.{name}", "A+", "aab", flags=2))
    assert data_of(called(f"re.{name}", pattern, "aab")) == data_of(method_of(pattern, name, "aab"))
    assert data_of(method_of(pattern, "sub", "x", "aab")) == "xb"
    assert data_of(method_of(pattern, "subn", "x", "aab", count=1)) == ("xb", 1)
    assert [data_of(each) for each in unwrap(method_of(pattern, "finditer", "aba")).left] == [("match", ["a"])] * 2
    assert data_of(called("re.compile", pattern)) == data_of(pattern)
    assert data_of(pattern) == ("Pattern", {"pattern": "A+", "flags": 2})


@given(st.text(max_size=20))
def test_what_is_escaped_matches_itself(text: str) -> None:
    """`re.escape` is Python's, and the engine reads it back."""
    escaped = plain("re.escape", text)
    assert escaped == re.escape(text)
    assert _shown(called("re.fullmatch", escaped, text)) == [(0, len(text))]


def test_the_flags_are_pythons() -> None:
    """The constants are the numbers of Python's flags."""
    flags = {name: value for name, value in CONSTANTS.items() if name.startswith("re.")}
    assert flags == {name: int(getattr(re, name[3:])) for name in flags}
    assert len(flags) == 13


# Any pattern, against Python's

_CLASSES = [
    "[ab]",
    "[^a]",
    "[a-c]",
    r"\w",
    r"\d",
    r"\s",
    r"\W",
    r"[\w-]",
    r"[^\W\d]",
    ".",
    "[]a]",
    "[^]a]",
    "[a-]",
    "[é-ü]",
    r"\S",
    "[A-Z]",
]
_LITERALS = ["a", "b", "c", "ab", "é", "1", " ", r"\n", "_", r"\.", "A", r"\x61", r"\141", "{}"]
_EDGES = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
_COUNTS = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "{0}", "*?", "+?", "??", "{1,2}?", "{2,}?", "{,}"]
_FLAGS = ["", "", "", "(?i)", "(?m)", "(?s)", "(?x)", "(?im)", "(?a)"]
_single = st.sampled_from([*_CLASSES, *_LITERALS])


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    grouped = st.tuples(st.sampled_from(["(", "(?:", "(?P<n>", "(?i:", "(?s-i:"]), inner).map(
        lambda p: f"{p[0]}{p[1]})"
    )
    looking = st.tuples(st.sampled_from(["(?=", "(?!", "(?<=", "(?<!"]), inner).map(lambda p: f"{p[0]}{p[1]})")
    repeated = st.tuples(st.one_of(_single, grouped), st.sampled_from(_COUNTS)).map("".join)
    possessive = st.tuples(_single, st.sampled_from(["*+", "++", "?+"])).map("".join)
    return st.one_of(
        grouped,
        looking,
        repeated,
        possessive,
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map("|".join),
    )


_patterns = st.tuples(
    st.sampled_from(_FLAGS),
    st.recursive(st.one_of(_single, st.sampled_from([*_EDGES, "", r"\1", r"\2", "(?P=n)"])), _deeper, max_leaves=8),
).map("".join)


@settings(max_examples=400, deadline=None)
@given(_patterns, st.text("aabbcAB1 \n_é", max_size=8))
def test_any_pattern_is_refused_or_matches_as_in_python(pattern: str, text: str) -> None:
    """What Python takes is taken, with the same spans of every group in every match; what it refuses is refused."""
    program = program_of(pattern, 0)
    try:
        there = re.compile(pattern)
        expected = [_spans(match) for match in there.finditer(text)]
    except re.error:
        assert isinstance(program, str)
        return
    except SystemError:  # a defect of Python's own: "The span of capturing group is wrong"
        assume(False)
        return
    assert not isinstance(program, str)
    assert [list(spans) for spans in Run(program, text, lambda _: None).all()] == expected
    assert dict(program.names) == dict(there.groupindex)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@settings(max_examples=300, deadline=None)
@given(st.text("ab01[]()(){}?*+|^$.\\-:=!<>PnuUxsdw,#iaL é\n", max_size=14), st.sampled_from([0, 2, 8, 16, 64, 256]))
def test_any_text_as_a_pattern_is_refused_or_read(pattern: str, flags: int) -> None:
    """No text of signs does anything else; but for what the language leaves out, Python takes what is taken and nothing more."""
    here = program_of(pattern, flags)
    try:
        re.compile(pattern, flags)
        is_python = True
    except (re.error, OverflowError, ValueError):
        is_python = False
    left_out = ("condition (?(", r"\N", "means nothing", "FLAGS")
    assert isinstance(here, str) != is_python or (isinstance(here, str) and any(word in here for word in left_out))


@given(st.text("ab01289\\g<>nxw{}", max_size=10))
def test_any_replacement_is_refused_or_read_as_in_python(template: str) -> None:
    """A replacement fails where Python's fails, and gives what it gives elsewhere."""
    pattern, text = r"(a)(?P<w>b)?", "ab-a"
    try:
        expected = re.sub(pattern, template, text)
    except (re.error, IndexError):
        assert isinstance(read_template(template, 2, {"w": 2}), str)
    else:
        assert plain("re.sub", pattern, template, text) == expected


# What is refused

REFUSALS = [
    ("(", "a group ( has no end"),
    (")", "a bracket ) has no ( before it"),
    ("[a", "a class [ has no end"),
    ("*a", "there is nothing to repeat"),
    ("^*", "there is nothing to repeat"),
    ("a**", "a repetition is repeated"),
    ("a{2,1}", "the most of a repetition is less than its least"),
    ("a{99999999999}", "a repetition has too high a number"),
    ("[b-a]", "a range within [ ] has a wrong order"),
    ("\\", "the pattern ends with a backslash"),
    (r"\q", "a letter that means nothing stands after a backslash"),
    (r"[\9]", "a digit that means nothing stands after a backslash"),
    (r"\x1", r"\x needs 2 hexadecimal digits of a character"),
    (r"\777", r"an octal number goes up to \377"),
    (r"\N{DIGIT ONE}", r"\N is not part of the language; use \u with the character's number"),
    (r"\1", "a group is mentioned that is not there"),
    (r"(a\1)", "a group is mentioned before it ends"),
    (r"(?P=x)", "a group is mentioned that is not there"),
    (r"(?P<1>a)", "the name of a group is one word, and each has its own"),
    (r"(?P<a", "a name has no end"),
    (r"(?<n>a)", "a named group is written (?P<name>...)"),
    (r"(?<=a*)b", "what a look-behind (?<= takes must have one length"),
    (r"(?<=(a)\1)b", "a group is mentioned within the look-behind that it stands in"),
    (r"(a)(?(1)b|c)", "a condition (?( is not part of the language; write both cases with |"),
    (r"(?#a", "a comment (?# has no end"),
    (r"a(?i)", "flags (?...) stand at the start of the pattern"),
    (r"(?L)a", "what stands after (? means nothing"),
    (r"(?au)a", "what stands after (? means nothing"),
    ("(" * 31 + ")" * 31, "groups are nested more than 30 deep"),
    ("a" * 5_001, "a pattern has at most 5,000 characters"),
]


@pytest.mark.parametrize(("pattern", "reason"), REFUSALS)
def test_a_pattern_is_refused_with_its_reason(pattern: str, reason: str) -> None:
    """Before the run by `check_pattern`, and while running as a failure of the program."""
    assert check_pattern(pattern) == reason
    with pytest.raises(ProgramFailed) as failed:
        called("re.search", pattern, "")
    assert (failed.value.code, failed.value.reason) == ("pattern", reason)


def test_flags_decide_what_a_pattern_is() -> None:
    """A comment of a verbose pattern may hold anything; where flags are not known, either reading will do."""
    assert check_pattern("a # (", re.VERBOSE) is None
    assert check_pattern("a # (") == "a group ( has no end"
    assert check_pattern("a # (", None) is None
    assert check_pattern("(", None) == "a group ( has no end"
    assert check_pattern("a", 4) == "the flags are IGNORECASE, MULTILINE, DOTALL, VERBOSE, ASCII and UNICODE"


def test_a_pattern_of_the_language_has_no_reason_against_it() -> None:
    """What can run is not refused before."""
    assert [check_pattern(pattern) for pattern, _ in PATTERNS] == [None] * len(PATTERNS)


@pytest.mark.parametrize(
    ("path", "args", "code", "reason"),
    [
        ("re.search", ("a", 1), "type", "the arguments do not fit search"),
        ("re.search", (1, "a"), "type", "the arguments do not fit search"),
        ("re.search", ("a",), "type", "the arguments do not fit search"),
        ("re.search", ("a", "a", "i"), "type", "the arguments do not fit search"),
        (
            "re.search",
            ("a", "a", 4),
            "pattern",
            "the flags are IGNORECASE, MULTILINE, DOTALL, VERBOSE, ASCII and UNICODE",
        ),
        ("re.search", ("a", "a", 256 | 32), "pattern", "ASCII and UNICODE exclude each other"),
        ("re.sub", ("a", r"\1", "a"), "pattern", "a group is mentioned that is not there"),
        ("re.sub", ("a", r"\q", "a"), "pattern", "a letter that means nothing stands after a backslash"),
        ("re.sub", ("a", 1, "a"), "type", "the arguments do not fit sub"),
        ("re.compile", ("a", "i"), "type", "the arguments do not fit compile"),
        ("re.escape", (1,), "type", "the arguments do not fit escape"),
    ],
)
def test_a_call_fails_with_its_reason(path: str, args: tuple[Any, ...], code: str, reason: str) -> None:
    """Arguments of another kind, flags that are not there, replacements that mention nothing."""
    with pytest.raises(ProgramFailed) as failed:
        called(path, *args)
    assert (failed.value.code, failed.value.reason) == (code, reason)


def test_flags_go_with_the_pattern_and_not_with_a_compiled_one() -> None:
    """As in Python."""
    with pytest.raises(ProgramFailed) as failed:
        called("re.search", called("re.compile", "a"), "a", 2)
    assert (failed.value.code, failed.value.reason) == ("value", "a compiled pattern has its flags already")


@pytest.mark.parametrize("key", [4, -1, "nobody", None, 1.0])
def test_a_group_that_is_not_there_fails(key: Any) -> None:
    """By number, by name, by anything else."""
    match = called("re.search", r"(a)(?P<w>b)?(c)?", "a")
    expected = (("index", "the pattern has no such group"),)
    with pytest.raises(ProgramFailed) as failed:
        method_of(match, "group", key)
    assert ((failed.value.code, failed.value.reason),) == expected
    with pytest.raises(ProgramFailed) as failed:
        read_item(machine_for(), match, value_of(key))
    assert ((failed.value.code, failed.value.reason),) == expected


# Counted

EXPLOSIONS = [
    (r"(a+)+$", "a" * 40 + "b"),
    (r"(?:a|a)*$", "a" * 40 + "b"),
    (r"(.*)(.*)(.*)(.*)x", "a" * 2_000),
    (r"((a?){30})*c", "a" * 100),
    (r"(x+x+)+y", "x" * 100),
    (r"(?:){4000000000}", ""),
    (r"(?s)a.*b|a", "a" * 200_000),
    (r"(?=(a+))+?\1*b", "a" * 20_000),
    (r"(?<!a{50})(?:a?){50}b", "a" * 5_000),
    (r"(?:ab|b|a)*?c", "ab" * 1_000_000),
]


@pytest.mark.parametrize(("pattern", "text"), EXPLOSIONS)
def test_a_pattern_that_explodes_ends_with_the_limit(pattern: str, text: str) -> None:
    """Time and memory are counted: what Python's `re` would search for years, or fill memory with, ends with `size`."""
    machine = machine_for(Limits(size=3_000_000))
    with pytest.raises(LimitReached) as reached:
        called("re.findall", pattern, text, machine=machine)
    assert reached.value.limit == "size"


def test_a_pattern_costs_the_same_whenever_it_is_used() -> None:
    """Programs of patterns are kept, and that changes no count."""
    spent = []
    for _ in range(2):
        machine = machine_for()
        called("re.findall", r"[\u0400-\u04ff]+\s(\w+)", "a b c " * 50, machine=machine)
        spent.append(Limits().size - machine.size_left)
    assert spent[0] == spent[1] > 500


@pytest.mark.parametrize(
    ("pattern", "text", "most"),
    [(r"\d+", "no digits here. " * 600, 5_000), (r"\b\d{4}-\d\d-\d\d\b", "on 2026-11-30. " * 600, 100_000)],
)
def test_an_ordinary_search_costs_little(pattern: str, text: str, most: int) -> None:
    """Ten thousand characters cost a small part of the twenty million that a program has."""
    machine = machine_for()
    called("re.findall", pattern, text, machine=machine)
    assert Limits().size - machine.size_left < most
