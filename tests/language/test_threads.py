"""Programs that several threads read and run at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
from tests.language.world import interpreted

PROGRAM = "\n".join(
    f"a{n} = [x * {n} + len(str(x)) for x in [{n}, 2, 3] if x or {{'k': [x, (x, -x)]}}['k']]" for n in range(60)
)


@pytest.fixture
def _switching() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_switching")
def test_programs_are_read_by_several_threads_at_once() -> None:
    """Python's parser counts its depth for all threads together; ours never let two in."""
    expected, found = interpreted(PROGRAM).names, list[object]()

    def read() -> None:
        for _ in range(3):
            try:
                found.append(interpreted(PROGRAM).names == expected)
            except SystemError as error:
                found.append(error)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 24
