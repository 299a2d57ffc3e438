"""Effects to draw, without a run."""

from __future__ import annotations

import json
from collections.abc import Sequence

from armslength.agent.approving.approval import screen_of
from armslength.agent.effects.effects import Effect, Pending, Resolved
from armslength.app.policies import default_rules
from armslength.events import Site
from armslength.labels import LITERAL, NOTHING, PRIVATE, Label, Source, label
from armslength.policy.engine import Policy, PolicySettings
from armslength.tools.base import Receivers, Role, Tool, tool
from armslength.values import Labelled

EVIL = label([Source("mail:unverified")], readers=PRIVATE)
"""Words of an attacker."""


@tool(
    name="send",
    changes="outbox",
    receivers=lambda args: Receivers(("x",)),
    roles={"to": Role.TARGET, "body": Role.CONTENT},
)
def send(to: str, body: str) -> None:
    """Send."""


def text(data: str, given_label: Label) -> Labelled:
    return Labelled(data, given_label)


def pending(
    *,
    to: Labelled | None = None,
    body: Labelled | None = None,
    receivers: Receivers | None = None,
    summary: str = "send a mail",
    described: dict[str, Labelled] | None = None,
    tool_of: Tool = send,
) -> Pending:
    """An effect that sends `body` to `to`, decided on."""
    shown = {
        "to": to or Labelled("kim@b.example", LITERAL),
        "body": Labelled("hello", LITERAL) if body is None else body,
    }
    effect = Effect(
        tool=tool_of,
        site=Site(1, 0, 1),
        shown=shown,
        labels={name: each.label for name, each in shown.items()},
        control=NOTHING,
        canonical=json.dumps({name: each.plain() for name, each in shown.items()}),
        resolved=Resolved(receivers or Receivers(("kim@b.example",)), summary),
        described={"to": described} if described else {},
    )
    return Pending(effect, Policy(default_rules(), PolicySettings(asks_always=True)).decide(effect.action()))


def draw_screen(asked: Sequence[Pending]) -> str:
    """The whole screen for these."""
    return screen_of("run", asked).text
