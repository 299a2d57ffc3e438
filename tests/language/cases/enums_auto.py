"""Members numbered by auto, also behind others and where members are text or numbers; modules written before the names."""
import enum
import typing
from enum import Enum, IntEnum, StrEnum, auto

import pydantic


class Step(Enum):
    START = auto()
    MIDDLE = auto()
    END = auto()


class Code(enum.Enum):
    FIRST = 5
    NEXT = enum.auto()
    LAST = enum.auto()


class Level(IntEnum):
    LOW = auto()
    HIGH = 7
    HIGHER = auto()


class Kind(StrEnum):
    QUESTION = auto()
    TO_DO = auto()


class Note(pydantic.BaseModel):
    text: str
    tags: typing.List[str] = []
    kind: typing.Optional[Kind] = None


answer([(s.name, s.value) for s in Step], Step(2), Step.END.value - Step.START.value)
answer([(c.name, c.value) for c in Code], [(level.name, level.value) for level in Level], [kind.value for kind in Kind])
answer(Kind("to_do").name, Kind.TO_DO == "to_do", Level.HIGHER + 1, Level.LOW < Level.HIGH, max(Level).name, Code(6).name)
note = Note(text="x", kind=Kind.QUESTION)
answer(note.text, note.tags, note.kind.value, Note(text="y").kind)
