"""What a person said yes to beforehand, and whether it covers an effect that would be asked about.

A *grant* is a yes to a narrow kind of effect, an *endorsement* one to one exact value in one role. Neither changes a denial, nor an effect
that destroys or pays, nor one about which more is asked than it covers. Pure: what is live is read elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from armslength.labels import SATURATED, Label, Source, made_of
from armslength.policy.action import Action, Decision, Reason
from armslength.policy.patterns import spoken
from armslength.policy.settings import PolicySettings

TARGET_RULE = "target-untrusted"
COVERED = frozenset({TARGET_RULE, "not-a-reader", "steer-not-readable", "content-untrusted", "control-untrusted"})
"""The shipped rules whose question a grant can answer: they ask about sources and receivers, which it names. No rule of a user's is one."""
DOUBT = "tool:"
"""Who decides that a call of this tool works, where no more is known. As a choice of few bits it may be listed; as data it is anybody."""
STORE = "store:"
"""What a store of ours knows, and whatever the assistant wrote into it."""
FREE = frozenset({"program", "clock"})
"""What anybody may read and nobody else wrote; it is not listed."""
_MOST_BYTES = 300
"""Characters of a value that may be endorsed: what a person compares at a glance."""


@dataclass(frozen=True, slots=True)
class Sources:
    """By name, who may have written something, and who else may have chosen it. `FREE` is in neither."""

    data: frozenset[str]
    choice: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grant:
    """A kind of effect: one version of one tool, the sources of each argument and of whether it happens, and who may learn of it."""

    tool: str
    version: str
    changes: str | None
    sources: Mapping[str, Sources]
    control: Sources
    receivers: frozenset[str]
    is_undoable: bool
    """Whether what was granted could be taken back; what cannot is covered only if that could not either."""


@dataclass(frozen=True, slots=True)
class Endorsement:
    """One value, by its canonical JSON, as one target parameter of one version of a tool."""

    tool: str
    version: str
    parameter: str
    value: str = field(repr=False)


Covers = Grant | Endorsement


@dataclass(frozen=True, slots=True)
class Live:
    """What counts now, by the name under which it is listed."""

    name: str
    covers: Covers


@dataclass(frozen=True, slots=True)
class Subject:
    """An effect as grants see it. `may_be_granted`: its tool declares that it neither destroys nor pays. `values`: canonical JSON by name."""

    action: Action
    version: str
    may_be_granted: bool
    values: Mapping[str, str] = field(repr=False)


def spared(decision: Decision, subject: Subject, live: Sequence[Live], settings: PolicySettings) -> Decision:
    """The decision, or to allow it where all that is asked about is covered; then it says by what."""
    if not is_open(decision, subject, settings):
        return decision
    endorsed = _endorsed(decision, subject, live)
    if endorsed:
        return replace(decision, verdict="allow", granted=endorsed)
    for each in live:
        if isinstance(each.covers, Grant) and _matches(each.covers, subject):
            return replace(decision, verdict="allow", granted=(each.name,))
    return decision


def would_spare(decision: Decision, subject: Subject, settings: PolicySettings) -> tuple[Covers, ...]:
    """What a person could say yes to so that this very question would not have been asked: nothing wider than the effect itself."""
    narrowest: tuple[Covers, ...] = (_kind_of(subject), *_values_of(decision, subject))
    return tuple(each for each in narrowest if spared(decision, subject, [Live("", each)], settings).verdict == "allow")


def is_authenticated(source: Source) -> bool:
    """Whether the name of a source was checked by somebody, so that it means the same tomorrow. Whoever may be anybody is not.

    A verified sender, a host that was asked, a file in its place, and whatever the configuration trusts.
    """
    kind, _, name = source.name.partition(":")
    if source.is_trusted:
        return True
    match kind:
        case "mail":
            return "@" in name
        case "web":
            return name not in ("", "*", "unverified")
        case "file":
            return bool(name) and name != "*"
        case _:
            return False


def is_open(decision: Decision, subject: Subject, settings: PolicySettings) -> bool:
    """Whether anything said beforehand can count: it is asked about for nothing but what can be covered."""
    action = subject.action
    return (
        decision.verdict == "ask"
        and bool(decision.reasons)
        and all(reason.rule in COVERED for reason in decision.reasons)
        and not settings.asks_always
        and subject.may_be_granted
        and action.receivers is not None
        and action.are_vouched
        and (bool(action.receivers) or action.is_undoable)
    )


def _matches(grant: Grant, subject: Subject) -> bool:
    action = subject.action
    return (
        (grant.tool, grant.version, grant.changes) == (action.tool, subject.version, action.changes)
        and frozenset(action.receivers or ()) <= grant.receivers
        and (action.is_undoable or not grant.is_undoable)
        and all(
            each.name in grant.sources
            and _is_within(each.label, grant.sources[each.name], is_picked=each.role == "target" and each.label.intact)
            for each in action.arguments
        )
        and _is_within(made_of(action.control), grant.control)
    )


def _is_within(label: Label, allowed: Sources, *, is_picked: bool = False) -> bool:
    """Whoever chose must have a checked name as whoever wrote it; that a call worked, and what a store holds, say few bits at most.

    A store is a whole folder and no author: words of `store:files` are any that the assistant wrote there. `is_picked`: a target that was
    picked whole, an id or an address, which goes to nobody but the grant's receivers.
    """
    data, choice = spoken(label.data), spoken(label.choice)
    stores = frozenset(each for each in data | choice if each.name.startswith(STORE))
    doubts = frozenset(each for each in choice - data if each.name.startswith(DOUBT))
    if not is_picked and stores & data:
        return False
    if (doubts or (stores and not is_picked)) and label.bits == SATURATED:
        return False
    return (
        all(each.name in allowed.data | FREE for each in data)
        and all(each.name in allowed.choice | allowed.data | FREE for each in choice)
        and all(map(is_authenticated, (data | choice) - doubts))
    )


def _endorsed(decision: Decision, subject: Subject, live: Sequence[Live]) -> tuple[str, ...]:
    """The endorsements of all arguments that are asked about, if it is they alone that are."""
    found: list[str] = []
    for reason in decision.reasons:
        named = next((each.name for each in live if _is_endorsed_by(each.covers, reason, subject)), None)
        if named is None:
            return ()
        found.append(named)
    return tuple(dict.fromkeys(found))


def _is_endorsed_by(covers: Covers, reason: Reason, subject: Subject) -> bool:
    return (
        isinstance(covers, Endorsement)
        and reason.rule == TARGET_RULE
        and covers.parameter == reason.argument
        and (covers.tool, covers.version) == (subject.action.tool, subject.version)
        and covers.value == subject.values.get(covers.parameter)
    )


def _kind_of(subject: Subject) -> Grant:
    action = subject.action
    return Grant(
        tool=action.tool,
        version=subject.version,
        changes=action.changes,
        sources={each.name: _listed(each.label) for each in action.arguments},
        control=_listed(made_of(action.control)),
        receivers=frozenset(action.receivers or ()),
        is_undoable=action.is_undoable,
    )


def _listed(label: Label) -> Sources:
    data = frozenset(each.name for each in spoken(label.data)) - FREE
    return Sources(data, frozenset(each.name for each in spoken(label.choice)) - data - FREE)


def _values_of(decision: Decision, subject: Subject) -> list[Endorsement]:
    asked = dict.fromkeys(reason.argument for reason in decision.reasons if reason.argument is not None)
    found = ((name, subject.values.get(name)) for name in asked)
    return [
        Endorsement(subject.action.tool, subject.version, name, value)
        for name, value in found
        if value is not None and len(value) <= _MOST_BYTES
    ]
