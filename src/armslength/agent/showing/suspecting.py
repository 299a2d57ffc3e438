"""What stands out in a tool's declaration by its server: lines for the person who decides whether it becomes a tool.

They help to read. Nothing is refused or let through by them: who writes well is not seen here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from armslength.agent.showing.cleaning import clean_line, inert_links, is_of_several_scripts
from armslength.agent.showing.links import has_links
from armslength.agent.showing.urging import urges
from armslength.tools.mcp.declaration import Declaration
from armslength.tools.text.unseen import is_unseen

LONG = 800
"""Characters of a description that is longer than its tool needs."""
_STYLED = re.compile("([\u2190-\u2bff\U0001f000-\U0001faff])[\ufe0e\ufe0f]")
"""A sign, and whether it is drawn in colours: hides nothing."""
_TAGS = range(0xE0020, 0xE007F)
_ORDERS = (
    (
        "it speaks to a model, or of what is to be kept from you",
        (
            r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|previous|prior|above|system)\b"
            r"|\b(?:do not|don't|never|without)\b.{0,40}\b(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|show(?:ing)?|notify(?:ing)?|reveal(?:ing)?)\b"
            r"|\b(?:system prompt|the assistant|the model|the agent|llm|ai assistant)\b|<\s*/?\s*(?:important|system|instructions?|secret|hidden)\b"
        ),
    ),
    (
        "it says what has to be done before, after or instead of it",
        (
            r"\b(?:before|after|instead of|prior to|whenever|every time|always)\b.{0,60}\b(?:us(?:e|ing)|call(?:ing)?|run(?:ning)?|invok(?:e|ing)|send(?:ing)?|this tool|other tools?)\b"
            r"|\b(?:must|should|need to|have to) (?:first|always|also)\b"
        ),
    ),
    (
        "it names files or keys of yours",
        r"~/|/etc/|/home/|\.ssh|\.env\b|id_rsa|\bmcp\.json\b|\bconfig\.(?:json|toml)\b|\bapi[_ ]?keys?\b|\bprivate keys?\b",
    ),
)
_COMPILED = tuple((warning, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for warning, pattern in _ORDERS)
_MOST_READ = 20_000
"""Characters that are looked at for words; all are shown."""


def suspicions(declaration: Declaration, others: Iterable[str]) -> list[str]:
    """The lines. `others`: names of tools that are not this server's, or not this one."""
    texts = list(declaration.strings)
    return list(
        dict.fromkeys(
            [
                *_hidden(texts),
                *_mixed(texts),
                *_said(declaration, texts),
                *_mentioned(texts, others),
                *_carried(declaration),
            ]
        )
    )


def _hidden(texts: Iterable[str]) -> Iterator[str]:
    unseen = [char for text in texts for char in _STYLED.sub(r"\1", text) if is_unseen(char)]
    if unseen:
        count = "a character that is" if len(unseen) == 1 else f"{len(unseen):,} characters that are"
        yield f"it holds {count} not seen or that turn{'s' if len(unseen) == 1 else ''} the direction of text; they were written for no person"
    spelled = "".join(chr(ord(char) - 0xE0000) for char in unseen if ord(char) in _TAGS)
    if spelled:
        yield f"in tag characters, which are not seen, it says: ⟦{_tame(spelled)}⟧"


def _mixed(texts: Iterable[str]) -> Iterator[str]:
    words = {word for text in texts if not text.isascii() for word in re.findall(r"\w+", text[:_MOST_READ])}
    mixed = sorted(word for word in words if is_of_several_scripts(word))
    if mixed:
        yield f"it has a word with letters of several scripts: ⟦{_tame(mixed[0])}⟧"


def _said(declaration: Declaration, texts: Iterable[str]) -> Iterator[str]:
    whole = "".join(char for char in " ".join(texts)[:_MOST_READ] if not is_unseen(char))
    yield from (warning for warning, pattern in _COMPILED if pattern.search(whole))
    if len(declaration.description) > LONG:
        yield f"its description is {len(declaration.description):,} characters long; the planner is told its first line"
    if has_links(whole):
        yield "it holds an address"
    yield from (f"as a text to you it would be warned about: {warning}" for warning in urges(whole))


def _mentioned(texts: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    words = {word.casefold() for text in texts for word in re.findall(r"[\w-]+", text[:_MOST_READ])}
    named = sorted({name for name in others if "_" in name or "-" in name or len(name) > 9} & _either(words, others))
    if named:
        yield f"it names tools that are not its own: {', '.join(map(_tame, named[:6]))}{' and others' if len(named) > 6 else ''}"


def _either(words: set[str], others: Iterable[str]) -> set[str]:
    return {name for name in others if name.casefold() in words}


def _carried(declaration: Declaration) -> Iterator[str]:
    """Texts where a value is expected: what a caller that fills in defaults would send, or a model would copy."""
    waiting: list[object] = [declaration.content.get("inputSchema")]
    found: set[str] = set()
    while waiting:
        match waiting.pop():
            case dict() as parts:
                found |= {
                    place for place in ("default", "const", "enum", "examples", "example") if _is_long(parts.get(place))
                }
                waiting += parts.values()
            case list() as items:
                waiting += items
            case _:
                pass
    if found:
        yield f"a value that it proposes is a text ({', '.join(sorted(found))}); nothing of it is ever sent unless a program writes it"


def _is_long(value: object) -> bool:
    match value:
        case str():
            return len(value) > 40 or len(value.split()) > 4 or has_links(value)
        case list():
            return any(_is_long(each) for each in value)
        case dict():
            return any(_is_long(each) for each in value.values())
        case _:
            return False


def _tame(text: str) -> str:
    return inert_links(clean_line(text))[:200]
