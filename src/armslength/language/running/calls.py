"""Calls: of tools, the quarantined model, the program's own functions and classes, the language's functions, and methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from armslength.labels import LITERAL, NOTHING, Label, picking, steered, tested
from armslength.language.machine import Call, Machine, Question, Reply, Showing
from armslength.language.operations.comparing import comparable
from armslength.language.operations.elements import pick, sequence, walk_label
from armslength.language.operations.methods import call_method
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import render, spend_whole, text_label
from armslength.language.reading.classes import Enumeration
from armslength.language.reading.syntax import returned_type
from armslength.language.running.compiler import Compiler, Evaluate
from armslength.language.running.functions import Arguments, call_path, call_value
from armslength.schema import STR, ListOf, Menu, MenuChoice, OptionalOf, Parameter, RecordType, Type
from armslength.values import (
    BuiltinObject,
    Container,
    ErrorObject,
    Frame,
    FunctionObject,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    RecordObject,
    Value,
    children,
    is_pending,
    kind,
    make,
    parts,
    promise,
    restrict,
    unwrap,
)

Given = Callable[[Frame], Arguments]
"""The arguments of a call, computed in order."""


def compile_call(c: Compiler, node: ast.Call) -> Evaluate:
    """What a call becomes depends on what its name stands for, which was found before the run."""
    func, analysis = node.func, c.analysis
    path = analysis.functions.get(func)
    if path is not None:
        return _language_function(c, node, path)
    if isinstance(func, ast.Attribute):
        return _method(c, node, func)
    name = func.id if isinstance(func, ast.Name) else ""
    if not isinstance(func, ast.Name) or func in analysis.variable_calls:
        return _value(c, node)
    if name in analysis.signatures:
        return _tool(c, node, name)
    if name in analysis.classes.records:
        return _record(c, node, analysis.classes.records[name])
    if name in analysis.classes.enumerations:
        return _member(c, node, analysis.classes.enumerations[name])
    if name in analysis.classes.exceptions:
        return _exception(c, node, name)
    return _FORMS[name](c, node)


def compile_arguments(c: Compiler, node: ast.Call) -> Given:
    """Arguments by place and by name."""
    positional = [c.expression(each.value if isinstance(each, ast.Starred) else each) for each in node.args]
    named = {
        keyword.arg: c.expression(keyword.value)
        for keyword in node.keywords
        if keyword.arg is not None and keyword.value is not returned_type(node)
    }
    if any(isinstance(each, ast.Starred) for each in node.args):
        are_several = [isinstance(each, ast.Starred) for each in node.args]
        return _starred_arguments(c.machine, list(zip(positional, are_several, strict=True)), named)
    if not positional and not named:
        nothing = Arguments((), _NO_NAMES)
        return lambda frame: nothing
    if len(positional) == 1 and not named:
        only = positional[0]
        return lambda frame: Arguments((only(frame),), _NO_NAMES)

    def run(frame: Frame) -> Arguments:
        listed = [evaluate(frame) for evaluate in positional]
        return Arguments(listed, {name: evaluate(frame) for name, evaluate in named.items()} if named else _NO_NAMES)

    return run


def _starred_arguments(
    machine: Machine, positional: Sequence[tuple[Evaluate, bool]], named: Mapping[str, Evaluate]
) -> Given:
    """How many a `*` gives is decided by its shape, and so is whether they fit, and what becomes of whatever can change among them."""

    def run(frame: Frame) -> Arguments:
        listed: list[Value] = []
        doubt = NOTHING
        for evaluate, is_several in positional:
            value = evaluate(frame)
            if is_several:
                doubt = steered(doubt, picking(walk_label(value)))
                listed.extend(walk_all(machine, value))
            else:
                listed.append(value)
        given = Arguments(listed, {name: evaluate(frame) for name, evaluate in named.items()}, doubt)
        machine.may_raise(doubt)
        machine.spread([*listed, *given.named.values()], doubt)
        return given

    return run


_NO_NAMES: dict[str, Value] = {}


def _language_function(c: Compiler, node: ast.Call, path: str) -> Evaluate:
    machine, given = c.machine, compile_arguments(c, node)

    def run(frame: Frame) -> Value:
        return call_path(machine, path, given(frame))

    return run


def _method(c: Compiler, node: ast.Call, func: ast.Attribute) -> Evaluate:
    machine, name = c.machine, func.attr
    owner, given = c.expression(func.value), compile_arguments(c, node)

    def run(frame: Frame) -> Value:
        target = owner(frame)
        arguments = given(frame)
        if arguments.doubt is NOTHING:
            return call_method(machine, target, name, arguments.positional, arguments.named)
        machine.spread([target], arguments.doubt)
        return _doubted(machine, call_method(machine, target, name, arguments.positional, arguments.named), arguments)

    return run


def _doubted(machine: Machine, result: Value, given: Arguments) -> Value:
    machine.spread([*given.positional, result], given.doubt)
    return make(unwrap(result), steered(result.label, given.doubt))


def _value(c: Compiler, node: ast.Call) -> Evaluate:
    machine, function, given = c.machine, c.expression(node.func), compile_arguments(c, node)

    def run(frame: Frame) -> Value:
        called = function(frame)
        return call_value(machine, called, given(frame))

    return run


def _bound(given: Arguments, names: Sequence[str]) -> dict[str, Value]:
    return {**dict(zip(names, given.positional, strict=False)), **given.named}


# Tools


def _tool(c: Compiler, node: ast.Call, name: str) -> Evaluate:
    machine, given = c.machine, compile_arguments(c, node)
    parameters = c.analysis.signatures[name].parameters
    names = [parameter.name for parameter in parameters]
    keyed = c.analysis.signatures[name].keyed
    slot = None if keyed is None else c.analysis.slot(node, keyed)
    store = c.analysis.signatures[name].reads if slot is None else None

    def run(frame: Frame) -> Value:
        found = _bound(given(frame), names)
        arguments = {each.name: found[each.name] if each.name in found else _default(each) for each in parameters}
        labels = _outward(machine, arguments.values(), name)
        machine.may_stop(*labels)
        call = Call(name, arguments, machine.site(node), machine.control, machine.halt)
        gained = NOTHING if store is None else machine.slots.gained_in(store)
        result = machine.outside(lambda: machine.host.call(call), name, tuple(arguments.values()), gained)
        return restrict(result, gained if slot is None else machine.slots.gained(slot))

    return run


def _default(parameter: Parameter) -> Value:
    if isinstance(parameter.default, tuple):
        return sequence([], NOTHING)
    return make(parameter.default, LITERAL)


def _outward(machine: Machine, values: Iterable[Value], what: str) -> list[Label]:
    """The labels of all that goes outside; what is no data cannot.

    Raises:
        ProgramFailed: a function, a match or an exception is among it.
    """
    labels: list[Label] = []
    for value in values:
        spend_whole(machine, value)
        labels.extend(parts(value, machine.spend))
        if not _is_data(machine, value):
            raise machine.failed("type", f"{what} takes data, not functions, matches or exceptions", *labels)
    return labels


def _is_data(machine: Machine, value: Value) -> bool:
    """Whether no function, match or exception is in it. Its texts and numbers, which go outside as text, are counted."""
    raw = unwrap(value)
    if isinstance(raw, str):
        machine.spend(len(raw) // _OUTWARD)
    if isinstance(raw, int):
        machine.spend(raw.bit_length() // 3)
    if isinstance(raw, FunctionObject | MethodObject | BuiltinObject | MatchObject | ErrorObject):
        return False
    return not isinstance(raw, Container) or all(_is_data(machine, child) for child in children(raw))


_OUTWARD = 4
"""So many characters that go outside count as one that is made."""


# Classes


def _record(c: Compiler, node: ast.Call, declared: RecordType) -> Evaluate:
    given = compile_arguments(c, node)
    names = [each.name for each in declared.fields]
    defaults = {name: c.expression(default) for name, default in c.analysis.classes.defaults[declared.name].items()}

    def run(frame: Frame) -> Value:
        found = _bound(given(frame), names)
        fields = {name: found[name] if name in found else defaults[name](frame) for name in names}
        return make(RecordObject(declared, fields), NOTHING)

    return run


def members(enumeration: Enumeration) -> dict[str, Value]:
    """Its members by name."""

    def member(name: str, value: MenuChoice) -> Value:
        made = MemberObject(
            enumeration.name, name, make(value, LITERAL),
            is_mixed=enumeration.is_mixed, shows_value=enumeration.shows_value,
        )  # fmt: skip
        return make(made, LITERAL)

    return {name: member(name, value) for name, value in enumeration.members.items()}


def _member(c: Compiler, node: ast.Call, enumeration: Enumeration) -> Evaluate:
    """`Color("red")`: the member with this value, picked by it."""
    machine, given, listed = c.machine, compile_arguments(c, node), list(members(enumeration).values())
    values = list(enumeration.members.values())

    def run(frame: Frame) -> Value:
        wanted = given(frame).positional[0]
        label = text_label(machine, wanted)
        machine.may_raise(label)
        raw = unwrap(wanted)
        if isinstance(raw, MemberObject) and raw.enumeration == enumeration.name:
            return wanted
        plain = comparable(machine, wanted)
        for member, value in zip(listed, values, strict=True):
            if value == plain:
                return pick(machine, member, sequence(listed, NOTHING), label)
        raise machine.failed("value", f"{enumeration.name} has no member with this value", label)

    return run


def _exception(c: Compiler, node: ast.Call, name: str) -> Evaluate:
    """An exception as a value, to be raised later."""
    given = compile_arguments(c, node)
    return lambda frame: make(ErrorObject(name, tuple(given(frame).positional)), NOTHING)


# Forms


def _isinstance(c: Compiler, node: ast.Call) -> Evaluate:
    subject, wanted, classes = c.expression(node.args[0]), c.analysis.kinds[node], c.analysis.classes

    def run(frame: Frame) -> Value:
        value = subject(frame)
        found = kind(value)
        is_one = found in wanted or (found == "bool" and "int" in wanted) or (found == "datetime" and "date" in wanted)
        raw = unwrap(value)
        if isinstance(raw, ErrorObject):
            is_one = is_one or any(classes.is_kind_of(found, other) for other in wanted)
        if isinstance(raw, MemberObject) and raw.is_mixed:
            is_one = is_one or kind(raw.value) in wanted
        return make(is_one, tested(value.label))

    return run


def _quarantined(c: Compiler, node: ast.Call) -> Evaluate:
    machine, given = c.machine, compile_arguments(c, node)
    returns = c.analysis.returns.get(node, STR)
    enumerations = {each.name: members(each) for each in c.analysis.classes.enumerations.values()}

    def run(frame: Frame) -> Value:
        arguments = given(frame)
        args, named = list(arguments.positional), dict(arguments.named)
        if not args and "instruction" in named:
            args = [named.pop("instruction")]
        values = [*args, *named.values()]
        labels = _outward(machine, values, "quarantined")
        machine.may_stop(arguments.doubt, *labels)
        control = steered(machine.control, arguments.doubt)
        if not args or not isinstance(unwrap(args[0]), str):
            raise machine.failed("type", "quarantined takes an instruction first, as text", *labels)
        question = Question(args[0], tuple(values[1:]), returns, machine.site(node), control, machine.halt)
        result = machine.outside(lambda: machine.host.ask_quarantined(question), "quarantined", tuple(values))
        result = restrict(result, arguments.doubt)
        return _adopted_later(result, returns, enumerations) if enumerations else result

    return run


Enumerations = dict[str, dict[str, Value]]


def _adopted_later(value: Value, declared: Type, enumerations: Enumerations) -> Value:
    if is_pending(value):
        return promise(lambda: _adopted(value, declared, enumerations))
    return _adopted(value, declared, enumerations)


def _adopted(value: Value, declared: Type, enumerations: Enumerations) -> Value:
    """What the quarantined model answered, with members where the type names an enumeration; labels as they are."""
    raw = unwrap(value)
    match declared, raw:
        case OptionalOf(inner), _ if raw is not None:
            return _adopted(value, inner, enumerations)
        case Menu(enumeration=name), str() | int() | bool() if name:
            for member in enumerations[name].values():
                found = unwrap(member)
                if isinstance(found, MemberObject) and unwrap(found.value) == raw:
                    return make(found, value.label)
            raise TypeError("an answer that is no member of its enumeration")
        case ListOf(item), ListObject():
            items = [_adopted(each, item, enumerations) for each in raw.items]
            return make(ListObject(items, raw.shape, is_frozen=True), value.label)
        case RecordType(fields=fields), RecordObject():
            named = {each.name: _adopted(raw.fields[each.name], each.type, enumerations) for each in fields}
            return make(RecordObject(raw.type, named), value.label)
        case _:
            return value


def _reveal(c: Compiler, node: ast.Call) -> Evaluate:
    machine, given = c.machine, compile_arguments(c, node)

    def run(frame: Frame) -> Value:
        arguments = given(frame)
        labels = _outward(machine, arguments.positional, "reveal")
        machine.may_stop(*labels)
        if len(arguments.positional) != 1 or arguments.named:
            raise machine.failed("type", "reveal takes one value", *labels)
        showing = Showing(arguments.positional[0], machine.site(node), machine.control, machine.halt)
        machine.host.reveal(showing)
        return make(None, LITERAL)

    return run


# The answer


def _answer(c: Compiler, node: ast.Call) -> Evaluate:
    machine, space = c.machine, make(" ", LITERAL)
    arguments = [_pieces(c, argument) for argument in node.args]

    def run(frame: Frame) -> Value:
        pieces: list[Value] = []
        for number, argument in enumerate(arguments):
            if number:
                pieces.append(space)
            pieces.extend(argument(frame))
        pieces = [_shown(machine, piece) for piece in pieces]
        machine.host.answer(Reply(tuple(pieces), machine.site(node), machine.control))
        return make(None, NOTHING)

    return run


Pieces = Callable[[Frame], list[Value]]


def _pieces(c: Compiler, node: ast.expr) -> Pieces:
    """A value, or the pieces of a text that stands in `answer(...)` itself, so that each can be marked with its own source."""
    machine = c.machine
    match node:
        case ast.JoinedStr(values=values):
            several = [_piece(c, part) for part in values]
            return lambda frame: [piece(frame) for piece in several]
        case ast.BinOp(op=ast.Add()) if _is_text(node):
            return _terms(c, node)
        case ast.Starred(value=inner):
            starred = c.expression(inner)
            return lambda frame: _spaced(walk_all(machine, starred(frame)))
        case _:
            value = c.expression(node)
            return lambda frame: [value(frame)]


def _piece(c: Compiler, node: ast.expr) -> Evaluate:
    """A text, shown as `str` does; what is still to come is not waited for."""
    match node:
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            evaluate = c.expression(value)
        case _:
            evaluate = c.expression(node)
    machine = c.machine
    return lambda frame: _shown(machine, evaluate(frame))


def _shown(machine: Machine, value: Value) -> Value:
    if is_pending(value):
        return promise(lambda: _shown_now(machine, value))
    return _shown_now(machine, value)


def _shown_now(machine: Machine, value: Value) -> Value:
    raw = unwrap(value)
    if isinstance(raw, str):
        machine.spend(len(raw) // _OUTWARD)
        return value
    return make(render(machine, value), text_label(machine, value))


def _spaced(values: Sequence[Value]) -> list[Value]:
    space = make(" ", LITERAL)
    return [piece for value in values for piece in (space, value)][1:]


def _terms(c: Compiler, node: ast.expr) -> Pieces:
    """The texts that `+` joins."""
    machine = c.machine
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _terms(c, left), _terms(c, right)
            return lambda frame: [*first(frame), *second(frame)]
        case ast.JoinedStr():
            return _pieces(c, node)
        case _:
            evaluate = c.expression(node)

    def run(frame: Frame) -> list[Value]:
        value = evaluate(frame)
        machine.may_raise(value.label)
        if not isinstance(unwrap(value), str):
            raise machine.failed("type", "+ does not take these operands", value.label)
        return [value]

    return run


def _is_text(node: ast.expr) -> bool:
    """Whether the syntax alone says that this is a text."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) or _is_text(right)
        case _:
            return False


_FORMS: dict[str, Callable[[Compiler, ast.Call], Evaluate]] = {
    "isinstance": _isinstance,
    "quarantined": _quarantined,
    "reveal": _reveal,
    "answer": _answer,
    "print": _answer,
}

FORM_NAMES = frozenset(_FORMS)
