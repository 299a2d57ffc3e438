"""Mutants by rule: wherever the language joins a label, guards, spreads or notes that something may raise, one mutant without it.

A site is found in the source as it stands, so a new operand has a mutant as soon as it is written. Which code a mutant replaces is told
by the module, the function and the text; of several alike in one function, by their order.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

_ROOMS = ("running", "operations")
"""Where labels are joined. What holds none has no sites, so no file is left out; the machine's own rules have mutants written by hand."""


def _modules() -> Iterator[str]:
    for room in _ROOMS:
        top = importlib.import_module(f"armslength.language.{room}")
        yield from (found.name for found in pkgutil.walk_packages(top.__path__, f"{top.__name__}."))


MODULES = tuple(name.removeprefix("armslength.") for name in _modules())
_STEPS = frozenset(
    {"may_raise", "may_stop", "risk", "guard", "spread", "mingle", "upgrade", "upgrade_shape", "gain", "spread_held"}
)
_JOINS = frozenset({"construct", "tested"})
_MEMORIES = frozenset({"selects", "constructs", "joins", "tests"})
_KEEPS_FIRST = {"steered": 0, "restrict": 0, "read": 0, "pick": 1}
_LABELLED = {
    "make": 1, "sequence": 1, "iterator": 1, "ListObject": 1, "TupleObject": 1, "IteratorObject": 1, "SetObject": 0, "DictObject": 0,
}  # fmt: skip
_NONE = ("NOTHING", "LITERAL")
NO_LABEL = "_no_label"
"""The name under which mutants find the least label."""


@dataclass(frozen=True, slots=True)
class Site:
    """A mutant: in a function of a module, the `number`th site, where `what` is dropped."""

    module: str
    function: str
    what: str
    number: int

    @property
    def name(self) -> str:
        """Tells it apart from all others."""
        again = f" ({self.number})" if self.number else ""
        return f"{self.module}.{self.function}: {self.what}{again}"


def sites() -> list[Site]:
    """All of them."""
    return [site for module in MODULES for site in _sites(module)]


def mutated(module: str, dropped: Collection[Site]) -> ast.Module:
    """The module without what these sites drop, the inner ones first.

    Raises:
        LookupError: there is no such site.
    """
    tree = _tree(module)
    changes = [change for found, change in _changes(module, tree) if found in dropped]
    if len(changes) != len(dropped):
        raise LookupError(f"there are no such sites: {[site.name for site in dropped]}")
    for change in reversed(changes):
        change()
    return ast.fix_missing_locations(tree)


def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(f"armslength.{module}")))


def _sites(module: str) -> Iterator[Site]:
    return (site for site, _ in _changes(module, _tree(module)))


def _changes(module: str, tree: ast.Module) -> Iterator[tuple[Site, Callable[[], None]]]:
    counts: Counter[tuple[str, str]] = Counter()
    for function, node in _functions(tree):
        for what, change in _within(node):
            number = counts[function, what]
            counts[function, what] += 1
            yield Site(module, function, what, number), change


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, ast.FunctionDef))


def _within(function: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    for parent in ast.walk(function):
        for name, value in ast.iter_fields(parent):
            for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    for what, new in _replacements(child):
                        yield what, _replacing(parent, name, at, new)
                    yield from _shortenings(child)


def _replacing(parent: ast.AST, name: str, at: int | None, new: ast.AST) -> Callable[[], None]:
    def change() -> None:
        if at is None:
            setattr(parent, name, new)
        else:
            getattr(parent, name)[at] = new

    return change


def _replacements(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in a node's place, and what that drops."""
    match node:
        case ast.Expr(value=ast.Call() as call) if _called(call) in _STEPS:
            yield ast.unparse(call), ast.Pass()
        case ast.Assign(targets=[ast.Attribute(attr="shape") as target]):
            yield f"{ast.unparse(target)} = {ast.unparse(node.value)}", ast.Pass()
        case ast.Call(func=ast.Name(id="join"), args=[one, other]):
            yield f"{ast.unparse(one)} in {ast.unparse(node)}", other
            yield f"{ast.unparse(other)} in {ast.unparse(node)}", one
        case ast.Call(func=ast.Name(), args=args) if _called(node) in _KEEPS_FIRST and len(args) > 1:
            yield f"gain of {ast.unparse(node)}", args[_KEEPS_FIRST[_called(node)]]
        case ast.Subscript(value=ast.Attribute(value=left, attr=attr), slice=right) if attr in _MEMORIES:
            yield f"{ast.unparse(right)} in {ast.unparse(node)}", left
            if attr != "selects":
                yield f"{ast.unparse(left)} in {ast.unparse(node)}", right
        case _:
            return


def _shortenings(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """What may be dropped from a node that stays."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if name in _JOINS:
            for argument in args:
                yield f"{ast.unparse(argument)} in {ast.unparse(node)}", functools.partial(args.remove, argument)
        case ast.Call(func=ast.Name(id="united"), args=[ast.List(elts=operands)]):
            for operand in operands:
                yield f"{ast.unparse(operand)} in {ast.unparse(node)}", functools.partial(operands.remove, operand)
        case ast.Call(func=ast.Name(id="united"), args=[_] as args):
            yield f"all in {ast.unparse(node)}", functools.partial(args.__setitem__, 0, ast.List([], ast.Load()))
        case ast.Call(func=ast.Name(id="by_references"), args=[_, *references] as args):
            for reference in references:
                yield f"{ast.unparse(reference)} in {ast.unparse(node)}", functools.partial(args.remove, reference)
        case ast.Call(args=args) if len(args) > _LABELLED.get(_called(node), 9):
            at = _LABELLED[_called(node)]
            if not (isinstance(args[at], ast.Name) and args[at].id in _NONE):
                bare = ast.Name(NO_LABEL, ast.Load())
                yield f"label of {ast.unparse(node)}", functools.partial(args.__setitem__, at, bare)
        case _:
            return


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
