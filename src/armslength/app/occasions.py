"""What began a run, as a label, and which tasks can never begin, since their planner may not learn that they do."""

from __future__ import annotations

from armslength.app.settings import Settings
from armslength.app.tasks import Task
from armslength.labels import PRIVATE, label
from armslength.policy.patterns import kept_by
from armslength.tools.mail.labels import EVERYBODY

BEGUN_BY_MAIL = label(choice=[EVERYBODY], bits=1, steer=PRIVATE)
"""Mail comes from whoever writes some, and that it came is the user's to know."""

WHY_KEPT = (
    "[privacy] this_machine_only keeps mail on this machine, and the planner is elsewhere and would learn that some came; "
    "use the embedded model for the planner, or begin it at a time"
)


def is_kept_from_planner(task: Task, settings: Settings) -> bool:
    """Whether this task waits for mail, and its planner elsewhere may not be told that some came: then no run of it begins."""
    is_here = settings.planner.provider == "embedded" or settings.planner.is_local
    return task.on_mail and not is_here and kept_by(BEGUN_BY_MAIL, settings.this_machine_only)
