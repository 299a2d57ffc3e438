"""What is looked up before a person is asked: how the world is and would be, and which receivers they never dealt with.

It passes the boundary like every answer from outside, is part of what a yes covers, and is looked up again just before the effect happens.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

from armslength.agent.effects.acquaintance import strangers_among
from armslength.agent.effects.effects import Effect, Look
from armslength.agent.outside.boundary import Boundary
from armslength.errors import ArmslengthError, ToolError
from armslength.tools.base import Prospect, Tool, ToolCall
from armslength.values import Plain


def look(boundary: Boundary, tools: Iterable[Tool], effect: Effect, call: ToolCall) -> Look:
    """Look up what an effect would meet.

    Raises:
        ToolError: a tool cannot say.
    """
    strangers = strangers_among(boundary, tools, effect.receivers, effect.tool)
    alike = {name: line for name, line in strangers.items() if line is not None}
    return Look(prospect_of(boundary, effect, call), frozenset(strangers), alike)


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
