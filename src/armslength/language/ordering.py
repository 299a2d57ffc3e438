"""Sorting and extremes: row "select" by compared keys. Which element stands where depends on all of them."""

from __future__ import annotations

from collections.abc import Sequence

from armslength.labels import NOTHING, Label, bits_for, join, steered, steering
from armslength.language.machine import Machine
from armslength.language.operators import comparable, text_label, truth
from armslength.values import Value, restrict


def arranged(machine: Machine, items: list[Value], reverse: Value | None) -> tuple[list[Value], Label]:
    """The elements in order, each steered by all that were compared, and that steering.

    Raises:
        ProgramFailed: they have no order.
    """
    is_reversed = reverse is not None and truth(reverse)
    gain = compared(items)
    if reverse is not None:
        gain = steered(gain, steering(reverse.label, 1))
    keys = [comparable(machine, item) for item in items]
    machine.spend(len(items) * bits_for(len(items) + 1))
    machine.may_raise(*(text_label(item) for item in items))
    try:
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=is_reversed)  # type: ignore[arg-type]  # may raise
    except TypeError:
        raise machine.failed("type", "these have no order", *(text_label(item) for item in items)) from None
    return [restrict(items[position], gain) for position in order], gain


def compared(items: Sequence[Value]) -> Label:
    """What a place among these, after comparing them, is steered by: the sources of all, ceil(log2 n) bits."""
    bits = bits_for(len(items))
    gain = NOTHING
    for item in items:
        gain = join(gain, steering(text_label(item), bits))
    return gain
