"""Misfits of types, refused before anything runs: fields and methods that there are not, arguments that a tool does not take.

Refused is only what fails whichever way the program goes: every alternative of the value must be known, and none may fit. A `try` whose
handler would catch the failure, and functions of a program with such a `try`, are left to the run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from armslength.language.checking import wording
from armslength.language.checking.alternatives import (
    CHANGES,
    NOTHING,
    Alternative,
    Alternatives,
    Chosen,
    Given,
    Instance,
    Made,
    Member,
    Plain,
    kinds_of,
    plain_names,
)
from armslength.language.checking.facts import Facts, path_of
from armslength.language.checking.inference import Types
from armslength.language.checking.inferred import field_of, is_list, is_text
from armslength.language.operations.methods import METHODS
from armslength.language.reading.classes import exception_name
from armslength.language.reading.refused import METHODS as OF_PYTHON
from armslength.language.reading.refused import refuse
from armslength.language.reading.scopes import FUNCTIONS
from armslength.language.reading.static import Analysis
from armslength.language.reading.syntax import below
from armslength.language.reading.trees import statements
from armslength.schema import BOOL, FLOAT, INT, STR, ListOf, Menu, Parameter, RecordType, Type


def check_types(analysis: Analysis) -> None:
    """Refuse fields and methods that a value lacks, and arguments that cannot be what a tool declares.

    Raises:
        ProgramRefused: with what would fit.
    """
    checker = _Checker(analysis, Types(analysis, analysis.kept).facts)
    checker.caught_somewhere = checker.caught_in(analysis.program.body)
    for statement in analysis.program.body:
        checker.walk(statement, frozenset())


_LEAVES = (ast.Constant, ast.Name)
"""Nothing is asked of them where they stand alone."""
Caught = frozenset[str]
"""Exceptions that a handler around would catch."""
_ASKED = ("AttributeError", "TypeError", "KeyError", "RuntimeError", "ValueError")


@dataclass(slots=True)
class _Checker:
    """Goes through a program in the order of its text."""

    analysis: Analysis
    facts: Facts
    caught_somewhere: Caught = frozenset()

    def walk(self, node: ast.AST, caught: Caught) -> None:
        """Check a node, then what is below it."""
        if isinstance(node, _LEAVES):
            return
        self._check(node, caught)
        if isinstance(node, ast.Try):
            self._walk_try(node, caught)
            return
        if isinstance(node, FUNCTIONS):
            caught |= self.caught_somewhere
        is_method = isinstance(node, ast.Call) and node.func not in self.analysis.functions
        for child in below(node):
            if is_method and child is node.func and isinstance(child, ast.Attribute):  # type: ignore[attr-defined]
                self.walk(child.value, caught)
            else:
                self.walk(child, caught)

    def _walk_try(self, node: ast.Try, caught: Caught) -> None:
        for child in node.body:
            self.walk(child, caught | self._caught_by(node))
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.walk(part, caught)

    def _caught_by(self, node: ast.Try) -> Caught:
        return frozenset(name for handler in node.handlers for name in _ASKED if self._catches(handler, name))

    def _catches(self, handler: ast.ExceptHandler, exception: str) -> bool:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        classes = self.analysis.classes
        return any(kind is None or classes.is_kind_of(exception, exception_name(kind)) for kind in kinds)

    def caught_in(self, body: Sequence[ast.stmt]) -> Caught:
        """What is caught by any `try`: a function may be called in each."""
        tries = (node for node in statements(body) if isinstance(node, ast.Try))
        return frozenset().union(*map(self._caught_by, tries))

    def _check(self, node: ast.AST, caught: Caught) -> None:
        if isinstance(node, _USING) and not caught & {"AttributeError", "TypeError"}:
            for used in self._used(node):
                self._check_called(used)
        match node:
            case ast.Attribute() if self.analysis.naming.path(node) is None:
                if "AttributeError" not in caught:
                    self._check_field(node)
            case ast.Call(func=ast.Attribute() as method) if self._is_method(method):
                self._check_method_name(node, method)
                if not caught & {"AttributeError", "TypeError"}:
                    self._check_method(node, method)
            case ast.Call(func=ast.Name(id=name)) if name in self.analysis.signatures:
                if node.func not in self.analysis.variable_calls and not caught & _OF_TOOLS:
                    for parameter, given in _bound(node, self.analysis.signatures[name].parameters):
                        self._check_argument(given, name, parameter)
            case ast.Subscript(value=owner, slice=ast.Constant(value=str(name))) if not self._is_enumeration(owner):
                if not caught & {"TypeError", "KeyError"}:
                    self._check_key(node, name)
            case ast.BinOp(op=ast.Add()) if "TypeError" not in caught:
                self._check_sum(node.left, node.right)
            case ast.AugAssign(op=ast.Add(), target=ast.Name() as name) if "TypeError" not in caught:
                self._check_grown(node, name)
            case _:
                return

    def _is_enumeration(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node not in self.facts.names

    def _is_method(self, func: ast.Attribute) -> bool:
        return func not in self.analysis.functions

    # Fields

    def _check_field(self, node: ast.Attribute) -> None:
        owners = self._owners(node.value)
        if not owners or any(self._has_field(owner, node.attr) for owner in owners):
            return
        raise refuse(node, *wording.no_field(self._value(node.value, owners), node.attr))

    def _has_field(self, owner: Alternative, name: str) -> bool:
        return field_of(self.facts, owner, name) != frozenset() or _is_vague(owner)

    def _check_key(self, node: ast.Subscript, name: str) -> None:
        owners = self._owners(node.value)
        if not owners or not all(_is_keyless(owner, name) for owner in owners):
            return
        raise refuse(node, *wording.no_field(self._value(node.value, owners), name))

    # Methods

    def _check_method_name(self, node: ast.Call, method: ast.Attribute) -> None:
        """A method that nothing has is refused whatever it is called on, and whatever is caught."""
        name = method.attr
        if name in self.analysis.naming.known.methods:
            return
        owners = self._owners(method.value)
        if not owners or name in OF_PYTHON:
            raise refuse(node, *wording.unknown_method(name))
        raise refuse(node, *wording.no_method(self._value(method.value, owners), name))

    def _check_method(self, node: ast.Call, method: ast.Attribute) -> None:
        owners, name = self._owners(method.value), method.attr
        if not owners or any(_is_vague(owner) for owner in owners):
            return
        having = [owner for owner in owners if self._has_method(owner, name)]
        if not having:
            raise refuse(node, *wording.no_method(self._value(method.value, owners), name))
        if name in CHANGES and all(_is_frozen(owner) for owner in having):
            raise refuse(node, *wording.frozen(method.value, name))
        if name == "join" and is_text(self.facts.of(method.value)) and len(node.args) == 1:
            self._check_joined(node.args[0])

    def _has_method(self, owner: Alternative, name: str) -> bool:
        return any((kind, name) in METHODS for kind in kinds_of(owner, self.facts.classes))

    def _used(self, node: ast.AST) -> Sequence[ast.expr]:
        """The parts of a node that are never a function where it has a result; `"%s" % x` shows one."""
        match node:
            case ast.Attribute(value=used) | ast.Subscript(value=used) | ast.Call(func=ast.Attribute(value=used)):
                return [used]
            case ast.For(iter=used) | ast.comprehension(iter=used):
                return [used]
            case ast.BinOp(left=used, op=ast.Mod()):
                return [used]
            case ast.BinOp(left=left, right=right):
                return [left, right]
            case ast.AugAssign(op=op, value=used) if not isinstance(op, ast.Mod):
                return [used]
            case ast.Compare(left=left, ops=ops, comparators=others):
                return _ordered_by(ops, [left, *others])
            case ast.Call(func=ast.Name() as func) if self.analysis.functions.get(func) in _WALKING:
                return node.args[:1]
            case ast.Call(func=ast.Name(id=name)) if name in self.analysis.signatures or name == "quarantined":
                is_tool = node.func not in self.analysis.variable_calls
                return [*node.args, *(each.value for each in node.keywords)] if is_tool else []
            case _:
                return []

    def _check_called(self, node: ast.expr) -> None:
        """A method is called."""
        if not isinstance(node, ast.Attribute) or not self._is_method(node):
            return
        owners = self._owners(node.value)
        if owners and all(self._is_only_method(owner, node.attr) for owner in owners):
            raise refuse(node, *wording.not_called(self._value(node.value, owners), node.attr))

    def _is_only_method(self, owner: Alternative, name: str) -> bool:
        if not self._has_method(owner, name):
            return False
        record = wording.record_of(owner)
        return record is None or record.field(name) is None

    def _check_joined(self, given: ast.expr) -> None:
        items = _ordered(self.facts.items(self.facts.of(given)))
        if items and all(isinstance(each, Given | Instance) and not is_list(each) for each in items):
            raise refuse(given, *wording.joined_records(items[0], path_of(given) or "x"))

    # Arguments

    def _check_argument(self, given: ast.expr, tool: str, parameter: Parameter) -> None:
        wanted, owners = wording.required(parameter.type), self._owners(given)
        if isinstance(wanted, Menu) and isinstance(given, ast.Constant):
            self._check_choice(given, tool, parameter, wanted)
        if not owners or any(self._fits(owner, wanted) for owner in owners):
            return
        raise refuse(given, *wording.no_argument(self._value(given, owners), tool, parameter))

    def _check_choice(self, given: ast.Constant, tool: str, parameter: Parameter, wanted: Menu) -> None:
        value = given.value
        is_member = any(type(each) is type(value) and each == value for each in wanted.choices)
        if isinstance(value, str) and not is_member:
            raise refuse(given, *wording.no_choice(value, tool, parameter, wanted))

    def _fits(self, owner: Alternative, wanted: Type) -> bool:
        """Whether data of this kind may be what is wanted: an empty list is one of anything, but nobody means that."""
        is_record = isinstance(owner, Given | Instance) and not is_list(owner)
        is_dict = isinstance(owner, Made) and owner.kind == "dict"
        kinds = plain_names(owner, self.facts.classes) if isinstance(owner, Plain | Chosen) else frozenset()
        match wanted:
            case ListOf(item):
                if is_list(owner):
                    items = _ordered(self._items(owner))
                    return not items or any(self._fits(each, wording.required(item)) for each in items)
                return not (is_record or is_dict or bool(kinds & _SCALARS))
            case RecordType():
                return not (is_list(owner) or bool(kinds & _SCALARS))
            case Menu():
                return not (is_record or is_dict or is_list(owner))
            case _ if wanted in _TAKES:
                has_parts = is_record or is_dict or is_list(owner)
                return not has_parts and (not kinds <= _SCALARS or bool(kinds & _TAKES[wanted]) or not kinds)
            case _:
                return True

    # Operators

    def _check_sum(self, left: ast.expr, right: ast.expr) -> None:
        """A text is added to texts alone."""
        is_left = is_text(self.facts.of(left))
        if is_left or is_text(self.facts.of(right)):
            other = right if is_left else left
            self._check_added(other, self._owners(other))

    def _check_grown(self, node: ast.AugAssign, name: ast.Name) -> None:
        if name in self.facts.names and is_text(self.facts.read(self.facts.names[name])):
            self._check_added(node.value, self._owners(node.value))

    def _check_added(self, node: ast.expr, others: list[Alternative]) -> None:
        if others and not any(_is_addable(each) for each in others):
            raise refuse(node, *wording.no_sum(self._value(node, others)))

    # Alternatives

    def _owners(self, node: ast.expr) -> list[Alternative]:
        """The alternatives of an expression that is not None, in an order that its text decides; none if it is not known."""
        return _ordered(self.facts.of(node))

    def _value(self, node: ast.expr, owners: Sequence[Alternative]) -> wording.Spoken:
        return wording.Spoken(node, owners[0], self._items(owners[0]), self.facts.classes)

    def _items(self, owner: Alternative) -> Alternatives:
        return self.facts.items(frozenset((owner,)))


_USING = (ast.Attribute, ast.Subscript, ast.Call, ast.For, ast.comprehension, ast.AugAssign, ast.BinOp, ast.Compare)
_WALKING = frozenset("len list tuple set frozenset sorted sum min max any all enumerate zip reversed iter".split())
_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _ordered_by(ops: Sequence[ast.cmpop], operands: Sequence[ast.expr]) -> list[ast.expr]:
    """The operands of comparisons that ask for an order, or for what is in them; `==` takes anything."""
    found: list[ast.expr] = []
    for op, left, right in zip(ops, operands, operands[1:], strict=False):
        found += [left, right] if isinstance(op, _ORDERING) else [right] if isinstance(op, ast.In | ast.NotIn) else []
    return found


_OF_TOOLS = frozenset({"RuntimeError", "TypeError", "ValueError"})
_SCALARS = frozenset({"str", "int", "float", "bool"})
_TAKES: Mapping[Type, frozenset[str]] = {
    STR: frozenset({"str"}),
    INT: frozenset({"int", "float", "bool"}),
    FLOAT: frozenset({"int", "float", "bool"}),
    BOOL: frozenset({"bool", "int", "float"}),
}
"""The kinds of plain data that a tool may take for each of its scalars."""


def _ordered(alternatives: Alternatives) -> list[Alternative]:
    """Those that are not None, in an order of their own."""
    found = () if alternatives is None else alternatives - NOTHING
    if len(found) < 2:
        return list(found)
    return sorted(found, key=lambda each: (wording.RANK[type(each)], wording.named(each)))


def _is_vague(owner: Alternative) -> bool:
    """A type of named parts may be meant as a dict; functions are left to the run."""
    match owner:
        case Given(RecordType(name="dict")) | Plain("function"):
            return True
        case Plain() | Chosen() | Given() | Made() | Instance() | Member():
            return False
        case _:
            return True


def _is_keyless(owner: Alternative, name: str) -> bool:
    """Whether nothing stands under a key that is a text."""
    match owner:
        case Given(RecordType() as record) | Instance(record):
            return record.field(name) is None
        case Given(ListOf()) | Made("list" | "tuple") | Plain("str"):
            return True
        case _:
            return False


def _is_frozen(owner: Alternative) -> bool:
    return isinstance(owner, Given) and is_list(owner) and not owner.is_kept


def _is_addable(other: Alternative) -> bool:
    """Whether a text may be added to it: another text, or what counts as one."""
    match other:
        case Plain("int" | "float" | "bool") | Given() | Instance() | Made("list" | "dict" | "tuple" | "set"):
            return False
        case _:
            return True


def _bound(node: ast.Call, parameters: Sequence[Parameter]) -> Iterator[tuple[Parameter, ast.expr]]:
    by_name = {parameter.name: parameter for parameter in parameters}
    yield from zip(parameters, node.args, strict=False)
    for keyword in node.keywords:
        if keyword.arg in by_name:
            yield by_name[keyword.arg], keyword.value
