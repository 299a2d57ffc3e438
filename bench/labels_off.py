"""What the safeguard is measured against: the same assistant, whose policy allows whatever is asked of it.

Labels are still carried and shown; nothing is decided by them. What stays is the separation of the models alone: the planner is blind,
and the quarantined model holds no tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import ANY, patch

from armslength.agent.outside import resuming
from armslength.agent.runs.queue import Queue
from armslength.policy.action import Action, Decision
from armslength.policy.engine import Policy
from armslength.tools.web import dialling, fetching
from armslength.tools.web.address import address_from


def _allow(_policy: Policy, _action: Action) -> Decision:
    return Decision("allow", ())


@contextmanager
def pins_off() -> Iterator[None]:
    """Labels off, and what was decided on is not what has to happen: nothing is looked up again, and a run goes on whatever its tools are by now."""
    with (
        labels_off(),
        patch.object(Queue, "_confirm", _looks_at_nothing),
        patch.object(Queue, "_confirm_again", _looks_at_nothing),
        patch.object(resuming, "_as_json", lambda _given: ANY),
    ):
        yield


@contextmanager
def accepted_off() -> Iterator[None]:
    """Labels off, and a server's tool is called however it declares itself by now."""
    with labels_off(), patch("armslength.tools.mcp.connection._Line._check", _is_whatever):
        yield


def _is_whatever(_line: object, *_compared: object) -> None:
    """As it is."""


@contextmanager
def addresses_off() -> Iterator[None]:
    """Labels off, and whatever a host's address is, it is asked."""
    with (
        labels_off(),
        patch.object(dialling, "is_public", lambda _address: True),
        patch.object(dialling, "_is_of_internet", lambda _host: True),
    ):
        yield


@contextmanager
def moves_off() -> Iterator[None]:
    """Labels off, and a page that has moved is followed to whatever host it says."""
    with labels_off(), patch.object(fetching, "_next", lambda page, location, _told: address_from(page, location)):
        yield


def _looks_at_nothing(_queue: Queue, *_pending: object, **_how: object) -> None:
    """Whatever it is by now."""


@contextmanager
def labels_off() -> Iterator[None]:
    """Within it no effect and no release is asked about or denied, in this whole process. Only measurements do this."""
    with patch.object(Policy, "decide", _allow):
        yield
