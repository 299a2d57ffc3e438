"""Who answers the screen of a command: the person at the terminal, or on a page."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from armslength.agent.approving.approval import Answer, Screen
from armslength.app import Settings
from armslength.errors import OperatorError
from armslength.installing import install_command
from armslength.surfaces.output import complain
from armslength.surfaces.patient import PatientApprover
from armslength.surfaces.terminal import TerminalApprover


class Asking(Protocol):
    """An approver that says why its last answer was no yes to all."""

    @property
    def refusal(self) -> str:
        """Why."""
        ...

    def approve(self, screen: Screen) -> Answer:
        """Ask."""
        ...


@contextmanager
def asking(settings: Settings, *, is_page: bool, is_patient: bool) -> Iterator[Asking]:
    """The approver, as long as the command needs it: the page, else the terminal. `is_patient`: a question that nobody answers stays.

    Raises:
        OperatorError: the page needs what is not installed.
    """
    if not is_page:
        yield PatientApprover() if is_patient else TerminalApprover()
        return
    if any(importlib.util.find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise OperatorError(f"--page needs the extra page; leave --page out, or run {install_command('page')}")
    from armslength.surfaces.page.serving import PageApprover

    wait = 60.0 * settings.page_minutes
    approver = PageApprover(complain, port=settings.page_port, wait=wait, is_patient=is_patient)
    try:
        yield approver
    finally:
        approver.close()
