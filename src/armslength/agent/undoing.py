"""Taking back what a run did: the inverses of its effects, in reverse order, each with the person's yes like any effect.

An inverse is the tool's own `undo`, which refuses if what it would take back is another by now. Nothing of this is told to any planner.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from armslength.agent.effects import Effect, Pending, Resolved
from armslength.agent.queue import Queue
from armslength.agent.world import Progress, World
from armslength.errors import ArmslengthError, ToolError
from armslength.events import Json, Site, Trust, label_from_json, label_to_json, labelled_from_json, labelled_to_json
from armslength.labels import NOTHING, Label
from armslength.schema import NONE, Signature
from armslength.tools.base import NOBODY, Tool, ToolCall, nobody
from armslength.values import Labelled, Plain


@dataclass(frozen=True, slots=True)
class Done:
    """An effect that a run did, as far as its inverse and a person need it. `key` is that of the effect itself."""

    tool: str
    version: str
    line: int
    key: str
    summary: str
    canonical: str
    outcome: Plain
    shown: Mapping[str, Labelled]
    labels: Mapping[str, Label]
    described: Mapping[str, Mapping[str, Labelled]]


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


def is_undoable(done: Done, tools: Mapping[str, Tool]) -> bool:
    """Whether its tool still is the one that did it, and has an inverse."""
    tool = tools.get(done.tool)
    return tool is not None and tool.undo is not None and tool.version == done.version


@dataclass(frozen=True, slots=True)
class Undone:
    """How far it got: each inverse as an effect, the latest first, and why it ended early if it did."""

    settled: tuple[Pending, ...]
    error: ArmslengthError | None = None


def undo(world: World, effects: Sequence[Done]) -> Undone:
    """Take these back, the latest first. The first that fails ends it.

    Raises:
        KeyboardInterrupt: the user stopped it.
    """
    progress = Progress()
    queue = Queue(world, progress)
    for number, done in enumerate(reversed(effects), 1):
        queue.add(_inverse(world, done, number))
    try:
        queue.settle()
    except ArmslengthError as error:
        return Undone(tuple(progress.settled), error)
    return Undone(tuple(progress.settled))


def _inverse(world: World, done: Done, number: int) -> Effect:
    """The effect that takes one back. It cannot be taken back itself, so the person is asked."""
    tool, summary = world.tools[done.tool], f"take back: {done.summary}"
    take_back = tool.undo

    def run(call: ToolCall, args: dict[str, Plain]) -> Labelled:
        if take_back is None:
            raise ToolError(f"{done.tool} cannot be taken back")
        take_back(replace(call, labels=done.labels, key=done.key), args, done.outcome)
        return Labelled(None, NOTHING)

    inverse = replace(
        tool,
        signature=Signature(f"undo_{done.tool}", tool.signature.parameters, NONE),
        run=run,
        receivers=nobody,
        undo=None,
        summary=lambda _args: summary,
        handles=frozenset(),
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
        return labelled_from_json(given, {}, trust)

    try:
        texts = {name: stored[name] for name in ("tool", "version", "key", "summary", "canonical")}
        if not all(type(text) is str for text in texts.values()) or type(stored["line"]) is not int:
            raise ValueError("not a stored effect")
        json.loads(texts["canonical"])
        return Done(
            **texts,
            line=stored["line"],
            outcome=cast("Plain", stored["outcome"]),
            shown={name: read(each) for name, each in stored["shown"].items()},
            labels={name: label_from_json(each, trust) for name, each in stored["labels"].items()},
            described={
                name: {part: read(each) for part, each in parts.items()} for name, parts in stored["described"].items()
            },
        )
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("not a stored effect") from error
