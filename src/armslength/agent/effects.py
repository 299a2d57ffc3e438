"""Effects: calls that change a store or have receivers, from the call until they are done or dropped.

Arguments are copied and serialised at the call: the policy, the screen and the tool all use the same bytes (`canonical`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Literal, cast

from armslength.events import Site, label_to_json, labelled_to_json
from armslength.labels import Label
from armslength.language import Call
from armslength.policy.engine import Action, Argument, Decision, at_sink
from armslength.tools.base import Receivers, Tool
from armslength.values import Labelled, Permit, Plain, frozen_copy, release, sink_label

_FOR_DECISION = Permit("shown to policy and person, who decide", "policy")

Status = Literal["waiting", "done", "declined", "denied", "failed", "dropped"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect with its arguments as they were at the call.

    `shown`: the arguments, labelled. `labels`: each argument's sink label without, `control` what steered that the call happens.
    """

    tool: Tool
    site: Site
    shown: dict[str, Labelled]
    labels: dict[str, Label]
    control: Label
    canonical: str
    receivers: Receivers

    def arguments(self) -> dict[str, Plain]:
        """The plain arguments, read from the very bytes that were decided on."""
        return cast("dict[str, Plain]", json.loads(self.canonical))

    def action(self) -> Action:
        """The effect as the policy sees it."""
        return Action(
            tool=self.tool.name,
            arguments=tuple(
                Argument(name, self.tool.roles[name].value, at_sink(label, self.control))
                for name, label in self.labels.items()
            ),
            control=self.control,
            receivers=self.receivers.names,
            are_vouched=self.receivers.are_vouched,
            changes=self.tool.changes,
            is_undoable=self.tool.undo is not None,
        )

    def digest(self, run: str) -> str:
        """What an approval covers: run, call site, tool and its version, bytes, receivers. SHA-256, hexadecimal."""
        covered = [
            run,
            self.site.line,
            self.site.column,
            self.site.ordinal,
            self.tool.name,
            self.tool.version,
            self.canonical,
        ]
        covered.append(list(self.receivers.names) if self.receivers.names is not None else None)
        return hashlib.sha256(json.dumps(covered).encode()).hexdigest()

    def to_json(self) -> dict[str, object]:
        """For the journal."""
        return {
            "tool": self.tool.name,
            "line": self.site.line,
            "arguments": {name: labelled_to_json(shown) for name, shown in self.shown.items()},
            "control": label_to_json(self.control),
            "receivers": None if self.receivers.names is None else list(self.receivers.names),
        }


@dataclass(slots=True)
class Pending:
    """An effect with what was decided about it, and how far it got. `note` is the tool's one line if it failed."""

    effect: Effect
    decision: Decision
    status: Status = "waiting"
    note: str = ""


def effect_of(tool: Tool, call: Call, control: Label) -> Effect:
    """The effect that a call asks for. `control`: the control context, with halt where the call is immediate.

    Raises:
        ToolError: the tool cannot say who would learn of it because the arguments make no sense.
    """
    copies = {name: frozen_copy(value) for name, value in call.arguments.items()}
    shown = {name: release(value, _FOR_DECISION) for name, value in copies.items()}
    plain = {name: labelled.plain() for name, labelled in shown.items()}
    return Effect(
        tool=tool,
        site=call.site,
        shown=shown,
        labels={name: sink_label(value) for name, value in copies.items()},
        control=control,
        canonical=json.dumps(plain, sort_keys=True, ensure_ascii=True),
        receivers=tool.receivers(json.loads(json.dumps(plain))),
    )
