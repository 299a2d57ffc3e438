"""What a program that opens a file does by itself: a formula is computed, a picture is loaded, a script runs.

Kinds of files are told by their names, as programs tell them. Of those that are not listed here it is taken that they act. Sources: OWASP,
CSV Injection; CWE-1236.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from armslength.values import Plain

_PLAIN = frozenset({"txt", "text", "log", "json", "jsonl", "yaml", "yml"})
"""Shown as they are, or read as data."""
_TABLES = frozenset({"csv", "tsv", "tab"})
_MARKUP = frozenset({"md", "markdown"})
_CELL_ENDS = re.compile(r"[,;\t|\r\n]")
_FORMULA = re.compile("[=+\\-@\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?\(?[\d\s.,:/()-]*\d\)?\s*[%€$£]?")
_LOADED = re.compile(r"!\[|<[!?/a-zA-Z]")


@dataclass(frozen=True, slots=True)
class Acting:
    """Parameters of a tool of which a program that opens what the tool writes carries something out.

    `may`: by the arguments that stand in the program, the others missing; no store is looked into. `does`: by all of them.
    """

    may: Callable[[dict[str, Plain]], frozenset[str]]
    does: Callable[[dict[str, Plain]], frozenset[str]]


def acting_by_name(resolve: Callable[[str], str | None]) -> Acting:
    """Of a tool that writes `text` into the file that `filename` means. `resolve` never makes another kind of a plain one.

    Raises:
        ToolError: in `does`, whatever `resolve` raises.
    """

    def may(told: dict[str, Plain]) -> frozenset[str]:
        filename = told.get("filename")
        return frozenset() if isinstance(filename, str) and is_plain(filename) else frozenset({"text"})

    def does(args: dict[str, Plain]) -> frozenset[str]:
        filename = str(args["filename"])
        return frozenset({"text"}) if acts(resolve(filename) or filename, str(args["text"])) else frozenset()

    return Acting(may, does)


def is_plain(path: str) -> bool:
    """Whether no text in a file of this name is one that a program carries out. A name without a kind may mean a file with one."""
    return _kind(path) in _PLAIN


def is_kind(path: str) -> bool:
    """Whether what stands behind the last dot is nothing, or a kind by its looks: up to eight letters and digits, too few to say anything."""
    kind = _kind(path)
    return not kind or (len(kind) <= _LONGEST_KIND and kind.isascii() and kind.isalnum())


_LONGEST_KIND = 8


def acts(path: str, text: str) -> bool:
    """Whether a program that opens the file carries out something of this text, which stands there between line ends."""
    match _kind(path):
        case "":
            return False
        case kind if kind in _PLAIN:
            return False
        case kind if kind in _TABLES:
            return any(_is_formula(cell) for cell in _CELL_ENDS.split(text))
        case kind if kind in _MARKUP:
            return _LOADED.search(text) is not None
        case _:
            return True


def _kind(path: str) -> str:
    """What stands behind the last dot of the name, in lower case; nothing where there is none, a dot where nothing follows it."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() or "." if "." in name else ""


def _without_what_hides(cell: str) -> str:
    """The cell from its first sign that is no quote, blank or control to its last."""
    first = next((place for place, char in enumerate(cell) if not _is_hidden(char)), len(cell))
    last = next((place for place in range(len(cell), first, -1) if not _is_hidden(cell[place - 1])), first)
    return cell[first:last]


def _is_hidden(char: str) -> bool:
    return char in "\"'`" or unicodedata.category(char)[0] in "ZC"


def _is_formula(cell: str) -> bool:
    """A number with its sign, a telephone number and signs alone are none."""
    content = _without_what_hides(cell)
    is_begun = _FORMULA.match(content) is not None and content.strip("=+-@ ") != ""
    return is_begun and _NUMBER.fullmatch(content) is None
