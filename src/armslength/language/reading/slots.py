"""What tools set under keys that stand in the program: which, found from its text, and what decided over each while it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from armslength.labels import NOTHING, Label, steered, steering
from armslength.language.reading.refused import refuse
from armslength.schema import Signature, Slot

_LONGEST_KEY = 100
WHOLE = ""
"""The key of a slot that is a whole store: what a tool changes there that sets nothing under a key."""


def literal_of(node: ast.Call, signature: Signature, parameter: str) -> str | None:
    """The text that stands in a call for this parameter, None if it is no such text."""
    place = [each.name for each in signature.parameters].index(parameter)
    given = [keyword.value for keyword in node.keywords if keyword.arg == parameter] or node.args[place : place + 1]
    match given:
        case [ast.Constant(value=str(key))] if 0 < len(key) <= _LONGEST_KEY and key.isprintable():
            return key
        case _:
            return None


def check_key(node: ast.Call, signature: Signature) -> None:
    """The key of a call stands in it.

    Raises:
        ProgramRefused: it does not.
    """
    if signature.keyed is not None and literal_of(node, signature, signature.keyed.by) is None:
        by = signature.keyed.by
        raise refuse(
            node,
            f"{signature.name} takes as {by} only a text in quotes that stands in the program, of 1 to {_LONGEST_KEY} printable characters",
            f'write {signature.name}("name", ...), one call for each {by}',
        )


class Slots:
    """What decided over each slot so far: a slot is no other than a name (rule 3), and takes what a region gained, whichever branch ran."""

    def __init__(self, known: AbstractSet[Slot], called: AbstractSet[Slot]) -> None:
        """`known`: what the program may set, `called`: what calls of its functions may."""
        self._known, self._called = known, called
        self._gained: dict[Slot, Label] = {}

    def steer(self, slots: Iterable[Slot], gain: Label, *, may_call: bool) -> None:
        """A region ended that may set these, and may call functions: text alone does not say which."""
        for slot in {*slots, *(self._called if may_call else ())}:
            self._gained[slot] = steered(self.gained(slot), gain)

    def gained(self, slot: Slot) -> Label:
        """What decided over it so far."""
        return self._gained.get(slot, NOTHING)

    def gained_in(self, store: str) -> Label:
        """What decided over anything in a store so far: whether it was changed there tells of it, changed or not."""
        gain = NOTHING
        for slot, each in self._gained.items():
            if slot.store == store:
                gain = steered(gain, each)
        return gain

    def at_end(self, control: Label, halt: Label) -> dict[Slot, Label]:
        """What decided over each: also that the program came to its end, or did not, since then nothing is set."""
        gain = steered(control, steering(halt, 1))
        return {slot: steered(self.gained(slot), gain) for slot in self._known}
