"""Which names of a program take the label of what: assignments, changes of what is shared, and what decides over either.

A walk over the text, once, without any order of statements. Names are told apart by their spelling alone, so two functions' names of one
spelling are one. Whatever may be repeated (loops, functions, comprehensions) decides in as many bits as there can be.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from armslength.labels import NOTHING, SATURATED, Label, construct, join, label, steered
from armslength.language.foreseeing.outlook import (
    FUNCTION,
    RETURNED,
    SILENT,
    Outlook,
    arguments,
    deciding,
    expressions,
    handed,
    is_scalar,
    returned,
    several,
)
from armslength.language.foreseeing.sharing import Sharing
from armslength.language.reading.scopes import defaults_of, parameters

Finding = Callable[[Outlook], Label]
_PASSED = "passed *"  # what is handed to functions that may be called under any name
_PURE = frozenset({
    "get", "keys", "values", "items", "copy", "index", "count", "join", "split", "strip", "lstrip", "rstrip", "lower", "upper", "title",
    "capitalize", "replace", "startswith", "endswith", "splitlines", "format", "find", "union", "intersection", "difference",
})  # fmt: skip
_PLAIN_METHODS = _PURE - {"get", "values", "items"}
"""Methods that pick nothing."""
_CALLING_NOTHING = _PURE | frozenset({
    "append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "remove", "discard", "clear", "reverse",
})  # fmt: skip
"""Methods that call no function that they are given."""
_PLAIN = frozenset({
    "len", "str", "int", "float", "bool", "abs", "round", "list", "tuple", "range", "any", "all", "isinstance", "repr", "format",
})  # fmt: skip
"""Functions that pick nothing, and call none that they are given."""
_MATCHED = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)


@dataclass(frozen=True, slots=True)
class Rule:
    """`target` takes what `found` gives."""

    target: str
    found: Finding


@dataclass(slots=True)
class Region:
    """A construct whose parts may run or not: `guards` decide over `names`, which it assigns or may change."""

    names: set[str] = field(default_factory=set)
    guards: list[Finding] = field(default_factory=list)

    def gain(self, outlook: Outlook) -> Label:
        """What all guards together hand on."""
        found = NOTHING
        for guard in self.guards:
            found = steered(found, guard(outlook))
        return found


@dataclass(slots=True)
class Flows:
    """All rules of a program. `changes` are rules for whatever shares objects with their target, by `groups`."""

    rules: list[Rule] = field(default_factory=list)
    changes: list[Rule] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    _leaders: dict[str, str] = field(default_factory=dict)

    def link(self, one: str, other: str) -> None:
        """They may hold the same object."""
        self._leaders[self.leader(one)] = self.leader(other)

    def leader(self, name: str) -> str:
        """The one name that stands for all that may share objects with it."""
        while (above := self._leaders.get(name, name)) != name:
            name = above
        return name


@dataclass(frozen=True, slots=True)
class _Around:
    """What encloses a node: its regions, the innermost loop's and function's, and whether it may run more than once."""

    regions: tuple[Region, ...] = ()
    loop: Region | None = None
    function: str = ""
    body: Region | None = None
    is_repeated: bool = False

    @property
    def bits(self) -> int:
        return SATURATED if self.is_repeated else 1


def find_flows(sharing: Sharing) -> Flows:
    """The rules of a program."""
    finder = _Finder(sharing)
    for statement in sharing.body:
        finder.visit(statement, _Around())
    finder.close()
    return finder.flows


class _Finder:
    """Visits every node once. `_beside`: of a lambda among arguments, the other arguments, of which it gets elements."""

    def __init__(self, sharing: Sharing) -> None:
        self.flows = Flows()
        self._sharing, self._outlook = sharing, sharing.outlook
        nodes = (node for statement in sharing.body for node in ast.walk(statement))
        self._all = {node.id for node in nodes if isinstance(node, ast.Name)} | {RETURNED, _PASSED}
        self._beside: dict[ast.AST, list[ast.expr]] = {}

    def visit(self, node: ast.AST, around: _Around) -> None:
        """The rules of a node and of all below it."""
        match node:
            case ast.If(test=test) | ast.IfExp(test=test):
                around = self._region(node, around, [test])
            case ast.BoolOp(values=values):
                around = self._region(node, around, values)
            case ast.While(test=test):
                around = self._loop(node, around, test)
            case ast.For(target=target, iter=iterable):
                around = self._loop(node, around, iterable)
                self._bind(target, lambda outlook: outlook.of(iterable), [iterable])
            case ast.Match():
                around = self._match(node, around)
            case ast.Try():
                around = self._try(node, around)
            case ast.FunctionDef() | ast.Lambda():
                around = self._function(node, around)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                around = self._comprehension(node, around)
            case ast.ClassDef():
                return
            case ast.stmt() | ast.expr():
                self._simple(node, around)
            case _:
                pass
        for child in _parts(node):
            self.visit(child, around)

    def close(self) -> None:
        """What can only be said once all is known: whoever shares an object takes what changes it."""
        everyone = {rule.target for rule in self.flows.rules} | self._sharing.earlier
        groups: dict[str, set[str]] = {}
        for name in everyone:
            groups.setdefault(self.flows.leader(name), set()).add(name)
        for change in self.flows.changes:
            for name in groups.get(self.flows.leader(change.target), {change.target}):
                self.flows.rules.append(Rule(name, change.found))
        for region in self.flows.regions:
            shared = {self.flows.leader(name) for name in region.names}
            region.names.update(*(groups.get(each, set()) for each in shared))

    # Regions

    def _region(self, node: ast.AST, around: _Around, guards: list[ast.expr]) -> _Around:
        found = [_deciding(guard, around.bits) for guard in guards]
        region = Region(self._sharing.touched(node), found)
        self.flows.regions.append(region)
        if around.loop is not None and _holds(node, ast.Break, ast.Continue):
            around.loop.guards.extend(_deciding(guard, SATURATED) for guard in guards)
        if around.body is not None and _holds(node, ast.Return):
            around.body.guards.extend(_deciding(guard, SATURATED) for guard in guards)
        return replace(around, regions=(*around.regions, region))

    def _loop(self, node: ast.AST, around: _Around, guard: ast.expr) -> _Around:
        inside = self._region(node, replace(around, is_repeated=True), [guard])
        return replace(inside, loop=inside.regions[-1], is_repeated=True)

    def _match(self, node: ast.Match, around: _Around) -> _Around:
        subject = node.subject
        for pattern in (each for case in node.cases for each in ast.walk(case.pattern) if isinstance(each, _MATCHED)):
            name = pattern.rest if isinstance(pattern, ast.MatchMapping) else pattern.name
            if name is not None:
                self._assign(name, lambda outlook: several(outlook.of(subject)), [subject])
        return self._region(node, around, [subject, *(case.guard for case in node.cases if case.guard is not None)])

    def _try(self, node: ast.Try, around: _Around) -> _Around:
        """Whatever stands in it may raise, so it decides; a caught exception may hold any of it."""
        inside = [child for statement in node.body for child in ast.walk(statement) if isinstance(child, ast.expr)]
        for handler in node.handlers:
            if handler.name is not None:
                self._assign(handler.name, lambda outlook: construct(*map(outlook.whole, inside)), inside)
        return self._region(node, replace(around, is_repeated=True), inside)

    def _comprehension(self, node: ast.AST, around: _Around) -> _Around:
        repeated, guards = replace(around, is_repeated=True), list[ast.expr]()
        for generator in (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.comprehension)):
            guards += [generator.iter, *generator.ifs]
            self._bind(generator.target, _of(generator.iter), [generator.iter])
        if isinstance(node, ast.DictComp):
            self._select([node.value], [node.key])
        return replace(self._region(node, repeated, guards), is_repeated=True)

    def _function(self, node: ast.FunctionDef | ast.Lambda, around: _Around) -> _Around:
        """A body is a region that its calls decide over; its parameters take whatever is handed over."""
        if isinstance(node, ast.Lambda) and node in self._beside:
            return self._inline(node, around, self._beside[node])
        name = node.name if isinstance(node, ast.FunctionDef) else ""
        if name:
            self.flows.rules.append(Rule(name, lambda _outlook: label([FUNCTION])))
        for parameter in parameters(node):
            for default in defaults_of(node):
                self._assign(parameter.arg, _of(default), [default])
            self._take(parameter.arg, _PASSED if name in self._sharing.escaping or not name else handed(name))
        region = Region(self._sharing.touched(node) | {returned(name), RETURNED}, [_standing(_called(name))])
        self.flows.regions.append(region)
        if isinstance(node, ast.Lambda):
            self._assign(RETURNED, _of(node.body), [node.body])
        elif name in self._sharing.escaping:
            self._take(RETURNED, returned(name))
            self._take(_called(name), _called(""))
        return _Around((*around.regions, region), None, name, region, is_repeated=True)

    def _inline(self, node: ast.Lambda, around: _Around, beside: list[ast.expr]) -> _Around:
        """A lambda that is called where it stands, as often as the arguments beside it say, with elements of them."""
        for parameter in parameters(node):
            self._assign(parameter.arg, _constructed(*beside, *defaults_of(node)), beside)
        region = Region(self._sharing.touched(node), [_deciding_all(beside)])
        self.flows.regions.append(region)
        return replace(around, regions=(*around.regions, region), is_repeated=True)

    # Assignments and changes

    def _simple(self, node: ast.stmt | ast.expr, around: _Around) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._store(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._store(target, value)
            case ast.AugAssign(target=target, value=value):
                self._augment(target, value)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self._assign(name, _of(value), [value])
            case ast.Return(value=ast.expr() as value):
                self._assign(returned(around.function), _of(value), [value])
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Subscript):
                        self._change(target.value, _whole(target.slice), [])
            case ast.Call():
                self._call(node, around)
            case ast.BinOp(left=left, right=right):
                self._select([left, right], [left, right])
            case ast.Dict(keys=keys, values=values):
                self._select(values, [key for key in keys if key is not None])
            case ast.Subscript(value=owner, slice=index):
                self._select([owner], [owner, *expressions(index)] if isinstance(index, ast.Slice) else [owner, index])
            case _:
                pass

    def _select(self, among: Iterable[ast.expr], picking: list[ast.expr]) -> None:
        """What can change and could have been picked is steered by what picked (design, rule 6)."""
        for each in among:
            self._change(each, _deciding_all(picking), [])

    def _store(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case (
                (ast.Tuple(elts=targets) | ast.List(elts=targets)),
                (ast.Tuple(elts=values) | ast.List(elts=values)),
            ) if len(targets) == len(values) and not any(isinstance(each, ast.Starred) for each in (*targets, *values)):
                for each, its in zip(targets, values, strict=True):
                    self._store(each, its)
            case ast.Name(id=name), _:
                self._assign(name, _of(value), [value])
            case _:
                self._bind(target, _of(value), [value])

    def _bind(self, target: ast.expr, found: Finding, values: list[ast.expr]) -> None:
        """A target that takes an element of something: of a text, what is taken is made anew."""
        match target:
            case ast.Name(id=name):
                self._assign(name, lambda outlook: several(found(outlook)), values)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each in targets:
                    self._bind(each, found, values)
            case ast.Starred(value=inner):
                self._bind(inner, found, values)
            case ast.Subscript(value=owner, slice=index):
                self._change(owner, lambda outlook: join(found(outlook), outlook.whole(index)), values)
            case ast.Attribute(value=owner):
                self._change(owner, found, values)
            case _:
                pass

    def _augment(self, target: ast.expr, value: ast.expr) -> None:
        found = _constructed(target, value)
        match target:
            case ast.Name(id=name):
                self._assign(name, found, [value])
                if not is_scalar(self._outlook.type_of(target)):
                    self._change(target, found, [value])
            case _:
                self._bind(target, found, [value])

    def _assign(self, name: str, found: Finding, values: list[ast.expr]) -> None:
        self.flows.rules.append(Rule(name, found))
        for value in values:
            self._share(name, value)

    def _take(self, name: str, other: str) -> None:
        """`name` takes all that stands under `other`, which is no expression."""
        self.flows.rules.append(Rule(name, lambda outlook: outlook.names.get(other, NOTHING)))
        self.flows.link(name, other)

    def _change(self, owner: ast.expr, found: Finding, values: list[ast.expr]) -> None:
        """Something is put into, or taken out of, what `owner` holds."""
        for name in self._sharing.holders(owner):
            self.flows.changes.append(Rule(name, found))
            for value in values:
                self._share(name, value)

    def _share(self, name: str, value: ast.expr) -> None:
        for other in self._sharing.holders(value):
            self.flows.link(name, other)

    # Calls

    def _call(self, node: ast.Call, around: _Around) -> None:
        given = list(arguments(node))
        match node.func:
            case ast.Name(id=name) if name in self._outlook.functions:
                self._hand_over(handed(name), given)
                self._decide(_called(name), around)
                if name in self._sharing.escaping:
                    self._hand_over(_PASSED, given)
            case ast.Name(id=name) if name in self._outlook.signatures or name in SILENT or name == "quarantined":
                pass
            case ast.Attribute(value=owner, attr=method):
                if method not in _PURE:
                    self._change(owner, lambda outlook: construct(*map(outlook.whole, given)), given)
                if method not in _PLAIN_METHODS:
                    self._select([owner, *given], [owner, *given])
                if method not in _CALLING_NOTHING:
                    self._call_given([owner, *given], around)
            case ast.Name(id=name) if name not in self._sharing.variables and name in _PLAIN:
                pass
            case ast.Name(id=name) if name not in self._sharing.variables:
                self._select(given, given)
                self._call_given(given, around)
            case function:
                self._select(given, [function, *given])
                self._call_any(given, around)
                self.flows.rules.append(Rule(_called(""), _deciding(function, SATURATED)))
                self.flows.regions.append(Region(set(self._all), [_deciding(function, SATURATED)]))

    def _call_given(self, given: list[ast.expr], around: _Around) -> None:
        """A function of the language may call those that it is given, with elements of what else it is given."""
        beside = [each for each in given if each not in self._sharing.direct]
        for each in given:
            if isinstance(each, ast.Lambda) and each in self._sharing.direct:
                self._beside[each] = beside
            elif isinstance(each, ast.Name) and each in self._sharing.direct:
                self._hand_over(handed(each.id), beside)
                self._decide(_called(each.id), around)
                self.flows.rules.append(Rule(_called(each.id), _deciding_all(beside)))
        if self._sharing.is_escaping:
            self._call_any(beside, around)

    def _call_any(self, given: list[ast.expr], around: _Around) -> None:
        """A call that may end up in any function that is used as a value."""
        self._hand_over(_PASSED, given)
        self._decide(_called(""), around)

    def _hand_over(self, under: str, given: list[ast.expr]) -> None:
        for each in given:
            self._assign(under, _whole(each), [each])

    def _decide(self, under: str, around: _Around) -> None:
        """All that decides whether this call happens decides over what is done in it."""
        for region in around.regions:
            self.flows.rules.append(Rule(under, region.gain))


def _called(function: str) -> str:
    """The name under which what decides over a function's calls stands; "" is any function."""
    return f"called {function}"


def _of(node: ast.expr) -> Finding:
    return lambda outlook: outlook.of(node)


def _whole(node: ast.expr) -> Finding:
    return lambda outlook: outlook.whole(node)


def _constructed(*nodes: ast.expr) -> Finding:
    return lambda outlook: construct(*map(outlook.whole, nodes))


def _deciding_all(nodes: list[ast.expr]) -> Finding:
    return lambda outlook: deciding(construct(*map(outlook.whole, nodes)), SATURATED)


def _deciding(node: ast.expr, bits: int) -> Finding:
    return lambda outlook: outlook.decided_by(node, bits)


def _standing(name: str) -> Finding:
    return lambda outlook: deciding(outlook.names.get(name, NOTHING), SATURATED)


def _holds(node: ast.AST, *kinds: type[ast.stmt]) -> bool:
    """Whether such a statement stands below, and not in a function within; a loop within may be over-counted."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, kinds) or (not isinstance(child, ast.FunctionDef) and _holds(child, *kinds)):
            return True
    return False


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly below that run: no annotations, no types."""
    match node:
        case ast.FunctionDef(body=body):
            yield from body
            yield from (each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None)
        case ast.Lambda(body=inner):
            yield inner
        case ast.AnnAssign(target=target, value=value):
            yield from (target,) if value is None else (target, value)
        case ast.Call(func=function):
            yield from (function, *arguments(node))
        case _:
            yield from ast.iter_child_nodes(node)
