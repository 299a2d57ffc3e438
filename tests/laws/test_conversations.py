"""The fifth law, over conversations: all that a planner is shown is one of as few transcripts as the bits that were spent allow.

Planners are made that do something else whenever they are shown something else, so that a bit that came through once is seen. What they
are shown is compared over worlds that differ in what others wrote, in what is private, and in what the quarantined model answers.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from bench.home.world import Home, Person

from armslength.app.talk import Talk
from armslength.models.base import ModelRequest

REQUESTS = 7
START = "mails = search_emails('')\nflag = quarantined('Is it?', 'x', returns=bool)\nnumber = 4\n"
PROGRAMS = (
    "mails = search_emails('')\n",
    "kind = quarantined('What?', mails[0].body, returns=Literal['a', 'b', 'c'])\nreveal(kind)\n",
    "flag = quarantined('Is it?', mails[0].subject, returns=bool)\n",
    "reveal(flag)\n",
    "number = int(mails[0].body)\n",
    "if flag:\n    number = int(mails[0].body)\n",
    "first = mails[0]\nlong = len(first.body) > 5\nreveal(long)\n",
    "reveal(len(mails) > 1)\nreveal(mails[0].is_unread)\n",
    "if flag:\n    raise ValueError('no')\nother = 3\n",
    "number = 1 // number\n",
    "text = quarantined('Sum up', [mail.body for mail in mails], returns=str)\nanswer(text)\n",
    "append_to_file('todo.txt', 'x')\nif flag:\n    append_to_file('more.txt', mails[0].body)\n",
    "send_email(['kim@example.com'], 'x', 'x')\nnames = [mail.sender for mail in mails if flag]\n",
    "found = list_files()\nhow_many = len(found)\nreveal(how_many == 1)\n",
    "try:\n    number = int(mails[0].body)\nexcept ValueError:\n    number = 0\nis_zero = number == 0\nreveal(is_zero)\n",
    "words = mails[0].body.split()\nwhile words:\n    words.pop()\n    number += 1\n",
    "number = number_that_is_not_there\n",
    "answer(other)\n",
)


@dataclass(frozen=True)
class World:
    """What others wrote, what the quarantined model answers, whether the person says yes, and a file that is the user's own."""

    bodies: tuple[str, ...]
    answers: int
    is_yes: bool
    has_file: bool


WORLDS = [
    World(bodies, answers, is_yes=number % 2 == 0, has_file=number % 3 == 0)
    for number, (bodies, answers) in enumerate(
        itertools.product((("12",), ("0",), ("no number",), ("x" * 400, "12", "and more"), ()), range(3))
    )
]


def planned(seed: int) -> object:
    """A planner whose every program is a function of all that it was ever shown."""

    def write(request: ModelRequest) -> str:
        if len(request.turns) == 1:
            return START
        shown = json.dumps([seed, request.system, [turn.text for turn in request.turns]])
        return PROGRAMS[int.from_bytes(hashlib.sha256(shown.encode()).digest()[:4]) % len(PROGRAMS)]

    return write


def answered(world: World) -> object:
    """A quarantined model that answers by the kind of the question, or nonsense in one world."""

    def answer(request: ModelRequest) -> str:
        form = request.turns[-1].text.rpartition("of this form: ")[2]
        if '"a"' in form:
            return json.dumps({"answer": "abc"[world.answers]})
        if "true" in form:
            return ('{"answer": true}', '{"answer": false}', "nonsense")[world.answers]
        return json.dumps({"answer": "x" * world.answers})

    return answer


def prefixes(path: Path, world: World, seed: int, bits: int) -> list[tuple[str, int]]:
    """For each request all that the planner had been shown with its first prompt, and what had been spent by then."""
    home = Home(path)
    for body in world.bodies:
        home.deliver(body, subject=body[:4])
    if world.has_file:
        home.file("own.txt", "mine")
    assistant = home.assistant(planned(seed), answered(world))  # type: ignore[arg-type]
    talk, found = Talk(assistant, path / "conversations", bits), list[tuple[str, int]]()
    for number in range(REQUESTS):
        before, spent = len(home.planner.requests), bits - talk.bits_left
        talk.ask(f"request {number}", approver=Person([world.is_yes]))
        shown = [(request.system, [turn.text for turn in request.turns]) for request in home.planner.requests]
        found.append((json.dumps(shown[: before + 1]), spent))
        if number == 2:
            talk = Talk(assistant, path / "conversations", bits)
            assert talk.resume()
    return found


@pytest.mark.parametrize(("seed", "bits"), [(0, 8), (6, 8), (0, 3), (1, 3)])
def test_what_a_planner_is_shown_was_paid_for(tmp_path: Path, seed: int, bits: int) -> None:
    """Of all that one prompt can be followed by, each costs b bits and is worth 2^-b; together that is no more than one (Kraft).

    So once nothing is left, there is one thing that the planner can be shown, whatever the world. `--resume` comes in between.
    """
    told = [prefixes(tmp_path / str(number), world, seed, bits) for number, world in enumerate(WORLDS)]
    followers: dict[str, dict[str, int]] = {}
    for found in told:
        for (shown, spent), (then, later) in itertools.pairwise(found):
            assert followers.setdefault(shown, {}).setdefault(then, later - spent) == later - spent
    assert {
        shown: after for shown, after in followers.items() if sum(2.0**-price for price in after.values()) > 1
    } == {}
    assert (max(map(len, followers.values())) > 1) is (bits == 8), "with 8 bits something is told, or nothing is held"
    assert max(found[-1][1] for found in told) >= bits - 1, "the budget was not used up"
