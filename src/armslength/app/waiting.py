"""Runs that wait for a person: an approver who cannot answer now, and a run that stops as soon as its question is answered."""

from __future__ import annotations

from typing import Any

from armslength.agent.approving.approval import REFUSED, Answer, Approver, Screen
from armslength.agent.outside.boundary import Journal
from armslength.errors import NotNow
from armslength.events import Crossing


class NobodyNow:
    """Nobody can be asked, and the question stays."""

    def approve(self, screen: Screen) -> Answer:
        """No answer.

        Raises:
            NotNow: always.
        """
        raise NotNow


class NowOrNever:
    """Asks another approver where the run could not go on later: no answer now is a no."""

    def __init__(self, approver: Approver) -> None:
        self._approver = approver

    def approve(self, screen: Screen) -> Answer | bool:
        """The answer, a no where there is none."""
        try:
            return self._approver.approve(screen)
        except NotNow:
            return REFUSED


class Answered(BaseException):
    """The question is answered, and the answer written down."""


class UntilAnswered:
    """A journal that ends the work on its run with the answer. See Journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def crossing(self, crossed: Crossing) -> None:
        """Write it down.

        Raises:
            Answered: it was an answer.
        """
        self._journal.crossing(crossed)
        if crossed.kind == "approval":
            raise Answered

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Write it down."""
        self._journal.note(kind, content)

    def waits(self) -> None:
        """A person is asked now."""
        self._journal.waits()
