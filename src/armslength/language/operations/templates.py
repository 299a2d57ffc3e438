"""Texts with places to fill: `"%s is %d" % (a, b)` and `"{} is {b:>4}".format(a, b=b)`, filled by an engine of our own.

A place names a value of the program, and what is below it by `read_item` and `read_field`; nothing of the host can be named. Row
"construct": the template, and all that is shown.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence

from armslength.labels import Label, construct
from armslength.language.machine import Machine
from armslength.language.operations.characters import whole
from armslength.language.operations.elements import read_field, read_item
from armslength.language.operations.formatting import Conversion, formatted, longest, shown
from armslength.language.operations.wholes import shape_of, text_label, unmixed
from armslength.values import PLAIN, DictObject, ListObject, MatchObject, TupleObject, Value, make, unwrap

_WIDEST, _MOST_PLACES = 999, 99

# The operator %

_PLACE = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]*)(?:\.(?P<places>\*|[0-9]*))?[hlL]?(?P<kind>.)?",
    re.DOTALL,
)
_NUMBERS = (bool, int, float)
_TAKES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys("sra", (str,)),
    **dict.fromkeys("diueEfFgG", _NUMBERS),
    **dict.fromkeys("xXo", (bool, int)),
    "c": (bool, int, str),
}
"""What each kind of place writes; `s`, `r` and `a` take anything, as its text."""


def percent(machine: Machine, template: Value, given: Value) -> Value:
    """`template % given`: one value, a tuple of values, or a dict for places like `%(name)s`.

    Raises:
        ProgramFailed: the template cannot be read, or the values do not fit its places.
    """
    machine.may_raise(construct(template.label, text_label(machine, given)))
    text, places = str(unwrap(template)), _Places(machine, template.label, given)
    machine.spend(len(text))
    pieces, at = [], 0
    for place in _PLACE.finditer(text):
        pieces += [text[at : place.start()], "%" if place["kind"] == "%" else places.filled(place)]
        at = place.end()
    places.end()
    machine.spend(sum(map(len, pieces)))
    return make("".join([*pieces, text[at:]]), places.label)


class _Places:
    """What fills the places of one template, and the label of what has been shown so far."""

    def __init__(self, machine: Machine, template: Label, given: Value) -> None:
        raw = unwrap(given)
        self._machine, self._template, self._given = machine, template, given
        self._waiting = list(raw.items)[::-1] if isinstance(raw, TupleObject) else [given]
        self._has_names = isinstance(raw, DictObject | ListObject | MatchObject)
        self.label = template if type(raw) in PLAIN else construct(template, given.label, shape_of(given))

    def filled(self, place: re.Match[str]) -> str:
        """The text of one place."""
        value = self._next() if place["key"] is None else self._named(place["key"])
        self.label = construct(self.label, text_label(self._machine, value))
        width, places, kind = place["width"], place["places"], place["kind"] or ""
        if kind not in _TAKES or "*" in (width, places):
            raise self._misread("this format is not part of the language")
        if int(width or 0) > _WIDEST or int(places or 0) > _MOST_PLACES:
            raise self._misread("this format is not part of the language")
        raw = shown(self._machine, value, kind) if kind in "sra" else unwrap(unmixed(value))
        if type(raw) not in _TAKES[kind]:
            raise self._machine.failed("type", f"%{kind} does not take this", self.label)
        self._machine.spend(int(width or 0) + longest(raw))
        written = "s" if kind in "sra" else kind
        try:
            made = f"%{place['flags']}{width}{'' if places is None else '.' + places}{written}" % raw
        except TypeError:
            raise self._machine.failed("type", f"%{kind} does not take this", self.label) from None
        except (ValueError, OverflowError):
            raise self._machine.failed("value", f"%{kind} does not take this", self.label) from None
        return whole(self._machine, made, self.label) if kind == "c" else made

    def end(self) -> None:
        """Every value has a place; a dict or a list need not."""
        if self._waiting and not self._has_names:
            raise self._machine.failed("type", "there are more values than places", self.label, self._given.label)

    def _next(self) -> Value:
        if not self._waiting:
            raise self._machine.failed("type", "there are fewer values than places", self.label, self._given.label)
        return self._waiting.pop()

    def _named(self, key: str) -> Value:
        self._waiting.clear()
        if not self._has_names:
            raise self._machine.failed("type", "places with names need a dict", self.label, self._given.label)
        return read_item(self._machine, self._given, make(key, construct(self._template)))

    def _misread(self, reason: str) -> Exception:
        return self._machine.failed("format", reason, self._template)


# The method format

_NAME = re.compile(r"(?P<first>[^.\[\]]*)(?P<rest>(?:\.[^.\[\]]+|\[[^\[\]]+\])*)")
_STEP = re.compile(r"\.([^.\[\]]+)|\[([^\[\]]+)\]")
_CONVERSIONS: Mapping[str | None, Conversion] = {None: "", "s": "s", "r": "r", "a": "a"}
_LONGEST_NUMBER = 18


def fill(machine: Machine, template: Value, given: Sequence[Value], named: Mapping[str, Value] | Value) -> Value:
    """`template.format(*given, **named)`; `named` is one dict of the program for `format_map`.

    Raises:
        ProgramFailed: the template cannot be read, a place has no value, or its format does not fit.
    """
    machine.may_raise(template.label)
    filling = _Filling(machine, construct(template.label), given, named)
    text = filling.text(str(unwrap(template)), 2)
    return make(text, construct(filling.label, template.label))


class _Filling:
    """One template being filled: whether its places are counted, and the label of what has been shown so far."""

    def __init__(
        self, machine: Machine, template: Label, given: Sequence[Value], named: Mapping[str, Value] | Value
    ) -> None:
        self._machine, self._template, self._given, self._named = machine, template, given, named
        self._counted: int | None = None
        self._is_numbered = False
        self.label = template

    def text(self, template: str, depth: int) -> str:
        """The template with its places filled; a format in a place may have places itself, and those none."""
        if depth == 0:
            raise self._misread("a format in a format has no places")
        pieces = []
        self._machine.spend(len(template))
        try:
            parsed = list(string.Formatter().parse(template))  # reads the text alone
        except ValueError:
            raise self._misread("the braces do not match") from None
        for literal, name, spec, conversion in parsed:
            pieces.append(literal)
            if name is not None:
                pieces.append(self._filled(name, spec or "", conversion, depth))
        self._machine.spend(sum(map(len, pieces)))
        return "".join(pieces)

    def _filled(self, name: str, spec: str, conversion: str | None, depth: int) -> str:
        value = self._value(name)
        if conversion not in _CONVERSIONS:
            raise self._misread("the conversions are !r, !s and !a")
        spec = self.text(spec, depth - 1) if "{" in spec or "}" in spec else spec
        made = formatted(self._machine, value, make(spec, self.label), conversion=_CONVERSIONS[conversion])
        self.label = construct(self.label, text_label(self._machine, value))
        return str(unwrap(made))

    def _value(self, name: str) -> Value:
        read = _NAME.fullmatch(name)
        if read is None:
            raise self._misread("this is no name of a value")
        value = self._first(read["first"])
        for step in _STEP.finditer(read["rest"]):
            field, key = step.groups()
            if field is None:
                value = read_item(self._machine, value, make(self._key(key), self._template))
            elif field.startswith("_"):
                raise self._machine.failed("attribute", "names that begin with _ are no fields", self._template)
            else:
                value = read_field(self._machine, value, field)
        return value

    def _first(self, first: str) -> Value:
        if first == "" or first.isdecimal():
            return self._at(first)
        if isinstance(self._named, Value):
            return read_item(self._machine, self._named, make(first, self._template))
        if first not in self._named:
            raise self._machine.failed("key", "there is no value of that name", self._template)
        return self._named[first]

    def _at(self, number: str) -> Value:
        if isinstance(self._named, Value):
            raise self._misread("format_map has no places without a name")
        if (self._counted is not None and number != "") or (self._is_numbered and number == ""):
            raise self._misread("places are numbered, or none is")
        if number == "":
            self._counted = 0 if self._counted is None else self._counted + 1
            at = self._counted
        else:
            self._is_numbered = True
            at = self._number(number)
        if at >= len(self._given):
            raise self._machine.failed("index", "there are fewer values than places", self._template)
        return self._given[at]

    def _key(self, key: str) -> str | int:
        return self._number(key) if key.isdecimal() else key

    def _number(self, digits: str) -> int:
        if len(digits) > _LONGEST_NUMBER:
            raise self._misread("this number is too large")
        return int(digits)

    def _misread(self, reason: str) -> Exception:
        return self._machine.failed("format", reason, self._template)
