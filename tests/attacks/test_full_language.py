"""Programs of the full language that told by how many arguments there were, what a method called, or which alternative matched."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.home.world import Home
from tests.laws.checks import check
from tests.laws.world import SIGNATURES, Inputs, World

from armslength.errors import LimitReached
from armslength.labels import LITERAL, NOTHING
from armslength.language import prepare, run
from armslength.values import TupleObject, key_of, make

STARRED = """
picked = flag(0)
given = []
if picked:
    try:
        given.append({given})
    except Exception:
        pass
{use}
send('hello')
"""


@pytest.mark.parametrize("is_pending", [False, True], ids=["at once", "pending"])
@pytest.mark.parametrize(
    ("given", "use"),
    [
        ("'a'", "'x'.join(*given)"),
        ("0", "len('a', *given)"),
        ("0", "next(iter([]), *given)"),
        ("0", "{}.pop('k', *given)"),
        ("1", "datetime.date(2024, 1, *given)"),
        ("1", "'{} {}'.format('a', *given)"),
        ("1", "measure = len\nmeasure('a', *given)"),
        ("1", "keep = [1].append\nkeep(*given)"),
        ("0", "names = ['a', 'b', 'c']\nnames.pop(*given)"),
        ("0", "names = ['a', 'b', 'c']\nlist.pop(names, *given)"),
        ("'v'", "known = {}\nknown.setdefault('k', *given)"),
        ("[1]", "members = {2}\nmembers.update(*given)"),
        ("[1]", "rest = iter([1, 2])\nrows = zip(rest, *given)\nlast = next(rest, 'none')"),
    ],
)
def test_how_many_arguments_a_star_gives_steers_the_call(given: str, use: str, *, is_pending: bool) -> None:
    """Whether they fit, and what changes for them: neither the planner, nor a receiver, nor a label says less than that."""
    broken = check(STARRED.format(given=given, use=use), is_pending=is_pending).broken
    assert not broken, broken[0]


PASTED = """
text = read_pasted_text()
parts = []
if text == 'attack':
    try:
        parts.append('a')
    except Exception:
        pass
answer('x'.join(*parts))
"""


def test_the_planner_hears_nothing_of_how_many_arguments_a_text_gave(tmp_path: Path) -> None:
    """The call fails by the number of its arguments, which a pasted text decided: no second program is asked for."""
    told = []
    for text in ("attack", "harmless"):
        home = Home(tmp_path / text)
        home.ask([PASTED, "answer('again')"], pasted=text)
        told.append([(request.system, request.turns) for request in home.transcript()])
    assert told[0] == told[1]
    assert len(told[0]) == 1


@pytest.mark.parametrize("call", ["re.compile('a').sub(refuse, 'a')", "re.subn('a', refuse, 'a')"])
def test_what_a_pattern_calls_may_be_refused(call: str) -> None:
    """A refusal stops the run past every handler, so what goes out afterwards carries what let the call be."""
    program = (
        "def refuse(found):\n    barred(0)\n    return ''\npicked = flag(0)\n"
        f"try:\n    if picked:\n        {call}\nexcept Exception:\n    pass\nsend('hello')\n"
    )
    assert not check(program).broken


@pytest.mark.parametrize(
    ("subject", "patterns"),
    [
        ("(num(0), 'a', 'b', 'c')", "(0, x, _, _) | (1, _, x, _) | (2, _, _, x)"),
        ("{'n': num(0), 'a': 'p', 'b': 'q'}", "{'n': 0, 'a': x} | {'n': 1, 'b': x} | {'n': 2, **x}"),
    ],
)
def test_which_alternative_of_a_pattern_matched_is_counted(subject: str, patterns: str) -> None:
    """Three literals that one pattern captures are not told by one bit."""
    assert not check(f"match {subject}:\n    case {patterns}:\n        pass\n    case _:\n        x = 'none'\n").broken


def test_whether_a_result_was_looked_at_already_tells_nothing() -> None:
    """What is put into a list counts alike, whether a branch has waited for it or it is still to come."""
    program = "x = num(0)\npicked = flag(1)\nif picked:\n    y = x == 1\nkept = []\nkept.append(x)\nsend('hello')\n"
    assert not check(program, is_pending=True).broken


def test_a_number_of_any_base_has_its_digits_counted() -> None:
    """`int(text, 0)` reads hexadecimal, which has more decimal digits than letters."""
    program = "x = int('0x' + 'f' * 3990, 0)\ny = str(x)\n"
    with pytest.raises(LimitReached, match="digits"):
        run(prepare(program, SIGNATURES), World(Inputs((0, 0, 0), (0, 0))))


def test_keys_that_python_takes_for_alike_are_kept_apart() -> None:
    """Numbers that differ by a multiple of 2**61 - 1 met in a dict, which compared each with all others; in tuples too."""
    alike = [make(number * (2**61 - 1), LITERAL) for number in range(1, 3_000)]
    within = [make(TupleObject([each, make(1, LITERAL)], NOTHING), NOTHING) for each in alike]
    for keys in (alike, within):
        assert len({hash(key_of(each)) for each in keys}) == len(keys)
