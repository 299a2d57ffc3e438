"""Expressions: from a node to a closure that computes its value. One function a node type."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from armslength.labels import LITERAL, NOTHING, Label, construct, made_of, tested
from armslength.language.machine import Kind, Machine
from armslength.language.operations.comparing import COMPARISONS, compare
from armslength.language.operations.elements import (
    add,
    field,
    field_draft,
    pick,
    put,
    read,
    read_item,
    sequence,
    slice_item,
    walk_all,
    walk_label,
)
from armslength.language.operations.formatting import written
from armslength.language.operations.library import match_item
from armslength.language.operations.operators import DRAFTS, unary
from armslength.language.operations.wholes import text_label, truth, truth_label
from armslength.language.reading.refused import refuse_node
from armslength.language.reading.scopes import Function
from armslength.language.running.arithmetic import remembering
from armslength.language.running.attributes import read_attribute
from armslength.language.running.calls import compile_call, members
from armslength.language.running.compiler import Compiler, Condition, Drafted, Evaluate, Returned, truth_of
from armslength.language.running.comprehensions import compile_dict, compile_generator, compile_list, compile_set
from armslength.language.running.functions import CompiledCode, Parameters, constant
from armslength.language.running.slices import compile_bounds
from armslength.language.running.targets import store_in
from armslength.values import (
    DictObject,
    Frame,
    FunctionObject,
    MatchObject,
    Raw,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    make,
    opened,
    restrict,
    unwrap,
)


def _constant(c: Compiler, node: ast.Constant) -> Evaluate:
    value = make(node.value, LITERAL)  # type: ignore[arg-type]  # syntax.py admits five literal types
    return lambda frame: value


def _name(c: Compiler, node: ast.Name) -> Evaluate:
    """A variable; else a function of the language that is passed on, a constant, or the members of an enumeration."""
    variable = c.analysis.scopes.variables.get(node)
    if variable is None:
        value = _known(c, node)
        return lambda frame: value
    name, depth, seek = variable.name, variable.depth, seeking(c, node)

    def load(frame: Frame) -> Value:
        value = frame.names.get(name)
        return seek(frame, name) if value is None or frame.doubts else value

    return load if depth == 0 else lambda frame: load(frame.up(depth))


def _constant_drafted(c: Compiler, node: ast.Constant) -> Drafted:
    draft = opened(_constant(c, node)(c.machine.program))
    return lambda frame: draft


def _name_drafted(c: Compiler, node: ast.Name) -> Drafted:
    variable = c.analysis.scopes.variables.get(node)
    if variable is None or variable.depth:
        evaluate = _name(c, node)
        return lambda frame: opened(evaluate(frame))
    name, seek = variable.name, seeking(c, node)

    def run(frame: Frame) -> tuple[Raw, Label]:
        value = frame.names.get(name)
        return opened(seek(frame, name) if value is None or frame.doubts else value)

    return run


def seeking(c: Compiler, node: ast.Name) -> Callable[[Frame, str], Value]:
    """What is done where the value of a name is not simply there."""
    return c.machine.load if node in c.analysis.unsure else c.machine.load_sure


def _known(c: Compiler, node: ast.Name) -> Value:
    if node in c.analysis.functions:
        return constant(c.analysis.functions[node])
    return make(TupleObject(members(c.analysis.classes.enumerations[node.id]).values(), NOTHING), NOTHING)


def _named(c: Compiler, node: ast.NamedExpr) -> Evaluate:
    evaluate, store = c.expression(node.value), store_in(c.machine, c.variable(node.target))

    def run(frame: Frame) -> Value:
        value = evaluate(frame)
        store(frame, value)
        return value

    return run


# Displays


def _list(c: Compiler, node: ast.List) -> Evaluate:
    machine = c.machine
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return _starred(c, node)
    items = [c.expression(item) for item in node.elts]

    def run(frame: Frame) -> Value:
        machine.spend_elements(len(items))
        return sequence([item(frame) for item in items], NOTHING)

    return run


def _tuple(c: Compiler, node: ast.Tuple) -> Evaluate:
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return _starred(c, node)
    items = [c.expression(item) for item in node.elts]
    return lambda frame: make(TupleObject([item(frame) for item in items], NOTHING), NOTHING)


def _starred(c: Compiler, node: ast.List | ast.Tuple) -> Evaluate:
    """`[*these, that]`: elements keep their labels, the shape is made of the shapes."""
    machine, is_list = c.machine, isinstance(node, ast.List)
    items = [
        (c.expression(item.value), True) if isinstance(item, ast.Starred) else (c.expression(item), False)
        for item in node.elts
    ]

    def run(frame: Frame) -> Value:
        listed: list[Value] = []
        shape = NOTHING
        for evaluate, is_several in items:
            value = evaluate(frame)
            if is_several:
                shape = construct(shape, walk_label(value))
                listed.extend(walk_all(machine, value))
            else:
                listed.append(value)
        machine.spend_elements(len(listed))
        return sequence(listed, shape) if is_list else make(TupleObject(listed, shape), NOTHING)

    return run


def _set(c: Compiler, node: ast.Set) -> Evaluate:
    machine = c.machine
    items = [
        (c.expression(item.value), True) if isinstance(item, ast.Starred) else (c.expression(item), False)
        for item in node.elts
    ]

    def run(frame: Frame) -> Value:
        made = SetObject(NOTHING)
        for evaluate, is_several in items:
            value = evaluate(frame)
            if is_several:
                made.shape = construct(made.shape, walk_label(value))
            for member in walk_all(machine, value) if is_several else [value]:
                add(machine, made, member)
        return make(made, NOTHING)

    return run


def _dict(c: Compiler, node: ast.Dict) -> Evaluate:
    machine = c.machine
    entries = [
        (None if key is None else c.expression(key), c.expression(value))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def run(frame: Frame) -> Value:
        made = DictObject(NOTHING)
        for key, value in entries:
            if key is None:
                _put_all(machine, made, value(frame))
            else:
                at = key(frame)
                put(machine, made, at, value(frame))
        return make(made, NOTHING)

    return run


def _put_all(machine: Machine, made: DictObject, given: Value) -> None:
    """`{**given}`: its entries, and its shape."""
    raw = unwrap(given)
    machine.may_raise(given.label)
    if not isinstance(raw, DictObject):
        raise machine.failed("type", "** takes a dict", given.label)
    made.shape = construct(made.shape, given.label, raw.shape)
    for entry in list(raw.entries.values()):
        put(machine, made, read(entry.key, given), read(entry.value, given))


# Operators


def _binary(c: Compiler, node: ast.BinOp) -> Evaluate:
    draft = _drafted(c, node)

    def run(frame: Frame) -> Value:
        raw, label = draft(frame)
        return make(raw, label)

    return run


def _drafted(c: Compiler, node: ast.BinOp) -> Drafted:
    machine, draft = c.machine, DRAFTS[type(node.op)]
    left, right = c.draft(node.left), c.draft(node.right)

    def run(frame: Frame) -> tuple[Raw, Label]:
        a, by_a = left(frame)
        b, by_b = right(frame)
        return draft(machine, a, by_a, b, by_b)

    return remembering(c, node, run)


def _unary(c: Compiler, node: ast.UnaryOp) -> Evaluate:
    machine, operator, operand = c.machine, node.op, c.expression(node.operand)
    return lambda frame: unary(machine, operator, operand(frame))


def _and_or(c: Compiler, node: ast.BoolOp) -> Evaluate:
    """`and`, `or`: each operand guards those after it. The region begins at the first guard that can steer."""
    machine, effects, stops_at = c.machine, c.effects(node), isinstance(node.op, ast.Or)
    operands = [c.expression(operand) for operand in node.values]

    def run(frame: Frame) -> Value:
        value = operands[0](frame)
        for number, operand in enumerate(operands[1:], start=1):
            if truth_label(value).guards is not NOTHING:
                return rest(frame, value, number)
            if truth(value) is stops_at:
                return value
            value = operand(frame)
        return value

    def rest(frame: Frame, value: Value, number: int) -> Value:
        region = machine.enter(Kind.EXPRESSION, frame, effects)
        try:
            for operand in operands[number:]:
                machine.guard(region, truth_label(value))
                if truth(value) is stops_at:
                    break
                value = operand(frame)
        finally:
            gain = machine.leave(region)
        return restrict(value, gain)

    return run


def _ternary(c: Compiler, node: ast.IfExp) -> Evaluate:
    machine, effects = c.machine, c.effects(node)
    condition, then, other = c.condition(node.test), c.expression(node.body), c.expression(node.orelse)

    def run(frame: Frame) -> Value:
        is_true, label = condition(frame)
        branch = then if is_true else other
        if label.guards is NOTHING:
            return branch(frame)
        region = machine.enter(Kind.EXPRESSION, frame, effects)
        try:
            machine.guard(region, label)
            value = branch(frame)
        finally:
            gain = machine.leave(region)
        return restrict(value, gain)

    return run


def _compare(c: Compiler, node: ast.Compare) -> Evaluate:
    """A chain is the `and` of its links; all operands are computed first."""
    if len(node.ops) == 1:
        told = _told(c, node)
        return lambda frame: make(*told(frame))
    machine = c.machine
    operands = [c.expression(operand) for operand in (node.left, *node.comparators)]

    def run(frame: Frame) -> Value:
        values = [operand(frame) for operand in operands]
        links = [compare(machine, op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
        return make(all(unwrap(link) for link in links), tested(*(link.label for link in links)))

    return run


def _told(c: Compiler, node: ast.Compare) -> Condition:
    """What a comparison tells, without a value of it."""
    if len(node.ops) > 1:
        return truth_of(_compare(c, node))
    machine, comparison = c.machine, COMPARISONS[type(node.ops[0])]
    left, right = c.draft(node.left), c.draft(node.comparators[0])

    def run(frame: Frame) -> tuple[bool, Label]:
        a, by_a = left(frame)
        b, by_b = right(frame)
        return comparison(machine, a, by_a, b, by_b)

    return remembering(c, node, run)


def _denied(c: Compiler, node: ast.UnaryOp) -> Condition:
    """`not` is the other truth with the same label."""
    if not isinstance(node.op, ast.Not):
        return truth_of(_unary(c, node))
    condition = c.condition(node.operand)

    def run(frame: Frame) -> tuple[bool, Label]:
        is_true, label = condition(frame)
        return not is_true, label

    return run


# Parts


def _attribute(c: Compiler, node: ast.Attribute) -> Evaluate:
    """A field; or what a dotted name of the language stands for."""
    known = _dotted(c, node)
    if known is not None:
        return lambda frame: known
    machine, name, owner = c.machine, node.attr, c.draft(node.value)

    def run(frame: Frame) -> Value:
        raw, label = owner(frame)
        if type(raw) is RecordObject and name in raw.fields:
            return field(machine, raw, label, name)
        return read_attribute(machine, make(raw, label), name)

    return run


def _attribute_drafted(c: Compiler, node: ast.Attribute) -> Drafted:
    known = _dotted(c, node)
    if known is not None:
        draft = opened(known)
        return lambda frame: draft
    machine, name, owner = c.machine, node.attr, c.draft(node.value)

    def run(frame: Frame) -> tuple[Raw, Label]:
        raw, label = owner(frame)
        if type(raw) is RecordObject and name in raw.fields:
            return field_draft(machine, raw, label, name)
        return opened(read_attribute(machine, make(raw, label), name))

    return run


def _dotted(c: Compiler, node: ast.Attribute) -> Value | None:
    """A constant or function of the language, or a member of an enumeration, that a dotted name stands for."""
    if node in c.analysis.functions:
        return constant(c.analysis.functions[node])
    enumeration, _, member = (c.analysis.naming.path(node) or "").partition(".")
    if not member or "." in member:
        return None
    return members(c.analysis.classes.enumerations[enumeration])[member]


def _subscript(c: Compiler, node: ast.Subscript) -> Evaluate:
    machine = c.machine
    match node.value:
        case ast.Name(id=name) if name in c.analysis.classes.enumerations:
            return _member_by_name(c, node, name)
    owner = c.expression(node.value)
    if isinstance(node.slice, ast.Slice):
        window = compile_bounds(c, node.slice)

        def cut(frame: Frame) -> Value:
            container = owner(frame)
            return slice_item(machine, container, window(frame))

        return cut
    key = c.expression(node.slice)

    def run(frame: Frame) -> Value:
        container = owner(frame)
        if type(unwrap(container)) is MatchObject:
            return match_item(machine, container, key(frame))
        return read_item(machine, container, key(frame))

    return run


def _member_by_name(c: Compiler, node: ast.Subscript, name: str) -> Evaluate:
    """`Color["RED"]`: picked by the name."""
    machine, key = c.machine, c.expression(node.slice)
    known = members(c.analysis.classes.enumerations[name])

    def run(frame: Frame) -> Value:
        wanted = key(frame)
        label = text_label(wanted)
        machine.may_raise(label)
        found = known.get(str(unwrap(wanted)))
        if found is None:
            raise machine.failed("key", f"{name} has no member of this name", label)
        listed = list(known.values())
        return pick(machine, found, sequence(listed, NOTHING), label)

    return run


def _joined(c: Compiler, node: ast.JoinedStr) -> Evaluate:
    """Row "construct" over the pieces."""
    machine, pieces, nothing = c.machine, [_piece(c, part) for part in node.values], construct()
    c.cost += len(pieces)

    def run(frame: Frame) -> Value:
        texts: list[str] = []
        label = nothing
        for piece in pieces:
            text, by = piece(frame)
            texts.append(text)
            label = label.constructs[by]
        whole = "".join(texts)
        machine.spend(len(whole))
        return make(whole, label)

    return run


def _formatted(c: Compiler, node: ast.FormattedValue) -> Evaluate:
    """A piece that stands alone, as `answer` takes them."""
    piece = _replaced(c, node)

    def run(frame: Frame) -> Value:
        text, label = piece(frame)
        return make(text, made_of(label))

    return run


Piece = Callable[[Frame], tuple[str, Label]]
"""A part of an f-string: its text, and the label of what that is the text of."""


def _piece(c: Compiler, node: ast.expr) -> Piece:
    match node:
        case ast.Constant(value=str(text)):
            return lambda frame: (text, LITERAL)
        case ast.FormattedValue():
            return _replaced(c, node)
        case _:
            raise refuse_node(node)


def _replaced(c: Compiler, node: ast.FormattedValue) -> Piece:
    machine, is_quoted = c.machine, node.conversion == ord("r")
    if node.format_spec is None and not is_quoted:
        return _plainly(c, node.value)
    evaluate = c.expression(node.value)
    match node.format_spec:
        case None:
            return lambda frame: written(machine, evaluate(frame), quoted=True)
        case ast.JoinedStr(values=[ast.Constant(value=str(text))]):
            return lambda frame: written(machine, evaluate(frame), text, quoted=is_quoted)
        case spec:
            computed = c.expression(spec)

    def run(frame: Frame) -> tuple[str, Label]:
        value = evaluate(frame)
        return written(machine, value, computed(frame), quoted=is_quoted)

    return run


def _plainly(c: Compiler, node: ast.expr) -> Piece:
    """The text of a value, which a text or number needs not be for it."""
    machine, draft = c.machine, c.draft(node)

    def run(frame: Frame) -> tuple[str, Label]:
        raw, label = draft(frame)
        if type(raw) is str or type(raw) is int:
            text = str(raw)
            machine.spend(len(text))
            return text, label
        return written(machine, make(raw, label))

    return run


# Functions


def _lambda(c: Compiler, node: ast.Lambda) -> Evaluate:
    body, cost = c.part(node.body)
    code = compile_code(c, node, "lambda", lambda frame: Returned(body(frame)), cost)
    return define(c, node, code)


def compile_code(c: Compiler, node: Function, name: str, run: Callable[[Frame], object], cost: int) -> CompiledCode:
    """The code of a function, whose body is `run`."""
    scope, arguments = c.analysis.scopes.functions[node], node.args
    parameters = Parameters(
        tuple(each.arg for each in (*arguments.posonlyargs, *arguments.args)),
        None if arguments.vararg is None else arguments.vararg.arg,
        tuple(each.arg for each in arguments.kwonlyargs),
    )
    return CompiledCode(name, parameters, tuple(scope.free), tuple(scope.assigned), c.analysis.calls[node], run, cost)  # type: ignore[arg-type]


def define(c: Compiler, node: Function, code: CompiledCode) -> Evaluate:
    """The function as a value: its defaults are computed here, and it keeps the frame."""
    arguments = node.args
    last = code.parameters.positional[len(code.parameters.positional) - len(arguments.defaults) :]
    defaults = dict(zip(last, map(c.expression, arguments.defaults), strict=True))
    for name, default in zip(code.parameters.named, arguments.kw_defaults, strict=True):
        if default is not None:
            defaults[name] = c.expression(default)

    def run(frame: Frame) -> Value:
        computed = {name: default(frame) for name, default in defaults.items()}
        return make(FunctionObject(code, frame, computed), LITERAL)

    return run


DRAFTED: Mapping[type[ast.AST], Callable[..., Drafted]] = {
    ast.Constant: _constant_drafted,
    ast.Name: _name_drafted,
    ast.BinOp: _drafted,
    ast.Attribute: _attribute_drafted,
}
CONDITIONS: Mapping[type[ast.AST], Callable[..., Condition]] = {ast.Compare: _told, ast.UnaryOp: _denied}

EXPRESSIONS: Mapping[type[ast.AST], Callable[..., Evaluate]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.NamedExpr: _named,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _and_or,
    ast.Compare: _compare,
    ast.IfExp: _ternary,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.ListComp: compile_list,
    ast.SetComp: compile_set,
    ast.DictComp: compile_dict,
    ast.GeneratorExp: compile_generator,
    ast.Call: compile_call,
    ast.Lambda: _lambda,
}
