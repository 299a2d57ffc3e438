"""What tools set under keys of the program: who could decide that it was set, or was not, is told to the store."""

from __future__ import annotations

from armslength.agent.boundary import Boundary
from armslength.agent.effects import Effect
from armslength.errors import ArmslengthError, ToolError
from armslength.events import label_to_json
from armslength.labels import Label
from armslength.schema import Slot
from armslength.tools.base import Tool
from armslength.values import Plain


def sets(effect: Effect, slot: Slot) -> bool:
    """Whether this is what an effect sets."""
    keyed = effect.tool.signature.keyed
    return keyed is not None and slot == Slot(keyed.store, str(effect.arguments()[keyed.by]))


def note_steered(boundary: Boundary, tool: Tool, slot: Slot, gain: Label) -> None:
    """Tell the store of it, before anything is set. Done twice it does no more than once.

    Raises:
        ToolError: it cannot be kept; then nothing of the program happens.
    """

    def perform() -> Plain:
        if tool.steered is None:
            raise ToolError(f"{tool.name} keeps no labels of its keys, so nothing is set")
        try:
            tool.steered(slot.key, gain)
        except ArmslengthError:
            raise
        except Exception as error:
            raise ToolError(f"{tool.name} cannot keep what decided: {type(error).__name__}") from error
        return None

    boundary.cross("tool", f"{tool.name}, set or not", {"key": slot.key, "by": label_to_json(gain)}, perform)
