"""One small world, twice: behind the language's `Host`, and as plain Python for the same program under CPython."""

from __future__ import annotations

import ast
import builtins
import copy
import dataclasses
import re
import types
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Sequence, ValuesView
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, Optional

from armslength.labels import LITERAL, NOTHING, QUARANTINED, Label, Readers, Source, label
from armslength.language import Call, Limits, Question, Reply, prepare, run
from armslength.schema import (
    BOOL,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    Parameter,
    RecordType,
    Scalar,
    Signature,
    Type,
)
from armslength.values import (
    BuiltinObject,
    DictObject,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    Labelled,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    admit,
    make,
    unwrap,
)

MAIL = RecordType(
    "Mail",
    (
        Field("id", STR),
        Field("sender", STR),
        Field("subject", STR),
        Field("score", INT),
        Field("is_unread", BOOL),
        Field("tags", ListOf(STR)),
        Field("reply_to", OptionalOf(STR)),
    ),
)
EVENT = RecordType(
    "Event", (Field("title", STR), Field("start", STR), Field("end", STR), Field("attendees", ListOf(STR)))
)
SIGNATURES = (
    Signature("search", (Parameter("query", STR), Parameter("limit", INT, has_default=True, default=10)), ListOf(MAIL)),
    Signature("send", (Parameter("to", STR), Parameter("body", STR)), NONE),
    Signature("today", (), STR),
    Signature("events", (Parameter("day", STR),), ListOf(EVENT)),
)
_MAILS: tuple[dict[str, Any], ...] = (
    {
        "id": "1", "sender": "ann@example.com", "subject": "Invoice 7", "score": 3, "is_unread": True, "tags": ["money"],
        "reply_to": None,
    },
    {
        "id": "2", "sender": "bob@example.com", "subject": "Lunch?", "score": 1, "is_unread": False, "tags": ["a", "b"],
        "reply_to": "eve@example.com",
    },
    {
        "id": "3", "sender": "ann@example.com", "subject": "invoice: café", "score": 9, "is_unread": True, "tags": ["x"],
        "reply_to": None,
    },
)  # fmt: skip
TODAY = "2026-11-30"
_EVENTS: tuple[dict[str, Any], ...] = (
    {
        "title": "Standup", "start": "2026-11-30T09:00", "end": "2026-11-30T09:30",
        "attendees": ["ann@example.com", "bob@example.com"],
    },
    {"title": "Review", "start": "2026-11-30T09:15", "end": "2026-11-30T10:15", "attendees": ["ann@example.com"]},
    {"title": "Lunch", "start": "2026-11-30T12:00", "end": "2026-11-30T13:00", "attendees": []},
    {"title": "Travel", "start": "2026-12-01T07:30", "end": "2026-12-01T11:00", "attendees": ["eve@example.com"]},
)  # fmt: skip

STORE = label([Source("user", is_trusted=True)])
FOREIGN = label([Source("mail:unverified")], readers=Readers(frozenset()))
READ = label([QUARANTINED], readers=Readers(frozenset()))


def found(query: str, limit: int) -> tuple[dict[str, Any], ...]:
    """The mails that `search` finds: all, or none for the query `none`."""
    return () if query == "none" else _MAILS[: max(limit, 0)]


def planned(day: str) -> tuple[dict[str, Any], ...]:
    """The events that `events` finds."""
    return tuple(event for event in _EVENTS if event["start"].startswith(day))


def reading(declared: Type) -> Any:
    """What the quarantined model says for each type, as plain data; a record is a dict."""
    match declared:
        case ListOf(item):
            return [reading(item), reading(item)]
        case OptionalOf():
            return None
        case Menu(choices):
            return choices[0]
        case RecordType(fields=fields):
            return {each.name: reading(each.type) for each in fields}
        case Scalar(name):
            return {"str": "reading", "int": 5, "float": 2.5, "bool": True, "None": None, "Any": None}[name]


def labelled(plain: Any, given: Label, record: RecordType | None = None) -> Labelled:
    """Plain data with one label everywhere; dicts are records of the type `record`."""
    match plain:
        case list() | tuple():
            return Labelled(tuple(labelled(item, given, record) for item in plain), given)
        case dict():
            return Labelled({name: labelled(part, given) for name, part in plain.items()}, given, record)
        case _:
            return Labelled(plain, given)


@dataclass
class World:
    """A host that remembers what was said and called."""

    said: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def call(self, call: Call) -> Value:
        """Answer a tool call."""
        arguments = {name: data_of(value) for name, value in call.arguments.items()}
        self.calls.append((call.name, arguments))
        match call.name:
            case "search":
                limit = arguments["limit"] if isinstance(arguments["limit"], int) else 0
                return admit(labelled(found(str(arguments["query"]), limit), FOREIGN, MAIL))
            case "today":
                return make(TODAY, STORE)
            case "events":
                return admit(labelled(planned(str(arguments["day"])), FOREIGN, EVENT))
            case _:
                return make(None, NOTHING)

    def ended(self, halt: Label) -> None:
        """Nothing waits for the end."""

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """Nothing here fails."""
        return NOTHING

    def ask_quarantined(self, question: Question) -> Value:
        """Answer as `reading` does."""
        declared = question.returns
        inner = declared.item if isinstance(declared, ListOf) else declared
        record = inner if isinstance(inner, RecordType) else None
        return admit(labelled(reading(declared), READ, record))

    def answer(self, reply: Reply) -> None:
        """Remember the text."""
        self.said.append("".join(str(unwrap(piece)) for piece in reply.pieces))


@dataclass(frozen=True)
class Outcome:
    """What a program said, and its names at the end as plain data."""

    said: list[str]
    names: dict[str, Any]


def interpreted(source: str, limits: Limits | None = None, signatures: Iterable[Signature] = SIGNATURES) -> Outcome:
    """Run a program in the language."""
    world = World()
    names = run(prepare(source, tuple(signatures)), world, limits)
    return Outcome(world.said, {name: data_of(value) for name, value in names.items()})


def data_of(value: Value, depth: int = 70) -> Any:
    """The plain Python data of a value; a record is its type's name and its fields."""
    if depth == 0:
        return "..."
    raw = unwrap(value)
    match raw:
        case ListObject():
            return [data_of(item, depth - 1) for item in raw.items]
        case TupleObject():
            return tuple(data_of(item, depth - 1) for item in raw.items)
        case DictObject():
            return {data_of(e.key, depth - 1): data_of(e.value, depth - 1) for e in raw.entries.values()}
        case SetObject():
            return _in_order({data_of(item, depth - 1) for item in raw.entries.values()})
        case RecordObject():
            return (raw.type.name, {name: data_of(part, depth - 1) for name, part in raw.fields.items()})
        case IteratorObject():
            return [data_of(item, depth - 1) for item in reversed(raw.left)]
        case MatchObject():
            return ("match", [data_of(group, depth - 1) for group in raw.groups])
        case MemberObject():
            return (raw.enumeration, raw.name, data_of(raw.value, depth - 1))
        case ErrorObject():
            return (raw.name, [data_of(part, depth - 1) for part in raw.arguments])
        case FunctionObject() | BuiltinObject() | MethodObject():
            return "function"
        case _:
            return raw


def _in_order(members: set[Any]) -> tuple[str, list[Any]]:
    """A set so that equal ones look equal, whatever the hashes."""
    return ("set", sorted(members, key=repr))


# The same world as plain Python


@dataclass(frozen=True)
class _Default:
    """What `Field(...)` says."""

    make: Callable[[], Any]


def _field(default: Any = None, *, default_factory: Callable[[], Any] | None = None, **_: Any) -> Any:
    return _Default(default_factory or (lambda: copy.deepcopy(default)))


class BaseModel:
    """Stands in for a schema class's base: fields by annotation, equal by fields, shown as a call."""

    def __init__(self, *args: Any, **named: Any) -> None:
        given = {**dict(zip(self.__annotations__, args, strict=False)), **named}
        for name in self.__annotations__:
            default = getattr(type(self), name, None)
            made = default.make() if isinstance(default, _Default) else copy.deepcopy(default)
            setattr(self, name, given.get(name, made))

    def model_copy(self, *, update: dict[str, Any] | None = None) -> BaseModel:
        return type(self)(**{**vars(self), **(update or {})})

    def model_dump(self) -> dict[str, Any]:
        return {name: _dumped(value) for name, value in vars(self).items()}

    dict = model_dump

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def _dumped(value: Any) -> Any:
    if isinstance(value, list):
        return [_dumped(item) for item in value]
    return value.model_dump() if isinstance(value, BaseModel) else value


class Mail(BaseModel):
    id: str
    sender: str
    subject: str
    score: int
    is_unread: bool
    tags: list[str]
    reply_to: Optional[str]  # noqa: UP045 - as a program writes it


class Event(BaseModel):
    title: str
    start: str
    end: str
    attendees: list[str]


def _python_reading(*data: Any, returns: Any = str, **named: Any) -> Any:
    arguments = getattr(returns, "__args__", ())
    if getattr(returns, "__origin__", None) is list:
        return [_python_reading(returns=arguments[0]) for _ in range(2)]
    if getattr(returns, "__origin__", None) is Literal:
        return arguments[0]
    if type(None) in arguments:
        return None
    if returns in (str, int, float, bool):
        return {str: "reading", int: 5, float: 2.5, bool: True}[returns]
    hints = {"str": str, "int": int, "float": float, "bool": bool}
    fields = {
        name: _python_reading(returns=hints.get(hint, hint) if isinstance(hint, str) else hint)
        for name, hint in returns.__annotations__.items()
    }
    return returns(**fields)


def in_cpython(source: str) -> Outcome:
    """Run the same program under CPython."""
    said: list[str] = []

    def answer(*pieces: Any) -> None:
        said.append(" ".join(map(str, pieces)))

    namespace: dict[str, Any] = {
        "__name__": "program",
        "__builtins__": {**vars(builtins), "__import__": _import},
        "answer": answer,
        "print": answer,
        "BaseModel": BaseModel,
        "Optional": Optional,
        "Literal": Literal,
        "quarantined": _python_reading,
        "search": lambda query, limit=10: [Mail(**mail) for mail in found(query, limit)],
        "send": lambda to, body: None,
        "today": lambda: TODAY,
        "events": lambda day: [Event(**event) for event in planned(day)],
    }
    given = set(namespace) | _imported(source)
    exec(compile(source, "program", "exec", dont_inherit=True), namespace)
    names = {name: value for name, value in namespace.items() if name not in given and name[:2] != "__"}
    return Outcome(said, {name: _plain(value) for name, value in names.items() if not _is_class(value)})


def _is_class(value: Any) -> bool:
    """Whether it is a class that the program defines: in the language these are no values."""
    return isinstance(value, type) and value.__module__ == "program"


def _import(name: str, *rest: Any) -> Any:
    """As Python imports, but for `pydantic`, which need not be installed."""
    pydantic = types.SimpleNamespace(BaseModel=BaseModel, Field=_field)
    return pydantic if name == "pydantic" else builtins.__import__(name, *rest)


def _imported(source: str) -> set[str]:
    """The names that stand for modules and what is in them: in the language they are no values."""
    return {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def _plain(value: Any) -> Any:
    match value:
        case BaseModel():
            return (type(value).__name__, {name: _plain(part) for name, part in vars(value).items()})
        case Enum():
            return (type(value).__name__, value.name, _plain(value.value))
        case BaseException():
            return (type(value).__name__, [_plain(part) for part in value.args])
        case re.Pattern():
            return ("Pattern", {"pattern": value.pattern, "flags": int(value.flags & ~re.UNICODE)})
        case re.Match():
            return ("match", [value.group(0), *value.groups()])
        case type() | types.FunctionType() | types.BuiltinFunctionType():
            return "function"
        case _ if dataclasses.is_dataclass(value):
            return (type(value).__name__, {name: _plain(part) for name, part in vars(value).items()})
        case tuple():
            return tuple(map(_plain, value))
        case dict():
            return {_plain(key): _plain(part) for key, part in value.items()}
        case set():
            return _in_order({_plain(part) for part in value})
        case range() if value and abs(value[-1] - value[0]) > 10**6:
            return "more than fits"
        case list() | range() | Iterator() | KeysView() | ValuesView() | ItemsView():
            return [_plain(item) for item in value]
        case _:
            return value


__all__ = [
    "FOREIGN",
    "LITERAL",
    "MAIL",
    "SIGNATURES",
    "Outcome",
    "World",
    "data_of",
    "in_cpython",
    "interpreted",
]
