"""Taking back what a run did: the inverses of its effects, in reverse order, each with the person's yes like any effect.

An inverse is the tool's own `undo`, which refuses if what it would take back is another by now; where a tool says what its inverse would find
and leave, that it would refuse is known before anybody is asked. Nothing of this is told to any planner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from armslength.agent.approving.display import tame
from armslength.agent.approving.looking import prospect_of
from armslength.agent.effects.effects import Effect, Pending, Resolved
from armslength.agent.planning.remembering import STORE
from armslength.agent.runs.queue import MOST_ASKED, Queue
from armslength.agent.runs.world import Progress, World
from armslength.agent.showing.cleaning import clean_line
from armslength.errors import ArmslengthError, Declined, ToolError
from armslength.events import Json, Site, Trust, label_from_json, label_to_json, labelled_from_json, labelled_to_json
from armslength.labels import NOTHING, Label
from armslength.schema import NONE, Signature
from armslength.tools.base import NOBODY, Prospect, Tool, ToolCall, nobody
from armslength.tools.ledger import read_back
from armslength.values import Labelled, Plain


@dataclass(frozen=True, slots=True)
class Done:
    """An effect that a run did, as far as its inverse and a person need it. `key` is that of the effect itself.

    `is_begun`: a process began to take it back and ended before it could say whether it did.
    """

    tool: str
    version: str
    line: int
    key: str
    labels: Mapping[str, Label]
    summary: str = field(repr=False)
    canonical: str = field(repr=False)
    outcome: Plain = field(repr=False)
    shown: Mapping[str, Labelled] = field(repr=False)
    described: Mapping[str, Mapping[str, Labelled]] = field(repr=False)
    is_begun: bool = False

    @property
    def said(self) -> str:
        """In one line for a person. Where others had a hand in any argument the tool's words stand between marks, as on a screen."""
        said = tame(clean_line(self.summary))
        return said if all(each.is_chosen for each in self.labels.values()) else f"{self.tool}: ⟦{said}⟧"


def done_of(run: str, settled: Sequence[Pending]) -> tuple[Done, ...]:
    """What a run did, in order."""
    return tuple(
        Done(
            tool=pending.effect.tool.name,
            version=pending.effect.tool.version,
            line=pending.effect.site.line,
            key=pending.effect.digest(run),
            summary=pending.effect.resolved.summary,
            canonical=pending.effect.canonical,
            outcome=pending.outcome,
            shown=pending.effect.shown,
            labels=pending.effect.written_labels(),
            described=pending.effect.described,
        )
        for pending in settled
        if pending.status == "done"
    )


def done_in(entries: Iterable[Mapping[str, Any]], trust: Trust) -> tuple[Done, ...]:
    """What a run did, in order, by its journal; what was taken back already is left out.

    Raises:
        ValueError: the journal does not say enough of an effect, since an earlier version wrote it, or is damaged.
    """
    decided: dict[str, Mapping[str, Any]] = {}
    found: dict[str, Json] = {}
    unsure: set[str] = set()
    begun = ""
    for entry in entries:
        match entry:
            case {"kind": "decision", "digest": str(digest), "effect": dict(effect)}:
                decided[digest] = effect
            case {"kind": "started", "digest": str(digest)}:
                begun = digest
            case {"entry": "crossing", "kind": "tool", "answered": answered} if begun:
                if "failed" not in entry:
                    found[begun] = _done_json(begun, decided.get(begun, {}), answered)
                begun = ""
            case {"kind": "undoing", "digests": list(digests)}:
                unsure.update(map(str, digests))
            case {"kind": "stayed", "digests": list(digests)}:
                unsure.difference_update(map(str, digests))
            case {"kind": "undone", "digests": list(digests)}:
                for digest in digests:
                    found.pop(digest, None)
            case _:
                pass
    return tuple(replace(done_from_json(stored, trust), is_begun=key in unsure) for key, stored in found.items())


def _done_json(key: str, effect: Mapping[str, Any], answered: Any) -> Json:
    """What the entries say of one effect, in the form of `done_to_json`."""
    try:
        shown = {name: _without_records(each) for name, each in effect["arguments"].items()}
        plain = {name: labelled_from_json(each, {}).plain() for name, each in shown.items()}
        return {
            "tool": effect["tool"],
            "version": effect["version"],
            "line": effect["line"],
            "key": key,
            "summary": effect["summary"],
            "canonical": json.dumps(plain, sort_keys=True, ensure_ascii=True),
            "outcome": labelled_from_json(_without_records(answered), {}).plain(),
            "shown": shown,
            "labels": effect["labels"],
            "described": _without_records(effect["described"]),
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a decided effect") from error


def _without_records(stored: Any) -> Any:
    match stored:
        case {"label": label, "parts": dict(parts)}:
            return {"label": label, "parts": {name: _without_records(part) for name, part in parts.items()}}
        case {"label": label, "items": list(items)}:
            return {"label": label, "items": [_without_records(item) for item in items]}
        case {"label": _}:
            return stored
        case dict():
            return {name: _without_records(part) for name, part in stored.items()}
        case _:
            return stored


def why_lasting(done: Done, tools: Mapping[str, Tool]) -> str:
    """Why it cannot be taken back, nothing if it can: its tool must have an inverse, and still be the one that did it."""
    tool = tools.get(done.tool)
    if tool is None:
        return "its tool is not there any more"
    if tool.undo is None:
        return "this cannot be taken back"
    return "" if tool.version == done.version else "its tool is another version by now"


@dataclass(frozen=True, slots=True)
class Undone:
    """How far it got: each inverse as an effect, the latest first, and why it ended early, or not all could be offered, if so.

    `gone`: what was taken back. `unsure`, as it is said: what was begun before and is not as the run left it: most likely it was taken back then, and it is
    among those that are gone. `left`: so many earlier ones there are.
    """

    settled: tuple[Pending, ...]
    gone: tuple[Done, ...] = ()
    error: ArmslengthError | None = field(default=None, repr=False)
    unsure: tuple[str, ...] = field(default=(), repr=False)
    left: int = 0

    @property
    def count(self) -> int:
        """So many inverses were done."""
        return sum(pending.status == "done" for pending in self.settled)


Note = Callable[[str, Done], None]
"""Told `undoing` before an inverse and `undone` after it, or `stayed` where it refused, so that whoever goes on after a kill knows how far it came."""
Stays = Callable[[Done, str], None]
"""Told of what cannot be taken back, with why, before anybody is asked about the rest."""


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told of what is taken back, and of what stays."""

    note: Note
    stays: Stays


def nobody_is_told(_done: Done, _why: str) -> None:
    """What stays is told by the error alone."""


def undo(world: World, effects: Sequence[Done], told: Told) -> Undone:
    """Take these back, the latest first, no more than fit on one screen. What its tool would refuse now stays, and nobody is asked about it.

    The first that fails ends it, and so does Ctrl-C.
    """
    progress = Progress()
    queue = Queue(world, progress)
    offer = _Offer(world, told)
    error: ArmslengthError | None = None
    try:
        for effect in offer.of(effects):
            queue.add(effect)
        error = offer.refused
        queue.finish()
    except ArmslengthError as raised:
        error = raised
    except KeyboardInterrupt:  # whoever asked for it is told how far it came
        error = Declined("it was stopped by Ctrl-C")
    done = [each.status == "done" for each in progress.settled]
    gone = [*offer.passed, *(each for each, is_done in zip(offer.offered, done, strict=False) if is_done)]
    return Undone(tuple(progress.settled), tuple(gone), error, tuple(offer.unsure), offer.left)


class _Offer:
    """Which effects are offered, by what their tools say of the inverses.

    `passed`: those that another process took back most likely. `ahead`: what inverses that come before would leave. `stuck`: the stores at
    which something stays, so that a tool which says nothing of its inverse is not asked for one before that.
    """

    def __init__(self, world: World, told: Told) -> None:
        self._world, self._told = world, told
        self.offered, self.passed, self.unsure = list[Done](), list[Done](), list[str]()
        self.refused: ToolError | None = None
        self.left = 0
        self._ahead, self._stuck = list[Prospect](), set[str | None]()

    def of(self, effects: Sequence[Done]) -> Iterator[Effect]:
        for number, done in enumerate(reversed(effects), 1):
            if len(self.offered) == MOST_ASKED:
                self.left = len(effects) - number + 1
                return
            taking = _Taking(done, self._told.note, self.unsure, tuple(self._ahead))
            inverse = _inverse(self._world, taking, number)
            try:
                self._look(inverse)
            except ToolError as error:
                self._stay(done, inverse, error)
            else:
                self.offered.append(done)
                yield inverse

    def _look(self, inverse: Effect) -> None:
        """What the inverse would leave is ahead of those that come after it.

        Raises:
            ToolError: it would be refused.
        """
        if inverse.tool.prospect is not None:
            call = ToolCall(inverse.written_labels(), self._world.now, inverse.digest(self._world.run))
            found = prospect_of(self._world.boundary, inverse, call)
            self._ahead += [] if found is None else [found]
        elif inverse.tool.changes in self._stuck:
            raise ToolError("something that the run did after it, at the same place, stays")

    def _stay(self, done: Done, inverse: Effect, error: ToolError) -> None:
        if done.is_begun:
            self._told.note("undone", done)
            self.passed.append(done)
            self.unsure.append(done.said)
            return
        self._stuck.add(inverse.tool.changes)
        self.refused = self.refused or error
        self._told.stays(done, str(error))


@dataclass(frozen=True, slots=True)
class _Taking:
    """One effect that is taken back, and who is told. `ahead`: what inverses that come before it leave."""

    done: Done
    note: Note
    unsure: list[str]
    ahead: tuple[Prospect, ...]

    def run(self, tool: Tool, call: ToolCall, args: dict[str, Plain]) -> Labelled:
        """The tool's inverse. Where it may have got done before, that it refuses is no reason to stop: those before it check for themselves."""
        done, take_back = self.done, tool.undo
        if take_back is None:
            raise ToolError(f"{done.tool} cannot be taken back")
        self.note("undoing", done)
        try:
            take_back(self._call(call), args, done.outcome)
        except ToolError:
            if not done.is_begun:
                self.note("stayed", done)
                raise
            self.unsure.append(done.said)
        self.note("undone", done)
        return Labelled(None, NOTHING)

    def prospect(self, tool: Tool) -> Callable[[ToolCall, dict[str, Plain]], Prospect] | None:
        """What the inverse would find and leave, if the tool says that."""
        foresee = tool.undo_prospect
        if foresee is None:
            return None
        return lambda call, args: foresee(self._call(call), args, self.done.outcome, self.ahead)

    def _call(self, call: ToolCall) -> ToolCall:
        """The call that did it."""
        return replace(call, labels=self.done.labels, key=self.done.key)


def _inverse(world: World, taking: _Taking, number: int) -> Effect:
    """The effect that takes one back. It cannot be taken back itself, so the person is asked."""
    done = taking.done
    tool, summary = world.tools[done.tool], f"take back: {done.summary}"
    inverse = replace(
        tool,
        signature=Signature(f"undo_{done.tool}", tool.signature.parameters, NONE),
        run=lambda call, args: taking.run(tool, call, args),
        receivers=nobody,
        undo=None,
        undo_prospect=None,
        summary=lambda _args: summary,
        handles=frozenset(),
        acting=None,
        bears={},
        prospect=taking.prospect(tool),
    )
    return Effect(
        tool=inverse,
        site=Site(done.line, 0, number),
        shown=dict(done.shown),
        labels=dict(done.labels),
        control=NOTHING,
        canonical=done.canonical,
        resolved=Resolved(NOBODY, summary),
        described={name: dict(parts) for name, parts in done.described.items()},
        takes_back=True,
    )


# On disk


def done_to_json(done: Done) -> Json:
    """As JSON. What the arguments said is kept without the types of its records: their names of parts are then drawn as others' words."""
    return {
        "tool": done.tool,
        "version": done.version,
        "line": done.line,
        "key": done.key,
        "summary": done.summary,
        "canonical": done.canonical,
        "outcome": done.outcome,
        "shown": {name: _written(shown) for name, shown in done.shown.items()},
        "labels": {name: label_to_json(each) for name, each in done.labels.items()},
        "described": {
            name: {part: _written(shown) for part, shown in parts.items()} for name, parts in done.described.items()
        },
    }


def _written(shown: Labelled) -> Json:
    return labelled_to_json(_bare(shown))


def _bare(shown: Labelled) -> Labelled:
    match shown.data:
        case tuple() as items:
            return Labelled(tuple(map(_bare, items)), shown.label)
        case dict() as parts:
            return Labelled({name: _bare(part) for name, part in parts.items()}, shown.label)
        case scalar:
            return Labelled(scalar, shown.label)


def done_from_json(stored: Mapping[str, Any], trust: Trust) -> Done:
    """The effect of this JSON.

    Raises:
        ValueError: it is none.
    """

    def read(given: Json) -> Labelled:
        return _read_back(labelled_from_json(given, {}, trust))

    try:
        texts = {name: stored[name] for name in ("tool", "version", "key", "summary", "canonical")}
        if not all(type(text) is str for text in texts.values()) or type(stored["line"]) is not int:
            raise ValueError("not a stored effect")
        shown = {name: read(each) for name, each in stored["shown"].items()}
        plain = {name: each.plain() for name, each in shown.items()}
        if texts["canonical"] != json.dumps(plain, sort_keys=True, ensure_ascii=True):
            raise ValueError("what would be shown is not what would be done")
        return Done(
            **texts,
            line=stored["line"],
            outcome=cast("Plain", stored["outcome"]),
            shown=shown,
            labels={name: read_back(label_from_json(each, trust), STORE) for name, each in stored["labels"].items()},
            described={
                name: {part: read(each) for part, each in parts.items()} for name, parts in stored["described"].items()
            },
        )
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("not a stored effect") from error


def _read_back(written: Labelled) -> Labelled:
    label = read_back(written.label, STORE)
    match written.data:
        case tuple() as items:
            return Labelled(tuple(map(_read_back, items)), label)
        case dict() as parts:
            return Labelled({name: _read_back(part) for name, part in parts.items()}, label)
        case scalar:
            return Labelled(scalar, label)
