"""An operation may fail on each of its operands, and of which kind a container is that it makes, they decide: for all functions and methods alike."""

from __future__ import annotations

import contextlib

import pytest
from tests.language.library_world import FUNCTIONS, MAIL, machine_for, value_of
from tests.language.world import SIGNATURES, World

from armslength.errors import ProgramFailed
from armslength.labels import LITERAL, NOTHING, Label
from armslength.language import prepare, run
from armslength.language.machine import Machine
from armslength.language.operations.methods import METHODS, call_method
from armslength.language.running.functions import NAMES, Arguments, call_path
from armslength.values import PLAIN, Value, make, unwrap

MOST = 3
"""Arguments that are tried; whether a function takes so many, its operands decide as well."""


def operand(given: Label = LITERAL) -> Value:
    """A text that is a number, too."""
    return value_of("7", given)


def tried(machine: Machine, path: str, *args: Value, **named: Value) -> Value | None:
    """What a function gives; None if it fails."""
    with contextlib.suppress(ProgramFailed):
        return call_path(machine, path, Arguments(args, named))
    return None


def is_noted(machine: Machine) -> bool:
    """Whether halt says that the mail decided whether the program failed."""
    return MAIL.data <= machine.halt.choice and machine.halt.bits > 0


@pytest.mark.parametrize("path", sorted(NAMES))
def test_a_function_may_fail_on_each_operand(path: str) -> None:
    """Whichever table it is in, by place and by name, and whether or not it failed."""
    for count in range(1, MOST + 1):
        for at in range(count):
            machine = machine_for()
            tried(machine, path, *(operand(MAIL if at == place else LITERAL) for place in range(count)))
            assert is_noted(machine), (count, at)
    machine = machine_for()
    tried(machine, path, other=operand(MAIL))
    assert is_noted(machine)


@pytest.mark.parametrize("path", sorted(FUNCTIONS))
def test_a_function_of_the_library_may_fail_on_what_an_operand_holds(path: str) -> None:
    """A list of its own with one text of the mail's."""
    machine = machine_for()
    tried(machine, path, value_of([operand(MAIL)]), operand())
    assert is_noted(machine)


@pytest.mark.parametrize("path", sorted(NAMES))
def test_what_a_function_makes_of_others_operands_is_referred_to_by_their_choice(path: str) -> None:
    """A list, dict, match or record: that it is one, the operands decide."""
    for count in range(1, MOST + 1):
        made = tried(machine_for(), path, *(operand(MAIL) for _ in range(count)))
        if made is not None and type(unwrap(made)) not in PLAIN:
            assert MAIL.data <= made.label.choice | made.label.data


@pytest.mark.parametrize("key", sorted(METHODS), ids=".".join)
def test_a_method_may_fail_on_each_operand(key: tuple[str, str]) -> None:
    """Also on an owner that has no such method. What is appended to a list is kept and not looked at."""
    of_others, _, name = operand(MAIL), *key
    for owner, args in ((of_others, [operand()]), (operand(), [of_others]), (value_of([], NOTHING), [of_others])):
        machine = machine_for()
        with contextlib.suppress(ProgramFailed):
            call_method(machine, owner, name, args, {})
        assert is_noted(machine) is not (name == "append" and owner.label is NOTHING)


def test_only_a_list_does_not_look_at_what_is_appended() -> None:
    """What else is asked to append fails, and what it was given may have decided the kind of it."""
    for owner in (value_of({}), value_of(()), value_of("a"), value_of(None)):
        machine = machine_for()
        with pytest.raises(ProgramFailed, match="this has no method append"):
            call_method(machine, owner, "append", [operand(MAIL)], {})
        assert is_noted(machine)
    machine = machine_for()
    call_method(machine, value_of([]), "append", [operand(MAIL)], {})
    assert machine.halt is NOTHING


def test_an_operand_is_noted_once() -> None:
    """One untrusted operand decides with one bit whether there is a result: of a builtin, of the library, of a method, and of one by its type."""
    text = make("ab", MAIL)
    calls = {
        "len": (text,), "re.escape": (text,), "str.upper": (text,), "str.maketrans": (operand(), text),
    }  # fmt: skip
    for path, args in calls.items():
        machine = machine_for()
        tried(machine, path, *args)
        assert machine.halt.bits == 1, path
    machine = machine_for()
    call_method(machine, text, "upper", [], {})
    assert machine.halt.bits == 1


@pytest.mark.parametrize(("written", "bits"), [("7 // u", 1), ("7 // u + u", 2), ("u < 9", 1), ("u + 1 < u", 2)])
def test_what_is_remembered_of_arithmetic_is_noted_each_time(written: str, bits: int) -> None:
    """An operator with an untrusted operand decides with one bit, also where its label is not made anew."""
    halts: list[Label] = []

    class Ending(World):
        def ended(self, halt: Label) -> None:
            halts.append(halt)

    passes = 3
    run(prepare(f"u = search('x')[0].score\nfor i in [{'1, ' * passes}]:\n    x = {written}", SIGNATURES), Ending())
    run(prepare("u = search('x')[0].score", SIGNATURES), Ending())
    assert halts[0].bits - halts[1].bits == passes * bits
