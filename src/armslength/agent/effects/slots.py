"""What tools set under keys of the program: who could decide that it was set, or was not, is told to the store."""

from __future__ import annotations

from armslength.agent.effects.effects import Effect
from armslength.agent.outside.boundary import Boundary
from armslength.errors import ArmslengthError, ToolError
from armslength.events import label_to_json
from armslength.schema import Slot
from armslength.tools.base import Decided, Tool
from armslength.values import Plain


def sets(effect: Effect, slot: Slot) -> bool:
    """Whether this is what an effect sets."""
    keyed = effect.tool.signature.keyed
    return keyed is not None and slot == Slot(keyed.store, str(effect.arguments()[keyed.by]))


def note_steered(boundary: Boundary, tool: Tool, slot: Slot, decided: Decided) -> None:
    """Tell the store of it, before anything that is queued is set, and again when that is settled.

    Raises:
        ToolError: it cannot be kept; before, nothing of the program happens then.
    """

    def perform() -> Plain:
        tell(tool, slot, decided)
        return None

    asked: Plain = {"key": slot.key, "by": label_to_json(decided.gain)}
    boundary.cross("tool", f"{tool.name}, set or not", asked, perform)


def tell(tool: Tool, slot: Slot, decided: Decided) -> None:
    """Tell the store of it, and nobody else. Done twice it does no more than once.

    Raises:
        ToolError: it cannot be kept.
    """
    if tool.steered is None:
        raise ToolError(f"{tool.name} keeps no labels of its keys, so nothing is set")
    try:
        tool.steered(slot.key, decided)
    except ArmslengthError:
        raise
    except Exception as error:
        raise ToolError(f"{tool.name} cannot keep what decided: {type(error).__name__}") from error
