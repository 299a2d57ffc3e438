"""How many bits a key has that picks a place of a container: which place, the default, or that it fails."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from tests.language.library_world import MAIL, machine_for, value_of

from armslength.errors import ProgramFailed
from armslength.labels import SATURATED, bits_for
from armslength.language.operations.methods import call_method
from armslength.values import DictObject, ListObject, Value, unwrap

SIZES = (0, 1, 2, 3, 4, 7, 8, 15, 16, 100)


def after(owner: Value, name: str, *args: Any) -> tuple[Value | None, int]:
    """What a method gives, and the bits that the shape of its owner has then."""
    made = None
    with contextlib.suppress(ProgramFailed):
        made = call_method(machine_for(), owner, name, [value_of(each) for each in args], {})
    raw = unwrap(owner)
    assert isinstance(raw, ListObject | DictObject)
    return made, raw.shape.bits


@pytest.mark.parametrize("size", SIZES)
def test_a_place_of_a_list_has_the_bits_of_all_places(size: int) -> None:
    """Where something is inserted or taken out."""
    place = value_of(0, MAIL)
    assert after(value_of([1] * size), "insert", place, 2)[1] == min(bits_for(size + 2), SATURATED)
    if size:
        assert after(value_of([1] * size), "pop", place)[1] == min(bits_for(size + 1), SATURATED)


@pytest.mark.parametrize("size", SIZES)
def test_a_key_of_a_dict_has_the_bits_of_all_values_and_the_default(size: int) -> None:
    """Read, kept or taken out, there or not."""
    bits = min(bits_for(size + 2), SATURATED)
    for at in {0, size}:
        key, entries = value_of(at, MAIL), dict.fromkeys(range(size), 1)
        found, _ = after(value_of(entries), "get", key, 2)
        assert found is not None
        assert found.label.bits == bits
        _, shape = after(value_of(entries), "pop", key, 2)
        assert shape == bits
        _, shape = after(value_of(entries), "setdefault", key, 2)
        assert shape >= bits
