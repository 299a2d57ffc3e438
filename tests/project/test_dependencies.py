"""Dependencies: what the package imports is declared, and what is declared is used."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements: list[str]) -> set[str]:
    """The canonical names of the distributions."""
    return {canonicalize_name(Requirement(line).name) for line in requirements}


CORE = names(PROJECT["dependencies"])
EXTRAS = {extra: names(lines) for extra, lines in PROJECT["optional-dependencies"].items()}


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """Top-level names of what a file imports, by statement or by `import_module("...")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name.partition(".")[0] for alias in aliases)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.Call(
                func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module.partition(".")[0]
            case _:
                pass


def foreign_distributions() -> dict[str, set[str]]:
    """The distributions outside the standard library that the package imports, with the files that do."""
    providers = packages_distributions()
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        for module in imported_modules(ast.parse(path.read_text(encoding="utf-8"))):
            if module not in sys.stdlib_module_names | {"armslength"}:
                named = [canonicalize_name(name) for name in providers.get(module, [f"unknown-{module}"])]
                # several distributions may share a namespace, such as opentelemetry: the declared one is meant
                distribution = next((name for name in named if name in CORE.union(*EXTRAS.values())), named[0])
                found.setdefault(distribution, set()).add(path.relative_to(ROOT / "src" / "armslength").as_posix())
    return found


def test_every_import_is_declared() -> None:
    """No import leans on what a dependency happens to bring along."""
    declared = CORE.union(*EXTRAS.values())
    assert {name: files for name, files in foreign_distributions().items() if name not in declared} == {}


PLACES = {
    "openai": "models/",
    "anthropic": "models/",
    "local": "models/",
    "fullscreen": "surfaces/",
    "page": "surfaces/",
    "postgres": "store/",
    "encryption": "store/",
    "tracing": "app/tracing.py",
    "calendars": "tools/dav/",
    "mail": "tools/mail/",
    "documents": "tools/documents/",
    "web": "tools/web/",
    "mcp": "tools/mcp/",
}
"""Where each extra is known."""


def test_extras_are_used_in_their_places_alone() -> None:
    """The package works without its extras: nothing but the place of each knows it."""
    found = foreign_distributions()
    wrong = {
        (extra, file)
        for extra, distributions in EXTRAS.items()
        for name in distributions - CORE
        for file in found.get(name, ())
        if not any(file.startswith(PLACES[other]) for other, names_of in EXTRAS.items() if name in names_of)
    }
    assert wrong == set()


def test_imports_by_name_are_seen() -> None:
    """Statements, nested modules and imports by name all count; relative ones do not occur."""
    source = "import os.path\nfrom rich.text import Text\nimportlib.import_module('openai.types')\nimport_module('xllamacpp')\n"
    assert list(imported_modules(ast.parse(source))) == ["os", "rich", "openai", "xllamacpp"]
