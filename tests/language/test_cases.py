"""Programs in files: the interpreter and CPython say the same and end with the same names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.world import in_cpython, interpreted

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_program_means_what_it_means_in_python(path: Path) -> None:
    """Each file under `cases` gives the same answers and the same names, type for type, under both."""
    source = path.read_text(encoding="utf-8")
    here, there = interpreted(source), in_cpython(source)
    assert here.said == there.said
    assert here.said
    assert sorted(here.names) == sorted(there.names)
    assert {name: repr(value) for name, value in here.names.items()} == {
        name: repr(value) for name, value in there.names.items()
    }


def test_the_cases_are_all_there() -> None:
    """The folder was found: a wrong path would leave nothing to run."""
    assert len(CASES) >= 140
