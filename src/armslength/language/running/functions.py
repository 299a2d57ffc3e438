"""Functions: what the program can call, and what a call is for the control context.

A call is a region: what a branch with `return` in it gained stays to the call's end, and the value that the call leaves takes it. Calling
through an untrusted reference is a guard (rule 7). The functions that could have been meant were candidates when the reference was
picked, and the variables that they mention keep that for whatever is assigned to them later (`values.Place`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from armslength.errors import LimitReached
from armslength.labels import LITERAL, NOTHING, Label, picking, steered
from armslength.language.machine import Kind, Machine
from armslength.language.operations.builtins import BUILTINS, BY_VALUE, TYPE_FUNCTIONS, check_fit
from armslength.language.operations.elements import by_references
from armslength.language.operations.library import CONSTANTS, FUNCTIONS
from armslength.language.operations.methods import call_method
from armslength.language.operations.wholes import unmixed
from armslength.language.reading.effects import Effects
from armslength.language.running.compiler import NO_VALUE, Execute, Returned
from armslength.values import (
    BuiltinObject,
    Frame,
    FunctionObject,
    MethodObject,
    TupleObject,
    Value,
    Variable,
    make,
    restrict,
    unwrap,
)

LIBRARY: Mapping[str, Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]] = {
    **TYPE_FUNCTIONS,
    **FUNCTIONS,
}
"""Functions by path (`re.search`, `str.lower`)."""
NAMES = frozenset({*BUILTINS, *LIBRARY})


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a function of the program: by place, the one that takes the rest, and by name only."""

    positional: tuple[str, ...]
    rest: str | None
    named: tuple[str, ...]
    count: int = field(init=False)
    """How many there are if none takes the rest; -1 if one does, as no call has just so many."""

    def __post_init__(self) -> None:
        count = -1 if self.rest is not None else len(self.positional) + len(self.named)
        object.__setattr__(self, "count", count)


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCode:
    """A function of the program. `free` and `assigned` are counted from the frame of the definition, `effects` from a call's own."""

    name: str
    parameters: Parameters
    free: tuple[Variable, ...]
    assigned: tuple[Variable, ...]
    effects: Effects
    run: Execute
    cost: int


class Arguments:
    """What a call gives. `doubt`: what decided how many there are, beside the program. No dataclass: one is made for each call."""

    __slots__ = ("doubt", "named", "positional")

    def __init__(self, positional: Sequence[Value], named: Mapping[str, Value], doubt: Label = NOTHING) -> None:
        self.positional, self.named, self.doubt = positional, named, doubt


def constant(path: str) -> Value:
    """The value of a constant of the library, or of a function of the language that is passed on."""
    if path in CONSTANTS:
        return make(CONSTANTS[path], LITERAL)
    return make(BuiltinObject(path), LITERAL)


def call_path(machine: Machine, path: str, given: Arguments) -> Value:
    """Call a function of the language by its path.

    The one place for what all of these have in common: each operand may make the function fail (what an operand holds, it notes itself),
    and of which kind a container is that it makes, the references to its operands decide.

    Raises:
        ProgramFailed: the arguments do not fit.
    """
    args, named = given.positional, given.named
    if path in BY_VALUE:
        args, named = [*map(unmixed, args)], {key: unmixed(value) for key, value in named.items()} if named else named
    references = [value.label for value in (*args, *named.values()) if value.label.guards is not NOTHING]
    machine.may_raise(*references)
    if path in BUILTINS:
        check_fit(machine, path, args, named)
        result = BUILTINS[path](machine, args, named)
    else:
        result = LIBRARY[path](machine, args, named)
    return restrict(by_references(result, *references), given.doubt)


def call_value(machine: Machine, function: Value, given: Arguments) -> Value:
    """Call what a value holds.

    Raises:
        ProgramFailed: it is no function, or the arguments do not fit.
        LimitReached: calls are nested too deep.
    """
    machine.may_raise(function.label)
    raw = unwrap(function)
    gain = steered(picking(function.label), given.doubt)
    if gain is not NOTHING:
        machine.spread([*given.positional, *given.named.values()], gain)
        machine.slots.steer((), gain, may_call=True)  # another function might have been called
    match raw:
        case FunctionObject():
            return _call_program(machine, raw, given, gain)
        case BuiltinObject():
            return restrict(call_path(machine, raw.name, given), gain)
        case MethodObject():
            machine.spread([raw.owner], gain)
            result = call_method(machine, raw.owner, raw.name, given.positional, given.named)
            return restrict(result, gain)
        case _:
            raise machine.failed("type", "this is no function and cannot be called", function.label)


def invoke(machine: Machine) -> Callable[[Value, Sequence[Value]], Value]:
    """How `sorted`, `map` and the like call what they were given."""
    return lambda function, arguments: call_value(machine, function, Arguments(arguments, {}))


def _call_program(machine: Machine, function: FunctionObject, given: Arguments, gain: Label) -> Value:
    code = function.code
    if not isinstance(code, CompiledCode):
        raise TypeError("a function that was not compiled")
    frame = Frame(function.frame)
    _bind(machine, code, function.defaults, given, frame)
    machine.step(code.cost)
    machine.calls_left -= 1
    if machine.calls_left < 0:
        raise LimitReached(machine.line, "calls within one another")
    line = machine.line
    region = machine.enter(Kind.CALL, frame, code.effects)
    value = NO_VALUE
    try:
        if gain is not NOTHING:
            machine.gain(region, gain)
        signal = code.run(frame)
        if isinstance(signal, Returned):
            value = signal.value
    finally:
        machine.calls_left += 1
        value = machine.leave_with(region, value)
    machine.line = line
    return value


def _bind(machine: Machine, code: CompiledCode, defaults: Mapping[str, Value], given: Arguments, frame: Frame) -> None:
    """Parameters take arguments, then defaults.

    Raises:
        ProgramFailed: they do not fit.
    """
    parameters, names = code.parameters, frame.names
    machine.may_raise(given.doubt)
    names.update(zip(parameters.positional, given.positional, strict=False))
    if len(names) == len(given.positional) == parameters.count and not given.named:
        return
    more = given.positional[len(parameters.positional) :]
    if parameters.rest is not None:
        machine.spend_elements(len(more))
        names[parameters.rest] = make(TupleObject(more, given.doubt), NOTHING)
    elif more:
        raise machine.failed("type", f"{code.name} takes {_at_most(len(parameters.positional))}", given.doubt)
    for name, value in given.named.items():
        if name not in parameters.positional and name not in parameters.named:
            raise machine.failed("type", f"{code.name} has no parameter {name}", given.doubt)
        if name in names:
            raise machine.failed("type", f"{code.name} gets {name} twice", given.doubt)
        names[name] = value
    for name in (*parameters.positional, *parameters.named):
        if name not in names:
            if name not in defaults:
                raise machine.failed("type", f"{code.name} needs {name}", given.doubt)
            names[name] = defaults[name]


def _at_most(count: int) -> str:
    return "no arguments" if count == 0 else f"at most {count} argument{'' if count == 1 else 's'}"
