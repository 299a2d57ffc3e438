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

    Cut at line ends, longer lines at blanks, else anywhere; each part repeats up to a tenth of the one before.
    """
    if len(text) > room * most * CHARACTERS_A_TOKEN:
        return None
    total = count(text)
    if total > room * most:
        return None
    average = len(text) * room // max(total, 1)  # characters that fill a part: few counts instead of one for each line
    parts: list[str] = []
    start = end = 0
    while end < len(text):
        end = _end(text, start, average)
        while count(text[start:end]) > room and end - start > 1:
            end = _end(text, start, (end - start) * 3 // 4)
        if len(parts) == most or count(text[start:end]) > room:
            return None
        parts.append(text[start:end])
        start = _next_start(text, start, end)
    return parts


CHARACTERS_A_TOKEN = 16
"""More on average do not occur in text worth reading; it bounds the work before anything is counted."""


def _end(text: str, start: int, length: int) -> int:
    """Where a part of at most `length` characters ends: after a line end or blank in its second half if there is one."""
    longest = start + max(length, 1)
    if longest >= len(text):
        return len(text)
    earliest = start + length // 2
    return text.rfind("\n", earliest, longest) + 1 or text.rfind(" ", earliest, longest) + 1 or longest


def _next_start(text: str, start: int, end: int) -> int:
    """Where the next part starts: at the first line in the last tenth of this one, else at the first word, else at the tenth."""
    earliest = max(start + 1, end - (end - start) // 10)
    return text.find("\n", earliest - 1, end - 1) + 1 or text.find(" ", earliest - 1, end - 1) + 1 or min(earliest, end)
