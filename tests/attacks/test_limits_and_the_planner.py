"""Limits tell nothing: a program that data of others may stop by its size is not told for free what else went wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.home.world import Home, Person

from armslength.app.talk import Talk

AGAIN = 'answer("again")\n'
DOUBLED = "t = read_pasted_text()\nfor i in range(18):\n    t = f'{t}{t}'\n"


def prompts(path: Path, programs: list[str], pasted: list[str | None], *, bits: int = 0) -> list[tuple[str, ...]]:
    """What the planner is shown in a conversation of one request for each of these texts."""
    home = Home(path)
    talk = Talk(home.assistant(programs, lambda _request: '{"answer": "x"}'), bits=bits)
    for number, text in enumerate(pasted):
        talk.ask(f"request {number}", pasted=text, approver=Person())
    return [tuple(turn.text for turn in request.turns) for request in home.planner.requests]


@pytest.mark.parametrize(
    ("programs", "later"),
    [
        ([f"{DOUBLED}x = [].pop()\n", AGAIN, AGAIN], []),
        ([f"{DOUBLED}y = 1\n", "answer(y)\nz = [].pop()\n", AGAIN, AGAIN], [None]),
    ],
    ids=["in the same program", "in the next one, which reads what the first left"],
)
def test_a_trusted_mistake_after_a_limit_is_not_told_for_free(
    tmp_path: Path, programs: list[str], later: list[str | None]
) -> None:
    """Whether the limit came first depends on how long the text is."""
    short = prompts(tmp_path / "a", list(programs), ["a", *later])
    long = prompts(tmp_path / "b", list(programs), ["a" * 200, *later])
    assert short == long


def test_a_trusted_mistake_among_trusted_words_is_told(tmp_path: Path) -> None:
    """Nothing of others is in the program: it is asked for anew."""
    shown = prompts(tmp_path, ["x = [1]\ny = x.index(2)\n", AGAIN], [None])
    assert len(shown) == 2
    assert "index found nothing" in shown[1][-1]
