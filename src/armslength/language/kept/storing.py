"""Values and declared types as JSON, and back. Flat: each object stands once in a list and is named by its place in it.

So nothing is nested deep, and what is one object stays one. Every label is written beside what it labels; whoever reads it back says what
a stored label is today. What is no such JSON is refused whole: an object with a part of its labels is worse than none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from armslength.events import Json
from armslength.labels import Label
from armslength.schema import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    RecordType,
    Scalar,
    Type,
)
from armslength.values import (
    Container,
    DictObject,
    Entry,
    ListObject,
    MemberObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    key_of,
    make,
    unwrap,
)

_SCALARS: dict[str, Type] = {"str": STR, "int": INT, "float": FLOAT, "bool": BOOL, "None": NONE, "Any": ANY}


@dataclass(slots=True)
class Writing:
    """Values on their way out. `labels` and `objects` are what the values name by number; `label_to_json` writes a label."""

    label_to_json: Callable[[Label], Json]
    labels: list[Json] = field(default_factory=list)
    objects: list[Json] = field(default_factory=list)
    _places: dict[Label, int] = field(default_factory=dict)
    _known: dict[int, int] = field(default_factory=dict)

    def value(self, value: Value) -> Json:
        """A value, with all that it holds among `objects`.

        Raises:
            TypeError: it holds what is not kept on disk: a function, an iterator, a match, an exception.
        """
        waiting: list[tuple[int, Container]] = []
        written = self._value(value, waiting)
        while waiting:
            place, raw = waiting.pop()
            self.objects[place] = self._object(raw, waiting)
        return written

    def _label(self, label: Label) -> int:
        place = self._places.setdefault(label, len(self.labels))
        if place == len(self.labels):
            self.labels.append(self.label_to_json(label))
        return place

    def _value(self, value: Value, waiting: list[tuple[int, Container]]) -> Json:
        raw, label = unwrap(value), self._label(value.label)
        match raw:
            case None | bool() | int() | float() | str():
                return {"label": label, "data": raw}
            case timezone():
                return {"label": label, "moment": "timezone", "data": _parts(raw.utcoffset(None))}
            case timedelta():
                return {"label": label, "moment": "timedelta", "data": _parts(raw)}
            case datetime() | date() | time():
                return {"label": label, "moment": type(raw).__name__, "data": raw.isoformat()}
            case ListObject() | TupleObject() | DictObject() | SetObject() | RecordObject() | MemberObject():
                if id(raw) not in self._known:
                    self._known[id(raw)] = len(self.objects)
                    self.objects.append({})
                    waiting.append((self._known[id(raw)], raw))
                return {"label": label, "object": self._known[id(raw)]}
            case _:
                raise TypeError(f"a {type(raw).__name__} is not kept on disk")

    def _object(self, raw: Container, waiting: list[tuple[int, Container]]) -> Json:
        def write(value: Value) -> Json:
            return self._value(value, waiting)

        match raw:
            case ListObject():
                items = [write(item) for item in raw.items]
                return {"kind": "list", "shape": self._label(raw.shape), "frozen": raw.is_frozen, "items": items}
            case TupleObject():
                return {"kind": "tuple", "shape": self._label(raw.shape), "items": [write(item) for item in raw.items]}
            case SetObject():
                items = [write(item) for item in raw.entries.values()]
                return {"kind": "set", "shape": self._label(raw.shape), "items": items}
            case DictObject():
                pairs = [[write(entry.key), write(entry.value)] for entry in raw.entries.values()]
                return {"kind": "dict", "shape": self._label(raw.shape), "frozen": raw.is_frozen, "pairs": pairs}
            case RecordObject():
                fields = {name: write(part) for name, part in raw.fields.items()}
                return {"kind": "record", "type": type_to_json(raw.type), "frozen": raw.is_frozen, "fields": fields}
            case MemberObject():
                named = {"enumeration": raw.enumeration, "name": raw.name, "mixed": raw.is_mixed}
                return {"kind": "member", **named, "shows": raw.shows_value, "value": write(raw.value)}
            case _:
                raise TypeError(f"a {type(raw).__name__} is not kept on disk")


@dataclass(slots=True)
class Reading:
    """Values on their way back. `label` gives the label that a stored one is today.

    Raises:
        ValueError: what was stored is no such JSON.
    """

    stored: Json
    label: Callable[[Json], Label]
    _labels: list[Label] = field(default_factory=list)
    _objects: list[Container] = field(default_factory=list)

    def __post_init__(self) -> None:
        try:
            self._labels = [self.label(each) for each in self.stored["labels"]]
            listed = self.stored["objects"]
            self._objects = [self._shell(each) for each in listed]
            for each, shell in zip(listed, self._objects, strict=True):
                self._fill(each, shell)
            self._find_keys()
        except (TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise ValueError("not stored values") from error

    def value(self, stored: Json) -> Value:
        """The value that this stands for.

        Raises:
            ValueError: it stands for none.
        """
        try:
            return self._value(stored)
        except (TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
            raise ValueError("not a stored value") from error

    def _at(self, listed: list[Any], place: object) -> Any:
        if type(place) is not int or not 0 <= place < len(listed):
            raise ValueError("not a place in a list")
        return listed[place]

    def _label_at(self, place: object) -> Label:
        found = self._at(self._labels, place)
        assert isinstance(found, Label)
        return found

    def _value(self, stored: Json) -> Value:
        label = self._label_at(stored["label"])
        if "object" in stored:
            return make(self._at(self._objects, stored["object"]), label)
        data = stored["data"]
        match stored.get("moment"):
            case None if data is None or type(data) in (bool, int, float, str):
                return make(data, label)
            case "timezone":
                return make(timezone(_interval(data)), label)
            case "timedelta":
                return make(_interval(data), label)
            case "datetime":
                return make(datetime.fromisoformat(data), label)
            case "date":
                return make(date.fromisoformat(data), label)
            case "time":
                return make(time.fromisoformat(data), label)
            case _:
                raise ValueError("not a stored value")

    def _shell(self, stored: Json) -> Container:
        match stored["kind"]:
            case "list":
                return ListObject((), self._label_at(stored["shape"]), is_frozen=_flag(stored["frozen"]))
            case "tuple":
                return TupleObject((), self._label_at(stored["shape"]))
            case "set":
                return SetObject(self._label_at(stored["shape"]))
            case "dict":
                return DictObject(self._label_at(stored["shape"]), is_frozen=_flag(stored["frozen"]))
            case "record":
                declared = type_from_json(stored["type"])
                if not isinstance(declared, RecordType):
                    raise ValueError("a record of no record type")
                return RecordObject(declared, {}, is_frozen=_flag(stored["frozen"]))
            case "member":
                value = stored["value"]
                if "object" in value:
                    raise ValueError("a member holds no object")
                return MemberObject(
                    _text(stored["enumeration"]),
                    _text(stored["name"]),
                    self._value(value),
                    is_mixed=_flag(stored["mixed"]),
                    shows_value=_flag(stored["shows"]),
                )
            case _:
                raise ValueError("no kind of object")

    def _fill(self, stored: Json, shell: Container) -> None:
        match shell:
            case ListObject():
                shell.items = [self._value(item) for item in stored["items"]]
            case TupleObject():
                shell.items = tuple(self._value(item) for item in stored["items"])
            case RecordObject():
                if set(stored["fields"]) != {each.name for each in shell.type.fields}:
                    raise ValueError("a record with other fields than declared")
                shell.fields = {each.name: self._value(stored["fields"][each.name]) for each in shell.type.fields}
            case _:
                return

    def _find_keys(self) -> None:
        """What a dict or set finds its members by, once all tuples are whole."""
        for stored, shell in zip(self.stored["objects"], self._objects, strict=True):
            match shell:
                case SetObject():
                    members = [self._value(item) for item in stored["items"]]
                    shell.entries = {key_of(member): member for member in members}
                case DictObject():
                    pairs = [Entry(self._value(key), self._value(value)) for key, value in stored["pairs"]]
                    shell.entries = {key_of(pair.key): pair for pair in pairs}
                case _:
                    pass


def _parts(interval: timedelta | None) -> list[int]:
    whole = interval or timedelta()
    return [whole.days, whole.seconds, whole.microseconds]


def _interval(stored: Any) -> timedelta:
    days, seconds, microseconds = stored
    if not all(type(part) is int for part in (days, seconds, microseconds)):
        raise ValueError("no interval")
    return timedelta(days, seconds, microseconds)


def _flag(stored: object) -> bool:
    if type(stored) is not bool:
        raise ValueError("no flag")
    return stored


def _text(stored: object) -> str:
    if type(stored) is not str:
        raise ValueError("no text")
    return stored


def type_to_json(declared: Type) -> Json:
    """A declared type as JSON."""
    match declared:
        case Scalar(name):
            return {"scalar": name}
        case ListOf(item):
            return {"list": type_to_json(item)}
        case OptionalOf(inner):
            return {"optional": type_to_json(inner)}
        case Menu(choices, enumeration):
            return {"menu": list(choices), "enumeration": enumeration}
        case RecordType(name, fields):
            return {"record": name, "fields": [_field_to_json(each) for each in fields]}


def _field_to_json(given: Field) -> Json:
    default = {"default": given.default} if given.has_default else {}
    return {"name": given.name, "type": type_to_json(given.type), "doc": given.doc, **default}


def type_from_json(stored: Mapping[str, Any]) -> Type:
    """The declared type of this JSON.

    Raises:
        ValueError: it is none.
    """
    match stored:
        case {"scalar": str(name)} if name in _SCALARS:
            return _SCALARS[name]
        case {"list": dict(item)}:
            return ListOf(type_from_json(item))
        case {"optional": dict(inner)}:
            return OptionalOf(type_from_json(inner))
        case {"menu": list(choices), "enumeration": str(name)} if all(
            type(each) in (str, int, bool) for each in choices
        ):
            return Menu(tuple(choices), name)
        case {"record": str(name), "fields": list(fields)}:
            return RecordType(name, tuple(_field_from_json(each) for each in fields))
        case _:
            raise ValueError("not a stored type")


def _field_from_json(stored: Any) -> Field:
    match stored:
        case {"name": str(name), "type": dict(declared), "doc": str(doc)}:
            default = stored.get("default")
            if not (default is None or type(default) in (bool, int, float, str)):
                raise ValueError("not a stored default")
            return Field(name, type_from_json(declared), "default" in stored, default, doc)
        case _:
            raise ValueError("not a stored field")
