"""Python's parser: one place calls it, one thread at a time, and it says nothing of its own."""

from __future__ import annotations

import ast
import gc
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from armslength.language import prepare
from armslength.language.reading.trees import tree_of

SOURCES = Path(__file__).parents[2] / "src"

PROGRAM = "\n".join(
    f"a{n} = [x * {n} + len(str(x)) for x in [{n}, 2, 3] if x or {{'k': [x, (x, -x)]}}['k']]" for n in range(60)
)


class Pause:
    """Garbage that lets another thread go on when it is collected: in the middle of whatever makes objects then."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0.0001)


@pytest.fixture
def _collecting() -> Iterator[None]:
    """Garbage is collected often."""
    before = gc.get_threshold()
    gc.set_threshold(400, 1, 1)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_collecting")
def test_programs_are_read_by_several_threads_at_once() -> None:
    """Python's parser counts its depth for all threads together; ours never lets two in."""
    expected, found = ast.dump(tree_of(PROGRAM)), list[object]()

    def read() -> None:
        for _ in range(5):
            garbage = [Pause() for _ in range(20)]
            garbage.clear()
            try:
                found.append(tree_of(PROGRAM))
            except SystemError as error:
                found.append(error)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [ast.dump(each) if isinstance(each, ast.AST) else each for each in found] == [expected] * 40


PARSING = ("ast.parse", "ast.literal_eval", "compile", "eval", "exec")


def test_the_parser_is_called_in_one_place() -> None:
    """Whatever else in the sources reads the text of a program goes through it."""
    calls = {
        (path.name, ast.unparse(node.func))
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    assert {(name, called) for name, called in calls if called in PARSING} == {("trees.py", "ast.parse")}


def test_the_parser_warns_nobody() -> None:
    """A doubtful escape is no line on standard error, and whoever makes errors of warnings gets none."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        prepare("x = '\\d'\ny = 1 is 1\nz = 0 or(1)if 1else 2", ())
    assert told == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        prepare("x = '\\d'", ())
