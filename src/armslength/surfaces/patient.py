"""A person who may not be there yet: asked on the terminal, and waited for where there is none."""

from __future__ import annotations

from armslength.agent.approving.approval import Answer, Screen
from armslength.errors import NotNow
from armslength.surfaces.terminal import NO_TERMINAL, TerminalApprover


class PatientApprover:
    """Asks on the terminal; where there is none, the question stays. `refusal` says why the last answer was a no."""

    def __init__(self) -> None:
        self._terminal = TerminalApprover()

    @property
    def refusal(self) -> str:
        """See TerminalApprover."""
        return self._terminal.refusal

    def approve(self, screen: Screen) -> Answer:
        """The answer at the terminal.

        Raises:
            NotNow: there is no terminal.
        """
        answer = self._terminal.approve(screen)
        if self._terminal.refusal == NO_TERMINAL:
            raise NotNow
        return answer
