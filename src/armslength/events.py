"""Records that cross layers, and the JSON codec of the journal and the ledger.

A stored label names its sources; whether a source is trusted is decided anew by whoever reads it (`Trust`), so an old file cannot
make anything trusted that the configuration of today does not trust.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from armslength.labels import PROGRAM, SATURATED, USER, Label, Readers, Source, label
from armslength.schema import RecordType
from armslength.values import Labelled, Plain

Json = dict[str, Any]
Trust = Callable[[str], Source]
"""The source of that name, trusted or not by today's configuration."""
UNVERIFIED_MAIL = "mail:unverified"
"""Whoever can put a message into the mailbox. Beside it stands a claim: whom the mail says that it is from."""
ANYBODY, NOBODY = "anybody", "nobody"
"""Claims of mail that may be anybody's, and of what holds no words of anybody's. A claim only keeps things on this machine (`tools/claims.py`)."""
_CLAIM = "store:mail:"


def with_claims(given: Label) -> Label:
    """The label with the claim that it may be anybody's where words, or a choice, are of mail that nobody verified and claim nothing.

    Joined with a mail that claims something it would pass for that alone. What comes from a tool, or was stored, passes here.
    """
    return _claiming(_claiming(given, "data", ANYBODY), "choice", ANYBODY)


def _claiming(given: Label, part: Literal["data", "choice"], whose: str) -> Label:
    names = [source.name for source in getattr(given, part)]
    if UNVERIFIED_MAIL not in names or any(name.startswith(_CLAIM) for name in names):
        return given
    more = frozenset({Source(f"{_CLAIM}{whose}", is_trusted=True)})
    return label(
        given.data | more if part == "data" else given.data,
        choice=given.choice | more if part == "choice" else given.choice,
        bits=given.bits,
        readers=given.readers,
        steer=given.steer,
        intact=given.intact,
    )


def trust_nobody(name: str) -> Source:
    """Only `user` and `program` are trusted, as always."""
    return next((source for source in (USER, PROGRAM) if source.name == name), Source(name))


def label_to_json(given: Label) -> Json:
    """A label as JSON, its sets sorted.

    As choice, whoever is not verified and claims nothing was counted out of a listing (`labels.spelling`): that is written as no words of
    anybody's, so that it is told from what an older file says.
    """
    given = _claiming(given, "choice", NOBODY)
    return {
        "data": sorted(source.name for source in given.data),
        "choice": sorted(source.name for source in given.choice),
        "bits": given.bits,
        "intact": given.intact,
        "readers": _readers_to_json(given.readers),
        "steer": _readers_to_json(given.steer),
    }


def label_from_json(stored: Json, trust: Trust = trust_nobody) -> Label:
    """The label of stored JSON. Mail that nobody verified and that was stored without a claim may be anybody's (`with_claims`).

    Raises:
        ValueError: it is no label; unknown means no, so the caller refuses the object.
    """
    try:
        bits, intact = stored["bits"], stored["intact"]
        if type(bits) is not int or not 0 <= bits <= SATURATED or type(intact) is not bool:
            raise ValueError("bits or intact")
        return with_claims(
            label(
                [trust(name) for name in _names(stored["data"])],
                choice=[trust(name) for name in _names(stored["choice"])],
                bits=bits,
                readers=_readers_from_json(stored["readers"]),
                steer=_readers_from_json(stored["steer"]),
                intact=intact,
            )
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("not a stored label") from error


def _readers_to_json(readers: Readers) -> list[str] | None:
    return None if readers.names is None else sorted(readers.names)


def _readers_from_json(stored: object) -> Readers:
    return Readers(None if stored is None else frozenset(_names(stored)))


def _names(stored: object) -> list[str]:
    if not isinstance(stored, list) or not all(isinstance(name, str) for name in stored):
        raise ValueError("a list of names")
    return stored


def labelled_to_json(given: Labelled) -> Json:
    """A tree of labelled data as JSON. The record's name is kept, its declared fields are not."""
    made: Json = {"label": label_to_json(given.label)}
    match given.data:
        case tuple():
            made["items"] = [labelled_to_json(item) for item in given.data]
        case dict():
            made["parts"] = {name: labelled_to_json(part) for name, part in given.data.items()}
            if given.record is not None:
                made["record"] = given.record.name
        case _:
            made["data"] = given.data
    return made


def labelled_from_json(stored: Json, records: dict[str, RecordType], trust: Trust = trust_nobody) -> Labelled:
    """The tree of stored JSON; `records` are the record types by name.

    Raises:
        ValueError: it is no such tree, or names an unknown record.
    """
    found = label_from_json(stored["label"], trust)
    if "items" in stored:
        return Labelled(tuple(labelled_from_json(item, records, trust) for item in stored["items"]), found)
    if "parts" in stored:
        parts = {name: labelled_from_json(part, records, trust) for name, part in stored["parts"].items()}
        name = stored.get("record")
        if name is not None and name not in records:
            raise ValueError(f"unknown record {name}")
        return Labelled(parts, found, None if name is None else records[name])
    data = stored["data"]
    if not isinstance(data, None | bool | int | float | str):
        raise ValueError("not stored data")
    return Labelled(data, found)


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the program a call stands: its line (from 1), its column, and how many calls the run made before."""

    line: int
    column: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class Crossing:
    """One thing that came from outside the controller: a model's or tool's answer, the clock, an approval, or an error.

    `kind`: `clock`, `model`, `tokens`, `tool`, `resolve` (what a call would do), `approval`, `grants` and `grant` (what counts) or `give`. `asked` is what went out and
    `answered` what came back, both as JSON; `failed` names the error's class if there was one. `at`: when it was asked, ISO 8601 in UTC;
    `took`: seconds from there to the answer. Neither is part of the run: going through it again compares neither.
    """

    kind: str
    name: str
    asked: Plain = field(repr=False)
    answered: Plain = field(repr=False)
    failed: str | None = None
    at: str = ""
    took: float = 0.0
