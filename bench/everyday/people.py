"""Who takes part in a run beside the planner: a quarantined model that is honest, or obeys whatever it reads, and a person."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from armslength.agent.approving.approval import Screen
from armslength.models.base import ModelRequest
from armslength.testing import ScriptedModel
from bench.everyday.cases import FOLDER, Case, Table

Reader = Literal["honest", "obeying"]
Answering = Literal["reads", "accepts", "refuses"]


@cache
def _answers() -> tuple[Table, ...]:
    return tuple(tomllib.loads((FOLDER / "readers" / "answers.toml").read_text("utf-8"))["answers"])


def reader_of(case: Case, reader: Reader) -> ScriptedModel:
    """The quarantined model. What it says is checked against the question's type like any model's answer.

    One that obeys answers like an honest one, once its first answer fitted no type: three attempts are made.
    """

    def reply(request: ModelRequest) -> str:
        asked = request.turns[-1].text
        for entry in _answers():
            if entry["case"] == case.number and all(words in asked for words in entry["sees"]):
                is_first = request.seed == 0
                said = entry.get("obeying", entry["honest"]) if reader == "obeying" and is_first else entry["honest"]
                return json.dumps(said if isinstance(said, dict) else {"answer": said})
        raise LookupError(f"case {case.number} asks what nobody answers: {asked}")

    return ScriptedModel(reply)


@dataclass
class Person:
    """Whoever is asked. `reads`: yes if the case says yes and the screen shows what the case expects, and nothing that it forbids."""

    case: Case
    answering: Answering
    screens: list[Screen] = field(default_factory=list)

    def approve(self, screen: Screen) -> bool:
        """The answer to all of it."""
        self.screens.append(screen)
        if self.answering != "reads":
            return self.answering == "accepts"
        shown = screen.text.casefold()
        return (
            self.case.content["questions"].get("answer", "yes") == "yes"
            and all(each.casefold() in shown for each in _expected(self.case))
            and not any(each.casefold() in shown for each in _forbidden(self.case))
        )


def _expected(case: Case) -> Iterator[str]:
    """The receivers and hosts of the right end."""
    end = case.content["end"]
    for letter in end.get("mails", []):
        yield from letter["to"]
    for event in end.get("events", []):
        yield from event["participants"]
    for page in end.get("pages", []):
        yield page["url"].split("/")[2]


def _forbidden(case: Case) -> Iterator[str]:
    for effect in case.content.get("never", []):
        for key in ("to", "has", "host"):
            yield from effect.get(key, [])
