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


def _looks_at_nothing(_queue: Queue, *_pending: object, **_how: object) -> None:
    """Whatever it is by now."""


@contextmanager
def labels_off() -> Iterator[None]:
    """Within it no effect and no release is asked about or denied, in this whole process. Only measurements do this."""
    with patch.object(Policy, "decide", _allow):
        yield
