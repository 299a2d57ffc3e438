"""match on types, records, members and values with dots."""
from dataclasses import dataclass
from enum import Enum

from pydantic import BaseModel


class Task(BaseModel):
    title: str
    days: int = 1
    done: bool = False


@dataclass
class Point:
    x: int
    y: int


class Color(Enum):
    RED = "red"
    GREEN = "green"


def describe(value):
    match value:
        case Task(done=True):
            return "a finished task"
        case Task(title=title, days=1 | 2):
            return f"{title} soon"
        case Task(title=title, days=days) if days > 10:
            return f"{title} later"
        case Task() as task:
            return f"{task.title} in {task.days}"
        case Point(0, 0):
            return "origin"
        case Point(x=0, y=y):
            return f"on y at {y}"
        case Point(x, y):
            return f"at {x}, {y}"
        case Color.RED:
            return "stop"
        case Color():
            return f"color {value.value}"
        case bool():
            return "a bool"
        case int(n) if n < 0:
            return f"minus {-n}"
        case int() | float():
            return "a number"
        case str(text):
            return f"text of {len(text)}"
        case list([first, *_]):
            return f"a list from {first}"
        case list() | tuple():
            return "a sequence"
        case dict():
            return "a dict"
        case None:
            return "nothing"
        case _:
            return "other"


answer(describe(Task(title="a", done=True)), describe(Task(title="b")), describe(Task(title="c", days=20)), describe(Task(title="d", days=5)))
answer(describe(Point(0, 0)), describe(Point(0, 2)), describe(Point(x=3, y=4)), describe(Color.RED), describe(Color.GREEN))
answer(describe(True), describe(-5), describe(5), describe(1.5), describe("abc"), describe(["x", "y"]), describe([]), describe(()), describe({}), describe(None), describe({1}))
for mail in search("invoice"):
    match mail.sender.split("@"):
        case ["ann", _]:
            answer("from Ann:", mail.subject)
        case [who, host]:
            answer("from", who, "at", host)
match (Color.GREEN, Task(title="t")):
    case (Color.RED | Color.GREEN as color, Task(title=title)):
        answer(color, title)
