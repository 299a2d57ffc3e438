"""The planner's system text: a function of the tools' declarations, the installation's notes and the date, and of nothing else.

Declarations are flattened to one line each, so that a documentation string cannot add a section of its own. The date stands at the end:
the state of all before it stays the same from day to day.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from armslength.agent.planning.examples import EXAMPLES, Example, fits
from armslength.agent.quarantined.fence import break_up
from armslength.schema import Field, ListOf, OptionalOf, Parameter, RecordType, Signature, Type, describe

TOKENS_ALLOWED = 3_000
"""Of the system text, by `estimate_tokens`. What exceeds it costs examples, down to `FEWEST_EXAMPLES`."""
FEWEST_EXAMPLES = 6
_LONGEST_DOC = 160  # characters

_TASK = """You are the planner of a personal assistant. You turn the user's request into one short program in a small subset of Python. \
The program is run by an interpreter; you never see any data, so never guess what an email, event, file or web page contains. \
Get data only by calling tools."""

_QUARANTINED = """\
quarantined(instruction: str, data, returns) -> value of that type  # a helper model reads `data` and answers; returns is str, bool, int, \
float, list[str], Optional[str], Literal["a", "b"] or a dict such as {"name": str}
answer(text)  # shows something to the user"""

_SMALL_LANGUAGE = """\
Allowed: assignments, the tools above, for, break, continue, if/elif/else, raise, comparisons, and/or/not, +, f-strings, lists, dicts, \
indexing, slices, comprehensions, len, str, int, float, round, sorted, min, max, sum, any, all, enumerate, zip, range, and the methods of \
str, list and dict.
Not allowed: import, def, class, while, try, with, lambda, changing a field, any other function."""
"""What a small model is told: it writes better programs of fewer words. The others run too."""

_LANGUAGE = """\
Python, with functions, closures, loops, try, match, comprehensions, f-strings, Enum, dataclasses and pydantic classes as data (their \
fields do not change), and the modules datetime, re, math and json, whose import may be left out.
Not allowed: with, async, global, decorators, yield, **kwargs, methods in classes, other imports. Lists from tools do not change: copy \
them with list(...). Calls that do not need each other run at the same time; do not wait for them. Everything that is wrong is said before \
anything runs. A search finds what has all its words: give few, and such as stand in what is looked for, not what the request calls it."""

_RULES = """\
1. To understand, summarize, extract, translate or judge free text, call quarantined with the data; do not write string tricks for it.
2. Fields such as sender, subject, start, participants and filename can be used directly, without quarantined.
3. Use every condition that the request names (unread, from whom, about what, on which day, only if) and no other: leave out \
arguments that it says nothing about.
4. Do only what the user asked. Send or change nothing else.
5. If the user asks a question or asks to see something, answer it.
6. Reply with the program only: no explanation, no comments."""


def system_text(
    signatures: Sequence[Signature], today: date, notes: str = "", more: str = "", *, is_small: bool = True
) -> str:
    """The whole text. `notes` are the installation's own words, its policy among them; `more` is said of a conversation.

    `is_small`: the model is, so it is told of the part of the language that it writes well.
    """
    signatures = [signature for signature in signatures if signature.is_told]
    records = "\n".join([*map(record_line, _records(signatures)), *_written(signatures)])
    tools = "\n".join([*(_tool(signature) for signature in signatures), _QUARANTINED])
    sections = [
        _TASK,
        f"Types\n{records}" if records else "",
        f"Tools\n{tools}",
        f"Language\n{_SMALL_LANGUAGE if is_small else _LANGUAGE}",
        f"Rules\n{_RULES}",
        f"Conversation\n{more}" if more else "",
    ]
    end = "\n\n".join(
        section for section in (f"Notes\n{notes.strip()}" if notes.strip() else "", dates(today)) if section
    )
    start = "\n\n".join(section for section in sections if section)
    left = TOKENS_ALLOWED - estimate_tokens(start) - estimate_tokens(end)
    examples = "\n".join(_affordable([each for each in EXAMPLES if fits(each, {s.name: s for s in signatures})], left))
    return "\n\n".join(section for section in (start, f"Examples\n{examples}" if examples else "", end) if section)


def _affordable(examples: Iterable[Example], tokens: int) -> list[str]:
    shown: list[str] = []
    for example in examples:
        text = f"- {example.request}\n```python\n{example.program}\n```"
        tokens -= estimate_tokens(text) + 1
        if tokens < 0 and len(shown) >= FEWEST_EXAMPLES:
            break
        shown.append(text)
    return shown


def dates(today: date) -> str:
    """The last lines of the system text: the only ones that change from day to day."""
    coming = ", ".join(f"{day:%A} {day}" for day in (today + timedelta(days=ahead) for ahead in range(1, 8)))
    return f"Today is {today:%A} {today}. The next days: {coming}."


def _records(signatures: Sequence[Signature]) -> list[RecordType]:
    """Every record type that a parameter or result reaches, each once, in the order met."""
    found: dict[RecordType, None] = {}
    waiting = [declared for each in signatures for declared in (*(p.type for p in each.parameters), each.returns)][::-1]
    while waiting:
        match waiting.pop():
            case ListOf(inner) | OptionalOf(inner):
                waiting.append(inner)
            case RecordType() as record if record not in found:
                found[record] = None
                waiting += [each.type for each in record.fields][::-1]
            case _:
                pass
    return list(found)


def _written(signatures: Sequence[Signature]) -> list[str]:
    """How a program writes an argument of a record type that no tool gives it whole; nothing where there is no such parameter."""
    given = {_item(each.returns) for each in signatures}
    wanted = dict.fromkeys(_item(p.type) for each in signatures for p in each.parameters)
    names = [each.name for each in wanted if isinstance(each, RecordType) and each not in given]
    if not names:
        return []
    return [f"An argument of type {' or '.join(names)} is a dict with these names; an Optional one may be left out."]


def _item(declared: Type) -> Type:
    while isinstance(declared, ListOf | OptionalOf):
        declared = declared.item if isinstance(declared, ListOf) else declared.inner
    return declared


def told_records(signatures: Sequence[Signature]) -> frozenset[str]:
    """The names of the record types that the system text describes."""
    return frozenset(record.name for record in _records([each for each in signatures if each.is_told]))


def record_line(record: RecordType) -> str:
    """A record type with its fields, on one line."""
    return _one_line(f"{record.name}: " + ", ".join(f"{each.name} ({_field(each)})" for each in record.fields))


def _field(field: Field) -> str:
    return f"{describe(field.type)}, {field.doc}" if field.doc else describe(field.type)


def _tool(signature: Signature) -> str:
    parameters = ", ".join(_parameter(each) for each in signature.parameters)
    doc = _one_line(signature.doc)
    doc = doc if len(doc) <= _LONGEST_DOC else doc[: _LONGEST_DOC - 1] + "…"
    return _one_line(f"{signature.name}({parameters}) -> {describe(signature.returns)}") + (f"  # {doc}" if doc else "")


def _parameter(parameter: Parameter) -> str:
    return f"{parameter.name}: {describe(parameter.type)}" + (
        f" = {_default(parameter.default)}" if parameter.has_default else ""
    )


def _default(default: object) -> str:
    match default:
        case tuple():
            return "[]"
        case str():
            return json.dumps(default, ensure_ascii=False)
        case _:
            return repr(default)


def _one_line(text: str) -> str:
    """The text with controls, invisible and line-breaking characters as blanks, runs of blanks as one, chat tokens broken up."""
    flat = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    return break_up(" ".join(flat.split()))


def estimate_tokens(text: str) -> int:
    """About how many tokens a byte-pair tokeniser of code models makes of it, on the high side.

    Calibrated on a prompt of this kind: 2,152 where Qwen2.5-Coder counts 2,001.
    """
    return sum(_cost(piece[0]) for piece in _PIECES.finditer(text))


_PIECES = re.compile(r"[A-Za-z]+|[0-9]|[\r\n]+[ ]*|[^\w\s]+|[^\x00-\x7f]|_")


def _cost(piece: str) -> int:
    if not piece.isascii():
        return 3 * len(piece)
    if piece.isalpha():
        return 1 + (len(piece) - 1) // 8
    if piece == "_":
        return 0  # joins the word after it
    return 1 if piece.isdigit() or piece.isspace() else (len(piece) + 1) // 2
