"""The one decision over effects: allow, ask or deny, with the name of each rule that spoke and its reason.

Every rule sees labels and declarations, never content. A rule can only make a decision stricter, and an effect that no rule objects to
is allowed only because every question of the design's "Tools, effects, approvals" was put to it: who is affected, who learns what, whose
words they are, and whether it can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from armslength.labels import Label, Source, made_of, steered

Verdict = Literal["allow", "ask", "deny"]
RoleName = Literal["target", "content", "query"]


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

    def outgoing(self) -> tuple[Label, ...]:
        """The labels of all that a receiver can learn: each argument, and that it happens."""
        return (*(argument.label for argument in self.arguments), self.control)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a rule objects. `rule` is its name in the documentation; `text` is one line for the screen."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to an effect, and why."""

    verdict: Verdict
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """What the configuration says.

    `this_machine_only`: patterns of source names whose data never leaves. `asks_before_sending`: the planner's programs are not relied
    on, so whatever has receivers is asked about. `asks_always`: every effect is asked about (`--strict`).
    """

    this_machine_only: tuple[str, ...] = ()
    asks_before_sending: bool = False
    asks_always: bool = False

    def is_confined(self, label: Label) -> bool:
        """Whether any source of the label may not leave this machine, as data or as choice. Case does not matter.

        A source that stands for many (`mail:*`) may not, if a pattern fits any of them.
        """
        sources = [source.name.casefold() for source in label.data | label.choice]
        patterns = [pattern.casefold() for pattern in self.this_machine_only]
        return any(_fits(name, pattern) for name in sources for pattern in patterns)


def _fits(name: str, pattern: str) -> bool:
    if not name.endswith(":*"):
        return fnmatchcase(name, pattern)
    kind, literal = name[:-1], re.split(r"[*?[]", pattern, maxsplit=1)[0]
    return literal.startswith(kind) or kind.startswith(literal)


def decide(action: Action, settings: PolicySettings) -> Decision:
    """The one decision. Denials come before questions; nothing but a clean pass of every rule allows."""
    denied = tuple(reason for rule in _DENYING for reason in rule(action, settings))
    if denied:
        return Decision("deny", denied)
    asked = tuple(reason for rule in _ASKING for reason in rule(action, settings))
    return Decision("ask", asked) if asked else Decision("allow", (Reason("nothing-objects", "no rule objects"),))


def name_sources(sources: Iterable[Source]) -> str:
    """The untrusted sources in words: those that may be anybody and the first of the others by name, then how many more there are."""
    listed = sorted(source.name for source in sources if not source.is_trusted)
    if len(listed) > _MOST_NAMED:
        first = sorted(listed, key=lambda name: "@" in name)[:_MOST_NAMED]
        return f"{', '.join(first)} and {len(listed) - _MOST_NAMED} more"
    return ", ".join(listed) or "trusted sources"


_MOST_NAMED = 12
"""A search looks through a whole mailbox; a person reads no thousand names."""


def _stays_here(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    if action.has_receivers and any(settings.is_confined(label) for label in action.outgoing()):
        yield Reason("this-machine-only", "it holds, or depends on, data that the configuration keeps on this machine")


def _knows_roles(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    for argument in action.arguments:
        if argument.role not in ("target", "content", "query"):
            yield Reason("unknown-role", f"{argument.name} has no known role")


def _target_is_chosen(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    for argument in action.arguments:
        if argument.role == "target" and not argument.label.is_chosen:
            whose = name_sources(argument.label.data)
            yield Reason(
                "target-untrusted", f"{argument.name}, which decides who or what is affected, was written by {whose}"
            )


def _receivers_are_known(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    if action.receivers is None:
        yield Reason("receivers-unknown", "the tool cannot say who learns of it")
    elif not action.are_vouched:
        yield Reason("receivers-unvouched", "its receivers are named by the message itself; nobody vouches for them")


def _receivers_may_read(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    for argument in action.arguments:
        excluded = [name for name in action.receivers or () if not argument.label.readers.includes(name)]
        if excluded:
            yield Reason("not-a-reader", f"{argument.name} holds what {', '.join(excluded)} was not a reader of so far")


def _receivers_may_know_why(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    for label in action.outgoing():
        if any(not label.steer.includes(name) for name in action.receivers or ()):
            yield Reason("steer-not-readable", "whether or what is sent depends on what its receivers may not read")
            return


def _content_is_chosen(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    for argument in action.arguments:
        if action.has_receivers and argument.role != "target" and not argument.label.is_chosen:
            yield Reason(
                "content-untrusted",
                f"{argument.name} would be sent as yours, and holds words of {name_sources(argument.label.data)}",
            )


def _control_is_chosen(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    control = made_of(action.control)  # nothing was picked: bits beyond 8 spell something
    if not control.is_chosen:
        yield Reason(
            "control-untrusted", f"whether it happens was decided, many times over, by {name_sources(control.data)}"
        )


def _can_be_taken_back(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    if not action.has_receivers and not action.is_undoable:
        yield Reason("cannot-be-undone", "it cannot be undone")


def _small_planner(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    if settings.asks_before_sending and action.has_receivers:
        yield Reason("small-planner", "the program was written by a small model; check that this is what you meant")


def _strict(action: Action, settings: PolicySettings) -> Iterable[Reason]:
    if settings.asks_always:
        yield Reason("strict", "you asked to be asked about everything")


Rule = Callable[[Action, PolicySettings], Iterable[Reason]]
_DENYING: tuple[Rule, ...] = (_stays_here, _knows_roles)
_ASKING: tuple[Rule, ...] = (
    _target_is_chosen,
    _receivers_are_known,
    _receivers_may_read,
    _receivers_may_know_why,
    _content_is_chosen,
    _control_is_chosen,
    _can_be_taken_back,
    _small_planner,
    _strict,
)


def at_sink(label: Label, control: Label) -> Label:
    """An argument's label where it leaves: steered by the control context as well."""
    return steered(label, control)
