"""Programs that several threads read at once."""

from __future__ import annotations

import ast
import gc
import threading
import time
from collections.abc import Iterator

import pytest

from armslength.language.reading.trees import tree_of

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
