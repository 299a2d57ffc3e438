"""What can be foreseen of a program's names before it runs: the declared type, and whose words they may be.

Each name gets the join of all that is assigned to it or put into what it may share with another name, and of what may decide over that,
wherever it stands in the program and in whatever order: `flows` finds these rules, `outlook` labels their expressions, and they are
followed until nothing changes. Names of functions and of comprehensions count as the program's own. Nothing depends on a run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from armslength.labels import NOTHING, Label, join, made_of, steered
from armslength.language.checking.inference import Types, declared_types
from armslength.language.foreseeing.flows import find_flows
from armslength.language.foreseeing.menus import Choice, Menus
from armslength.language.foreseeing.outlook import FUNCTION, UNKNOWN, Outlook, is_scalar
from armslength.language.foreseeing.sharing import Sharing
from armslength.language.reading.binding import bindings
from armslength.language.reading.static import Analysis
from armslength.schema import BOOL, INT, NONE, STR, Kind, Menu, OptionalOf, Signature, Type

Trust = Literal["trusted", "chosen", "untrusted"]
_KINDS: tuple[Kind, ...] = get_args(Kind)
_MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A name before the run. `label` has a source for each kind; `choices` are the few literals that it can be, if there are but few.

    `is_fixed`: whatever it holds, nothing of it can change.
    """

    type: Type | None
    label: Label
    choices: tuple[Choice, ...] | None = None
    is_fixed: bool = False

    @property
    def trust(self) -> Trust:
        """Whether others can have written it, or can have chosen which it is."""
        return "trusted" if self.label.is_trusted else "chosen" if self.label.is_chosen else "untrusted"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of sources that the class speaks of, in the order of their list: those that are not trusted, if there are any."""
        sources = self.label.data | self.label.choice
        strange = {source.name for source in sources if not source.is_trusted}
        named = strange or {source.name for source in sources - {FUNCTION}} or {"program"}
        return tuple(kind for kind in _KINDS if kind in named)


def foresee(analysis: Analysis, earlier: Mapping[str, Foreseen]) -> Mapping[str, Foreseen]:
    """The names that there are once the program has ended, with those of earlier programs that it leaves alone.

    A name is there if it has a value on every way to the end, and cannot hold a function.
    """
    return follow(scope_of(analysis, earlier))


@dataclass(frozen=True, slots=True)
class Scope:
    """A program among the names that earlier ones left.

    `live`: names whose earlier value it may read or leave in place; `reads`: those of them that it may read, with the first line.
    `assigned`: names that it may assign or delete. `at_end`: names that have a value on every way to its end.
    """

    analysis: Analysis
    earlier: Mapping[str, Foreseen]
    live: Mapping[str, Foreseen]
    reads: Mapping[str, int]
    assigned: frozenset[str]
    at_end: frozenset[str]
    types: Types
    menus: Menus
    sharing: Sharing

    def type_of_name(self, name: str) -> Type | None:
        """The declared type of a name, also where only its few literals tell it."""
        return self.types.names.get(name) or type_of_choices(self.menus.of_name(name))

    @property
    def touched(self) -> frozenset[str]:
        """The names that may be others, or hold something else, after it."""
        return self.assigned | self.live.keys()

    @property
    def touches_data(self) -> bool:
        """Whether others have a hand in what it reads, by its text and by what tools declare. If not, it cannot stop on data."""
        if any(each.trust != "trusted" for each in self.live.values()):
            return True
        signatures = self.analysis.signatures
        return any(
            node.func.id == "quarantined" or (node.func.id in signatures and _is_strange(signatures[node.func.id]))
            for node in _nodes(self.analysis.program.body)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        )


def _is_strange(signature: Signature) -> bool:
    return signature.returns != NONE and not signature.origin.is_trusted


def scope_of(analysis: Analysis, earlier: Mapping[str, Foreseen]) -> Scope:
    """The scope of a program. A function of its text and of what was foreseen of earlier ones."""
    body, scopes = analysis.program.body, analysis.scopes
    alone, among = bindings(body, scopes), bindings(body, scopes, earlier).at_end
    unsure = (node for node in alone.unsure if isinstance(node, ast.Name) and node in scopes.of_program)
    reads: dict[str, int] = {}
    for node in sorted(unsure, key=lambda node: (node.lineno, node.col_offset)):
        if node.id in earlier:
            reads.setdefault(node.id, node.lineno)
    assigned = _assigned(_nodes(body))
    live = {
        name: each for name, each in earlier.items() if name in reads or (name in assigned and name not in alone.at_end)
    }
    types = declared_types(analysis, {name: each.type for name, each in live.items()})
    menus = Menus(body, types.of, {name: each.choices for name, each in live.items()})

    def type_of(node: ast.expr) -> Type | None:
        return types.of(node) or type_of_choices(menus.of(node))

    outlook = Outlook(analysis.signatures, analysis.returns, type_of, _functions(body) - live.keys())
    fixed = frozenset(name for name, each in live.items() if each.is_fixed)
    sharing = Sharing(outlook, body, fixed, frozenset(live))
    at_end = among or frozenset(earlier) - assigned  # of a program that never comes to its end: what it leaves alone
    return Scope(analysis, earlier, live, reads, assigned, at_end, types, menus, sharing)


def _nodes(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from ast.walk(statement)


def _assigned(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Every name that is assigned or deleted in any scope: a function's own names are counted, which is too many and no harm."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name)
            case _:
                pass
    return frozenset(found)


def follow(scope: Scope) -> Mapping[str, Foreseen]:
    """What is foreseen of the names at a program's end."""
    labels = labels_in(scope)
    found = {}
    for name in sorted(scope.at_end):
        if name not in scope.touched:
            found[name] = scope.earlier[name]
        elif name in labels and FUNCTION not in labels[name].data:
            declared, choices = scope.type_of_name(name), scope.menus.of_name(name)
            found[name] = Foreseen(declared, labels[name], choices, name in scope.sharing.frozen)
    return found


def _functions(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names of functions to which nothing else is assigned."""
    nodes = list(_nodes(body))
    stored = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    stored += [node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    stored += [node.arg for node in nodes if isinstance(node, ast.arg)]
    return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef) and stored.count(node.name) == 1)


def type_of_choices(choices: tuple[Choice, ...] | None) -> Type | None:
    """The type of few literals."""
    said = tuple(choice for choice in choices or () if choice is not None)
    kinds = {type(choice) for choice in said}
    if not kinds:
        return NONE if choices else None
    inner = {bool: BOOL, int: INT, str: STR}[kinds.pop()] if len(kinds) == 1 else Menu(said)
    return inner if len(said) == len(choices or ()) else OptionalOf(inner)


def labels_in(scope: Scope) -> dict[str, Label]:
    """The labels of all names that the program mentions, once following the rules changes nothing any more."""
    flows, outlook = find_flows(scope.sharing), scope.sharing.outlook
    made = dict.fromkeys((rule.target for rule in flows.rules), NOTHING)
    made |= {name: each.label for name, each in scope.live.items()}
    outlook.names = dict(made)
    scalars = {name for name in made if is_scalar(scope.type_of_name(name))}
    for _ in range(_MOST_ROUNDS):
        for rule in flows.rules:
            made[rule.target] = join(made[rule.target], rule.found(outlook))
        gains: dict[str, Label] = {}
        for region in flows.regions:
            gain = region.gain(outlook)
            for name in region.names & made.keys():
                gains[name] = steered(gains.get(name, NOTHING), gain)
        before, outlook.names = outlook.names, {}
        for name, each in made.items():
            found = steered(each, gains.get(name, NOTHING))
            outlook.names[name] = found if name in scalars else made_of(found)
        if before == outlook.names:
            return before
    return dict.fromkeys(made, UNKNOWN)
