"""`json`: row "construct" both ways. Whatever is read from a text is labelled as the text, down to each key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import Label, construct
from armslength.language.machine import ELEMENT, Machine
from armslength.language.operations.characters import whole
from armslength.language.operations.library.arguments import Builtin, bind, label_of, misfit, text_in
from armslength.language.operations.numbers import spend_digits
from armslength.language.operations.wholes import render, spend_whole, truth
from armslength.language.reading.syntax import MAX_DIGITS
from armslength.values import (
    BuiltinObject,
    DictObject,
    Entry,
    ListObject,
    MemberObject,
    RecordObject,
    TupleObject,
    Value,
    key_of,
    make,
    unwrap,
)

_WIDEST_INDENT = 20
_WIDEST_SEPARATOR = 20
_ESCAPED = 6
"""Characters that one character becomes at most."""


def _loads(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct" of the text, at every node.

    Raises:
        ProgramFailed: the text is not JSON.
    """
    (given,) = bind(machine, "loads", "s", args, named)
    text, label = text_in(machine, "loads", given), label_of(machine, given)
    machine.spend(len(text) + ELEMENT * sum(map(text.count, ",:[{")))
    try:
        plain = json.loads(text, parse_int=lambda digits: _number(machine, digits), parse_float=_float)
    except RecursionError:
        raise LimitReached(machine.line, "depth") from None
    except ValueError:
        raise _no_json(machine, label) from None
    return _Reading(machine, label).value(plain, machine.limits.depth)


def _no_json(machine: Machine, label: Label) -> ProgramFailed:
    """What `except json.JSONDecodeError` takes, and `except ValueError` too."""
    reason, decided_by = "the text is not JSON", construct(label)
    message = make(reason, decided_by)
    return machine.raised("JSONDecodeError", (message,), code="value", reason=reason, decided_by=decided_by)


def _number(machine: Machine, digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("too many digits")
    spend_digits(machine, len(digits))
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > MAX_DIGITS:
        raise ValueError("too many digits")
    return float(digits)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Turns what Python read into values of one label."""

    machine: Machine
    label: Label

    def value(self, plain: object, depth: int) -> Value:
        """The value of a node.

        Raises:
            LimitReached: nested too deep.
        """
        if depth == 0:
            raise LimitReached(self.machine.line, "depth")
        match plain:
            case list():
                return make(ListObject([self.value(item, depth - 1) for item in plain], self.label), self.label)
            case dict():
                made = DictObject(self.label)
                for name, item in plain.items():
                    key = make(whole(self.machine, name, self.label), self.label)
                    made.entries[key_of(key)] = Entry(key, self.value(item, depth - 1))
                return make(made, self.label)
            case str():
                return make(whole(self.machine, plain, self.label), self.label)
            case None | bool() | int() | float():
                return make(plain, self.label)
            case _:
                raise _no_json(self.machine, self.label)


def _dumps(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct" of the value and all that it holds.

    Raises:
        ProgramFailed: it holds what JSON has no form for.
    """
    given = bind(machine, "dumps", "obj indent? sort_keys? ensure_ascii? separators? default?", args, named)
    value, indent, sort_keys, ensure_ascii, separators, default = given
    if value is None or len(args) > 1:
        raise misfit(machine, "dumps", *args)
    label = label_of(machine, *given)
    spend_whole(machine, value)
    step = _indent(machine, indent)
    writing = _Writing(machine, label, len(step) if isinstance(step, str) else step or 0, _is_str(machine, default))
    plain = writing.plain(value, 1)
    machine.spend(writing.size)
    try:
        text = json.dumps(
            plain,
            indent=step,
            sort_keys=sort_keys is not None and truth(sort_keys),
            ensure_ascii=ensure_ascii is None or truth(ensure_ascii),
            separators=_separators(machine, separators),
        )
    except TypeError:
        raise machine.failed("type", "keys of different kinds have no order", label) from None
    machine.spend(len(text))
    return make(text, label)


@dataclass(slots=True)
class _Writing:
    """Turns values into what Python writes, and counts the characters that it will take at most."""

    machine: Machine
    label: Label
    indent: int
    is_default_str: bool
    size: int = 0

    def plain(self, value: Value, depth: int) -> object:
        """The node as Python writes it.

        Raises:
            ProgramFailed: JSON has no form for it.
        """
        raw = unwrap(value)
        self.size += 2 * _WIDEST_SEPARATOR + self.indent * depth
        match raw:
            case None | bool() | float():
                return raw
            case int():
                self.size += raw.bit_length() // 3
                return raw
            case str():
                self.size += _ESCAPED * len(raw)
                return raw
            case ListObject() | TupleObject():
                return [self.plain(item, depth + 1) for item in raw.items]
            case DictObject():
                return {self.key(entry.key): self.plain(entry.value, depth + 1) for entry in raw.entries.values()}
            case MemberObject(is_mixed=True):
                return self.plain(raw.value, depth)
            case _ if self.is_default_str:
                text = render(self.machine, value)
                self.size += _ESCAPED * len(text)
                return text
            case RecordObject():
                return {name: self.plain(field, depth + 1) for name, field in raw.fields.items()}
            case _:
                raise self.machine.failed("type", "json has no form for this; make it a text or a number", self.label)

    def key(self, key: Value) -> bool | int | float | str | None:
        """A key as Python writes it."""
        raw = unwrap(key)
        if raw is not None and not isinstance(raw, bool | int | float | str):
            raise self.machine.failed("type", "the keys of json are texts or numbers", self.label)
        self.size += _ESCAPED * len(raw) if isinstance(raw, str) else MAX_DIGITS if isinstance(raw, int) else ELEMENT
        return raw


def _indent(machine: Machine, given: Value | None) -> int | str | None:
    raw = None if given is None else unwrap(given)
    match raw:
        case int():
            step: int | str | None = max(raw, 0)
            is_narrow = raw <= _WIDEST_INDENT
        case str():
            step, is_narrow = raw, len(raw) <= _WIDEST_INDENT
        case _:
            step, is_narrow = None, raw is None
    if not is_narrow:
        raise misfit(machine, "dumps", given)
    return step


def _separators(machine: Machine, given: Value | None) -> tuple[str, str] | None:
    raw = None if given is None else unwrap(given)
    if raw is None:
        return None
    texts = [unwrap(item) for item in raw.items] if isinstance(raw, ListObject | TupleObject) else []
    match texts:
        case [str(between), str(after)] if max(len(between), len(after)) <= _WIDEST_SEPARATOR:
            return between, after
        case _:
            raise misfit(machine, "dumps", given)


def _is_str(machine: Machine, default: Value | None) -> bool:
    """Whether what JSON has no form for is written as its text: `default=str` is the one that there is."""
    raw = None if default is None else unwrap(default)
    if raw is not None and not (isinstance(raw, BuiltinObject) and raw.name == "str"):
        raise machine.failed("type", "dumps takes str as default, and no other", label_of(machine, default))
    return raw is not None


FUNCTIONS: dict[str, Builtin] = {"json.loads": _loads, "json.dumps": _dumps}
"""The functions of `json`."""
