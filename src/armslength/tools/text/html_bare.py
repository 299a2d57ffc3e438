"""HTML without its structure: what stands between all tags, by regular expressions alone. Nothing is known about what is hidden."""

from __future__ import annotations

import re
from html import unescape

MOST_CHARACTERS = 1_000_000
"""Of HTML; what follows is cut with a visible note."""
MOST_OUTPUT = 2_000_000
"""Characters of text."""
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1[^<>]*+>?|\Z)|<[/a-zA-Z!?][^<>]*+>?", re.DOTALL | re.IGNORECASE
)
_NO_TEXT = re.compile("[\x00\x1c-\x1f]")
_LONG_NUMBER = re.compile(r"&#(?:([xX])([0-9a-fA-F]{9,}+)|([0-9]{9,}+));?")
_MOST_DIGITS = 8  # of a number that may be a character's


def without_structure(html: str, why: str) -> str:
    """The text between all tags under a note that says why it is read so, bounded in time and size, for any string."""
    readable = _NO_TEXT.sub("\ufffd", html[:MOST_CHARACTERS]).encode("utf-8", "replace").decode("utf-8")
    lines = (" ".join(line.split()) for line in _MARKUP.sub("\n", readable).split("\n"))
    return (f"[{why}]\n" + "\n".join(unescaped(line) for line in lines if line))[:MOST_OUTPUT] + note_of_cut(html)


def unescaped(text: str) -> str:
    """The text with its character references read (HTML, section 13.5), for any string: no number of more digits than a character's is made."""
    return unescape(_LONG_NUMBER.sub(_short, text))


def _short(found: re.Match[str]) -> str:
    digits = (found[2] or found[3]).lstrip("0") or "0"
    return f"&#{found[1] or ''}{digits};" if len(digits) <= _MOST_DIGITS else "\ufffd"


def note_of_cut(html: str) -> str:
    """What is said at the end of a text whose HTML was not read to its end; empty where it was."""
    rest = len(html) - MOST_CHARACTERS
    return f"\n[cut here: {rest} more characters of HTML]" if rest > 0 else ""
