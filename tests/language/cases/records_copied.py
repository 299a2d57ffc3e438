"""Records do not change: model_copy gives another one, model_dump and dict a dict, also of what a tool returned."""
from typing import Optional

from pydantic import BaseModel


class Task(BaseModel):
    title: str
    days: int = 1
    owner: Optional[str] = None


class Plan(BaseModel):
    name: str
    first: Task
    others: list[Task] = []


task = Task(title="write")
later = task.model_copy(update={"days": 5, "owner": "Ann"})
answer(task, later, task == task.model_copy(), later.days - task.days, task.model_copy(update={}).title)
answer(later.model_dump(), task.dict(), sorted(later.model_dump()), {**task.model_dump(), "days": 9})
plan = Plan(name="p", first=task, others=[later])
answer(plan.model_dump(), plan.model_dump()["others"][0]["owner"], plan.model_copy(update={"first": later}).first.owner)
mail = search("x")[0]
answer(mail.model_dump()["tags"], mail.model_copy(update={"subject": "changed"}).subject, mail.subject)
moved = [each.model_copy(update={"days": each.days + 1}) for each in [task, later]]
answer([each.days for each in moved])
