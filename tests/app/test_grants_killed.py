"""A run with grants that is cut off at each entry of its journal and goes on: each effect once, each grant once, each use once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from bench.home.world import NOW, Home

from armslength.agent.approving.approval import Answer, Screen, all_of
from armslength.app import Assistant
from armslength.errors import CannotResume, OperatorError
from armslength.store.chain import key_in
from armslength.store.sqlite import SqliteRuns
from armslength.store.sqlite_grants import SqliteGrants

GIVEN = """\
one, other = read_file("name.txt").content, read_file("other.txt").content
append_to_file(filename=one, text="tea")
"""
PROGRAM = f'{GIVEN}append_to_file(filename=other, text="milk")'


class Died(BaseException):
    """The process ends here."""


@dataclass
class Dying:
    """Runs whose process dies before or after it writes its n-th entry."""

    runs: SqliteRuns
    left: int
    is_after: bool

    def begin(self, started: datetime) -> Any:
        opened = self.runs.begin(started)
        for name in ("crossing", "note"):
            setattr(opened, name, self._dying(getattr(opened, name)))
        return opened

    def _dying(self, write: Any) -> Any:
        def written(*args: Any) -> None:
            self.left -= 1
            if self.left == 0 and not self.is_after:
                raise Died
            write(*args)
            if self.left == 0:
                raise Died

        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runs, name)


@dataclass
class Taker:
    """A person who says yes to all and takes what holds until it is revoked."""

    seen: str = ""

    def approve(self, screen: Screen) -> Answer:
        self.seen += screen.text
        offers = (offer.name for item in screen.items for offer in item.offers)
        return Answer(all_of(screen).accepted, frozenset(name for name in offers if name.endswith("grant:always")))


class Case:
    """A home with one grant, and a program of which that covers one of two effects."""

    def __init__(self, path: Path) -> None:
        self.home = Home(path)
        self.home.file("name.txt", "todo.txt")
        self.home.file("other.txt", "list.txt")
        self.runs = SqliteRuns(path / "state" / "runs.sqlite")
        self.grants = SqliteGrants(path / "state" / "grants.sqlite", key_in(path / "state" / "runs.key"))
        self.assistant(GIVEN).ask("Do it", approver=Taker())
        self.home.file("todo.txt", "")

    def assistant(self, *programs: str, runs: Any = None) -> Assistant:
        made = self.home.assistant(programs, runs=runs or self.runs)
        return replace(made, grants=self.grants, now=lambda: NOW)

    def outcome(self) -> tuple[str, str, list[int], list[str]]:
        """What is in the two files, how often each grant was used, and what is wrong with the journals."""
        files = (self.home.path / "files" / name for name in ("todo.txt", "list.txt"))
        todo, other = (path.read_text() if path.exists() else "" for path in files)
        return (
            todo,
            other,
            [len(each.uses) for each in self.grants.listed()],
            [each.what for each in self.runs.verify()],
        )


COUNT, FIRST = 29, 8
"""The entries of such a run, and the first one after the models and the reads, which know nothing of grants."""


def places() -> Iterator[tuple[int, bool]]:
    """Before and after each entry."""
    for number in range(FIRST, COUNT + 1):
        yield number, False
        yield number, True


def test_the_run_has_that_many_entries(tmp_path: Path) -> None:
    """So that the test below cuts it at each of them."""
    case = Case(tmp_path)
    result = case.assistant(PROGRAM).ask("Do it", approver=Taker())
    assert len(case.runs.entries(result.run)) == COUNT
    assert case.outcome() == ("tea", "milk", [1, 0], [])


@pytest.mark.parametrize(("number", "is_after"), list(places()))
def test_whenever_it_is_cut_off_it_comes_to_the_same_end(tmp_path: Path, number: int, *, is_after: bool) -> None:
    """What was given is given once and what was used is written down once, also where the entry for it was lost."""
    case = Case(tmp_path)
    with pytest.raises(Died):
        case.assistant(PROGRAM, runs=Dying(case.runs, number, is_after)).ask("Do it", approver=Taker())
    again = case.assistant(PROGRAM)
    if (number, is_after) == (COUNT, True):
        with pytest.raises(OperatorError, match="has ended already"):
            again.resume(case.runs.names()[-1], approver=Taker())
    else:
        again.resume(case.runs.names()[-1], approver=Taker())
    assert case.outcome() == ("tea", "milk", [1, 0], [])


@pytest.mark.parametrize("number", range(FIRST, COUNT))
def test_what_is_revoked_while_it_is_cut_off_is_done_by_a_yes_or_not_at_all(tmp_path: Path, number: int) -> None:
    """What had been done before stays; what had been decided, looked up or begun is not done by what does not count any more."""
    case, person = Case(tmp_path), Taker()
    with pytest.raises(Died):
        case.assistant(PROGRAM, runs=Dying(case.runs, number, is_after=False)).ask("Do it", approver=Taker())
    before = case.outcome()[0]
    case.grants.revoke("grant-1", NOW)
    with suppress(CannotResume):
        case.assistant(PROGRAM).resume(case.runs.names()[-1], approver=person)
    assert (
        case.outcome()[0] == before
        or "make the file todo.txt" in person.seen
        or "append to the file todo.txt" in person.seen
    )
    assert case.outcome()[0] in {"", "tea"}
