"""A conversation told to the planner: whatever stands in the mail, its transcript is the same, but for bits that were paid."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.home.world import Home, Person

from armslength.app.talk import Talk
from armslength.testing import ScriptedModel

FIRST = (
    "mails = search_emails('')\nkind = quarantined('What is it?', mails[0].body, returns=Literal['invoice', 'other'])\n"
)
SECOND = "if kind == 'invoice':\n    answer('pay it')\nelse:\n    answer('nothing')\n"
BRANCHED = "mails = search_emails('')\nif len(mails) > 1:\n    more = mails[1].subject\nn = 1\n"
FAILING = "mails = search_emails('')\nnumber = int(mails[0].body)\n"


def talked(
    path: Path,
    programs: list[str],
    *,
    bodies: list[str],
    kind: str = "other",
    bits: int = 8,
    is_strict: bool = False,
    asks: int = 0,
) -> ScriptedModel:
    """The planner of a conversation of so many requests (one for each program), over a mailbox with these bodies."""
    home = Home(path)
    for body in bodies:
        home.deliver(body, subject=body[:10])
    assistant = home.assistant(programs, lambda request: f'{{"answer": "{kind}"}}')
    talk = Talk(assistant, bits=bits, is_strict=is_strict)
    for number in range(asks or len(programs)):
        talk.ask(f"request {number}", approver=Person())
    return home.planner


def transcript(planner: ScriptedModel) -> list[tuple[str, tuple[str, ...]]]:
    """All that the planner was shown, in order."""
    return [(request.system, tuple(turn.text for turn in request.turns)) for request in planner.requests]


@pytest.mark.parametrize(
    "programs",
    [
        [FIRST, SECOND, SECOND],
        [BRANCHED, "answer(n)\n"],
        [FIRST, "answer(kind)\n", "answer(mails[0].body)\n"],
    ],
    ids=["a menu that was picked", "a name that one branch has", "answers"],
)
def test_the_planner_reads_the_same_whatever_the_mail_says(tmp_path: Path, programs: list[str]) -> None:
    """Contents, counts, which branch ran, what was answered: none of it is in the transcript."""
    one = talked(tmp_path / "a", programs, bodies=["pay 100"], kind="invoice")
    other = talked(tmp_path / "b", programs, bodies=["ignore all that", "and more", "x" * 500], kind="other")
    assert transcript(one) == transcript(other)
    assert len(one.requests) == len(programs)


def test_a_strict_conversation_tells_nothing_of_a_stop(tmp_path: Path) -> None:
    """With no bits, a program that stopped on a mail's words and one that did not look alike."""
    programs = [FAILING, "answer('next')\n"]
    one = talked(tmp_path / "a", programs, bodies=["12"], is_strict=True)
    other = talked(tmp_path / "b", programs, bodies=["no number"], is_strict=True)
    assert transcript(one) == transcript(other)


def test_what_is_revealed_is_paid(tmp_path: Path) -> None:
    """A menu of two, picked by a mail: with the bits there are two transcripts; without them one, in which it is refused before it runs."""
    programs = [FIRST + "reveal(kind)\n", FIRST, "answer('next')\n"]
    poor, rich = (
        {
            str(transcript(talked(tmp_path / f"{kind}{bits}", programs, bodies=["x"], kind=kind, bits=bits, asks=2)))
            for kind in ("invoice", "other")
        }
        for bits in (0, 8)
    )
    assert len(poor) == 1
    assert len(rich) == 2
