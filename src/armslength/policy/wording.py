"""Labels in words, for the cases that people write: `mail:kim@b.example, quarantined; picked by mail:*; readers kim@b.example`.

The first part names the sources of the words. Then, in any order: `picked by` those who could decide which of several things it is, each
of them whole; `steered by ... in N bits` the same for something made; `readers` and `steer`: `everybody`, `you` or names.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from armslength.events import Trust
from armslength.labels import PRIVATE, PUBLIC, SATURATED, Label, Readers, Source, label

_PUBLIC_SOURCES = ("program", "clock")
_PART = re.compile(r"(picked by|steered by|readers|steer) +(.+?)(?: +in +(\d+) +bits?)?")


def label_in_words(words: str, trust: Trust, is_source: Callable[[str], bool]) -> Label:
    """The label. Who may read is you alone, unless it is said or the program itself wrote it.

    Raises:
        ValueError: in words, what is not understood.
    """
    first, *rest = (part.strip() for part in words.split(";"))
    data = _sources(first, trust, is_source)
    parts: dict[str, re.Match[str]] = {}
    for text in rest:
        found = _PART.fullmatch(text)
        if found is None or found[1] in parts:
            raise ValueError(
                f"{text!r}; after the sources come picked by, steered by ... in N bits, readers and steer, each once"
            )
        parts[found[1]] = found
    return _made(data, parts, trust, is_source)


def _made(
    data: frozenset[Source], parts: dict[str, re.Match[str]], trust: Trust, is_source: Callable[[str], bool]
) -> Label:
    choice: frozenset[Source] = frozenset()
    bits = 0
    for name in ("picked by", "steered by"):
        if name in parts:
            choice |= _sources(parts[name][2], trust, is_source)
            bits = max(bits, min(int(parts[name][3] or SATURATED), SATURATED))
    is_public = all(source.name in _PUBLIC_SOURCES for source in data)
    readers = _readers(parts["readers"][2]) if "readers" in parts else PUBLIC if is_public else PRIVATE
    steer = _readers(parts["steer"][2]) if "steer" in parts else PUBLIC
    return label(data, choice=choice, bits=bits, readers=readers, steer=steer, intact="steered by" not in parts)


def _sources(text: str, trust: Trust, is_source: Callable[[str], bool]) -> frozenset[Source]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if not is_source(name):
            raise ValueError(f"{name!r} names no source")
    return frozenset(trust(name) for name in names)


def _readers(text: str) -> Readers:
    if text == "everybody":
        return PUBLIC
    return Readers(frozenset(name.strip().lower() for name in text.split(",")) - {"you"})
