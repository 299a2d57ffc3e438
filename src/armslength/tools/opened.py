"""What a program that opens a file does by itself: a formula is computed, a picture is loaded, a script runs.

Kinds of files are told by their names, as programs tell them. Of those that are not listed here it is taken that they act; of plain kinds, and
of names without one, those that a tool carries out by their whole name are a list. Sources: OWASP, CSV Injection; CWE-1236.
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
_SEPARATOR = "sep="
"""Begins a line that says by which other sign a table is parted."""
_SYLK = re.compile(r"^(?:C|N[A-Z]);", re.MULTILINE | re.IGNORECASE)
"""Records of a format as which spreadsheets read a text that begins with `ID`."""
_LOADED = re.compile(r"!\[|<[!?/a-zA-Z]")
_FENCE = re.compile(r"(?:`{3}|~{3}|:{3})[`~:]*([^\r\n]*)")
_PLAIN_FENCES = frozenset(
    "bash c console cpp cs css csv diff go html http ini java javascript js json kotlin lua make perl php plain plaintext py python r rb ruby "
    "rs rust scala sh shell sql swift text toml ts txt typescript xml yaml yml".split()
)
"""Languages whose code viewers of Markdown colour. Others are drawn, as diagrams are, which load pictures."""
_BY_NAME = re.compile(
    r"[a-z-]*file|crontab|authorized_keys|profile|hosts|sudoers|cmakelists\.txt|requirements.*\.txt|package(?:-lock)?\.json|(?:docker-)?compose.*\.ya?ml"
    r"|\..*|(?:agents|claude|gemini)\.md"
)
"""What a tool that builds, starts or schedules carries out, or another assistant follows, wherever it finds a file of this name; names with a dot in front."""
_BY_FOLDER = re.compile(r"(?:^|/)(?:\.[^/]+|workflows|cron[^/]*)/")


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
    return _kind(path) in _PLAIN and not _is_carried_out(path)


def is_kind(path: str) -> bool:
    """Whether what stands behind the last dot is nothing, or a kind by its looks: up to eight letters and digits, too few to say anything."""
    kind = _kind(path)
    return not kind or (len(kind) <= _LONGEST_KIND and kind.isascii() and kind.isalnum())


_LONGEST_KIND = 8


def acts(path: str, text: str) -> bool:
    """Whether a program that opens the file carries out something of this text, which stands there between line ends."""
    if _is_carried_out(path):
        return True
    match _kind(path):
        case "":
            return text.lstrip("\ufeff").startswith("#!")
        case kind if kind in _PLAIN:
            return False
        case kind if kind in _TABLES:
            return _is_read_otherwise(text) or any(_is_formula(cell) for cell in _CELL_ENDS.split(text))
        case kind if kind in _MARKUP:
            return _LOADED.search(text) is not None or any(_is_drawn(found[1]) for found in _FENCE.finditer(text))
        case _:
            return True


def _is_carried_out(path: str) -> bool:
    whole = path.lower()
    return _BY_NAME.fullmatch(whole.rpartition("/")[2]) is not None or _BY_FOLDER.search(whole) is not None


def _is_drawn(said: str) -> bool:
    """Whether what stands behind a fence's signs, its language, is none whose code is only shown."""
    language = said.strip().lower()
    return bool(language) and language not in _PLAIN_FENCES


def _kind(path: str) -> str:
    """What stands behind the last dot of the name, in lower case; nothing where there is none, a dot where nothing follows it."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() or "." if "." in name else ""


def _is_read_otherwise(table: str) -> bool:
    """Whether it may be parted by signs that are not known here."""
    lines = (_without_what_hides(line) for line in table.splitlines())
    return _SYLK.search(table) is not None or any(line.lower().startswith(_SEPARATOR) for line in lines)


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
