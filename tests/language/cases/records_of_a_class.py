"""A schema class: making, reading, defaults, text, equality."""
class Task(BaseModel):
    """A thing to do."""

    title: str
    days: int = 3
    owner: Optional[str] = None
    done: bool = False


class Plan(BaseModel):
    name: str
    tasks: list[Task]


t = Task(title="Write")
u = Task(title="Test", days=1, owner="Ann", done=True)
answer(t, u, t.title, u.days, t.owner, [t], f"{u}", f"{t!r}")
answer(t == Task(title="Write"), t != u, t == u, t == None, t in [u, t], isinstance(t, Task), isinstance("x", Task), isinstance(t, (int, Task)))
plan = Plan(name="P", tasks=[t, u])
answer(plan, plan.tasks[1].title, [task.title.upper() for task in plan.tasks if not task.done], len(plan.tasks))
plan.tasks.append(Task(title="Ship", days=0))
answer(sorted([(task.days, task.title) for task in plan.tasks]), bool(t), t is t, t is u)
