"""W, N and E of each node (design, "Control flow", rule 1): what it may assign, what it mentions, how it may escape."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from armslength.language.reading.scopes import (
    COMPREHENSIONS,
    FUNCTIONS,
    HIDDEN,
    Function,
    Scopes,
    body_of,
    bound_name,
    defaults_of,
)
from armslength.language.reading.syntax import below
from armslength.schema import Slot
from armslength.values import Variable

_T = TypeVar("_T")

BREAK, CONTINUE, RETURN, RAISE, STOP = "break", "continue", "return", "raise", "stop"
"""How a node may be left. STOP is what no `try` can catch: a call outside that is refused."""


@dataclass(frozen=True, slots=True)
class Effects:
    """W, N and E of a node, under the design's names.

    `deletes` are the variables that may lose their value, `captures` those that functions mention which are defined here, `slots` what
    tools may set here under a key.
    """

    writes: frozenset[Variable] = frozenset()
    mentions: frozenset[Variable] = frozenset()
    escapes: frozenset[str] = frozenset()
    deletes: frozenset[Variable] = frozenset()
    captures: frozenset[Variable] = frozenset()
    slots: frozenset[Slot] = frozenset()

    def without(self, *escapes: str) -> Effects:
        """The same, but these stop here."""
        if self.escapes.isdisjoint(escapes):
            return self
        return replace(self, escapes=self.escapes - set(escapes))

    def escaping(self, *escapes: str) -> Effects:
        """The same, and it may escape so."""
        if self.escapes.issuperset(escapes):
            return self
        return replace(self, escapes=self.escapes | set(escapes))


NO_EFFECTS = Effects()


def united(effects: Iterable[Effects]) -> Effects:
    """Of nodes that may all run. Most have none, or are alone."""
    listed = [each for each in effects if each is not NO_EFFECTS]
    if len(listed) < 2:
        return listed[0] if listed else NO_EFFECTS
    return Effects(
        _all([each.writes for each in listed]),
        _all([each.mentions for each in listed]),
        _all([each.escapes for each in listed]),
        _all([each.deletes for each in listed]),
        _all([each.captures for each in listed]),
        _all([each.slots for each in listed]),
    )


def _all(sets: Sequence[frozenset[_T]]) -> frozenset[_T]:
    """Most are empty."""
    return sets[0].union(*sets[1:]) if any(sets) else sets[0]


@dataclass(slots=True)
class Found:
    """W, N and E of every node, and of a call of every function, in the function's own scope.

    `slots`: what may be set under a key by the whole program, `called_slots`: by calls of its functions.
    """

    nodes: dict[ast.AST, Effects] = field(default_factory=dict)
    calls: dict[ast.AST, Effects] = field(default_factory=dict)
    slots: frozenset[Slot] = frozenset()
    called_slots: frozenset[Slot] = frozenset()


def find_effects(body: Sequence[ast.stmt], scopes: Scopes, unsure: AbstractSet[ast.AST], calls: Outward) -> Found:
    """Of every node. `unsure` reads may raise; a call that `may_stop` may end in something that cannot be caught."""
    finder = _Finder(scopes, unsure, calls)
    whole = united(map(finder.of, body))
    called = united(finder.calls.values()).slots
    return Found(finder.found, finder.calls, whole.slots | called, called)


class Outward(Protocol):
    """What is known of calls."""

    def may_stop(self, node: ast.Call) -> bool:
        """Whether it may end in something that no `try` catches."""
        ...

    def slot_of(self, node: ast.Call) -> Slot | None:
        """What it sets under a key, if it does."""
        ...


class _Finder:
    def __init__(self, scopes: Scopes, unsure: AbstractSet[ast.AST], outward: Outward) -> None:
        self._scopes, self._unsure, self._outward = scopes, unsure, outward
        self.found: dict[ast.AST, Effects] = {}
        self.calls: dict[ast.AST, Effects] = {}

    def of(self, node: ast.AST) -> Effects:
        if isinstance(node, FUNCTIONS):
            self.found[node] = self._definition(node)
            return self.found[node]
        parts, own = below(node), self._own(node)
        total = self._inside(node, parts) if parts else NO_EFFECTS
        if own is not NO_EFFECTS:
            total = united([total, own])
        if RAISE not in total.escapes and (node in self._unsure or not _cannot_raise(node)):
            total = total.escaping(RAISE)
        self.found[node] = total
        return total

    def _definition(self, node: Function) -> Effects:
        """Defining it: its defaults, its name, and what a call later may mention and assign out here."""
        self.calls[node] = united(map(self.of, body_of(node))).without(RETURN, BREAK, CONTINUE)
        scope = self._scopes.functions[node]
        outside = Effects(frozenset(scope.assigned), frozenset(scope.free), captures=frozenset(scope.free))
        return united([*map(self.of, defaults_of(node)), outside, self._own(node)])

    def _inside(self, node: ast.AST, parts: Sequence[ast.AST]) -> Effects:
        total = united([self.of(part) for part in parts])
        match node:
            case ast.For() | ast.While():
                after = united(self.found[statement] for statement in node.orelse)
                return united([total.without(BREAK, CONTINUE), after])
            case ast.Try():
                return self._try(node, total)
            case _ if isinstance(node, COMPREHENSIONS):
                seen = frozenset(variable for variable in total.writes if HIDDEN not in variable.name)
                return replace(total, writes=seen)
            case _:
                return total

    def _try(self, node: ast.Try, total: Effects) -> Effects:
        """What the body raises goes no further if a handler takes everything."""
        rest = united(self.found[part] for part in (*node.handlers, *node.orelse, *node.finalbody))
        takes_all = any(catches_all(handler) for handler in node.handlers)
        return total.without(RAISE).escaping(*rest.escapes) if takes_all else total

    def _own(self, node: ast.AST) -> Effects:
        variable = self._scopes.variables.get(node)
        here = frozenset() if variable is None else frozenset({variable})
        match node:
            case ast.Name(ctx=ast.Load()):
                return Effects(mentions=here)
            case ast.Name(ctx=ast.Del()) | ast.ExceptHandler():
                return Effects(here, here, deletes=here)
            case ast.Break():
                return Effects(escapes=frozenset({BREAK}))
            case ast.Continue():
                return Effects(escapes=frozenset({CONTINUE}))
            case ast.Return():
                return Effects(escapes=frozenset({RETURN}))
            case ast.Call() if self._outward.may_stop(node):
                slot = self._outward.slot_of(node)
                return Effects(escapes=frozenset({STOP}), slots=frozenset() if slot is None else frozenset({slot}))
            case _ if bound_name(node) is not None:
                return Effects(here, here)
            case _:
                return NO_EFFECTS


def catches_all(handler: ast.ExceptHandler) -> bool:
    """Whether it takes whatever a program can catch."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _ALL) for kind in kinds)


_ALL = ("Exception", "BaseException")
_CANNOT_RAISE = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.BoolOp, ast.IfExp, ast.JoinedStr, ast.FormattedValue, ast.NamedExpr,
    ast.FunctionDef, ast.Lambda, ast.Expr, ast.If, ast.While, ast.Pass, ast.Break, ast.Continue, ast.Return, ast.Try, ast.ExceptHandler, ast.ClassDef, ast.Import,
    ast.ImportFrom, ast.Nonlocal, ast.Match, ast.match_case, ast.MatchSingleton, ast.MatchAs, ast.MatchStar, ast.MatchOr,
)  # fmt: skip
"""Every other operation may raise on some operands. Of names, those that may be unbound (`binding`) may."""


def _cannot_raise(node: ast.AST) -> bool:
    match node:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=ops):
            return all(isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) for op in ops)
        case ast.FormattedValue(format_spec=spec):
            return spec is None
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return not any(isinstance(element, ast.Starred) for element in elements)
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Name) for target in targets)
        case ast.AnnAssign():
            return True
        case _:
            return isinstance(node, _CANNOT_RAISE)
