"""Untrusted data as text for the quarantined model: rendered, control tokens broken up, fenced, and cut into parts.

None of this makes the model trustworthy: it is assumed to be the attacker's, and its answer's label says so. It keeps an honest model
from taking data for its chat format. Every function here is deterministic, so that a run can be replayed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

from armslength.values import Labelled

BREAK = "·"
"""What is put into a control token; a model reads over it, a chat template does not."""

_SPECIAL = (
    r"<(?=[|｜])",  # <|im_start|>, <｜User｜>
    r"[|｜](?=>)",
    (
        r"<(?=/?(?:s|unk|pad|bos|eos|mask|cls|sep|think|tool_call|tool_response|tools|image|start_of_turn|end_of_turn"
        r"|start_of_image|end_of_image|fim_\w{1,16}|reserved_\w{1,24}|extra_id_\d{1,4})>)"
    ),
    r"<(?=</?SYS>>)",  # <<SYS>>
    (
        r"\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|THINK|IMG|IMG_BREAK|IMG_END"
        r"|PREFIX|SUFFIX|MIDDLE|gMASK|CLS|SEP|MASK|PAD|UNK)\])"
    ),
)
_TOKEN_START = re.compile("|".join(_SPECIAL), re.IGNORECASE)
_ROLE = re.compile(
    r"^([^\S\n]*(?:human|assistant|system|user|###?[^\S\n]{0,4}(?:instruction|response|input))[^\S\n]*)(?=:)",
    re.IGNORECASE | re.MULTILINE,
)


def break_up(text: str) -> str:
    """The text with a visible break in every control token and role marker of common chat formats. Idempotent.

    Sources: the chat templates of Qwen, Llama 2 and 3, Mistral, Gemma, DeepSeek, and Anthropic's former prompt format.
    """
    return _ROLE.sub(rf"\g<1>{BREAK}", _TOKEN_START.sub(rf"\g<0>{BREAK}", text))


def fence(text: str) -> str:
    """The text between two marks that do not occur in it, so that it cannot end itself early."""
    mark = _mark(text)
    return f"[data {mark}]\n{text}\n[end of data {mark}]"


def _mark(text: str) -> str:
    lowered, digest = text.lower(), hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    while (mark := digest.hexdigest()[:8]) in lowered:
        digest.update(b"again")
    return mark


def render(data: Sequence[Labelled]) -> str:
    """Data as text: records show their fields by name, lists are numbered, further lines are indented below their name.

    Indentation keeps a text of several lines from looking like a further field. One item stands alone, several are numbered.
    """
    lines = _lines(data[0]) if len(data) == 1 else _numbered(data)
    return break_up("\n".join(lines))


def _lines(given: Labelled) -> list[str]:
    match given.data:
        case tuple() as items:
            return _numbered(items) or ["(an empty list)"]
        case dict() as named:
            return [line for name, part in named.items() for line in _entry(f"{_one_line(name)}:", part)] or [
                "(nothing)"
            ]
        case None:
            return ["(nothing)"]
        case scalar:
            return str(scalar).splitlines() or [""]


def _numbered(items: Sequence[Labelled]) -> list[str]:
    return [line for number, item in enumerate(items, 1) for line in _entry(f"{number}.", item)]


def _entry(head: str, given: Labelled) -> list[str]:
    lines = _lines(given)
    if len(lines) == 1 and not isinstance(given.data, tuple | dict):
        return [f"{head} {lines[0]}".rstrip()]
    return [head, *(f"  {line}".rstrip() for line in lines)]


def _one_line(name: str) -> str:
    return " ".join(name.split())


def cut(text: str, room: int, most: int, count: Callable[[str], int]) -> list[str] | None:
    """The text in at most `most` parts of at most `room` tokens each (by `count`), or None if it needs more.

    Cut at line ends, longer lines at blanks, else anywhere; each part repeats about a tenth of the one before.
    """
    if len(text) > room * most * CHARACTERS_A_TOKEN or count(text) > room * most:
        return None
    pieces, costs = _pieces(text, max(1, room // 16), count)
    parts: list[str] = []
    start = 0
    while start < len(pieces):
        end = _fitting(pieces, costs, start, room, count)
        if len(parts) == most or end == start:
            return None
        parts.append("".join(pieces[start:end]))
        start = end if end == len(pieces) else _overlapping(costs, start, end, room // 10)
    return parts


CHARACTERS_A_TOKEN = 16
"""More on average do not occur in text worth reading; it bounds the work before anything is counted."""


def _pieces(text: str, room: int, count: Callable[[str], int]) -> tuple[list[str], list[int]]:
    """The lines, longer ones halved until they have at most `room` tokens, and what each costs."""
    pieces: list[str] = []
    costs: list[int] = []
    waiting = text.splitlines(keepends=True)[::-1]
    while waiting:
        piece = waiting.pop()
        cost = count(piece)
        if cost <= room or len(piece) == 1:
            pieces.append(piece)
            costs.append(cost)
            continue
        half = len(piece) // 2
        half = piece.rfind(" ", half // 2, half) + 1 or half
        waiting += [piece[half:], piece[:half]]
    return pieces, costs


def _fitting(pieces: list[str], costs: list[int], start: int, room: int, count: Callable[[str], int]) -> int:
    end, cost = start, 0
    while end < len(pieces) and cost + costs[end] <= room:
        cost += costs[end]
        end += 1
    while end > start and count("".join(pieces[start:end])) > room:  # tokens may join differently than their pieces
        end -= 1
    return end


def _overlapping(costs: list[int], start: int, end: int, room: int) -> int:
    cost, at = 0, end
    while at - 1 > start and cost + costs[at - 1] <= room:
        at -= 1
        cost += costs[at]
    return at
