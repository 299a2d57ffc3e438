"""What no import rule can say about the package's sources, read from their syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "armslength"
TREES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
PURE_ROOMS = ("labels.py", "values/", "events.py", "schema.py", "language/", "policy/")

# What a pure room may import. Anything else is either input, output, a clock, chance, or has not been asked about yet.
PURE_LIBRARIES = {
    "__future__", "abc", "ast", "bisect", "codecs", "collections", "contextlib", "copy", "dataclasses", "datetime", "decimal", "difflib",
    "enum", "fnmatch", "fractions", "functools", "hashlib", "heapq", "html", "itertools", "json", "keyword", "math", "operator", "re", "string",
    "struct", "textwrap", "threading", "tokenize", "types", "typing", "unicodedata", "warnings", "weakref",
    "cedarpy",  # evaluates the policy: text in, a decision out
}  # fmt: skip
IMPURE_BUILTINS = {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"}
# Exceptions that are caught in their own room and reach no caller. One that stays in its file has a private name instead.
INTERNAL_SIGNALS = {
    "agent/quarantined/answer.py: Misfit",
    "app/waiting.py: Answered",
    "tools/documents/wire.py: Failed",
    "tools/documents/wire.py: Full",
    "tools/documents/wire.py: Misfit",
    "tools/mail/lookups.py: NoAnswer",
}
# Files outside the language that open values, and why. The values' own give nothing of them to anybody else: a form, a yes or no, labels.
OPENERS = {
    "agent/runs/controller.py",  # takes the id out of a handle and relabels it
    "values/crossing.py",  # `release`, and a frozen copy for an effect
    "values/holding.py",  # whether anything that a container holds can change
    "values/keys.py",  # what a dict finds a key by
    "values/reaching.py",  # what is below a value: its labels, and what can change
}
CLOCKS = {"now", "today", "utcnow"}


def value_backdoors(tree: ast.AST) -> Iterator[str]:
    """Ways to make or open a value without `make` and `unwrap`, as far as the syntax shows them."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr="_raw"):
                pass  # another class's own field: what a class below Value could do is caught below
            case ast.Attribute(attr="_raw") | ast.Constant(value="_raw"):
                yield f"line {node.lineno}: _raw"
            case ast.Call(func=ast.Name(id="Value") | ast.Attribute(attr="Value")):
                yield f"line {node.lineno}: Value("
            case ast.ClassDef(bases=bases) if any(isinstance(base, ast.Name) and base.id == "Value" for base in bases):
                yield f"line {node.lineno}: a class below Value"
            case ast.Call(func=ast.Attribute(attr="__new__"), args=[ast.Name(id="Value"), *_]):
                yield f"line {node.lineno}: __new__(Value)"
            case ast.alias(name="Value", asname=str()):
                yield f"line {node.lineno}: Value under another name"
            case _:
                pass


def impurities(tree: ast.AST) -> Iterator[str]:
    """Imports outside the allow-list, builtins that reach the host, clocks."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module)):
                modules = [module]
            case _:
                modules = []
        for module in modules:
            if module.partition(".")[0] not in PURE_LIBRARIES | {"armslength"}:
                yield f"line {node.lineno}: imports {module}"
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_BUILTINS:
                yield f"line {node.lineno}: {name}("
            case ast.Call(func=ast.Attribute(value=ast.Name(id="date" | "datetime"), attr=name)) if name in CLOCKS:
                yield f"line {node.lineno}: {name}("
            case _:
                pass


def names_imported_from(tree: ast.AST, module: str) -> set[str]:
    """The names that `from module import ...` brings in, wherever it stands."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
        for alias in node.names
    }


def test_values_are_made_and_opened_in_one_file() -> None:
    """`Value(`, `_raw`, classes below Value and other names for it occur in values/objects.py alone."""
    elsewhere = [
        f"{path}: {place}"
        for path, tree in TREES.items()
        if path != "values/objects.py"
        for place in value_backdoors(tree)
    ]
    assert elsewhere == []
    assert list(value_backdoors(TREES["values/objects.py"]))


def test_values_are_opened_where_results_get_their_labels() -> None:
    """`unwrap` and `opened` are imported by the language and by the files listed above; everyone else waits for `release`."""
    opening = {
        path
        for path, tree in TREES.items()
        for module in ("armslength.values", "armslength.values.objects")
        if {"unwrap", "opened"} & names_imported_from(tree, module) and path != "values/__init__.py"
    }
    assert {path for path in opening if not path.startswith("language/")} == OPENERS
    assert opening > OPENERS


def test_pure_rooms_import_nothing_outside_their_list() -> None:
    """Labels, values, events, schema, language and policy use only libraries without input, output, clock or chance."""
    found = [
        f"{path}: {place}" for path, tree in TREES.items() if path.startswith(PURE_ROOMS) for place in impurities(tree)
    ]
    assert found == []


def test_exceptions_are_defined_in_one_file() -> None:
    """Every exception that a caller can meet stands in errors.py, in the tree its docstring draws."""
    names = {node.name for node in ast.walk(TREES["errors.py"]) if isinstance(node, ast.ClassDef)}
    builtin = {
        name
        for name, kind in vars(__import__("builtins")).items()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    }
    elsewhere = {
        f"{path}: {node.name}"
        for path, tree in TREES.items()
        if path != "errors.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and not node.name.startswith("_")
        and any(isinstance(base, ast.Name) and base.id in names | builtin for base in node.bases)
    }
    assert elsewhere - INTERNAL_SIGNALS == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("value._raw", ["line 1: _raw"]),
        ("getattr(value, '_raw')", ["line 1: _raw"]),
        ("values.Value()", ["line 1: Value("]),
        ("class Mine(Value): pass", ["line 1: a class below Value"]),
        ("object.__new__(Value)", ["line 1: __new__(Value)"]),
        ("from armslength.values import Value as V", ["line 1: Value under another name"]),
        ("unwrap(value)", []),
        ("self._raw", []),
    ],
)
def test_each_way_around_the_constructor_is_seen(source: str, found: list[str]) -> None:
    """The check reports what it is there to report."""
    assert list(value_backdoors(ast.parse(source))) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os.path", ["line 1: imports os.path"]),
        ("from time import time", ["line 1: imports time"]),
        ("open('x')", ["line 1: open("]),
        ("datetime.now()", ["line 1: now("]),
        ("from armslength.labels import join", []),
        ("import json", []),
    ],
)
def test_each_impurity_is_seen(source: str, found: list[str]) -> None:
    """The check reports what it is there to report."""
    assert list(impurities(ast.parse(source))) == found


def test_folders_of_ours_are_made_in_one_place() -> None:
    """`mkdir` with `parents` gives its mode to the last folder alone, so that others could list what is above it."""
    found = [
        name
        for name, tree in TREES.items()
        if not name.startswith("demo/")
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "parents"
    ]
    assert found == []
