"""Programs in files: the interpreter and CPython say the same and end with the same names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.language.world import in_cpython, interpreted

from armslength.language.operations.library import CONSTANTS
from armslength.language.operations.methods import METHOD_NAMES
from armslength.language.running.functions import NAMES

CASES = sorted(Path(__file__).parent.glob("cases*/*.py"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_program_means_what_it_means_in_python(path: Path) -> None:
    """Each file under `cases` and `cases_library` gives the same answers and the same names, type for type, under both."""
    source = path.read_text(encoding="utf-8")
    here, there = interpreted(source), in_cpython(source)
    assert here.said == there.said
    assert here.said
    assert sorted(here.names) == sorted(there.names)
    assert {name: repr(value) for name, value in here.names.items()} == {
        name: repr(value) for name, value in there.names.items()
    }


OTHERWISE = frozenset({"utcnow", "utcfromtimestamp"})
"""What is not the same under CPython: the clock, which stands at the run's start."""


def test_each_function_and_method_is_in_a_case() -> None:
    """What the language has by name, some program uses, and CPython agrees."""
    nodes = [node for path in CASES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {node.name for node in nodes if isinstance(node, ast.alias)}
    known = {path.rpartition(".")[2] for path in (*NAMES, *frozenset(CONSTANTS), *METHOD_NAMES)}
    assert known - names == OTHERWISE


def test_the_cases_are_all_there() -> None:
    """The folder was found: a wrong path would leave nothing to run."""
    assert len(CASES) >= 140
