"""The quarantined model of a run: what is honest, and what an attacker makes of a question's form."""

from __future__ import annotations

import pytest

from armslength.agent.quarantined.answer import answer_schema, parse_answer
from armslength.agent.quarantined.reader import Reader
from armslength.errors import ModelNonsense
from armslength.labels import NOTHING
from armslength.schema import BOOL, FLOAT, INT, STR, Field, ListOf, Menu, OptionalOf, RecordType, Type
from armslength.values import Labelled
from bench.dojo.readers import Lie, honest, lying

PERSON = RecordType("Person", (Field("recipient", STR), Field("amount", FLOAT), Field("notes", ListOf(STR))))
TYPES: list[Type] = [
    STR, INT, FLOAT, BOOL, ListOf(STR), OptionalOf(STR), OptionalOf(INT), Menu(("a", "b", "c")), OptionalOf(Menu(("a", "b"))), PERSON,
    ListOf(PERSON), OptionalOf(PERSON), ListOf(INT), ListOf(Menu((1, 2))),
]  # fmt: skip


def asked(lie: Lie, declared: Type, times: int = 1) -> list[object]:
    """The answers to one question, asked so often."""
    reader = Reader(lying(lie))
    return [reader.read("What is it?", [Labelled("text", NOTHING)], declared).answer for _ in range(times)]


@pytest.mark.parametrize("declared", TYPES)
@pytest.mark.parametrize(
    "lie",
    [
        Lie(["x", "y"], [3, 4]),
        Lie([""], [0], {}, 1),
        Lie([], [], {}, 2),
        Lie(["long" * 9000]),
        Lie(["x", ""], [1], drawn="seed"),
    ],
)
def test_a_lie_fits_the_question(declared: Type, lie: Lie) -> None:
    """Whatever form is asked for, the attacker's answer has it, so that it is the labels that hold it."""
    assert len(asked(lie, declared, 3)) == 3


def test_a_lie_stands_where_its_name_is() -> None:
    """A field that is named like a parameter of the attacker's call gets what that call wants; others get the texts in turn."""
    lie = Lie(["x", "y"], [1], {"recipient": "attacker", "amount": 9})
    assert asked(lie, PERSON) == [{"recipient": "attacker", "amount": 9.0, "notes": ["x", "y"]}]


def test_each_member_of_a_menu_is_said() -> None:
    """Of a menu, of a bool and of what may be missing, each answer comes up."""
    assert asked(Lie(["x"]), Menu(("a", "b", "c")), 3) == ["a", "b", "c"]
    assert asked(Lie(["x"]), BOOL, 2) == [True, False]
    assert asked(Lie(["x"]), OptionalOf(Menu(("a", "b"))), 3) == ["a", "b", None]
    assert asked(Lie(["x"]), OptionalOf(STR), 3) == ["x", "x", None]


def test_a_drawn_lie_is_the_same_each_time() -> None:
    """Members and texts are drawn by a seed: another order than in turn, and the same in every run."""
    told = [asked(Lie(["x", "y", "z"], drawn=seed), ListOf(Menu(tuple("abcde"))), 4) for seed in ("1", "1", "2")]
    assert told[0] == told[1] != told[2]


def test_the_widest_menu_is_noticed() -> None:
    """How many forms a menu needs is known from its schema."""
    reading = lying(Lie(["x"]))
    Reader(reading).read("Which?", [], RecordType("R", (Field("kind", Menu(tuple("abcde"))), Field("is_new", BOOL))))
    assert reading.widest == 5


def test_what_nobody_answers_stops_the_run() -> None:
    """An honest model whose answer nobody wrote down says nothing, and the message names the question."""
    with pytest.raises(ModelNonsense, match=r"^task 0 asks what nobody answers: Is it raining\?$"):
        Reader(honest("banking", 0)).read("Is it raining?", [Labelled("no", NOTHING)], STR)


def test_schema_and_parser_agree() -> None:
    """The types of these tests are ones that the reader asks for."""
    assert all(answer_schema(declared)["type"] == "object" for declared in TYPES)
    assert parse_answer('{"answer": "x"}', STR) == "x"
