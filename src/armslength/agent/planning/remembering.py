"""A conversation as JSON, and back: what survives the process.

Values come back as the store's, never as the user's; the budget as it was spent; and that a value could be kept at all is told by itself,
so it goes into the name's doubt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from armslength.agent.planning.budget import Budget
from armslength.agent.planning.conversation import CHANGED, NOT_KEPT, STOPPED, Conversation, Kept
from armslength.agent.planning.revealing import Offer, Shown
from armslength.agent.planning.transcript import REFUSED, STOP_TOLD, Past
from armslength.events import Json, Trust, label_from_json, label_to_json
from armslength.labels import Label, Source, made_of, steered, steering
from armslength.language.foreseeing.foresight import Foreseen
from armslength.language.foreseeing.menus import Choice
from armslength.language.kept.storing import Reading, Writing, type_from_json, type_to_json
from armslength.tools.ledger import knowing, read_back
from armslength.values import Value, sink_label

STORE = Source("store:conversation", is_trusted=True)
"""What lies in a kept conversation and nobody untrusted wrote."""
VERSION = 1
_MOST_OBJECTS = 20_000
"""Of one name; what holds more is not kept on disk."""
_MOST_WRITTEN = 2_000_000
"""Characters of JSON that the value of one name may take there."""
_NOTES = ("", STOP_TOLD, REFUSED)
_LOST = (STOPPED, CHANGED, NOT_KEPT)


def is_of_this_version(stored: Mapping[str, Any]) -> bool:
    """Whether it was written by a version of armslength that writes conversations as this one does."""
    return stored.get("version") == VERSION


def conversation_to_json(talk: Conversation) -> Json:
    """All that survives. A name whose value cannot be written is kept without it."""
    return {
        "version": VERSION,
        "bits": talk.budget.bits,
        "spent": talk.budget.spent,
        "past": [_past_to_json(past) for past in talk.past],
        "names": [_kept_to_json(name, kept) for name, kept in talk.names.items()],
    }


def conversation_from_json(stored: Mapping[str, Any], trust: Trust) -> Conversation:
    """The conversation of this JSON.

    Raises:
        ValueError: it is none; unknown means no.
    """
    try:
        bits, spent = stored["bits"], stored["spent"]
        if not is_of_this_version(stored):
            raise ValueError("of another version")
        if type(bits) is not int or type(spent) is not int or not 0 <= spent <= bits:
            raise ValueError("not a stored budget")
        known = knowing(trust, STORE)
        return Conversation(
            budget=Budget(bits, spent),
            names={_name(each["name"]): _kept_from_json(each, known) for each in _list(stored["names"])},
            past=[_past_from_json(each) for each in _list(stored["past"])],
        )
    except (KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError("not a stored conversation") from error


def _kept_to_json(name: str, kept: Kept) -> Json:
    value = None if kept.value is None else _value_to_json(kept.value)
    lost = kept.lost if kept.value is None else NOT_KEPT if value is None else ""
    foreseen = _foreseen_to_json(kept.foreseen)
    doubt = label_to_json(kept.doubt)
    return {
        "name": name, "foreseen": foreseen, "value": value, "doubt": doubt, "lost": lost, "of_data": kept.of_data,
    }  # fmt: skip


def _value_to_json(value: Value) -> Json | None:
    writing = Writing(label_to_json)
    try:
        root = writing.value(value)
    except TypeError:
        return None
    written = {"labels": writing.labels, "objects": writing.objects, "root": root}
    is_small = len(writing.objects) <= _MOST_OBJECTS and len(json.dumps(written)) <= _MOST_WRITTEN
    return written if is_small else None


def _kept_from_json(stored: Mapping[str, Any], trust: Trust) -> Kept:
    def today(label: Json) -> Label:
        """As read from a store; but these are parts of values, and one that was made does not become whole by being kept."""
        written = label_from_json(label, trust)
        found = read_back(written, STORE)
        return found if written.intact else made_of(found)

    foreseen, doubt = _foreseen_from_json(stored["foreseen"]), today(stored["doubt"])
    of_data = stored["of_data"]
    if type(of_data) is not bool:
        raise ValueError("not a stored name")
    if stored["value"] is None:
        if stored["lost"] not in _LOST:
            raise ValueError("not a stored reason")
        return Kept(foreseen, None, doubt, stored["lost"], of_data)
    value = Reading(stored["value"], today).value(stored["value"]["root"])
    return Kept(foreseen, value, steered(doubt, steering(sink_label(value), 1)), of_data=of_data)


def _foreseen_to_json(foreseen: Foreseen) -> Json:
    """Which of its sources were trusted stands beside the label: they are kinds, and no configuration speaks of those.

    A kind of which some are trusted and some are not comes back as one that is not.
    """
    sources = foreseen.label.data | foreseen.label.choice
    strange = {source.name for source in sources if not source.is_trusted}
    return {
        "type": None if foreseen.type is None else type_to_json(foreseen.type),
        "label": label_to_json(foreseen.label),
        "trusted": sorted({source.name for source in sources} - strange),
        "choices": None if foreseen.choices is None else list(foreseen.choices),
        "fixed": foreseen.is_fixed,
    }


def _foreseen_from_json(stored: Mapping[str, Any]) -> Foreseen:
    trusted, choices = _list(stored["trusted"]), stored["choices"]
    label = label_from_json(stored["label"], lambda name: Source(name, is_trusted=name in trusted))
    declared = None if stored["type"] is None else type_from_json(stored["type"])
    return Foreseen(
        declared, label, None if choices is None else tuple(map(_choice, _list(choices))), stored["fixed"] is True
    )


def _past_to_json(past: Past) -> Json:
    shown = [
        {
            "line": each.offer.line,
            "column": each.offer.column,
            "text": each.offer.text,
            "choices": list(each.offer.choices),
            "is_shown": each.is_shown,
            "choice": each.choice,
        }
        for each in past.shown
    ]
    return {"request": past.request, "program": past.program, "note": past.note, "shown": shown}


def _past_from_json(stored: Mapping[str, Any]) -> Past:
    shown = [
        Shown(
            Offer(
                int(each["line"]), int(each["column"]), _text(each["text"]), tuple(map(_choice, _list(each["choices"])))
            ),
            each["is_shown"] is True,
            _choice(each["choice"]),
        )
        for each in _list(stored["shown"])
    ]
    if stored["note"] not in _NOTES:
        raise ValueError("not a stored note")
    return Past(_text(stored["request"]), _text(stored["program"]), tuple(shown), stored["note"])


def _name(stored: object) -> str:
    name = _text(stored)
    if not name.isidentifier():
        raise ValueError("not a stored name")
    return name


def _list(stored: object) -> list[Any]:
    if type(stored) is not list:
        raise ValueError("not a stored list")
    return stored


def _text(stored: object) -> str:
    if type(stored) is not str:
        raise ValueError("not a stored text")
    return stored


def _choice(stored: Any) -> Choice:
    if stored is not None and type(stored) not in (bool, int, str):
        raise ValueError("not a stored choice")
    choice: Choice = stored
    return choice
