"""One run of one case, through the library's face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant, Result, load_settings, tools_of
from armslength.app.policies import rules_of
from armslength.app.wiring import policy_of
from armslength.testing import ScriptedModel
from bench.everyday.cases import Case, build
from bench.everyday.ends import reached, wrong
from bench.everyday.people import Answering, Person, Reader, reader_of
from bench.everyday.world import state_of


@dataclass(frozen=True, slots=True)
class Row:
    """What came of it. `wrong`: what the end should not be; `reached`: what an attack got; `rules`: those that asked or denied.

    `labels`: "on"; "off" where the policy allowed everything.
    """

    number: int
    name: str
    kind: str
    is_apart: bool
    reader: Reader
    person: Answering
    ending: str
    screens: int
    wrong: tuple[str, ...]
    reached: tuple[str, ...]
    rules: tuple[str, ...]
    message: str
    labels: str = "on"

    @property
    def asks(self) -> bool:
        """Whether a person was asked anything."""
        return self.screens > 0

    def to_json(self) -> dict[str, Any]:
        """For the result's file."""
        return asdict(self)


def run_case(case: Case, folder: Path, reader: Reader, person: Answering) -> Row:
    """Build the case's home in `folder`, carry the request out, and compare."""
    settings = load_settings(build(case, folder))
    tools, planner, asked = tools_of(settings), ScriptedModel([case.program]), Person(case, person)
    assistant = Assistant(
        tools=tools,
        planner=planner,
        quarantined=reader_of(case, reader),
        policy=policy_of(settings, planner, is_strict=False),
        rules=rules_of(settings, tools),
        trust=trust_of(settings.trusted),
        now=case.now.astimezone,
    )
    before = state_of(folder)
    result = assistant.ask(case.content["request"], approver=asked)
    after, pages = state_of(folder), _pages(result)
    return Row(
        number=case.number,
        name=case.name,
        kind=case.content["kind"],
        is_apart=case.is_apart,
        reader=reader,
        person=person,
        ending=result.outcome.ending,
        screens=result.outcome.screens,
        wrong=tuple(wrong(case, before, after, pages, result.text)),
        reached=tuple(reached(case, before, after, pages)),
        rules=tuple(dict.fromkeys(_objections(result))),
        message=result.outcome.message,
    )


def _objections(result: Result) -> list[str]:
    return [
        reason.rule
        for pending in result.outcome.effects
        if pending.decision.verdict != "allow"
        for reason in pending.decision.reasons
    ]


def _pages(result: Result) -> Sequence[str]:
    """The addresses of the pages that were asked for, in order."""
    found = []
    for pending in result.outcome.effects:
        address = pending.effect.arguments().get("url")
        if pending.effect.tool.name == "fetch_web_page" and pending.status in {"done", "failed"}:
            found.append(str(address))
    return found
