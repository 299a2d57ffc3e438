"""Effects: calls that change a store or have receivers, from the call until they are done or dropped.

Arguments are copied and serialised at the call: the policy, the screen and the tool all use the same bytes (`canonical`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, cast

from armslength.agent.effects.acquaintance import NOT_ASKED, Acquaintance
from armslength.agent.outside.boundary import Boundary
from armslength.agent.showing.links import has_links
from armslength.errors import ArmslengthError, ToolError
from armslength.events import Site, Trust, label_from_json, label_to_json, labelled_to_json, trust_nobody
from armslength.labels import Label
from armslength.language import Call
from armslength.policy.action import action_to_json
from armslength.policy.engine import Action, Argument, Decision, at_sink
from armslength.tools.base import NOBODY, Prospect, Receivers, Tool, nobody
from armslength.values import Labelled, Permit, Plain, Value, frozen_copy, release

_FOR_DECISION = Permit("shown to policy and person, who decide", "policy")

Status = Literal["waiting", "done", "declined", "denied", "failed", "dropped"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a tool says of a call before it is made: who would learn of it, and its line for the screen (a file name resolved).

    `acting`: the arguments of which a program that opens what is written carries something out. `bearing`: those that are the name of a thing
    which is there.
    """

    receivers: Receivers
    summary: str = field(repr=False)
    acting: tuple[str, ...] = ()
    bearing: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect with its arguments as they were at the call.

    `shown`: the arguments, labelled. `labels`: each argument's sink label without `control`, which steered that the call happens.
    `described`: for a handle, what its record says in single lines, so that a person knows which one it is. `quoted`: arguments in which
    all that others wrote was found to be a marked quotation. `carried`: the labels of what goes out beside the arguments.
    `branches`: the control context of the call; what is added to `control` later could only have stopped the program.
    `takes_back`: it is the inverse of one that was done.
    """

    tool: Tool
    site: Site
    shown: dict[str, Labelled]
    labels: dict[str, Label]
    control: Label
    canonical: str = field(repr=False)
    resolved: Resolved
    described: dict[str, dict[str, Labelled]]
    acquaintance: Acquaintance = NOT_ASKED
    quoted: frozenset[str] = frozenset()
    carried: dict[str, Label] = field(default_factory=dict)
    branches: Label | None = None
    takes_back: bool = False

    @property
    def receivers(self) -> Receivers:
        """Who would learn of it, as resolved at the call."""
        return self.resolved.receivers

    def written_labels(self) -> dict[str, Label]:
        """Each argument's label as it arrives where it goes: whatever steered that the call happens steers what it writes."""
        return {name: at_sink(label, self.control) for name, label in self.labels.items()}

    def arguments(self) -> dict[str, Plain]:
        """The plain arguments, read from the very bytes that were decided on."""
        return cast("dict[str, Plain]", json.loads(self.canonical))

    def action(self) -> Action:
        """The effect as the policy sees it."""
        return Action(
            tool=self.tool.name,
            arguments=tuple(
                Argument(
                    name,
                    self.tool.roles[name].value,
                    label,
                    self.labels[name],
                    self._parts(name),
                    is_quoted=name in self.tool.quotes or name in self.quoted,
                    has_links=_has_links(self.shown.get(name)),
                    acts=name in self.resolved.acting,
                )
                for name, label in self.written_labels().items()
            )
            + tuple(
                Argument(name, "content", at_sink(label, self.control), label, is_quoted=True)
                for name, label in self.carried.items()
            ),
            control=self.control,
            receivers=self.receivers.names,
            are_vouched=self.receivers.are_vouched,
            changes=self.tool.changes,
            is_undoable=self.tool.undo is not None,
            takes_back=self.takes_back,
            are_known=self.acquaintance.are_known,
            is_alike=self.acquaintance.is_alike,
            branches=self.branches,
        )

    def _parts(self, name: str) -> tuple[Label, ...]:
        """The labels of what an argument with parts is put together of; of a handle, none."""
        shown = self.shown.get(name)
        if shown is None or name in self.tool.handles or not isinstance(shown.data, tuple | dict):
            return ()
        return tuple(dict.fromkeys(_labels_in(shown)))

    def digest(self, run: str) -> str:
        """What an approval covers: run, call site, tool and its version, bytes, receivers, the summary. SHA-256, hexadecimal."""
        covered = [
            run,
            self.site.line,
            self.site.column,
            self.site.ordinal,
            self.tool.name,
            self.tool.version,
            self.canonical,
        ]
        covered.append(_resolved_json(self.resolved))
        return hashlib.sha256(json.dumps(covered, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> dict[str, object]:
        """For the journal: what was decided on, and what its inverse and a person need to know of it later."""
        return {
            "tool": self.tool.name,
            "version": self.tool.version,
            "summary": self.resolved.summary,
            "labels": {name: label_to_json(each) for name, each in self.written_labels().items()},
            "described": {
                name: {part: labelled_to_json(shown) for part, shown in parts.items()}
                for name, parts in self.described.items()
            },
            "line": self.site.line,
            "arguments": {name: labelled_to_json(shown) for name, shown in self.shown.items()},
            "control": label_to_json(self.control),
            "receivers": None if self.receivers.names is None else list(self.receivers.names),
            "decided_on": action_to_json(self.action()),
        }


@dataclass(frozen=True, slots=True)
class Look:
    """What was found. `strangers`: receivers that no store knows. `alike`: a line on each receiver that looks like one that is known."""

    prospect: Prospect | None = None
    strangers: frozenset[str] = field(default=frozenset(), repr=False)
    alike: Mapping[str, str] = field(default_factory=dict, repr=False)

    def covered(self, digest: str) -> str:
        """The digest of an effect together with this."""
        if self == Look():
            return digest
        prospect = None if self.prospect is None else asdict(self.prospect)
        whole = json.dumps([digest, prospect, sorted(self.strangers), sorted(self.alike.items())], sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()


@dataclass(slots=True)
class Pending:
    """An effect with what was decided about it, and how far it got. `note` is the tool's one line if it failed.

    `outcome`: what the tool gave once it was done, plain, for its inverse. `look`: what was looked up to ask a person about it.
    `takes_along`: effects that need no yes and do not happen where this is refused.
    """

    effect: Effect
    decision: Decision
    status: Status = "waiting"
    note: str = field(default="", repr=False)
    outcome: Plain = field(default=None, repr=False)
    look: Look = field(default_factory=Look, repr=False)
    takes_along: tuple[Effect, ...] = ()

    def digest(self, run: str) -> str:
        """What a yes covers: the effect, and what was looked up for the screen."""
        return self.look.covered(self.effect.digest(run))


@dataclass(frozen=True, slots=True)
class Given:
    """What the controller knows of a call: its control context (with halt where it is immediate), each argument's sink label.

    `handles`: the whole records of which the call takes the id alone.
    """

    control: Label
    labels: dict[str, Label]
    handles: dict[str, Value]


def effect_of(boundary: Boundary, tool: Tool, call: Call, given: Given, trust: Trust = trust_nobody) -> Effect:
    """The effect that a call asks for.

    Raises:
        ToolError: the tool cannot say who would learn of it because the arguments make no sense.
    """
    copies = {name: frozen_copy(value) for name, value in call.arguments.items()}
    shown = {name: release(value, _FOR_DECISION) for name, value in copies.items()}
    canonical = json.dumps({name: each.plain() for name, each in shown.items()}, sort_keys=True, ensure_ascii=True)
    resolved = resolve(boundary, tool, canonical)
    labels = dict(given.labels)
    for name in resolved.bearing:
        labels[name] = tool.bears[name].picked(labels[name], str(shown[name].data))
    return Effect(
        tool=tool,
        site=call.site,
        shown=shown,
        labels=labels,
        control=given.control,
        canonical=canonical,
        resolved=resolved,
        described={name: _described(value) for name, value in given.handles.items()},
        carried=_carried(boundary, tool, canonical, trust),
        branches=call.control,
    )


def _carried(boundary: Boundary, tool: Tool, canonical: str, trust: Trust) -> dict[str, Label]:
    """What goes out beside the arguments, by what the tool says."""
    if tool.carries is None:
        return {}
    name, label_of = tool.carries

    def perform() -> Plain:
        return cast("Plain", label_to_json(label_of(json.loads(canonical))))

    stored = boundary.cross("resolve", f"{name} of {tool.name}", json.loads(canonical), perform)
    return {name: label_from_json(cast("dict[str, Any]", stored), trust)}


def _described(record: Value) -> dict[str, Labelled]:
    parts = release(record, _FOR_DECISION).data
    return {
        name: part
        for name, part in (parts.items() if isinstance(parts, dict) else ())
        if name != "id" and isinstance(part.data, str) and 0 < len(part.data) <= _ONE_LINE and "\n" not in part.data
    }


_ONE_LINE = 300


def _labels_in(shown: Labelled) -> Iterator[Label]:
    """Of each text, and of the keys of a dict. How many a list has, and in which order, is in none of them."""
    match shown.data:
        case tuple() as items:
            for item in items:
                yield from _labels_in(item)
        case dict() as parts:
            if shown.record is None:
                yield shown.label
            for part in parts.values():
                yield from _labels_in(part)
        case _:
            yield shown.label


def _has_links(shown: Labelled | None) -> bool:
    """Whether an address stands in it that a reader's program makes live."""
    if shown is None:
        return False
    return has_links(json.dumps(shown.plain(), ensure_ascii=False))


def resolve(boundary: Boundary, tool: Tool, canonical: str) -> Resolved:
    """Ask the tool what a call would do. It may look into its store for that, so the answer passes the boundary.

    Raises:
        ToolError: it cannot say.
    """
    if tool.receivers is nobody and tool.summary is None and tool.acting is None and not tool.bears:
        return Resolved(NOBODY, tool.name)

    def perform() -> Plain:
        try:
            args = cast("dict[str, Plain]", json.loads(canonical))
            summary = tool.name if tool.summary is None else str(tool.summary(json.loads(canonical)))
            acting, bearing = _acting(tool, json.loads(canonical)), _bearing(tool, args)
            return _resolved_json(Resolved(tool.receivers(json.loads(canonical)), summary, acting, bearing))
        except ArmslengthError:
            raise
        except Exception as error:
            raise ToolError(f"{tool.name} cannot say what it would do: {type(error).__name__}") from error

    answered = cast("dict[str, Any]", boundary.cross("resolve", tool.name, json.loads(canonical), perform))
    names = answered["receivers"]
    called = str(answered.get("called", ""))
    receivers = Receivers(None if names is None else tuple(names), are_vouched=answered["are_vouched"], called=called)
    parts = {name: tuple(answered.get(name, ())) for name in ("acting", "bearing")}
    return Resolved(receivers, answered["summary"], **parts)


def _bearing(tool: Tool, args: dict[str, Plain]) -> tuple[str, ...]:
    """The arguments that are the name of a thing which is there; where the tool cannot say, none is."""
    given = ((name, args.get(name), bearing.is_there) for name, bearing in sorted(tool.bears.items()))
    try:
        return tuple(name for name, text, is_there in given if isinstance(text, str) and is_there(text))
    except ToolError:
        return ()


def _acting(tool: Tool, args: dict[str, Plain]) -> tuple[str, ...]:
    """The arguments that act; where the tool cannot say what it would write to, all that may, and the call itself says why it fails."""
    if tool.acting is None:
        return ()
    try:
        found = tool.acting.does(args)
    except ToolError:
        found = tool.acting.may(args)
    return tuple(sorted(found))


def _resolved_json(resolved: Resolved) -> dict[str, Plain]:
    names, called = resolved.receivers.names, resolved.receivers.called
    return {
        "receivers": None if names is None else [str(name) for name in names],
        "are_vouched": resolved.receivers.are_vouched is True,
        "summary": resolved.summary,
        **({"called": called} if called else {}),
        **({"acting": list(resolved.acting)} if resolved.acting else {}),
        **({"bearing": list(resolved.bearing)} if resolved.bearing else {}),
    }
