"""An effect is made once: where a run was cut off between its beginning and its end, the tool is asked whether it got done."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

from armslength.agent.effects.tool_use import ToolUse
from armslength.agent.outside.boundary import Boundary
from armslength.errors import CannotResume
from armslength.events import labelled_to_json
from armslength.schema import NONE
from armslength.values import Labelled, Plain


def _may_be_made() -> None:
    """A person allowed it, or the policy alone."""


def carried_out(boundary: Boundary, use: ToolUse, check: Callable[[], None] = _may_be_made) -> Plain:
    """The answer of an effect whose beginning was noted: it is made now, unless it was made before the run was cut off.

    `check`: raises CannotResume if an effect that was begun then and did not get done may not be made any more.

    Raises:
        ToolError: it failed.
        CannotResume: nobody can tell whether it was made, or what it gave is lost.
    """
    if not boundary.is_unsure:
        return use.cross(boundary)
    name = use.tool.name
    happened = _asked(use) if boundary.told is None else boundary.told
    if happened is None:
        raise CannotResume(
            f"{name} was begun when the run was cut off, and whether it got done cannot be told; look for yourself, then resume with "
            "--it-happened or --it-did-not"
        )
    if happened and use.tool.signature.returns != NONE:
        raise CannotResume(
            f"{name} got done when the run was cut off, but what it gave is lost; cancel the run, and ask for the rest"
        )
    if not happened:
        check()
    boundary.note(
        "found", {"tool": name, "digest": use.call.key, "happened": happened, "by_person": boundary.told is not None}
    )
    if not happened:
        return use.cross(boundary)
    asked = json.loads(json.dumps(use.arguments))
    return boundary.cross("tool", name, asked, lambda: cast("Plain", labelled_to_json(Labelled(None, use.tool.doubt))))


def _asked(use: ToolUse) -> bool | None:
    """The tool's word, None where it has none or fails."""
    if use.tool.happened is None:
        return None
    try:
        found = use.tool.happened(use.call, json.loads(json.dumps(use.arguments)))
    except Exception:  # noqa: BLE001  # a tool that fails cannot tell
        return None
    return found if isinstance(found, bool) else None
