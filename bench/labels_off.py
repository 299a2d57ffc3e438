"""What the safeguard is measured against: the same assistant, whose policy allows whatever is asked of it.

Labels are still carried and shown; nothing is decided by them. What stays is the separation of the models alone: the planner is blind,
and the quarantined model holds no tools.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from armslength.policy.action import Action, Decision
from armslength.policy.engine import Policy


def _allow(_policy: Policy, _action: Action) -> Decision:
    return Decision("allow", ())


@contextmanager
def labels_off() -> Iterator[None]:
    """Within it no effect and no release is asked about or denied, in this whole process. Only measurements do this."""
    with patch.object(Policy, "decide", _allow):
        yield
