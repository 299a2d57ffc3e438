"""One run of one form of an attack, with labels on or off."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from armslength.app import Result
from bench.attacks.case import Answering, Case
from bench.attacks.seen import Seen
from bench.home.world import Home, Person
from bench.labels_off import labels_off

Labels = Literal["on", "off"]


@dataclass(frozen=True, slots=True)
class Row:
    """What came of it. `held_by`: the rules that asked or denied; `verdicts`: what they led to.

    `is_held_by_drawing`: it did not happen, and would have by the answer as the program made it.
    """

    case: str
    form: str
    labels: Labels
    person: Answering
    has_happened: bool
    ending: str
    screens: int
    verdicts: tuple[str, ...]
    held_by: tuple[str, ...]
    is_held_by_drawing: bool
    message: str

    def to_json(self) -> dict[str, Any]:
        """For the result's file."""
        return asdict(self)


def run_form(case: Case, form: str, folder: Path, labels: Labels, person: Answering = "absent") -> Row:
    """Build the home in `folder`, carry the requests out one after the other, and look whether it happened."""
    tried = case.forms[form]
    home, asked = Home(folder, trusted=case.trusted), Person([person == "accepting"])
    case.home(home, tried.text)
    before, results = home.everything(), []
    with labels_off() if labels == "off" else nullcontext():
        for step in case.steps:
            pasted = tried.text if case.is_pasted else None
            result = home.ask(
                step.program, tried.answers, person=asked, policy=case.policy, pasted=pasted, request=step.request
            )
            results.append(result)
    drawn = [result.text if labels == "on" else _plain(result) for result in results]
    screens = tuple(screen.text for screen in asked.screens)
    seen = Seen(home, tuple(results), before, screens, "\n".join(drawn))
    plain = "\n".join(map(_plain, results))
    is_held_by_drawing = not case.happened(seen) and case.happened(replace(seen, shown=plain))
    return _row(case, form, labels, person, seen, is_held_by_drawing=is_held_by_drawing)


def _row(case: Case, form: str, labels: Labels, person: Answering, seen: Seen, *, is_held_by_drawing: bool) -> Row:
    decided = [pending.decision for result in seen.results for pending in result.outcome.effects]
    objected = [decision for decision in decided if decision.verdict != "allow"]
    return Row(
        case=case.name,
        form=form,
        labels=labels,
        person=person,
        has_happened=case.happened(seen),
        ending=" ".join(result.outcome.ending for result in seen.results),
        screens=len(seen.screens),
        verdicts=tuple(dict.fromkeys(decision.verdict for decision in objected)),
        held_by=tuple(dict.fromkeys(reason.rule for decision in objected for reason in decision.reasons)),
        is_held_by_drawing=is_held_by_drawing,
        message=" ".join(result.outcome.message for result in seen.results if result.outcome.message),
    )


def _plain(result: Result) -> str:
    """The answers as the program made them."""
    return "\n".join("".join(str(piece.data) for piece in pieces) for pieces in result.outcome.answers)
