"""What is printed of a run's records says how it went, and nothing of what was read, written or asked."""

from __future__ import annotations

import gc
from pathlib import Path

from bench.home.world import Home, Person, says

from armslength.agent.approving.approval import Screen
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


def _printed(each: object) -> str:
    """What Python prints of it; nothing of one that other tests left half made, which it cannot print."""
    try:
        return repr(each)
    except Exception:  # noqa: BLE001  # whatever is wrong with it
        return ""


def test_nothing_in_memory_prints_data(tmp_path: Path) -> None:
    """Of all that is there when a person is asked: mails and files that tools keep, values, effects, the screen."""
    printed: list[str] = []

    class Looking(Person):
        def approve(self, screen: Screen) -> bool:
            ours = [each for each in gc.get_objects() if str(type(each).__module__).startswith("armslength.")]
            printed.extend(type(each).__name__ for each in ours if CANARY in _printed(each))
            return super().approve(screen)

    home, person = Home(tmp_path), Looking([True])
    home.verified(CANARY, sender=f"{CANARY} <kai@c.example>", subject=CANARY)
    home.file("notes.txt", CANARY)
    home.ask(
        'mail = search_emails(sender="Kai")[0]\n'
        'text = quarantined("Sum up", mail.body, read_file("notes.txt").content)\n'
        "by_text = {text: mail}\n"
        'send_email(recipients=["kai@c.example"], subject="s", body=text)\n'
        'write_file("notes.txt", text)\n'
        "answer(text)",
        says(CANARY),
        person=person,
    )
    assert (len(person.screens), printed) == (1, [])
