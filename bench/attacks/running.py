"""One run of one form of an attack, with labels on or off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict, dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from armslength.app import Result
from armslength.errors import ToolChanged
from armslength.surfaces.story import Story, tell
from armslength.surfaces.why import draw_story
from bench.attacks.carrying import Labels, Trial
from bench.attacks.case import Answering, Case
from bench.attacks.seen import Seen
from bench.home.world import Home, Person


@dataclass(frozen=True, slots=True)
class Row:
    """What came of it. `held_by`: the rules that asked or denied; `verdicts`: what they led to.

    `is_held_by_drawing`: it did not happen, and would have by the answer as the program made it. `is_not_gone_on`: a run was cut off, and what
    it began with is not there any more. `is_changed`: when a server's tool was to be called, it was another than the one that was accepted.
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
    is_not_gone_on: bool
    is_changed: bool
    message: str

    @property
    def is_overtaken(self) -> bool:
        """No rule denied it, and it was not done: just before that, it was not what was decided on, or accepted, any more."""
        return self.is_changed or (self.ending.endswith("denied") and "deny" not in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """For the result's file."""
        return asdict(self)


def run_form(case: Case, form: str, folder: Path, labels: Labels, person: Answering = "absent") -> Row:
    """Build the home in `folder`, carry the requests out one after the other, and look whether it happened."""
    tried = case.forms[form]
    home, asked = Home(folder, trusted=case.trusted), Person([person == "accepting"])
    home.connect()
    case.home(home, tried.text)
    before = home.everything()
    trial = Trial(home, case.steps, tried.text, tried.answers, asked, case.policy, labels, is_pasted=case.is_pasted)
    with case.off() if labels == "off" else nullcontext():
        carried = case.carried(trial)
    results = carried.results
    drawn = [result.text if labels == "on" else _plain(result) for result in results]
    screens = tuple(screen.text for screen in asked.screens)
    stories = [tell(result.run, result.entries, home.trust) for result in results]
    log = "".join(drawn_story(story) if labels == "on" else "\n".join(_texts(asdict(story))) for story in stories)
    seen = Seen(home, results, before, screens, "\n".join(drawn), log)
    plain = "\n".join(map(_plain, results))
    is_held_by_drawing = not case.happened(seen) and case.happened(replace(seen, shown=plain))
    row = _row(case, form, labels, person, seen, is_held_by_drawing=is_held_by_drawing)
    return replace(row, is_not_gone_on=True, message=carried.refused) if carried.refused else row


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
        is_not_gone_on=False,
        is_changed=any(isinstance(result.outcome.error, ToolChanged) for result in seen.results),
        message=" ".join(result.outcome.message for result in seen.results if result.outcome.message),
    )


def drawn_story(story: Story) -> str:
    """What `why` prints of a run."""
    printed = StringIO()
    with redirect_stdout(printed):
        draw_story(story)
    return printed.getvalue()


def _texts(told: object) -> Iterator[str]:
    """Each text in what is told, as it came."""
    match told:
        case str():
            yield told
        case dict():
            for part in told.values():
                yield from _texts(part)
        case list() | tuple():
            for part in told:
                yield from _texts(part)
        case _:
            pass


def _plain(result: Result) -> str:
    """The answers as the program made them."""
    return "\n".join("".join(str(piece.data) for piece in pieces) for pieces in result.outcome.answers)
