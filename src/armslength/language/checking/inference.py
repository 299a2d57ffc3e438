"""Types of expressions, as far as program text and declarations alone tell them, so what follows from them may go back to the planner.

Every statement and expression is a unit that says what it gives, assigns or puts into a container, whatever the order in which they run
(`facts`, `inferred`); so what is known of a name holds for all that is ever assigned to it. What no unit speaks of is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from armslength.language.checking.alternatives import (
    ERROR,
    FLOAT,
    NEVER,
    NOTHING,
    NUMBER,
    Alternative,
    Alternatives,
    Chosen,
    Given,
    Instance,
    Made,
    Member,
    Plain,
    one,
    united,
)
from armslength.language.checking.facts import Facts, part_of, path_of, variable
from armslength.language.checking.inferred import expression, is_list, is_text, operated
from armslength.language.reading.scopes import HIDDEN, Function, defaults_of, parameters
from armslength.language.reading.static import Analysis
from armslength.language.reading.syntax import below
from armslength.schema import ListOf, OptionalOf, RecordType, Scalar, Type

_DEEPEST = 6


class Types:
    """What is known of the expressions of a program. `names`: of its own names, whatever scope has one of that name."""

    def __init__(self, analysis: Analysis, kept: Mapping[str, Type | None]) -> None:
        self.facts = facts = Facts(analysis)
        for name, declared in kept.items():
            known = None if declared is None else facts.of_type(declared, is_kept=True)
            facts.write(variable(None, name), known)
        reader = _Reader(facts)
        for defaults in analysis.classes.defaults.values():
            for default in defaults.values():
                reader.visit(default, ())
        for statement in analysis.program.body:
            reader.visit(statement, ())
        facts.doubted = frozenset(reader.doubted)
        facts.settle(reader.units, _follow)
        self.names = {name: self.as_type(found) for name, found in self._by_name(kept).items()}

    def _by_name(self, kept: Mapping[str, Type | None]) -> dict[str, Alternatives]:
        """What any scope's variable of this name can hold: whoever looks names up does not tell scopes apart."""
        slots = dict.fromkeys((*(variable(None, name) for name in kept), *self.facts.names.values()))
        found: dict[str, Alternatives] = {}
        for slot in slots:
            name = slot[2].partition(HIDDEN)[0]  # type: ignore[index]  # a variable's
            found[name] = united(found.get(name, NEVER), self.facts.read(slot))
        return found

    def of(self, node: ast.expr) -> Type | None:
        """The declared type of an expression, None if there is none or it is not known."""
        return self.as_type(self.facts.of(node))

    def as_type(self, alternatives: Alternatives, depth: int = 0) -> Type | None:
        """The one type of all alternatives."""
        if not alternatives or depth > _DEEPEST:
            return None
        if alternatives == NOTHING:
            return Scalar("None")
        found = alternatives - NOTHING
        inner = self._number(found) if found <= NUMBER else self._common(found, depth)
        if inner is None or found == alternatives or isinstance(inner, OptionalOf):
            return inner
        return OptionalOf(inner)

    def _number(self, found: frozenset[Alternative]) -> Type:
        return Scalar("float" if found & FLOAT else "int")

    def _common(self, found: frozenset[Alternative], depth: int) -> Type | None:
        if all(isinstance(each, Made | Given) and is_list(each) for each in found):
            item = self.as_type(self.facts.items(found), depth + 1)
            return None if item is None else ListOf(item)
        if len(found) == 1:
            return self._type(next(iter(found)))
        return Scalar("str") if is_text(found) else None

    def _type(self, found: Alternative) -> Type | None:
        match found:
            case Plain("str" | "bool" as name):
                return Scalar(name)
            case Chosen(menu):
                return menu
            case Member(name):
                return self.facts.classes.enumerations[name].menu()
            case Given(declared):
                return declared
            case Instance(record) if self._is_as_declared(record):
                return record
            case _:
                return None

    def _is_as_declared(self, record: RecordType) -> bool:
        """Whether what the program makes of a class has the types that the class names: nothing looks when it is made."""
        for each in record.fields:
            found, declared = self.facts.read(part_of(record.name, each.name)), self.facts.of_type(each.type)
            if found is None or (declared is not None and not found <= declared):
                return False
        return True


def declared_types(analysis: Analysis, kept: Mapping[str, Type | None]) -> Types:
    """What is known of each name and expression; `kept` is known before the program begins."""
    return Types(analysis, kept)


_LEAVES = (ast.Constant, ast.Name)


class _Reader:
    """Lists the units of a program, parts before wholes, and finds the slot of each variable."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.units: list[ast.AST] = []
        self.doubted: set[str] = set()

    def visit(self, node: ast.AST, around: Sequence[Function]) -> None:
        """Take up a node; `around` are the functions that it stands in, outermost first."""
        self._name(node, around)
        if isinstance(node, _LEAVES):
            if isinstance(node, ast.Constant) or isinstance(node.ctx, ast.Load):
                self.units.append(node)
            return
        self._doubt(node)
        match node:
            case ast.FunctionDef() | ast.Lambda():
                self._function(node, around)
            case ast.Return():
                self.facts.returning[node] = around[-1]
                self._rest(node, below(node), around)
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                self._rest(node, (iterable, target), around)
                self._each((*body, *orelse), around)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                elements = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
                self._rest(node, (*node.generators, *elements), around)
            case ast.comprehension(target=target, iter=iterable, ifs=ifs):
                self._rest(node, (iterable, target), around)
                self._each(ifs, around)
            case ast.Call(func=ast.Attribute() as method) if method not in self.facts.analysis.functions:
                self._rest(node, (method.value, *(each for each in below(node) if each is not method)), around)
            case ast.Call(func=func) if func in self.facts.analysis.functions:
                self._rest(node, (each for each in below(node) if each is not func), around)
            case _:
                self._rest(node, below(node), around)

    def _rest(self, node: ast.AST, parts: Sequence[ast.AST] | Iterator[ast.AST], around: Sequence[Function]) -> None:
        self._each(parts, around)
        if isinstance(node, ast.expr) or type(node) in _STATEMENTS:
            self.units.append(node)

    def _each(self, nodes: Sequence[ast.AST] | Iterator[ast.AST], around: Sequence[Function]) -> None:
        for node in nodes:
            self.visit(node, around)

    def _function(self, node: Function, around: Sequence[Function]) -> None:
        self._each(defaults_of(node), around)
        self.facts.functions.append(node)
        self.units.append(node)
        inside = (*around, node)
        for parameter in parameters(node):
            self._name(parameter, inside)
        self._each(node.body if isinstance(node, ast.FunctionDef) else [node.body], inside)

    def _name(self, node: ast.AST, around: Sequence[Function]) -> None:
        found = self.facts.analysis.scopes.variables.get(node)
        if found is not None:
            scope = around[-1 - found.depth] if found.depth < len(around) else None
            self.facts.names[node] = variable(scope, found.name)

    def _doubt(self, node: ast.AST) -> None:
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "callable"), args=[subject, *_]) | ast.Match(subject=subject):
                self.doubted.update(_paths(subject))


def _paths(node: ast.expr) -> Iterator[str]:
    """The path of what is asked about; if it has none, all names in it."""
    path = path_of(node)
    if path is not None:
        yield path
        return
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id


# Units


def _follow(facts: Facts, node: ast.AST) -> None:
    """What a unit says, as far as is known now."""
    if isinstance(node, ast.expr):
        facts.write(node, expression(facts, node))
        if isinstance(node, ast.NamedExpr):
            _assign(facts, node.target, facts.read(node))
        return
    statement = _STATEMENTS.get(type(node))
    if statement is not None:
        statement(facts, node)


def _assigned(facts: Facts, node: ast.Assign) -> None:
    for target in node.targets:
        _assign(facts, target, facts.of(node.value))


def _annotated(facts: Facts, node: ast.AnnAssign) -> None:
    if node.value is not None:
        _assign(facts, node.target, facts.of(node.value))


def _augmented(facts: Facts, node: ast.AugAssign) -> None:
    """A list takes in what stands there; anything else gives way to the result."""
    target, value = node.target, facts.of(node.value)
    if isinstance(target, ast.Name):
        before = facts.read(facts.names[target])
    elif isinstance(target, ast.Subscript):
        before = expression(facts, target)
    else:
        before = None
    if isinstance(node.op, ast.Add):
        facts.insert(before, ["list"], item=facts.items(value))
    elif isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        facts.insert(before, ["dict", "set"], item=None, key=None, value=None)
    _assign(facts, target, operated(facts, node, type(node.op), before, value))


def _loop(facts: Facts, node: ast.For | ast.comprehension) -> None:
    _assign(facts, node.target, facts.items(facts.of(node.iter)))


def _defined(facts: Facts, node: ast.FunctionDef) -> None:
    facts.write(facts.names[node], facts.define(node))


def _returned(facts: Facts, node: ast.Return) -> None:
    facts.write(("return", facts.returning[node]), NOTHING if node.value is None else facts.of(node.value))


def _caught(facts: Facts, node: ast.ExceptHandler) -> None:
    if node in facts.names:
        facts.write(facts.names[node], ERROR)


def _captured(facts: Facts, node: ast.AST) -> None:
    if node in facts.names:
        facts.write(facts.names[node], None)


_STATEMENTS: Mapping[type[ast.AST], Callable[..., None]] = {
    ast.Assign: _assigned,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.For: _loop,
    ast.comprehension: _loop,
    ast.FunctionDef: _defined,
    ast.Return: _returned,
    ast.ExceptHandler: _caught,
    ast.MatchAs: _captured,
    ast.MatchStar: _captured,
    ast.MatchMapping: _captured,
}


# Targets


def _assign(facts: Facts, target: ast.expr, value: Alternatives) -> None:
    match target:
        case ast.Name():
            facts.write(facts.names[target], value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            count = None if any(isinstance(part, ast.Starred) for part in parts) else len(parts)
            for number, part in enumerate(parts):
                _assign(facts, part, _unpacked(facts, value, number, count))
        case ast.Starred(value=inner):
            _assign(facts, inner, facts.make("list", target, item=value))
        case ast.Subscript(value=owner, slice=ast.Slice()):
            facts.insert(facts.of(owner), ["list"], item=facts.items(value))
        case ast.Subscript(value=owner, slice=key):
            facts.insert(facts.of(owner), ["list", "dict"], item=value, key=facts.of(key), value=value)
        case _:
            facts.spoil(None)


def _unpacked(facts: Facts, value: Alternatives, number: int, count: int | None) -> Alternatives:
    """What one of several targets takes: its place of a tuple of so many, else any element."""
    if value is None:
        return None
    found: Alternatives = NEVER
    for each in value:
        if isinstance(each, Made) and each.kind == "tuple" and count is not None and each.arity == count:
            found = united(found, facts.part(each, number))
        else:
            found = united(found, facts.items(one(each)))
    return found
