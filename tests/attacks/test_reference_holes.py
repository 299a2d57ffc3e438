"""Holes of the reference system of this kind, each by its mechanism: none of them is here."""

from __future__ import annotations

import pytest
from bench.home.world import Home, says
from tests.attacks.holes import GIVEN, SECRET, assert_steered, assert_written
from tests.language.world import SIGNATURES, World

from armslength.errors import LimitReached, ProgramFailed, ProgramRefused
from armslength.language import Limits, prepare, run
from armslength.values import unwrap

BOX = "class Box(BaseModel):\n    inner: str\n    more: list[str] = None\n\n\n"


@pytest.mark.parametrize(
    "program",
    [
        "x = Box(inner=text).inner",
        "x = Box(text)",
        "x = str(Box(inner=text))",
        "x = f'{Box(inner=text)!r}'",
        "x = [box.inner for box in [Box(inner=text)]][0]",
        "x = Box(inner='a', more=[text]).more[0]",
        "x = {'k': Box(inner=text)}['k'].inner.upper()",
        "box = Box(inner='a', more=[])\nbox.more.append(text)\nx = box.more",
        "box = Box(inner=text)\nx = box['inner']",
    ],
)
def test_boxing_in_a_class_keeps_the_label(program: str) -> None:
    """A field has the label of what was put in, however it is read or shown."""
    assert_written(BOX + program)


@pytest.mark.parametrize(
    "container", ["[text]", "(text,)", "{'k': text}", "{text: 'v'}", "{text}", "[['a'], (text, 1)]"]
)
@pytest.mark.parametrize(
    "shown", ["str({})", "f'{}'", "str([{}])", "str({}).upper()[1:]", "len(str({}))", "int(str(len(str({}))))"]
)
def test_a_container_shown_has_the_label_of_what_is_in_it(container: str, shown: str) -> None:
    """Text and length of a display with the mail's words in it are the mail's."""
    made = shown.format("{each}") if shown.startswith("f") else shown.format("each")
    assert_written(f"each = {container}\nx = {made}")


@pytest.mark.parametrize(
    "program",
    [
        "x = ''.join([text])",
        "x = ', '.join(('a', text))",
        "x = len(''.join([text]))",
        "x = sorted([text])[0]",
        "x = sorted((text, text))",
        "x = sorted({text: 1})",
        "x = min([text])",
        "x = max((text, text))",
        "x = min({text: 1})",
        "x = sum([number])",
        "x = sum({number: 1})",
        "x = list({'k': text}.values())",
        "x = len(text)",
        "x = len([c for c in text])",
    ],
)
def test_a_function_over_a_container_keeps_the_label_of_what_is_in_it(program: str) -> None:
    """join, sorted, min, max, sum and len give what is made of the elements their label."""
    assert_written(program)


@pytest.mark.parametrize(
    "program",
    [
        "x = sorted(['a', 'b', text])[0]",
        "x = sorted([(number, 'a'), (4, 'b')])[0][1]",
        "x = min(['a', 'b', text])",
        "x = min([(number, 'a'), (4, 'b')])[1]",
        "x = text in ['a', 'b']",
        "x = {'a': 1, 'b': 2}.get(text, 3)",
        "x = [text] == ['a']",
        "x = bool([c for c in text])",
        "x = any([text])",
        "x = ['a', 'b', 'c', 'd'][number]",
    ],
)
def test_what_elements_decide_is_steered_by_them(program: str) -> None:
    """A literal that was picked or ordered by the mail's words carries their steering."""
    assert_steered(program)


@pytest.mark.parametrize(
    "program",
    [
        "for part in text.split():\n    x = part",
        "for part in text.splitlines():\n    x = part",
        "for i, part in enumerate([text]):\n    x = part",
        "for a, b in zip(['a'], [text]):\n    x = b",
        "for key in {text: 1}:\n    x = key",
        "for key in {text: 1}.keys():\n    x = key",
        "for value in {'k': text}.values():\n    x = value",
        "for key, value in {'k': text}.items():\n    x = value",
        "for c in text:\n    x = c",
        "for c in text[::-1]:\n    x = c",
        "for part in sorted([text]):\n    x = part",
        "for part in list(set([text])):\n    x = part",
        "x = [part for part in text.split()]",
        "x = [b for _, b in zip(range(3), text.partition('i'))]",
        "x = {c: i for i, c in enumerate(text)}",
    ],
)
def test_a_loop_launders_no_element(program: str) -> None:
    """What a loop hands out is labelled as what it goes through, whatever stands between."""
    assert_written("x = ''\n" + program)


@pytest.mark.parametrize(
    "program",
    [
        "x = 0\nfor part in text.split():\n    x += 1",
        "x = 0\nfor i, part in enumerate(text.split()):\n    x = i",
        "x = 'a'\nfor a, b in zip(['b', 'c'], text):\n    x = a",
        "x = 0\nfor i in range(number):\n    x = i",
        "x = []\nfor c in text:\n    x.append('tick')",
        "x = {}\nfor c in text:\n    x['k'] = 'seen'",
        "x = len(list(zip(range(99), text)))",
    ],
)
def test_how_often_a_loop_runs_is_a_dependency(program: str) -> None:
    """The number of passes over the mail's words steers what the passes do."""
    assert_steered(program)


@pytest.mark.parametrize(
    "program",
    [
        "x = [y for y in ['a', 'b'] if y in text]",
        "x = len([1 for _ in [0] if text == 'never'])",
        "x = {y for y in ['a', 'b'] if y in text}",
        "x = {y: 1 for y in ['a', 'b'] if y in text}",
        "x = sum(1 for y in ['a', 'b'] if y in text)",
        "x = any(True for _ in [0] if 'zz' in text)",
        "x = ['a' for _ in [0] if number > 100 if True]",
        "x = ['a' if y in text else 'b' for y in ['a']]",
    ],
)
def test_the_if_of_a_comprehension_is_a_dependency(program: str) -> None:
    """Which elements passed the condition is told by the result, also when none did."""
    assert_steered(program)


@pytest.mark.parametrize(
    "program",
    [
        "x = 'safe'\nif 'never' in text:\n    x = 'other'",
        "x = 'safe'\nif 'nvoice' in text:\n    pass\nelse:\n    x = 'other'",
        "x = []\nif number > 100:\n    x.append('other')",
        "x = {'k': []}\ny = x['k']\nif number > 100:\n    y.append('other')",
        "x = 'safe'\nfor y in ['a', 'b']:\n    if y == text:\n        break\n    x = y",
        "x = 'safe'\nfor y in ['a', 'b']:\n    if y == text:\n        continue\n    x = y",
        "x = 'a' if text == 'never' else 'b'",
        "x = 'b'\nif text == 'never':\n    if True:\n        x = 'a'",
        "x = text == 'never' and 'a'",
        "x = 0\nif number > 100:\n    x += 1",
        "x = (number > 100 or 'a') and 'b'",
    ],
)
def test_a_branch_that_is_not_taken_tells_as_much(program: str) -> None:
    """What a branch would have assigned or changed is steered by the condition, although it never ran."""
    assert_steered(program)


STOPS = [
    "raise ValueError(f'wrong: {text}')",
    "raise ValueError(text)",
    "raise RuntimeError('wrong: ' + text)",
    "raise KeyError(str([text]))",
    "x = int(text)",
    "x = {}[text]",
    "x = [][len(text)]",
    "x = {1: text, 2: json.loads('1')}[int('1')].missing",
    "x = {'a': 1}[text.upper()]",
]


@pytest.mark.parametrize("program", STOPS)
def test_no_message_carries_words_to_the_planner(home: Home, program: str) -> None:
    """A program that fails on a mail's words stops there: the planner is asked no second time, and the message has none of them."""
    home.deliver(SECRET)
    result = home.ask([f"text = search_emails()[0].body.strip()\n{program}", "answer('again')"], says("x"))
    assert (result.outcome.ending, len(home.transcript())) == ("stopped", 1)
    told = f"{result.outcome.message}\n{home.told()}"
    assert "4711" not in told
    assert "code is" not in told


def test_a_failure_of_the_programs_own_is_told(home: Home) -> None:
    """Where nothing untrusted led to the failure the planner hears line and code, and writes again."""
    result = home.ask(["raise ValueError('mine')", "answer('again')"])
    assert (result.outcome.ending, result.text) == ("done", "again")
    assert "line 1: raised: the program stopped itself" in home.told()


@pytest.mark.parametrize("program", STOPS[:4])
def test_no_message_of_ours_carries_words(program: str) -> None:
    """The error itself holds no value: whoever logs it logs its code and its reason."""
    with pytest.raises(ProgramFailed) as failed:
        run(prepare(GIVEN + program, SIGNATURES), World())
    assert str(failed.value) == "line 4: raised: the program stopped itself"
    assert not failed.value.is_trusted


@pytest.mark.parametrize(
    "program",
    [
        "class A(BaseModel):\n    x: send('a', 'b')",
        "class A(BaseModel):\n    x: list[send('a', 'b')]",
        "class A(BaseModel):\n    x: Optional[search('x')[0].subject]",
        "class A(BaseModel):\n    x: (lambda: 1)()",
        "class A(BaseModel):\n    x: ().__class__",
        "class A(BaseModel):\n    x: '().__class__'",
        "x = quarantined('x', returns=send('a', 'b'))",
        "x = quarantined('x', returns=[send('a', 'b')])",
    ],
)
def test_a_type_is_read_and_never_evaluated(program: str) -> None:
    """Whatever stands where a type is wanted is compared with the types there are; no call in it is made."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(program, SIGNATURES)
    assert "this is no type" in str(refused.value)


def test_annotations_of_names_are_read_past() -> None:
    """An annotation beside an assignment is not evaluated either."""
    world = World()
    names = run(prepare("x: send('a', 'b') = 1", SIGNATURES), world)
    assert (unwrap(names["x"]), world.calls) == (1, [])


BOMBS = {
    "x = 0\nfor a in range(10_000):\n    for b in range(10_000):\n        x += 1": "steps",
    "x = [1]\nfor y in x:\n    x.append(y)": "steps",
    "x = 'a'\nfor _ in range(100):\n    x += x": "size",
    "x = [0] * 10**12": "size",
    "x = 10**10**10": "digits",
    "x = []\nfor _ in range(1_000):\n    x = [x]\ny = str(x)": "depth",
}


@pytest.mark.parametrize(("program", "limit"), BOMBS.items())
def test_everything_is_counted(program: str, limit: str) -> None:
    """Steps, memory, digits and depth run out with an error of ours, at a line."""
    with pytest.raises(LimitReached) as reached:
        run(prepare(program, SIGNATURES), World(), Limits(steps=20_000))
    assert reached.value.limit == limit
