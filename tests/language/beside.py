"""One operation on many operands, in the language and under CPython beside it; and where the two end differently.

An operation is a *form*: an expression, or statements that end with `return`, over the operands `A`, `B` and `C`. All forms of one
question are one program, which is prepared once. It takes its operands out of a list of functions, so nothing is known of their types
before it runs; it notes in a list of the host what each form gave and what it left of its operands, or which exception it raised.
"""

from __future__ import annotations

import itertools
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.language.world import MAIL, World, data_of, found, in_cpython, labelled

from armslength.errors import LimitReached
from armslength.labels import NOTHING
from armslength.language import Call, Limits, prepare, run
from armslength.language.reading.static import Analysis
from armslength.schema import ANY, Signature
from armslength.values import ListObject, TupleObject, Value, admit, make

KINDS = (
    "None", "True", "0", "-3", "2", "1.5", "10**40", 'float("nan")', '""', '"ab"', '"3"', '"%s{}"',
    "[]", "[1, 2]", '["b", "a"]', "[[1], 2]", "mails()", "()", '(1, "x")', "{}", '{"a": 1}', "set()", "{1, 2}", "iter([1, 2])",
    'Note(n=1, s="s")', "Color.RED", "Level.LOW", "Word.AB", "Tone.AB", "raised()", 're.search("(a)b", "ab")',
    "len", "str.upper", "[].append", "lambda *rest: 1",
    "date(2026, 11, 30)", "datetime(2026, 11, 30, 9, 15)", "time(9, 15)", "timedelta(days=1)", "timezone.utc",
)  # fmt: skip
"""Every kind of value, as a program writes it. None is the first."""
HUGE = "10**40"
"""The one of them that may use up a limit."""
_PLACES = {kind: place for place, kind in enumerate(KINDS)}

_SETTING = """
import json
import math
import re
from datetime import date, datetime, time, timedelta, timezone
from enum import Enum, IntEnum, StrEnum

class Note(BaseModel):
    n: int
    s: str

class Color(Enum):
    RED = "red"

class Level(IntEnum):
    LOW = 1

class Word(StrEnum):
    AB = "ab"

class Tone(str, Enum):
    AB = "ab"

def raised():
    try:
        raise ValueError("no")
    except ValueError as error:
        return error

"""
_HERE = """
given = tool_mails()
def mails():
    return given
"""
_THERE = """
from tests.language.beside import tried
Note.copy = Note.model_copy
def mails():
    return search("x", 1)
"""
"""A list that a tool returned; and, of `BaseModel`, a method for which its stand-in here has no name."""

EXCEPTIONS: dict[str, type[Exception]] = {
    **{each.__name__: each for each in (IndexError, KeyError, ZeroDivisionError, OverflowError, AttributeError, TypeError, StopIteration)},
    "JSONDecodeError": json.JSONDecodeError, "PatternError": re.error, "ValueError": ValueError,
}  # fmt: skip
"""What an operation may raise; anything else fails whoever asked."""
_HANDLERS = "".join(f'    except {name}:\n        seen = "{name}"\n' for name in EXCEPTIONS)
_TRIALS = f"""
noted = notes()
for at, a, b, c in trials():
    form, A, B, C = FORMS[at], MADE[a](), MADE[b]() if b else None, MADE[c]() if c else None
    try:
        x = form(A, B, C)
        seen = (x, A, B, C)
{_HANDLERS}    noted.append(seen)
"""
_LIMITS = Limits(steps=10**9, size=10**9)
"""For all trials of a program together."""
LIMIT = "LimitReached"

Trial = tuple[int, int, int, int]
"""A form, and which kind each operand is."""


@dataclass(frozen=True)
class Form:
    """An operation over `A`, `B` and `C`, and which kinds each of these goes through."""

    text: str
    operands: tuple[Sequence[str], ...] = ()

    @property
    def statements(self) -> str:
        """The body of a function."""
        return self.text if "return" in self.text else f"return {self.text}"


@dataclass(frozen=True)
class Difference:
    """An operation with its operands, and how it ended in the language and in Python: with a result, or an exception's name."""

    expression: str
    ours: str
    theirs: str

    @property
    def we_failed(self) -> bool:
        """Whether the language has no result."""
        return self.ours in _NAMES

    @property
    def they_failed(self) -> bool:
        """Whether Python has none."""
        return self.theirs in _NAMES

    @property
    def both_failed(self) -> bool:
        """Whether neither has one."""
        return self.we_failed and self.they_failed


_NAMES = frozenset({LIMIT, *EXCEPTIONS})


def differences(forms: Sequence[Form]) -> list[Difference]:
    """Where the language and CPython do not end alike. A limit is alike to anything, if an operand is huge."""
    trials = [trial for at, form in enumerate(forms) for trial in _trials(at, form.operands)]
    here = _here(forms, trials)
    ended = [n for n, ours in enumerate(here) if ours != LIMIT]
    there = dict(zip(ended, _there(forms, [trials[n] for n in ended]), strict=True))
    return [
        Difference(_expression(forms, trial), here[n], there.get(n, "any"))
        for n, trial in enumerate(trials)
        if (here[n] != there[n] if n in there else _PLACES[HUGE] not in trial[1:])
    ]


def _trials(at: int, operands: tuple[Sequence[str], ...]) -> Iterator[Trial]:
    for kinds in itertools.product(*operands):
        a, b, c = (*(_PLACES[kind] for kind in kinds), 0, 0, 0)[:3]
        yield at, a, b, c


def _expression(forms: Sequence[Form], trial: Trial) -> str:
    kinds = dict(zip("ABC", (KINDS[place] for place in trial[1:]), strict=True))
    return re.sub(r"\b[ABC]\b", lambda name: kinds[name[0]], forms[trial[0]].text)


def _program(forms: Sequence[Form], around: str) -> str:
    made = "".join(f"    lambda: {kind},\n" for kind in KINDS)
    bodies = [form.statements.replace("\n", "\n    ") for form in forms]
    functions = "".join(f"def form_{at}(A, B, C):\n    {body}\n" for at, body in enumerate(bodies))
    names = ", ".join(f"form_{at}" for at in range(len(forms)))
    return f"{_SETTING}{around}MADE = [\n{made}]\n{functions}FORMS = [{names}]\n"


# In the language


class _Noting(World):
    """A host that keeps what a program notes, also if a limit ends the program."""

    def __init__(self, trials: Sequence[Value]) -> None:
        super().__init__()
        self._trials = trials
        self.notes = ListObject([], NOTHING)

    def call(self, call: Call) -> Value:
        match call.name:
            case "notes":
                return make(self.notes, NOTHING)
            case "tool_mails":
                return admit(labelled(found("x", 1), NOTHING, MAIL))
            case _:
                return make(ListObject(self._trials, NOTHING, is_frozen=True), NOTHING)


_TOOLS = tuple(Signature(name, (), ANY) for name in ("notes", "trials", "tool_mails"))


def _tuple_of(items: Sequence[Value]) -> Value:
    return make(TupleObject(items, NOTHING), NOTHING)


def _here(forms: Sequence[Form], trials: Sequence[Trial]) -> list[str]:
    prepared: Analysis = prepare(_program(forms, _HERE) + _TRIALS, _TOOLS)
    rows = [_tuple_of([make(part, NOTHING) for part in trial]) for trial in trials]
    seen: list[str] = []
    while len(seen) < len(trials):
        host = _Noting(rows[len(seen) :])
        try:
            run(prepared, host, _LIMITS)
            limit = []
        except LimitReached:
            limit = [LIMIT]
        seen += [_shown(data_of(each)) for each in host.notes.items] + limit
    return seen


def _shown(seen: Any) -> str:
    return seen if isinstance(seen, str) else repr(seen)


# Under CPython


def tried(made: Sequence[Any], forms: Sequence[Any], trials: Iterable[Trial]) -> list[Any]:
    """What each trial gave and left of its operands, or the name of what it raised."""
    return [_tried(forms[at], made[a](), made[b](), made[c]()) for at, a, b, c in trials]


def _tried(form: Any, *operands: Any) -> Any:
    drawn: dict[int, tuple[Any, list[Any]]] = {}
    try:
        result = _drawn(form(*operands), drawn)
    except (*EXCEPTIONS.values(),) as error:
        return next(name for name, each in EXCEPTIONS.items() if isinstance(error, each))
    return (result, *(_drawn(each, drawn) for each in operands))


def _drawn(value: Any, drawn: dict[int, tuple[Any, list[Any]]]) -> Any:
    """The value with what its iterators give in their place, drawn once (`drawn`); of one without end a part."""
    if isinstance(value, Iterator):
        if id(value) not in drawn:
            drawn[id(value)] = value, [_drawn(item, drawn) for item in itertools.islice(value, 50)]
        return drawn[id(value)][1]
    if callable(value):
        return "function"
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(_drawn(item, drawn) for item in value)
    if isinstance(value, set | frozenset):
        return {_key(member) for member in value}
    if isinstance(value, dict):
        return {_key(key): _drawn(item, drawn) for key, item in value.items()}
    return value


def _key(value: Any) -> Any:
    """A member or key; one that is none in the language is not looked into."""
    if isinstance(value, Iterator | BaseException | re.Match) or callable(value):
        return type(value).__name__
    return value


def _there(forms: Sequence[Form], trials: Sequence[Trial]) -> list[str]:
    source = f"{_program(forms, _THERE)}noted = tried(MADE, FORMS, {trials!r})\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [_shown(each) for each in in_cpython(source).names["noted"]]


__all__ = ["KINDS", "LIMIT", "Difference", "Form", "differences", "tried"]
