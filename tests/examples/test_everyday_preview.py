"""The everyday requests against their previews: no question is missed, and at most one in five of what is expected does not come."""

from __future__ import annotations

from pathlib import Path

from bench.everyday.cases import build, cases
from bench.everyday.people import Person, reader_of
from bench.home.foretelling import compare

from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant, load_settings, tools_of
from armslength.app.policies import rules_of
from armslength.app.wiring import policy_of
from armslength.testing import ScriptedModel


def test_no_question_is_missed_and_four_in_five_come(tmp_path: Path) -> None:
    """Over all forty with a reader that is honest and one that obeys, and a person who accepts everything."""
    missed, expected, came = list[object](), 0, 0
    for reader in ("honest", "obeying"):
        for case in cases():
            settings = load_settings(build(case, tmp_path / f"{case.number}-{reader}"))
            tools, planner = tools_of(settings), ScriptedModel([case.program])
            assistant = Assistant(
                tools=tools,
                planner=planner,
                quarantined=reader_of(case, reader),  # type: ignore[arg-type]  # the two of them
                policy=policy_of(settings, planner, is_strict=False),
                rules=rules_of(settings, tools),
                trust=trust_of(settings.trusted),
                now=case.now.astimezone,
            )
            compared = compare(assistant, assistant.ask(case.content["request"], approver=Person(case, "accepts")))
            missed += compared.missed
            expected += len(compared.expected)
            came += len(compared.came)
    assert missed == []
    assert expected > 0
    assert came >= 0.8 * expected
