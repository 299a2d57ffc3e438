"""Declared types of expressions, as far as program text and declarations alone tell them, and the misfits that they show.

No run-time type is looked at, so what is refused here may go back to the planner. A name that is assigned values of several types, or
of one that is not known, has no known type, and then nothing is refused for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from armslength.language.refused import refuse
from armslength.language.scopes import bound_name, parameters
from armslength.language.static import Analysis
from armslength.language.syntax import below
from armslength.schema import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    STR,
    ListOf,
    Menu,
    OptionalOf,
    Parameter,
    RecordType,
    Type,
    describe,
)

_RESULTS: Mapping[str, Type] = {
    "len": INT, "str": STR, "int": INT, "float": FLOAT, "bool": BOOL, "any": BOOL, "all": BOOL, "range": ListOf(INT),
}  # fmt: skip
_TEXT_METHODS = frozenset({"join", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "title", "capitalize"})


def check_types(analysis: Analysis) -> None:
    """Refuse fields that a declared type lacks, and arguments that cannot be what a tool declares.

    Raises:
        ProgramRefused: with what would fit.
    """
    types = declared_types(analysis, analysis.kept)
    for statement in analysis.program.body:
        for node in _walk(statement):
            types.check(node)


def declared_types(analysis: Analysis, kept: Mapping[str, Type | None]) -> Types:
    """What is known of each name once the whole program has been read; `kept` is known before it."""
    types = Types(analysis, dict(kept))
    for statement in analysis.program.body:
        for node in _walk(statement):
            types.note(node)
    return types


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in below(node):
        yield from _walk(child)


@dataclass(slots=True)
class Types:
    """What is known of each name: its type, or None once two assignments disagree. `methods` are called, so they are no fields."""

    analysis: Analysis
    names: dict[str, Type | None] = field(default_factory=dict)
    methods: set[ast.Attribute] = field(default_factory=set)

    def note(self, node: ast.AST) -> None:
        """Take up what a node assigns."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, self.of(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self.of(value))
            case ast.AugAssign(target=target):
                self._assign(target, None)
            case ast.NamedExpr(target=target, value=value):
                self._assign(target, self.of(value))
            case ast.FunctionDef() | ast.Lambda():
                for parameter in parameters(node):
                    self.names[parameter.arg] = None
                if isinstance(node, ast.FunctionDef):
                    self.names[node.name] = None
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() | ast.MatchMapping():
                name = bound_name(node)
                if name is not None:
                    self.names[name] = None
            case ast.For(target=target, iter=iterable) | ast.comprehension(target=target, iter=iterable):
                self._assign(target, _item(self.of(iterable)))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                for generator in node.generators:
                    self._assign(generator.target, _item(self.of(generator.iter)))
            case _:
                return

    def _assign(self, target: ast.expr, declared: Type | None) -> None:
        match target:
            case ast.Name() if target in self.analysis.scopes.variables:
                name = self.analysis.scopes.variables[target].name
                agrees = name not in self.names or self.names[name] == declared
                self.names[name] = declared if agrees else None
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._assign(part, None)
            case ast.Starred(value=inner):
                self._assign(inner, None)
            case _:
                return

    def of(self, node: ast.expr) -> Type | None:
        """The declared type of an expression, None if it is not known."""
        match node:
            case ast.Name():
                variable = self.analysis.scopes.variables.get(node)
                return None if variable is None else self.names.get(variable.name)
            case ast.Constant(value=str()) | ast.JoinedStr():
                return STR
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return STR if STR in (self.of(left), self.of(right)) else None
            case ast.Call(func=ast.Name(id=name)) if node.func not in self.analysis.variable_calls:
                return self._of_call(node, name)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)):
                return STR if method in _TEXT_METHODS and self.of(owner) == STR else None
            case ast.Subscript(value=several, slice=ast.Slice()):
                return self.of(several)
            case ast.Subscript(value=several):
                return _item(self.of(several))
            case ast.Attribute(value=owner, attr=name):
                record = _plain(self.of(owner))
                found = record.field(name) if isinstance(record, RecordType) else None
                return None if found is None else found.type
            case ast.ListComp(elt=element):
                inner = self.of(element)
                return None if inner is None else ListOf(inner)
            case _:
                return None

    def _of_call(self, node: ast.Call, name: str) -> Type | None:
        if name in self.analysis.signatures:
            return _known(self.analysis.signatures[name].returns)
        if name == "quarantined":
            return self.analysis.returns.get(node, STR)
        if name in self.analysis.classes.records:
            return self.analysis.classes.records[name]
        if name in ("list", "sorted") and node.args:
            several = self.of(node.args[0])
            return several if isinstance(several, ListOf) else None
        return _RESULTS.get(name)

    def check(self, node: ast.AST) -> None:
        """Refuse what does not fit."""
        match node:
            case ast.Attribute() if node in self.methods:
                return
            case ast.Call(func=ast.Attribute() as method):
                self.methods.add(method)
            case ast.Attribute(value=owner, attr=name):
                self._check_field(node, _plain(self.of(owner)), name)
            case ast.Call(func=ast.Name(id=name)) if name in self.analysis.signatures and not self._is_variable(
                node.func
            ):
                parameters = self.analysis.signatures[name].parameters
                for parameter, given in _bound(node, parameters):
                    self._check_argument(given, name, parameter)
            case _:
                return

    def _is_variable(self, func: ast.expr) -> bool:
        return func in self.analysis.variable_calls

    def _check_field(self, node: ast.Attribute, owner: Type | None, name: str) -> None:
        match owner:
            case RecordType(name=record) if owner.field(name) is None and record != "dict":
                fields = ", ".join(each.name for each in owner.fields)
                raise refuse(node, f"{record} has no field {name}", f"its fields are {fields}")
            case ListOf(item=RecordType(name=record)):
                raise refuse(
                    node,
                    f"this is a list of {record} and has no field {name}",
                    "take one with [0], or go through it with for",
                )
            case _:
                return

    def _check_argument(self, given: ast.expr, tool: str, parameter: Parameter) -> None:
        found, wanted = _plain(self.of(given)), _plain(parameter.type)
        place = f"{tool} takes {describe(parameter.type)} as {parameter.name}"
        match wanted, found:
            case (_, None) | (None, _):
                return
            case RecordType(name=name), ListOf():
                raise refuse(
                    given, f"{place}, and this is a list", f"take one {name} of it with [0], or go through it with for"
                )
            case ListOf(), RecordType(name=other):
                raise refuse(given, f"{place}, and this is {_article(other)}", _use_field(found))
            case ListOf(item=inner), ListOf(item=RecordType(name=other)) if not isinstance(inner, RecordType):
                raise refuse(
                    given,
                    f"{place}, and this is a list of {other}",
                    "make a list of one of their fields with a comprehension",
                )
            case _ if wanted == STR and isinstance(found, RecordType):
                raise refuse(given, f"{place}, and this is {_article(found.name)}", _use_field(found))
            case _ if wanted == STR and isinstance(found, ListOf):
                raise refuse(
                    given, f"{place}, and this is a list", "take one with [0], or make one text of it with join"
                )
            case ListOf(), _ if found == STR:
                raise refuse(given, f"{place}, and this is a text", "write it in [ ]")
            case _:
                return


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def _use_field(record: Type | None) -> str:
    names = [each.name for each in record.fields] if isinstance(record, RecordType) else []
    return f"use one of its fields: {', '.join(names)}"


def _bound(node: ast.Call, parameters: tuple[Parameter, ...]) -> list[tuple[Parameter, ast.expr]]:
    by_name = {parameter.name: parameter for parameter in parameters}
    named = [(by_name[k.arg], k.value) for k in node.keywords if k.arg in by_name]
    return [*zip(parameters, node.args, strict=False), *named]


def _known(declared: Type) -> Type | None:
    return None if declared == ANY else declared


def _plain(declared: Type | None) -> Type | None:
    """Without `Optional`; a menu's members have no one type."""
    match declared:
        case OptionalOf(inner):
            return _plain(inner)
        case Menu():
            return None
        case _:
            return None if declared is None else _known(declared)


def _item(declared: Type | None) -> Type | None:
    return declared.item if isinstance(declared, ListOf) else None
