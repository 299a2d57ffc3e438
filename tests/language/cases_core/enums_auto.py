"""Members numbered by auto; aliases share a value."""
from enum import Enum, auto


class Step(Enum):
    START = auto()
    MIDDLE = auto()
    END = auto()


class Status(Enum):
    OPEN = "open"
    ACTIVE = "open"
    CLOSED = "closed"


answer([(s.name, s.value) for s in Step], Step(2), Step.END.value - Step.START.value)
answer(Status.ACTIVE, Status.ACTIVE is Status.OPEN, [s.name for s in Status], Status("open").name, Status["ACTIVE"])
