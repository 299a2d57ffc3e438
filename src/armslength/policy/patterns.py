"""What a pattern of the configuration fits: sources and receivers by name, `*` for anything and `?` for one character.

What loosens fits for certain (`fits`, `is_receiver`); what keeps something back holds for whatever may be it (`may_fit`). Addresses are
compared as mail compares them: the name before the `@` without regard to the case of ASCII letters, the host by IDNA (UTS 46, non-transitional).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

from armslength.events import ANYBODY, NOBODY, UNVERIFIED_MAIL
from armslength.hosts import ascii_host, unicode_host
from armslength.labels import LISTED, MAILBOX, Label, Source

_CLAIM = re.compile(r"store:(?P<kind>mail|calendar):(?P<who>.+)", re.DOTALL)
_BY_NAME = ("mail:", "web:")
"""Kinds of sources that a receiver's name names too: words of kim@b.example are of `mail:kim@b.example`."""
_ALL, _UNVERIFIED = ":*", ":unverified"
_UPPER = {ord(letter): ord(letter) + 32 for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_REMEMBERED = 8_192


def is_claim(source: Source) -> bool:
    """Whether it only says of what a store knows whose it says that it is. Such a source keeps things here; nothing else looks at it."""
    return _CLAIM.fullmatch(source.name) is not None


def spoken(sources: Iterable[Source]) -> frozenset[Source]:
    """Those whose words something is, and what a store knows: all but claims, which screens, rules, groups and grants do not look at."""
    return frozenset(source for source in sources if not is_claim(source))


def kept_by(label: Label, patterns: Iterable[str]) -> bool:
    """Whether something of this label may be what one of the patterns names, as data or as choice.

    A mail counts as its sender's, verified or only claimed; words of one that claims nobody, or several, may be anybody's. As choice whoever is not
    verified has his own name beside his claims: what is counted out of a listing has him, for he moves others along.
    """
    listed = tuple(patterns)
    names = {*_possible(label.data), *_possible(label.choice), *_unverified(label.data)} if listed else ()
    return any(may_fit(name, pattern) for name in names for pattern in listed)


def _unverified(among: Iterable[Source]) -> Iterable[str]:
    """Each of a kind, where somebody is meant who is not verified; whose a mail says that it is, where one is named, is his claim's."""
    names = {source.name for source in among}
    is_said = any(found["kind"] == "mail" and found["who"] != NOBODY for found in _claims(names))
    for name in names:
        if name.endswith(_UNVERIFIED) and not (is_said and name == UNVERIFIED_MAIL):
            yield f"{name.removesuffix(_UNVERIFIED)}{_ALL}"


def _claims(names: Iterable[str]) -> list[re.Match[str]]:
    return [found for found in map(_CLAIM.fullmatch, names) if found]


def _possible(among: Iterable[Source]) -> Iterable[str]:
    """The names of these sources, and of whom they may stand for. `KIND:*` stands for each of a kind."""
    names = {source.name for source in among}
    for name in names:
        if not _CLAIM.fullmatch(name):
            yield name.removeprefix(LISTED)
        if name == MAILBOX:
            yield UNVERIFIED_MAIL
    for who in (found["who"] for found in _claims(names)):
        if who != NOBODY:
            yield f"mail{_ALL}" if who == ANYBODY else f"mail:{who}"


def may_fit(name: str, pattern: str) -> bool:
    """Whether a source, or one of those that it stands for, may be what the pattern names: in any case and normal form, hosts in both spellings.

    Brackets are taken as they stand, and as a class of characters, too.
    """
    if not name.endswith(_ALL):
        return any(_is_like(one, two) for one in _wide(name) for two in _wide(pattern))
    kind = name[:-1].casefold()
    literal = re.split(r"[*?[]", pattern.casefold(), maxsplit=1)[0]
    return literal.startswith(kind) or kind.startswith(literal)


def _is_like(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern) or _glob(pattern).fullmatch(name) is not None


def fits(name: str, pattern: str) -> bool:
    """Whether a source, and each of those that it stands for, is what the pattern names. Case matters where it makes another thing."""
    if "@" in pattern and ":" not in pattern:
        return False
    if name.endswith(_ALL):
        return pattern.endswith("*") and not set("*?") & set(pattern[:-1]) and name.startswith(pattern[:-1])
    kind = next((each for each in _BY_NAME if name.startswith(each)), None)
    if kind is None or not pattern.startswith(kind):
        return name == pattern or _glob(pattern).fullmatch(name) is not None
    return _is_called(name.removeprefix(kind), pattern.removeprefix(kind))


def is_called(name: str) -> bool:
    """Whether a source is somebody by an address or a host, and not each of a kind: then which it is, is certain."""
    return name.startswith(_BY_NAME) and not name.endswith(_ALL)


def is_receiver(name: str, pattern: str) -> bool:
    """Whether a receiver is called so: an address, a host, or a name of a kind (`slack:#general`), whose case does not matter."""
    if ":" in name and "@" in pattern and ":" not in pattern:
        return False  # a member of a kind of theirs is no address of mail, whatever he calls himself
    if ":" in pattern:
        return _glob(_composed(pattern).lower()).fullmatch(_composed(name).lower()) is not None
    return _is_called(name, pattern)


def is_writer(name: str, pattern: str) -> bool:
    """Whether whoever receives by this pattern without a kind writes under this source's name: mail by that address, pages of that host."""
    kind, _, called = name.partition(":")
    if name.endswith(_ALL):
        return any(fits(name, f"{each}{pattern}") for each in _BY_NAME)
    match kind:
        case "mail":
            return _is_called(called, pattern)
        case "web":
            return "@" not in pattern and not set("@/") & set(called) and _is_called(called, pattern)
        case _:
            return False


def may_write(name: str, pattern: str) -> bool:
    """Like `is_writer`, of one of those for whom the name may stand."""
    return (
        any(may_fit(name, f"{kind}{pattern}") for kind in _BY_NAME) if name.endswith(_ALL) else is_writer(name, pattern)
    )


def _is_called(name: str, pattern: str) -> bool:
    """In one of the two spellings of a host: the same names are one in either."""
    return any(
        _glob(asked).fullmatch(called) is not None
        for called, asked in zip(_spellings(name), _spellings(pattern), strict=True)
    )


@lru_cache(_REMEMBERED)
def _spellings(text: str) -> tuple[str, str]:
    """An address or a host, or a pattern of them, with its host in ASCII and in Unicode."""
    before, at, host = text.rpartition("@")
    local = before.translate(_UPPER) + at
    return local + ascii_host(host), local + unicode_host(host)


@lru_cache(_REMEMBERED)
def _wide(text: str) -> frozenset[str]:
    """A source's name, or a pattern of them, in each form that may be meant."""
    composed = _composed(text)
    kind = next((each for each in _BY_NAME if composed.casefold().startswith(each)), None)
    spelled = () if kind is None else tuple(kind + each for each in _spellings(composed[len(kind) :]))
    return frozenset(_composed(form.casefold()) for form in (text, composed, *spelled))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@lru_cache(_REMEMBERED)
def _glob(pattern: str) -> re.Pattern[str]:
    """`*` and `?`; every other character is itself."""
    pieces = {"*": ".*", "?": "."}
    return re.compile("".join(pieces.get(char) or re.escape(char) for char in re.sub(r"\*+", "*", pattern)), re.DOTALL)
