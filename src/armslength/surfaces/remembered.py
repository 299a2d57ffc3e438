"""What is remembered: listed with whose words it is, shown whole, forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from armslength.agent.approving.display import draw_answer
from armslength.app.wiring import memory_of
from armslength.errors import OperatorError, ToolError
from armslength.labels import SATURATED
from armslength.surfaces.exits import Exit
from armslength.surfaces.held import opened
from armslength.surfaces.output import tame_line, write_json, write_text
from armslength.surfaces.reports import label_facts, source_names
from armslength.surfaces.story import Words
from armslength.surfaces.why import print_drawn, source_words, words_table
from armslength.tools.memory import Memory, Remembered
from armslength.values import Labelled


def list_remembered(config: Path | None, *, is_json: bool) -> Exit:
    """Each name with what lies under it, cut off where it is long, and whose words that is.

    Raises:
        OperatorError: the memory cannot be read.
    """
    settings = opened(config)
    with _told():
        found = memory_of(settings).listed()
    if is_json:
        write_json({"memory": [_to_json(each) for each in found], "keep": settings.has_memory})
        return Exit.DONE
    if found:
        print_drawn(words_table(tuple(map(_words, found)), "name"))
    else:
        write_text("nothing is remembered")
    if not settings.has_memory:
        write_text("memory.keep is not set, so requests neither remember nor recall anything")
    return Exit.DONE


def show_remembered(name: str, config: Path | None, *, is_json: bool) -> Exit:
    """What lies under a name, whole.

    Raises:
        OperatorError: nothing does, or the memory cannot be read.
    """
    with _told():
        found = _named(memory_of(opened(config)), name)
    if is_json:
        write_json(_to_json(found))
        return Exit.DONE
    label = found.label
    lines = [draw_answer([Labelled(_text(found), label)])]
    if label.choice and label.bits:
        bits = "more than 8 bits" if label.bits >= SATURATED else f"{label.bits} bit{'s' * (label.bits != 1)}"
        lines.append(f"that it is this one was chosen by {source_words(source_names(label.choice))}, in {bits}")
    if found.earlier:
        values = "1 value" if found.earlier == 1 else f"{found.earlier} values"
        lines.append(f"{values} that stood there before {'is' if found.earlier == 1 else 'are'} kept for undo")
    write_text("\n".join(lines))
    return Exit.DONE


def forget(name: str | None, config: Path | None, *, is_all: bool) -> Exit:
    """One name, or all, with what stood there before.

    Raises:
        OperatorError: neither or both are named, nothing lies under the name, or the memory cannot be read or written.
    """
    if (name is None) is not is_all:
        raise OperatorError("memory forget: name one, as armslength memory lists it, or write --all")
    with _told():
        memory = memory_of(opened(config))
        keys = [each.key for each in memory.listed()] if name is None else [_named(memory, name).key]
        if keys:
            memory.drop(keys)
    write_text(f"forgotten: {', '.join(map(tame_line, keys))}" if keys else "nothing was remembered")
    return Exit.DONE


def _named(memory: Memory, name: str) -> Remembered:
    found = next((each for each in memory.listed() if each.key == name), None)
    if found is None:
        raise OperatorError(f"nothing is remembered under {name}; armslength memory lists the names")
    return found


def _text(found: Remembered) -> str:
    if not found.is_set:
        return "(nothing)"
    return found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False, indent=1)


def _words(found: Remembered) -> Words:
    label = found.label
    came, steered = tuple(source_names(label.data)), tuple(source_names(label.choice))
    return Words(found.key, _text(found), came, steered, label.bits, is_untrusted=not label.is_chosen)


def _to_json(found: Remembered) -> dict[str, Any]:
    return {
        "name": found.key,
        "value": found.value,
        "is_set": found.is_set,
        **label_facts(found.label),
        "earlier": found.earlier,
    }


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ToolError as error:
        raise OperatorError(str(error)) from error
