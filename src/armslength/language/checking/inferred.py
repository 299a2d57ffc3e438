"""What expressions give: one function a node type, whose last branch knows nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from armslength.language.checking.alternatives import (
    CHANGES,
    FLOAT,
    HANDED,
    NEVER,
    NUMBER,
    NUMBERS,
    TEXT,
    TRUTH,
    WHOLE,
    Alternative,
    Alternatives,
    Builtin,
    Chosen,
    Given,
    Instance,
    Made,
    Member,
    Plain,
    is_only,
    kinds_of,
    of_literal,
    one,
    plain_names,
    united,
    without_none,
)
from armslength.language.checking.facts import Facts, part_of
from armslength.language.checking.inferred_calls import call
from armslength.language.operations.library import ATTRIBUTES, CONSTANTS
from armslength.language.operations.methods import METHODS
from armslength.schema import ListOf, RecordType


def expression(facts: Facts, node: ast.expr) -> Alternatives:
    """What an expression gives, by what is known of its parts."""
    follow = _EXPRESSIONS.get(type(node))
    return None if follow is None else follow(facts, node)


def _constant(facts: Facts, node: ast.Constant) -> Alternatives:
    return of_literal(node.value)


def _text(facts: Facts, node: ast.expr) -> Alternatives:
    return TEXT


def _truth(facts: Facts, node: ast.expr) -> Alternatives:
    return TRUTH


def _name(facts: Facts, node: ast.Name) -> Alternatives:
    if node in facts.names:
        return facts.read(facts.names[node])
    if node in facts.analysis.functions:
        return _path(facts, facts.analysis.functions[node])
    members = facts.classes.enumerations.get(node.id)
    if members is None:
        return None
    return facts.make("tuple", ("enumeration", node.id), item=one(Member(node.id)))


def _path(facts: Facts, path: str) -> Alternatives:
    """A function or constant of the language as a value. `list.append` handed over may change any list."""
    if path in CONSTANTS:
        return of_literal(CONSTANTS[path])
    if path.rpartition(".")[2] in CHANGES:
        facts.spoil(None)
    return one(Builtin(path))


def _named(facts: Facts, node: ast.NamedExpr) -> Alternatives:
    return facts.of(node.value)


# Displays and comprehensions


def _display(facts: Facts, node: ast.List | ast.Set) -> Alternatives:
    kind = "list" if isinstance(node, ast.List) else "set"
    return facts.make(kind, node, item=united(*(_element(facts, each) for each in node.elts)))


def _element(facts: Facts, node: ast.expr) -> Alternatives:
    return facts.items(facts.of(node.value)) if isinstance(node, ast.Starred) else facts.of(node)


def _tuple(facts: Facts, node: ast.Tuple) -> Alternatives:
    elements = [_element(facts, each) for each in node.elts]
    if any(isinstance(each, ast.Starred) for each in node.elts):
        return facts.make("tuple", node, item=united(*elements))
    return facts.make_tuple(node, elements)


def _dict(facts: Facts, node: ast.Dict) -> Alternatives:
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            facts.make("dict", node, key=facts.of(key), value=facts.of(value))
        else:
            facts.merge(node, facts.of(value))
    return one(Made("dict", node))


def _comprehension(facts: Facts, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Alternatives:
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "iterator"}[type(node)]
    return facts.make(kind, node, item=facts.of(node.elt))


def _dict_comprehension(facts: Facts, node: ast.DictComp) -> Alternatives:
    return facts.make("dict", node, key=facts.of(node.key), value=facts.of(node.value))


# Operators


def _either(facts: Facts, node: ast.IfExp) -> Alternatives:
    return united(facts.of(node.body), facts.of(node.orelse))


def _and_or(facts: Facts, node: ast.BoolOp) -> Alternatives:
    """`x or y` is not None where x was."""
    found = [facts.of(value) for value in node.values]
    if isinstance(node.op, ast.Or):
        found[:-1] = [each if each is None else without_none(each) for each in found[:-1]]
    return united(*found)


def _unary(facts: Facts, node: ast.UnaryOp) -> Alternatives:
    if isinstance(node.op, ast.Not):
        return TRUTH
    operand = facts.of(node.operand)
    if operand is None or not operand <= NUMBERS:
        return None
    return (operand - TRUTH) | WHOLE if operand & TRUTH else operand


def _binary(facts: Facts, node: ast.BinOp) -> Alternatives:
    return operated(facts, node, type(node.op), facts.of(node.left), facts.of(node.right))


def operated(
    facts: Facts, site: ast.AST, sign: type[ast.operator], left: Alternatives, right: Alternatives
) -> Alternatives:
    """What an operator gives. A text and something are a text, or nothing at all; so are a list and something."""
    if NEVER in (left, right):
        return NEVER
    if sign is ast.Add and (is_text(left) or is_text(right)):
        return TEXT
    if sign is ast.Mod and is_text(left):
        return TEXT
    if sign is ast.Mult and (is_text(left) or is_text(right)):
        return TEXT
    if is_only(left, NUMBERS) and is_only(right, NUMBERS):
        return _arithmetic(sign, left or NEVER, right or NEVER)
    if sign is ast.Add and (_are_lists(left) or _are_lists(right)):
        return facts.make("list", site, item=united(facts.items(left), facts.items(right)))
    if sign is ast.Mult and (_are_lists(left) or _are_lists(right)):
        several = left if _are_lists(left) else right
        return facts.make("list", site, item=facts.items(several))
    return None


def is_text(alternatives: Alternatives) -> bool:
    """Whether it is a text, for certain."""
    return bool(alternatives) and all(
        each == Plain("str") or (isinstance(each, Chosen) and all(isinstance(c, str) for c in each.menu.choices))
        for each in alternatives or ()
    )


def _are_lists(alternatives: Alternatives) -> bool:
    return bool(alternatives) and all(is_list(each) for each in alternatives or ())


def is_list(alternative: Alternative) -> bool:
    """Whether it is a list."""
    match alternative:
        case Made("list") | Given(ListOf()):
            return True
        case _:
            return False


def _arithmetic(sign: type[ast.operator], left: frozenset[Alternative], right: frozenset[Alternative]) -> Alternatives:
    if sign is ast.Div:
        return FLOAT
    if sign is ast.Pow:
        return NUMBER
    if sign in (ast.BitAnd, ast.BitOr, ast.BitXor):
        return WHOLE | TRUTH
    both = left | right
    if FLOAT in (left, right):
        return FLOAT
    return NUMBER if both & FLOAT else WHOLE


# Parts


def _subscript(facts: Facts, node: ast.Subscript) -> Alternatives:
    match node.value:
        case ast.Name(id=name) if name in facts.classes.enumerations:
            return one(Member(name))
    owner = facts.of(node.value)
    if owner is None:
        return None
    find = _slice if isinstance(node.slice, ast.Slice) else _item
    return united(*(find(facts, node, each) for each in owner))


def _slice(facts: Facts, node: ast.Subscript, owner: Alternative) -> Alternatives:
    match owner:
        case Made("list") | Given(ListOf()):
            return facts.make("list", node, item=facts.items(one(owner)))
        case Made("tuple"):
            return facts.make("tuple", node, item=facts.items(one(owner)))
        case _ if "str" in plain_names(owner, facts.classes):
            return TEXT
        case _:
            return NEVER


def _item(facts: Facts, node: ast.Subscript, owner: Alternative) -> Alternatives:
    match owner, node.slice:
        case Made("dict"), _:
            return facts.part(owner, "value")
        case Made("tuple", arity=int(arity)), ast.Constant(value=int(at)) if -arity <= at < arity:
            return facts.part(owner, at % arity)
        case ((Made("list" | "tuple") | Given(ListOf())), _):
            return facts.items(one(owner))
        case ((Given(RecordType()) | Instance()), ast.Constant(value=str(name))):
            return field_of(facts, owner, name)
        case ((Given() | Instance() | Plain("match")), _):
            return None
        case _ if "str" in plain_names(owner, facts.classes):
            return TEXT
        case _:
            return NEVER


def _attribute(facts: Facts, node: ast.Attribute) -> Alternatives:
    if node in facts.analysis.functions:
        return _path(facts, facts.analysis.functions[node])
    match node.value:
        case ast.Name(id=name) if name in facts.classes.enumerations and node.value not in facts.names:
            return one(Member(name))
    owner = facts.of(node.value)
    if node.attr in CHANGES:
        facts.spoil(owner)
    if owner is None:
        return None
    return united(*(field_of(facts, each, node.attr) for each in owner))


def field_of(facts: Facts, owner: Alternative, name: str) -> Alternatives:
    """A field of a record, a part of a moment or member, or a method that is handed over. Never, if there is none."""
    match owner:
        case Given(RecordType() as record, is_kept):
            declared = record.field(name)
            return _record_method(name) if declared is None else facts.of_type(declared.type, is_kept=is_kept)
        case Instance(record):
            return _record_method(name) if record.field(name) is None else facts.read(part_of(record.name, name))
        case Member(enumeration) if name == "value":
            return united(*(of_literal(value) for value in facts.classes.enumerations[enumeration].members.values()))
        case Member() if name == "name":
            return TEXT
        case Plain("error") if name == "args":
            return None
        case Plain(kind) if (kind, name) in ATTRIBUTES:
            return None if name == "tzinfo" else WHOLE
        case _:
            return HANDED if any((kind, name) in METHODS for kind in kinds_of(owner, facts.classes)) else NEVER


def _record_method(name: str) -> Alternatives:
    return HANDED if ("record", name) in METHODS else NEVER


_EXPRESSIONS: Mapping[type[ast.AST], Callable[..., Alternatives]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.NamedExpr: _named,
    ast.JoinedStr: _text,
    ast.FormattedValue: _text,
    ast.Compare: _truth,
    ast.List: _display,
    ast.Set: _display,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.IfExp: _either,
    ast.BoolOp: _and_or,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.Lambda: Facts.define,
    ast.Call: call,
}
