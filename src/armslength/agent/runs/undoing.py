"""Taking back what a run did: the inverses of its effects, in reverse order, each with the person's yes like any effect.

An inverse is the tool's own `undo`, which refuses if what it would take back is another by now. Nothing of this is told to any planner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from armslength.agent.effects.effects import Effect, Pending, Resolved
from armslength.agent.planning.remembering import STORE
from armslength.agent.runs.queue import Queue
from armslength.agent.runs.world import Progress, World
from armslength.errors import ArmslengthError, Declined, ToolError
from armslength.events import Json, Site, Trust, label_from_json, label_to_json, labelled_from_json, labelled_to_json
from armslength.labels import NOTHING, Label
from armslength.schema import NONE, Signature
from armslength.tools.base import NOBODY, Tool, ToolCall, nobody
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
    """How far it got: each inverse as an effect, the latest first, and why it ended early if it did.

    `unsure`: what was begun before and is not as the run left it: most likely it was taken back then. `left`: so many earlier ones there are.
    """

    settled: tuple[Pending, ...]
    error: ArmslengthError | None = field(default=None, repr=False)
    unsure: tuple[str, ...] = field(default=(), repr=False)
    left: int = 0

    @property
    def count(self) -> int:
        """So many were taken back."""
        return sum(pending.status == "done" for pending in self.settled)

    def gone(self, effects: Sequence[Done]) -> list[Done]:
        """Which of the effects that were to be taken back were."""
        done = [each.status == "done" for each in self.settled]
        return [each for each, is_gone in zip(reversed(effects), done, strict=False) if is_gone][::-1]


Note = Callable[[str, Done], None]
"""Told `undoing` before an inverse and `undone` after it, so that whoever goes on after a kill knows how far it came."""


def undo(world: World, effects: Sequence[Done], note: Note) -> Undone:
    """Take these back, the latest first. The first that fails ends it, and so does Ctrl-C."""
    progress = Progress()
    queue = Queue(world, progress)
    unsure: list[str] = []
    for number, done in enumerate(reversed(effects), 1):
        queue.add(_inverse(world, _Taking(done, note, unsure), number))
    error: ArmslengthError | None = None
    try:
        queue.finish()
    except ArmslengthError as raised:
        error = raised
    except KeyboardInterrupt:  # whoever asked for it is told how far it came
        error = Declined("it was stopped by Ctrl-C")
    return Undone(tuple(progress.settled), error, tuple(unsure))


@dataclass(frozen=True, slots=True)
class _Taking:
    """One effect that is taken back, and who is told."""

    done: Done
    note: Note
    unsure: list[str]

    def run(self, tool: Tool, call: ToolCall, args: dict[str, Plain]) -> Labelled:
        """The tool's inverse. Where it may have got done before, that it refuses is no reason to stop: those before it check for themselves."""
        done, take_back = self.done, tool.undo
        if take_back is None:
            raise ToolError(f"{done.tool} cannot be taken back")
        self.note("undoing", done)
        try:
            take_back(replace(call, labels=done.labels, key=done.key), args, done.outcome)
        except ToolError:
            if not done.is_begun:
                raise
            self.unsure.append(done.summary)
        self.note("undone", done)
        return Labelled(None, NOTHING)


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
        summary=lambda _args: summary,
        handles=frozenset(),
        prospect=None,
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
