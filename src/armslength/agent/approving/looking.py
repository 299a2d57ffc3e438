"""What is looked up before a person is asked: how the world is and would be, and which receivers they never dealt with.

It passes the boundary like every answer from outside, is part of what a yes covers, and is looked up again just before the effect happens.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

from armslength.agent.effects.effects import Effect, Look
from armslength.agent.outside.boundary import Boundary
from armslength.agent.showing.cleaning import lookalike
from armslength.errors import ArmslengthError, ToolError
from armslength.tools.base import Prospect, Tool, ToolCall
from armslength.values import Plain


def look(boundary: Boundary, tools: Iterable[Tool], effect: Effect, call: ToolCall) -> Look:
    """Look up what an effect would meet.

    Raises:
        ToolError: a tool cannot say.
    """
    strangers, alike = _acquaintance(boundary, [each for each in tools if each.knows is not None], effect)
    return Look(prospect_of(boundary, effect, call), strangers, alike)


def prospect_of(boundary: Boundary, effect: Effect, call: ToolCall) -> Prospect | None:
    """What the tool says of how it would find and leave its store, None where it says nothing.

    Raises:
        ToolError: it cannot say.
    """
    tool = effect.tool
    if tool.prospect is None:
        return None
    foresee = tool.prospect

    def perform() -> Plain:
        try:
            return cast("Plain", json.loads(json.dumps(asdict(foresee(call, effect.arguments())))))
        except ArmslengthError:
            raise
        except Exception as error:
            raise ToolError(f"{tool.name} cannot say what it would find: {type(error).__name__}") from error

    answered = boundary.cross("resolve", f"{tool.name} before and after", dict(effect.arguments()), perform)
    given = cast("dict[str, Any]", answered)
    return Prospect(**{**given, "whose": tuple(given["whose"]), "holds": tuple(given["holds"])})


def _acquaintance(boundary: Boundary, knowing: list[Tool], effect: Effect) -> tuple[frozenset[str], dict[str, str]]:
    names = [name for name in effect.receivers.names or () if "@" in name]
    if not names or not knowing:
        return frozenset(), {}

    def perform() -> Plain:
        known = sorted(frozenset[str]().union(*(tool.knows() for tool in knowing if tool.knows is not None)))
        found: dict[str, Plain] = {}
        for name in names:
            if name not in known:
                found[name] = lookalike(name, known)
        return found

    try:
        found = cast("dict[str, str | None]", boundary.cross("resolve", "acquaintance", list[Plain](names), perform))
    except ToolError:
        return frozenset(names), {}  # a store that cannot be read knows nobody
    return frozenset(found), {name: line for name, line in found.items() if line is not None}
