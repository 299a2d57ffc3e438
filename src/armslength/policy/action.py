"""What the policy sees and says: an action with its labels, and a decision with its reasons. Never content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from armslength.labels import Label, Source, steered

Verdict = Literal["allow", "ask", "deny"]
RoleName = Literal["target", "content", "query"]

SHOW_TO_MODEL = "give to a model"
"""The one action that is no tool: data goes to a model's provider. The blanks keep it apart from every tool's name."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of an effect: its sink label, control context included."""

    name: str
    role: RoleName
    label: Label


@dataclass(frozen=True, slots=True)
class Action:
    """An effect as the policy sees it. `receivers` is None where the tool cannot say."""

    tool: str
    arguments: tuple[Argument, ...]
    control: Label
    receivers: tuple[str, ...] | None
    are_vouched: bool
    changes: str | None
    is_undoable: bool

    @property
    def has_receivers(self) -> bool:
        """Somebody beside the user learns something from it."""
        return self.receivers is None or bool(self.receivers)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a rule objects. `rule` is its name in the policy; `text` is one line for the screen."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to an effect, and why."""

    verdict: Verdict
    reasons: tuple[Reason, ...]


def at_sink(label: Label, control: Label) -> Label:
    """An argument's label where it leaves: steered by the control context as well."""
    return steered(label, control)


def name_sources(sources: Iterable[Source]) -> str:
    """The untrusted sources in words: those that may be anybody and the first of the others by name, then how many more there are."""
    listed = sorted(source.name for source in sources if not source.is_trusted)
    if len(listed) > _MOST_NAMED:
        first = sorted(listed, key=lambda name: "@" in name)[:_MOST_NAMED]
        return f"{', '.join(first)} and {len(listed) - _MOST_NAMED} more"
    return ", ".join(listed) or "trusted sources"


_MOST_NAMED = 12
"""A search looks through a whole mailbox; a person reads no thousand names."""
