"""Tools and settings of the tests of the controller."""

from __future__ import annotations

from armslength.policy.engine import PolicySettings
from armslength.tools.base import Role, Tool, nobody, tool

NOTHING_TOLD = PolicySettings(steering_bits=0)
"""Every bit of steering is asked about."""


def no_undo(call: object, args: object, outcome: object) -> None:
    """Takes nothing back."""


def noting(name: str, done: list[str]) -> Tool:
    """A tool that changes the store of that name, and notes so."""

    @tool(name=name, changes=name, receivers=nobody, roles={"text": Role.CONTENT}, undo=no_undo)
    def note(text: str) -> None:
        done.append(f"{name} {text}")

    return note
