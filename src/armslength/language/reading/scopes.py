"""Which variable a name stands for: found from program text alone, as Python's rules say.

A function has a scope of its own; a comprehension's names live in the scope around it, under names that no program can write
(`x in 3`), so that they hide others and do not outlive it. A name that nothing assigns is no variable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from armslength.language.reading.refused import refuse
from armslength.language.reading.syntax import below
from armslength.values import Variable

Function = ast.FunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
HIDDEN = " in "
"""Part of every name that a comprehension keeps for itself."""


@dataclass(slots=True)
class Scope:
    """The names that the program, or a function, assigns. `free` and `assigned`: variables outside, from the definition's scope."""

    node: Function | None
    names: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    free: dict[Variable, None] = field(default_factory=dict)
    assigned: dict[Variable, None] = field(default_factory=dict)


@dataclass(slots=True)
class Scopes:
    """`variables`: of every node that reads or binds one, counted from the scope at hand. `functions`: the scope of each.

    `of_program`: the nodes among them whose variable is the program's own.
    """

    program: Scope
    of_program: set[ast.AST] = field(default_factory=set)
    variables: dict[ast.AST, Variable] = field(default_factory=dict)
    functions: dict[ast.AST, Scope] = field(default_factory=dict)


def resolve(body: Sequence[ast.stmt], known: Iterable[str] = ()) -> Scopes:
    """The variables of a program; `known` are those that have a value before it begins.

    Raises:
        ProgramRefused: a parameter stands twice, or `nonlocal` names nothing.
    """
    program = Scope(None, set(known))
    _collect(body, program)
    scopes = Scopes(program)
    resolver = _Resolver(scopes)
    contour = _Contour(program, {name: name for name in program.names}, None)
    for statement in body:
        resolver.visit(statement, contour)
    return scopes


def bound_name(node: ast.AST) -> str | None:
    """The name that a node binds itself, if it does."""
    if type(node) not in _BINDING:
        return None
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name) | ast.arg(arg=name):
            return name
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
        case ast.MatchMapping(rest=rest):
            return rest
        case _:
            return None


_BINDING = frozenset({
    ast.Name, ast.FunctionDef, ast.arg, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping,
})  # fmt: skip


def parameters(node: Function) -> list[ast.arg]:
    """All parameters, `*args` among them."""
    arguments = node.args
    rest = [] if arguments.vararg is None else [arguments.vararg]
    return [*arguments.posonlyargs, *arguments.args, *rest, *arguments.kwonlyargs]


def body_of(node: Function) -> Sequence[ast.AST]:
    """What runs when it is called."""
    return node.body if isinstance(node, ast.FunctionDef) else [node.body]


def defaults_of(node: Function) -> list[ast.expr]:
    """What is computed where it is defined."""
    return [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]


def _collect(nodes: Iterable[ast.AST], scope: Scope) -> None:
    """The names that the scope binds, without those of functions and comprehensions within."""
    for node in nodes:
        name = bound_name(node)
        if name is not None:
            scope.names.add(name)
        if isinstance(node, ast.Nonlocal):
            scope.outer.update(node.names)
        if isinstance(node, FUNCTIONS):
            _collect(defaults_of(node), scope)
        elif isinstance(node, COMPREHENSIONS):
            _collect(_without_targets(node), scope)
        else:
            _collect(below(node), scope)
    scope.names -= scope.outer


def _without_targets(node: Comprehension) -> Iterator[ast.AST]:
    for generator in node.generators:
        yield from (generator.iter, *generator.ifs)
    yield from (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)


@dataclass(frozen=True, slots=True)
class _Contour:
    """Names that are visible: of a scope, or of a comprehension in it, each with what it is stored under."""

    scope: Scope
    names: dict[str, str]
    around: _Contour | None
    is_comprehension: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A variable, the functions between the name and it (innermost first), and the scope that it belongs to."""

    variable: Variable
    crossed: list[Scope]
    home: Scope


class _Resolver:
    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._comprehensions = 0

    def visit(self, node: ast.AST, contour: _Contour) -> None:
        name = bound_name(node)
        if name is not None:
            self._bind(node, name, contour)
        match node:
            case ast.Name(id=read, ctx=ast.Load()):
                self._note(node, read, contour)
            case ast.FunctionDef() | ast.Lambda():
                self._function(node, contour)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, contour)
            case ast.Nonlocal(names=names):
                self._check_nonlocal(node, names, contour)
            case _:
                for child in below(node):
                    self.visit(child, contour)

    def _bind(self, node: ast.AST, name: str, contour: _Contour) -> None:
        """A walrus in a comprehension binds outside of it."""
        while contour.is_comprehension and contour.around is not None and name not in contour.names:
            contour = contour.around
        self._note(node, name, contour, is_assigned=True)

    def _note(self, node: ast.AST, name: str, contour: _Contour, *, is_assigned: bool = False) -> None:
        found = self._find(name, contour)
        if found is None:
            return
        self._scopes.variables[node] = found.variable
        if found.home.node is None:
            self._scopes.of_program.add(node)
        for distance, scope in enumerate(found.crossed):
            outside = Variable(found.variable.depth - distance - 1, found.variable.name)
            scope.free[outside] = None
            if is_assigned:
                scope.assigned[outside] = None

    def _find(self, name: str, contour: _Contour | None) -> _Found | None:
        crossed: list[Scope] = []
        while contour is not None:
            if name in contour.names:
                return _Found(Variable(len(crossed), contour.names[name]), crossed, contour.scope)
            if not contour.is_comprehension:
                crossed = [*crossed, contour.scope]
            contour = contour.around
        return None

    def _function(self, node: Function, contour: _Contour) -> None:
        for default in defaults_of(node):
            self.visit(default, contour)
        scope = self._scopes.functions[node] = Scope(node)
        names = [parameter.arg for parameter in parameters(node)]
        if len(set(names)) != len(names):
            raise refuse(node, "a parameter stands here twice", "rename one")
        _collect(body_of(node), scope)
        scope.names.update(names)
        inside = _Contour(scope, {name: name for name in scope.names}, contour)
        for parameter in parameters(node):
            self._scopes.variables[parameter] = Variable(0, parameter.arg)
        for part in body_of(node):
            self.visit(part, inside)

    def _comprehension(self, node: Comprehension, contour: _Contour) -> None:
        """The first iterable belongs to the scope around; the others see the comprehension's names."""
        self._comprehensions += 1
        _check_order(node.generators)
        targets = set().union(*(_names(generator.target) for generator in node.generators))
        hidden = {name: f"{name}{HIDDEN}{self._comprehensions}" for name in targets}
        inside = _Contour(contour.scope, hidden, contour, is_comprehension=True)
        self.visit(node.generators[0].iter, contour)
        for number, generator in enumerate(node.generators):
            if number:
                self.visit(generator.iter, inside)
            self.visit(generator.target, inside)
            for condition in generator.ifs:
                self.visit(condition, inside)
        for element in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self.visit(element, inside)

    def _check_nonlocal(self, node: ast.Nonlocal, names: list[str], contour: _Contour) -> None:
        for name in names:
            found = self._find(name, contour)
            if found is None or found.home.node is None or found.home is contour.scope:
                raise refuse(
                    node,
                    f"nonlocal {name} names no variable of a function around",
                    "return it, or change a list or dict",
                )


def _check_order(generators: list[ast.comprehension]) -> None:
    """A comprehension's own name is not read before its loop gives it a value."""
    targets = [_names(generator.target) for generator in generators]
    for number, generator in enumerate(generators):
        bound = set().union(*targets[:number])
        unbound = set().union(*targets[number:]) - bound
        if number:
            _refuse_reading(generator.iter, unbound)
        for condition in generator.ifs:
            _refuse_reading(condition, unbound - targets[number])


def _refuse_reading(node: ast.expr, names: set[str]) -> None:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in names:
            raise refuse(part, f"{part.id} is read here before its loop gives it a value", "choose another name")


def _names(target: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
