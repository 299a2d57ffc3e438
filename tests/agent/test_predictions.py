"""How well previews predict: the twenty requests of `bench` in both homes, by right programs, with a larger planner and with a small one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.foretelling import Compared, compare
from bench.home.world import Person
from bench.requests.__main__ import HOMES
from bench.requests.checks import REQUESTS
from bench.requests.homes import NOW, write_home
from bench.requests.oracles import RIGHT, oracle_reader

from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant, load_settings, tools_of
from armslength.policy.engine import PolicySettings
from armslength.testing import ScriptedModel


def compared(folder: Path, name: str, policy: PolicySettings) -> list[Compared]:
    """Each request's preview against what came."""
    found = []
    for request in REQUESTS:
        home = folder / str(request.number)
        home.mkdir()
        settings = load_settings(write_home(HOMES[name], home))
        assistant = Assistant(
            tools=tools_of(settings),
            planner=ScriptedModel(RIGHT[request.number]),
            quarantined=oracle_reader(),
            policy=replace(policy, addresses=settings.addresses),
            trust=trust_of(settings.trusted),
            now=lambda: NOW,
        )
        found.append(compare(assistant, assistant.ask(request.text, approver=Person((True,)))))
    return found


@pytest.mark.parametrize(
    "policy", [PolicySettings(), PolicySettings(asks_before_sending=True)], ids=["larger", "small"]
)
@pytest.mark.parametrize("name", HOMES)
def test_no_question_is_missed_and_four_in_five_come(tmp_path: Path, name: str, policy: PolicySettings) -> None:
    """Nothing objects that was not foreseen, and of what is expected at most a fifth does not come. An unverified sender is only a perhaps."""
    runs = compared(tmp_path, name, policy)
    assert [each.missed for each in runs if each.missed] == []
    expected, came = (sum(map(len, sets)) for sets in zip(*((each.expected, each.came) for each in runs), strict=True))
    assert expected > 0
    assert came >= 0.8 * expected
