"""Members numbered by auto."""
from enum import Enum, auto


class Step(Enum):
    START = auto()
    MIDDLE = auto()
    END = auto()


answer([(s.name, s.value) for s in Step], Step(2), Step.END.value - Step.START.value)
