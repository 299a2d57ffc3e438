"""Effects that are alike: each that was decided on happens, once."""

from __future__ import annotations

import pytest
from bench.home.world import Home, statuses

EVENT = 'create_calendar_event(title="t", start="2026-12-01 09:00", end="2026-12-01 10:00")'


@pytest.mark.parametrize(
    ("effect", "made"),
    [
        ('send_email(["a@b.example"], "Hi", "ping")', lambda home: home.outbox()),
        ('draft_email(["a@b.example"], "Hi", "ping")', lambda home: home.drafts()),
        ('send_slack_message("#general", "ping")', lambda home: home.slack("general")),
        (EVENT, lambda home: list((home.path / "calendar").iterdir())),
    ],
    ids=["mail", "draft", "slack", "event"],
)
def test_two_alike_effects_are_two(home: Home, effect: str, made: object) -> None:
    """What is reported as done twice was done twice, by one place of a program or by two."""
    result = home.ask(f"for n in range(2):\n    {effect}\n{effect}")
    assert [status for _, status in statuses(result)] == ["done"] * 3
    assert len(made(home)) == 3
