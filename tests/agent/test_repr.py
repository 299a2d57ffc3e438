"""What is printed of a run's records says how it went, and nothing of what was read, written or asked."""

from __future__ import annotations

from armslength.app import Assistant
from armslength.events import Crossing
from armslength.models.base import ModelReply, ModelRequest, Turn, Usage
from armslength.testing import ScriptedModel
from armslength.tools.base import Role, anybody, nobody, tool

CANARY = "canary-7316"
PROGRAM = """
text = look()
title = quarantined("Which title?", text, returns=str)
send(title, text)
answer(title)
"""


def test_a_result_prints_no_data() -> None:
    """Neither answers nor arguments, receivers, outcomes, messages; the ending and the verdicts are there."""

    @tool(changes=None, receivers=nobody)
    def look() -> str:
        """Look."""
        return CANARY

    @tool(changes=None, receivers=anybody, roles={"title": Role.CONTENT, "text": Role.CONTENT})
    def send(title: str, text: str) -> None:
        """Send."""
        raise RuntimeError(CANARY)

    class Yes:
        def approve(self, screen: object) -> bool:
            assert CANARY not in repr(screen)
            return True

    models = ScriptedModel([PROGRAM]), ScriptedModel([f'"{CANARY}"', f'{{"answer": "{CANARY}"}}'])
    result = Assistant([look, send], *models).ask("Do it", approver=Yes())
    printed = repr(result)
    assert CANARY in result.text + str(result.outcome.answers) + str(result.entries)
    assert CANARY not in printed
    assert "ending=" in printed
    assert "verdict=" in printed


def test_what_crosses_prints_no_data() -> None:
    """Requests to models, replies and recorded answers keep their texts to themselves."""
    usage = Usage(prompt=1, cached=0, completion=1, seconds=0.0)
    records = [
        ModelRequest("system", (Turn("user", CANARY),)),
        ModelReply(CANARY, usage),
        Crossing("tool", "look", CANARY, {"data": CANARY}),
    ]
    assert [CANARY in repr(each) for each in records] == [False] * len(records)
