"""Style that no linter rule states: a sentence for each test, files that fit in a head."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_FILE = 500


def wordless_tests(source: str) -> Iterator[str]:
    """The test functions of a file that have no docstring or one that does not end as a sentence."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            text = ast.get_docstring(node) or ""
            if not text.rstrip().endswith((".", "?", "!", ":")):
                yield f"line {node.lineno}: {node.name}"


def test_every_test_has_a_sentence() -> None:
    """What a test holds is said in words, so that its failure can be judged."""
    found = [
        f"{path.relative_to(ROOT)}: {place}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for place in wordless_tests(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def test_it(): pass", ["line 1: test_it"]),
        ("def test_it():\n    'words'", ["line 1: test_it"]),
        ("class TestIt:\n    def test_it(self): pass", ["line 2: test_it"]),
        ("def test_it():\n    'It holds.'", []),
        ("def helper(): pass", []),
    ],
)
def test_a_missing_sentence_is_seen(source: str, found: list[str]) -> None:
    """The check reports what it is there to report."""
    assert list(wordless_tests(source)) == found


def test_files_fit_in_a_head() -> None:
    """No source file of the package is longer than the limit; one that is has two subjects."""
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "src").rglob("*.py")
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
