"""All runs that are kept, for whoever looks at them: the database, and the journals of earlier versions beside it."""

from __future__ import annotations

from datetime import datetime

from armslength.app.databases import runs_of
from armslength.app.settings import Settings
from armslength.errors import OperatorError
from armslength.store.chain import key_in
from armslength.store.conversations import Conversations
from armslength.store.journal import Entry
from armslength.store.lines import LineRuns
from armslength.store.runs import Fault, Run, State, check_open
from armslength.store.sqlite_grants import SqliteGrants

_SPARED: tuple[State, ...] = ("waiting", "answered")
"""Runs that somebody has yet to answer, or to carry out as it was answered, are not removed for their age."""


def grants_of(settings: Settings) -> SqliteGrants:
    """What a person of this configuration said yes to beforehand, in a file on this machine, with the key of the journals."""
    key = settings.database.with_suffix(".key")
    if settings.server is not None:
        key = settings.server_folder / "postgresql.key"
    return SqliteGrants(settings.grants, key_in(key))


class Kept:
    """The runs of one configuration."""

    def __init__(self, settings: Settings) -> None:
        """What is older than the configuration keeps is removed first."""
        self.database = runs_of(settings)
        self._old = LineRuns(settings.old_runs)
        self._remove_old(settings)

    @property
    def place(self) -> str:
        """Where they are, as a person knows it."""
        return self.database.place

    def names(self) -> list[str]:
        """Every run, oldest first."""
        return [*self._old.names(), *self.database.names()]

    def listed(self) -> list[Run]:
        """Every run with its state, oldest first."""
        return [*self._old.listed(), *self.database.listed()]

    def entries(self, run: str) -> list[Entry]:
        """The journal of a run.

        Raises:
            OperatorError: there is none, or it is damaged.
        """
        if run in self.database.names():
            return self.database.entries(run)
        if run in self._old.names():
            return self._old.entries(run)
        raise OperatorError(f"there is no run {run}; armslength runs lists them")

    def verify(self, run: str | None) -> list[Fault]:
        """What is wrong with one journal, or with any. Those of earlier versions have nothing to verify them by.

        Raises:
            OperatorError: there is no such run, or it is of an earlier version.
        """
        if run is not None and run not in self.database.names() and run in self._old.names():
            raise OperatorError(f"the run {run} was written by an earlier version, which left nothing to verify it by")
        return self.database.verify(run)

    def check_open(self, run: str) -> None:
        """The run can be gone on with, as far as the list says. Nothing is opened, so that this comes before anything that is slow or missing.

        Raises:
            OperatorError: there is none, or it has ended.
        """
        states = {each.name: each.state for each in self.database.listed()}
        if states.get(run) in {None, "done", "failed", "cancelled"}:
            opened = self.database.take(run)
            try:
                check_open(opened)
            finally:
                opened.close()

    def cancel(self, run: str) -> None:
        """The run has ended, and is not gone on with.

        Raises:
            OperatorError: another process works on it, it has ended, or its journal is not what was written.
        """
        opened = self.database.take(run)
        try:
            check_open(opened)
            opened.note("cancelled", {})
        finally:
            opened.close()

    def _remove_old(self, settings: Settings) -> None:
        if settings.keeping.age is None:
            return
        before = datetime.now().astimezone() - settings.keeping.age
        self._old.purge(before)
        self.database.purge(before, but=_SPARED)
        Conversations(settings.conversations).purge(before)

    def taken_back(self, run: str, digests: list[str]) -> None:
        """Effects of a run were taken back by the person himself, so that this is not offered again.

        Raises:
            OperatorError: its journal cannot be written.
        """
        if digests and run in self.database.names():
            opened = self.database.take(run)
            try:
                opened.note("undone", {"by": "recall", "digests": digests})
            finally:
                opened.close()

    def remove(self, run: str) -> None:
        """Remove one run.

        Raises:
            OperatorError: there is none, or a process works on it.
        """
        if run not in self.database.names() and run in self._old.names():
            self._old.remove(run)
        else:
            self.database.remove(run)

    def purge(self, before: datetime) -> list[str]:
        """Remove the runs that began before then, but those that are at work. Gives their names."""
        return [*self._old.purge(before), *self.database.purge(before)]


def remove_old(settings: Settings) -> None:
    """Remove what is older than the configuration keeps: runs that are neither at work nor waiting for an answer, and conversations.

    Raises:
        OperatorError: it cannot be removed.
    """
    Kept(settings)
