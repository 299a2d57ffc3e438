"""Expressions: from a node to a value. One function a node type; the last branch refuses."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from armslength.errors import ProgramRefused
from armslength.labels import LITERAL, NOTHING, construct, made_of, steered, tested
from armslength.language.builtins import BUILTINS, call_builtin
from armslength.language.elements import (
    add,
    put,
    read_field,
    read_item,
    sequence,
    slice_item,
    walk,
    walk_all,
    walk_label,
    write_item,
)
from armslength.language.formatting import formatted
from armslength.language.machine import Call, Machine, Question, Reply
from armslength.language.methods import call_method
from armslength.language.operators import (
    binary,
    compare,
    render,
    spend_whole,
    text_label,
    truth,
    truth_label,
    unary,
)
from armslength.language.syntax import returned_type
from armslength.schema import STR
from armslength.values import (
    DictObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    kind,
    make,
    parts,
    restrict,
    unwrap,
)


def evaluate(machine: Machine, node: ast.expr) -> Value:
    """The value of an expression.

    Raises:
        ProgramFailed: an operation has no result.
        LimitReached: a count ran out.
    """
    line_around = machine.line
    machine.step(node)
    evaluator = _EVALUATORS.get(type(node))
    if evaluator is None:
        raise ProgramRefused(
            machine.line, f"{type(node).__name__} is not part of the language", "write it with simpler expressions"
        )
    value = evaluator(machine, node)
    machine.line = line_around
    return value


def _constant(machine: Machine, node: ast.Constant) -> Value:
    return make(node.value, LITERAL)  # type: ignore[arg-type]  # syntax.py admits five literal types


def _name(machine: Machine, node: ast.Name) -> Value:
    return machine.load(node.id)


def _list(machine: Machine, node: ast.List) -> Value:
    items = [evaluate(machine, item) for item in node.elts]
    machine.spend_elements(len(items))
    return sequence(items, NOTHING)


def _tuple(machine: Machine, node: ast.Tuple) -> Value:
    return make(TupleObject([evaluate(machine, item) for item in node.elts], NOTHING), NOTHING)


def _set(machine: Machine, node: ast.Set) -> Value:
    made = SetObject(NOTHING)
    for item in node.elts:
        add(machine, made, evaluate(machine, item))
    return make(made, NOTHING)


def _dict(machine: Machine, node: ast.Dict) -> Value:
    made = DictObject(NOTHING)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            put(machine, made, evaluate(machine, key), evaluate(machine, value))
    return make(made, NOTHING)


def _binary(machine: Machine, node: ast.BinOp) -> Value:
    return binary(machine, node.op, evaluate(machine, node.left), evaluate(machine, node.right))


def _unary(machine: Machine, node: ast.UnaryOp) -> Value:
    return unary(machine, node.op, evaluate(machine, node.operand))


def _and_or(machine: Machine, node: ast.BoolOp) -> Value:
    """`and`, `or`: each operand guards those after it."""
    stops_at = isinstance(node.op, ast.Or)
    with machine.region(node) as region:
        value = evaluate(machine, node.values[0])
        for operand in node.values[1:]:
            machine.guard(truth_label(value))
            if truth(value) is stops_at:
                break
            value = evaluate(machine, operand)
    return restrict(value, region.gain)


def _compare(machine: Machine, node: ast.Compare) -> Value:
    """A chain is the `and` of its links; all operands are computed first."""
    operands = [evaluate(machine, operand) for operand in (node.left, *node.comparators)]
    links = [compare(machine, op, a, b) for op, a, b in zip(node.ops, operands, operands[1:], strict=False)]
    if len(links) == 1:
        return links[0]
    return make(all(unwrap(link) for link in links), tested(*(link.label for link in links)))


def _ternary(machine: Machine, node: ast.IfExp) -> Value:
    with machine.region(node) as region:
        test = evaluate(machine, node.test)
        machine.guard(truth_label(test))
        value = evaluate(machine, node.body if truth(test) else node.orelse)
    return restrict(value, region.gain)


def _attribute(machine: Machine, node: ast.Attribute) -> Value:
    return read_field(machine, evaluate(machine, node.value), node.attr)


def _subscript(machine: Machine, node: ast.Subscript) -> Value:
    container = evaluate(machine, node.value)
    if isinstance(node.slice, ast.Slice):
        bounds = [
            None if b is None else evaluate(machine, b) for b in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        return slice_item(machine, container, (bounds[0], bounds[1], bounds[2]))
    return read_item(machine, container, evaluate(machine, node.slice))


def _joined(machine: Machine, node: ast.JoinedStr) -> Value:
    pieces = [_piece(machine, part) for part in node.values]
    text = "".join(str(unwrap(piece)) for piece in pieces)
    machine.spend(len(text))
    return make(text, construct(*(piece.label for piece in pieces)))


def _piece(machine: Machine, node: ast.expr) -> Value:
    if not isinstance(node, ast.FormattedValue):
        return evaluate(machine, node)
    machine.step(node)
    spec = ""
    match node.format_spec:
        case ast.JoinedStr(values=[ast.Constant(value=str(text))]):
            spec = text
    return formatted(machine, evaluate(machine, node.value), spec, quoted=node.conversion == ord("r"))


# Comprehensions


def _comprehension(machine: Machine, generators: list[ast.comprehension]) -> Iterator[None]:
    """Runs the loops; at each yield the names are set. Names of the comprehension hide others and do not outlive it."""
    first = evaluate(machine, generators[0].iter)
    targets = [node for generator in generators for node in ast.walk(generator.target)]
    hidden = machine.hide(frozenset(node.id for node in targets if isinstance(node, ast.Name)))
    try:
        yield from _loops(machine, generators, first)
    finally:
        machine.unhide(hidden)


def _loops(machine: Machine, generators: list[ast.comprehension], iterable: Value) -> Iterator[None]:
    generator, inner = generators[0], generators[1:]
    machine.hold(iterable)
    for element in walk(machine, iterable):
        machine.step(generator.target)
        machine.guard(walk_label(iterable))
        assign(machine, generator.target, element)
        if not _passes(machine, generator.ifs):
            continue
        if inner:
            yield from _loops(machine, inner, evaluate(machine, inner[0].iter))
        else:
            yield
    machine.guard(walk_label(iterable))
    machine.let_go()


def _passes(machine: Machine, conditions: list[ast.expr]) -> bool:
    for condition in conditions:
        test = evaluate(machine, condition)
        machine.guard(truth_label(test))
        if not truth(test):
            return False
    return True


def _list_comprehension(machine: Machine, node: ast.ListComp | ast.GeneratorExp) -> Value:
    items: list[Value] = []
    with machine.region(node) as region:
        for _ in _comprehension(machine, node.generators):
            machine.spend_elements(1)
            items.append(evaluate(machine, node.elt))
    return sequence(items, made_of(region.gain))


def _set_comprehension(machine: Machine, node: ast.SetComp) -> Value:
    made = SetObject(NOTHING)
    with machine.region(node) as region:
        for _ in _comprehension(machine, node.generators):
            add(machine, made, evaluate(machine, node.elt))
    made.shape = made_of(steered(made.shape, region.gain))
    return make(made, NOTHING)


def _dict_comprehension(machine: Machine, node: ast.DictComp) -> Value:
    made = DictObject(NOTHING)
    with machine.region(node) as region:
        for _ in _comprehension(machine, node.generators):
            put(machine, made, evaluate(machine, node.key), evaluate(machine, node.value))
    made.shape = made_of(steered(made.shape, region.gain))
    return make(made, NOTHING)


# Assignment


def assign(machine: Machine, target: ast.expr, value: Value) -> None:
    """Assign to a name, to several, or to an item.

    Raises:
        ProgramFailed: the parts do not match, or the item cannot be written.
    """
    match target:
        case ast.Name(id=name):
            machine.store(name, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            _unpack(machine, targets, value)
        case ast.Subscript(value=container, slice=key):
            owner = evaluate(machine, container)
            write_item(machine, owner, evaluate(machine, key), value)
        case _:
            raise ProgramRefused(machine.line, "this cannot be assigned to", "assign to a name")


def _unpack(machine: Machine, targets: list[ast.expr], value: Value) -> None:
    label = walk_label(value)
    machine.may_raise(label)
    items = walk_all(machine, value)
    if len(items) != len(targets):
        raise machine.failed("value", f"there are not {len(targets)} parts to unpack", label)
    for target, item in zip(targets, items, strict=True):
        assign(machine, target, item)


# Calls


def _call(machine: Machine, node: ast.Call) -> Value:
    if isinstance(node.func, ast.Attribute):
        owner = evaluate(machine, node.func.value)
        return call_method(machine, owner, node.func.attr, _positional(machine, node), _named(machine, node))
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    form = _FORMS.get(name)
    if name in machine.analysis.signatures:
        return _call_tool(machine, node, name)
    if name in machine.analysis.classes:
        return _build_record(machine, node, name)
    if form is not None:
        return form(machine, node)
    if name in BUILTINS:
        return call_builtin(machine, name, _positional(machine, node), _named(machine, node))
    raise ProgramRefused(machine.line, f"there is no tool or function {name}", "use only the tools that are listed")


def _positional(machine: Machine, node: ast.Call) -> list[Value]:
    match node.args:
        case [ast.GeneratorExp() as generator]:
            return [_list_comprehension(machine, generator)]
        case _:
            return [evaluate(machine, argument) for argument in node.args]


def _named(machine: Machine, node: ast.Call) -> dict[str, Value]:
    return {
        keyword.arg: evaluate(machine, keyword.value)
        for keyword in node.keywords
        if keyword.arg is not None and keyword.value is not returned_type(node)
    }


def _bound(machine: Machine, node: ast.Call, names: list[str]) -> dict[str, Value]:
    given = dict(zip(names, _positional(machine, node), strict=False))
    given.update(_named(machine, node))
    return given


def _call_tool(machine: Machine, node: ast.Call, name: str) -> Value:
    signature = machine.analysis.signatures[name]
    given = _bound(machine, node, [parameter.name for parameter in signature.parameters])
    for parameter in signature.parameters:
        if parameter.name not in given:
            default = parameter.default
            given[parameter.name] = sequence([], NOTHING) if isinstance(default, tuple) else make(default, LITERAL)
    ordered = {parameter.name: given[parameter.name] for parameter in signature.parameters}
    for value in ordered.values():
        spend_whole(machine, value)
    machine.may_raise(*(part for value in ordered.values() for part in parts(value)))
    result = machine.host.call(Call(name, ordered, machine.site(node), machine.control, machine.halt))
    machine.may_raise(machine.host.doubt(name, tuple(ordered.values())))
    return result


def _build_record(machine: Machine, node: ast.Call, name: str) -> Value:
    declared = machine.analysis.classes[name]
    given = _bound(machine, node, [field.name for field in declared.fields])
    for field in declared.fields:
        given.setdefault(field.name, make(field.default, LITERAL))
    return make(RecordObject(declared, {field.name: given[field.name] for field in declared.fields}), NOTHING)


def _isinstance(machine: Machine, node: ast.Call) -> Value:
    subject = evaluate(machine, node.args[0])
    wanted = machine.analysis.kinds[node]
    found = kind(subject)
    return make(found in wanted or (found == "bool" and "int" in wanted), tested(subject.label))


def _quarantined(machine: Machine, node: ast.Call) -> Value:
    args, named = _positional(machine, node), _named(machine, node)
    if not args and "instruction" in named:
        args = [named.pop("instruction")]
    data = [*args[1:], *named.values()]
    machine.may_raise(*(part for value in (*args[:1], *data) for part in parts(value)))
    if not args or not isinstance(unwrap(args[0]), str):
        raise machine.failed(
            "type", "quarantined takes an instruction first, as text", *(value.label for value in (*args[:1], *data))
        )
    for value in data:
        spend_whole(machine, value)
    returns = machine.analysis.returns.get(node, STR)
    question = Question(args[0], tuple(data), returns, machine.site(node), machine.control, machine.halt)
    result = machine.host.ask_quarantined(question)
    machine.may_raise(machine.host.doubt("quarantined", (args[0], *data)))
    return result


def _answer(machine: Machine, node: ast.Call) -> Value:
    pieces: list[Value] = []
    for number, argument in enumerate(node.args):
        if number:
            pieces.append(make(" ", LITERAL))
        pieces.extend(_pieces(machine, argument))
    pieces = [piece if isinstance(unwrap(piece), str) else _shown(machine, piece) for piece in pieces]
    machine.host.answer(Reply(tuple(pieces), machine.site(node), machine.control))
    return make(None, NOTHING)


def _pieces(machine: Machine, node: ast.expr) -> list[Value]:
    """A value, or the pieces of a text that stands in `answer(...)` itself, so that each can be marked with its own source."""
    match node:
        case ast.JoinedStr(values=values):
            machine.step(node)
            return [_piece(machine, part) for part in values]
        case ast.BinOp(op=ast.Add()) if _is_text(node):
            return _terms(machine, node)
        case _:
            value = (
                _list_comprehension(machine, node) if isinstance(node, ast.GeneratorExp) else evaluate(machine, node)
            )
            return [value]


def _shown(machine: Machine, value: Value) -> Value:
    return make(render(machine, value), text_label(value))


def _terms(machine: Machine, node: ast.expr) -> list[Value]:
    """The texts that `+` joins."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            machine.step(node)
            return [*_terms(machine, left), *_terms(machine, right)]
        case ast.JoinedStr():
            return _pieces(machine, node)
        case _:
            value = evaluate(machine, node)
            machine.may_raise(value.label)
            if not isinstance(unwrap(value), str):
                raise machine.failed("type", "+ does not take these operands", value.label)
            return [value]


def _is_text(node: ast.expr) -> bool:
    """Whether the syntax alone says that this is a text."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) or _is_text(right)
        case _:
            return False


_FORMS: dict[str, Callable[[Machine, ast.Call], Value]] = {
    "isinstance": _isinstance,
    "quarantined": _quarantined,
    "answer": _answer,
    "print": _answer,
}

FORM_NAMES = frozenset(_FORMS)

_EVALUATORS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
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
    ast.ListComp: _list_comprehension,
    ast.SetComp: _set_comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Call: _call,
}
