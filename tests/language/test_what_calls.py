"""Whatever calls a function that it is given may end in what no `try` catches (STOP): the check before the run knows all that do.

They are found from the syntax trees of `operations/`: who leads to `call_for_each` or `Machine.invoke`, through whatever names.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.language.world import SIGNATURES

from armslength.errors import ProgramRefused
from armslength.language import operations, prepare
from armslength.language.operations.methods import METHODS
from armslength.language.reading.effects import STOP
from armslength.language.reading.static import _CALLING, _CALLING_METHODS
from armslength.language.running.functions import BUILTINS, LIBRARY

PACKAGE = operations.__name__
Named = tuple[str, str]
"""A module, and what is defined at its top."""


def definitions() -> dict[Named, ast.stmt]:
    """All that the files of `operations/` define at their top."""
    found: dict[Named, ast.stmt] = {}
    for module, tree in TREES.items():
        for statement in tree.body:
            match statement:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    found[module, name] = statement
                case ast.Assign(targets=targets):
                    found |= {(module, each.id): statement for each in targets if isinstance(each, ast.Name)}
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found[module, name] = statement
                case _:
                    pass
    return found


def trees() -> dict[str, ast.Module]:
    """The files, by the name of their module."""
    (folder,) = map(Path, operations.__path__)
    found: dict[str, ast.Module] = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).with_suffix("").parts
        module = ".".join([PACKAGE, *(part for part in parts if part != "__init__")])
        found[module] = ast.parse(path.read_text(encoding="utf-8"))
    return found


TREES = trees()
DEFINED = definitions()
IMPORTED: dict[Named, Named] = {
    (module, alias.asname or alias.name): (node.module or "", alias.name)
    for module, tree in TREES.items()
    for node in ast.walk(tree)
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


@dataclass(frozen=True)
class Part:
    """A part of a module's tree: what is defined at its top, or a lambda."""

    module: str
    node: ast.AST

    def calls(self) -> bool:
        """Whether it calls what it is given, by itself."""
        return any(isinstance(node, ast.Attribute) and node.attr == "invoke" for node in ast.walk(self.node))

    def looks_for_key(self) -> bool:
        """Whether it takes a function by the name `key`."""
        return any(isinstance(node, ast.Constant) and node.value == "key" for node in ast.walk(self.node))


def defined(name: Named) -> Iterator[Part]:
    """Where a name that a module uses is defined, if it is in one of these modules."""
    while name in IMPORTED:
        name = IMPORTED[name]
    if name in DEFINED:
        yield Part(name[0], DEFINED[name])


@cache
def mentioned(part: Part) -> Sequence[Part]:
    """What a part mentions of these modules, also as an attribute of a module."""
    found: list[Part] = []
    for node in ast.walk(part.node):
        match node:
            case ast.Name(id=used):
                found += defined((part.module, used))
            case ast.Attribute(value=ast.Name(id=used), attr=attr) if (part.module, used) in IMPORTED:
                found += defined((".".join(IMPORTED[part.module, used]), attr))
            case _:
                pass
    return found


def roots(function: Callable[..., Any]) -> Iterator[Part]:
    """Where a function of a table is written, and those that it keeps."""
    assert isinstance(function, types.FunctionType)
    module, top = function.__module__, function.__qualname__.partition(".")[0]
    if top == "<lambda>":
        line = function.__code__.co_firstlineno
        found = (each for each in ast.walk(TREES[module]) if isinstance(each, ast.Lambda) and each.lineno == line)
        yield Part(module, next(found))
    else:
        yield Part(module, DEFINED[module, top])
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, types.FunctionType):
            yield from roots(cell.cell_contents)


def leads_to_a_call(function: Callable[..., Any], *, past_key: bool) -> bool:
    """Whether a function of a table calls what it is given; `past_key`: also where it takes that as `key=`."""
    waiting, seen = list(roots(function)), set[Part]()
    while waiting:
        part = waiting.pop()
        if part in seen or (part.looks_for_key() and not past_key):
            continue
        seen.add(part)
        if part.calls():
            return True
        waiting.extend(mentioned(part))
    return False


FUNCTIONS: dict[str, Callable[..., Any]] = {**BUILTINS, **LIBRARY}
FUNCTIONS.update((path, METHODS[key]) for path in FUNCTIONS if (key := tuple(path.split("."))) in METHODS)
"""By path; a method that is called by its type is the method."""


def test_the_functions_that_call_what_they_are_given_are_known() -> None:
    """Exactly these are named, beside those that take `key=`."""
    assert {path for path, each in FUNCTIONS.items() if leads_to_a_call(each, past_key=False)} == _CALLING


def test_the_methods_that_call_what_they_are_given_are_known() -> None:
    """By their name alone, as the kind of an owner is not known before the run."""
    assert {name for (_, name), each in METHODS.items() if leads_to_a_call(each, past_key=False)} == _CALLING_METHODS


def test_what_takes_a_key_is_found_too() -> None:
    """So the search above leaves out what it is to leave out, and finds what it is to find."""
    found = {path for path, each in FUNCTIONS.items() if leads_to_a_call(each, past_key=True)}
    assert found - _CALLING == {"sorted", "min", "max", "list.sort"}


@pytest.mark.parametrize(
    "call",
    [
        "sorted([1], key=f)", "min([1], key=f)", "[1].sort(key=f)", "list.sort([1], key=f)", "map(f, [1])", "re.sub('a', f, 'a')",
        "re.compile('a').subn(f, 'a')", "f(1)", "[f][0](1)", "send('a', 'b')",
    ],
)  # fmt: skip
def test_a_call_of_what_is_given_may_stop(call: str) -> None:
    """Also through what it is a value of."""
    program = prepare(f"def f(x):\n    return send('a', 'b')\nif today() == 'x':\n    {call}", SIGNATURES)
    assert STOP in program.effects[program.program.body[1]].escapes


@pytest.mark.parametrize("call", ["Pattern.sub(re.compile('a'), len, 'a')", "match.group(1)"])
def test_kinds_without_a_name_have_no_functions(call: str) -> None:
    """Nothing in Python is called `Pattern` or `match`; called by such a name, what a pattern's method calls was not known."""
    with pytest.raises(ProgramRefused, match="is never assigned"):
        prepare(call, SIGNATURES)
