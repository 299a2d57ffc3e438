"""A task list of dataclasses: added, filtered, grouped, sorted by date, shown."""
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import List, Optional


@dataclass
class Task:
    title: str
    owner: str
    due: Optional[date] = None
    done: bool = False
    tags: List[str] = field(default_factory=list)


now = date.fromisoformat(today())
tasks = [
    Task("Write report", "Ann", now + timedelta(days=2), tags=["work"]),
    Task("Buy tea", "Bob", done=True),
    Task("Call Cy", "Ann", now - timedelta(days=1)),
    Task("Plan trip", "Bob", now + timedelta(days=30), tags=["private", "travel"]),
]


def is_overdue(task: Task) -> bool:
    return task.due is not None and task.due < now and not task.done


def show(task: Task) -> str:
    mark = "x" if task.done else "!" if is_overdue(task) else " "
    due = f" (due {task.due:%d.%m.})" if task.due else ""
    tags = " ".join(f"#{tag}" for tag in task.tags)
    return f"[{mark}] {task.title}{due} {tags}".rstrip()


def by_due(task: Task):
    return (task.due is None, task.due or date.max)


ordered = sorted(tasks, key=by_due)
answer("\n".join(show(task) for task in ordered))
by_owner: dict[str, list[Task]] = {}
for task in tasks:
    by_owner.setdefault(task.owner, []).append(task)
for owner, owned in sorted(by_owner.items()):
    still_open = [task for task in owned if not task.done]
    answer(f"{owner}: {len(still_open)} of {len(owned)} open, next: {min(still_open, key=by_due).title}")
tagged = {tag for task in tasks for tag in task.tags}
answer(sorted(tagged), sum(map(is_overdue, tasks)), any(task.title.startswith("Buy") for task in tasks))
