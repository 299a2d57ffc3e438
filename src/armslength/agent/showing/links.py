"""Whether somebody's program makes an address live that stands in a text: mail, chat, a page, with a scheme or without one.

Nobody's list of endings is asked: which there are changes, and a program has its own. A dotted word is an address unless it ends as files do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from armslength.agent.showing.cleaning import inert_links
from armslength.tools.text.folding import normalized
from armslength.tools.text.unseen import is_unseen

FILE_ENDINGS = frozenset(
    """
    aac aiff apk avi avif bak bash bat bin bmp cfg conf cpp css csv dat deb dll dmg doc docm docx dxf eml eps epub exe flac flv gif gpg gpx gz
    heic htm html ico ics img ini ipynb iso jar jpeg jpg js json jsonl kml log lua mbox mkv mpeg mpg msg msi odp ods odt ogg otf parquet pdf
    pem php pkl png ppt pptx psd pst rar rtf sql sqlite svg swf tar tex tgz tif tiff tmp toml torrent tsv ttf txt vcf vcs vob vsdx wav webm
    webp wma wmv woff xls xlsm xlsx xml xps yaml yml zst
    """.split()
)
"""Endings of files that are no top-level domain; a test compares them with the list of those."""

# What may stand in the label of a host: no blank, no punctuation but `-` and `_`. Marks are in it, which `\w` leaves out.
_IN_LABEL = r"[^\s\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f\xa0-\xbf\u2000-\u206f\u3000-\u3004\u3008-\u301f\uff5f-\uff65]"
_RUN = re.compile(rf"(?:{_IN_LABEL}|\.)+")
_DOTS = re.compile(r"\.\.+")
_AT_HOST = re.compile(rf"@{_IN_LABEL}+\.{_IN_LABEL}")
_PLACE = re.compile(r"(?::\d{1,5})?[/?#][\w%&=]|:\d{2,5}(?!\d)")
_LOCAL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~\"-]")
_NUMBERS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_WIDE_DOT = re.compile(r"(?<=[A-Za-z0-9])\u3002(?=[A-Za-z])")
_SHARE = re.compile(r"""(?:^|[\s"'(<])(?://\w|(?:\\\\){1,2}[\w.-]+\\)""")
_LETTERS = re.compile(r"[A-Za-z]*")


def has_links(text: str) -> bool:
    """Whether an address stands in it that somebody's program makes live: also `host.tld`, but no address of mail.

    Also as it is once wide letters and dots are usual ones, and what no screen shows is left out.
    """
    if _is_linked(text):
        return True
    if text.isascii():
        return False
    folded = _WIDE_DOT.sub(".", normalized(text))
    return _is_linked(folded) or _is_linked("".join(char for char in folded if not is_unseen(char)))


def _is_linked(text: str) -> bool:
    if inert_links(text) != text or _SHARE.search(text):
        return True
    return any(_is_address(text, start, end) for start, end in _dotted(text))


def _dotted(text: str) -> Iterator[tuple[int, int]]:
    """Where the words with single dots in them begin and end. In one pass: a long word is not read again from each of its letters."""
    for run in _RUN.finditer(text):
        start = run.start()
        for piece in _DOTS.split(run[0]):
            at = text.index(piece, start)
            start = at + len(piece)
            word = piece.strip(".")
            if "." in word:
                begin = at + piece.index(word)
                yield begin, begin + len(word)


def _is_address(text: str, start: int, end: int) -> bool:
    """Of a dotted word: whether it is a host, and not a part of an address of mail, or the name of a file."""
    word = text[start:end]
    last = word.rpartition(".")[2]
    has_place = _PLACE.match(text, end) is not None
    if _AT_HOST.match(text, end):
        return False  # what stands before the @; what stands behind it is looked at by itself
    if text[start - 1 : start] == "@" and _LOCAL.match(text, max(start - 2, 0)) and start > 1:
        return has_place
    if _NUMBERS.fullmatch(word):
        return True
    return _is_ending(last) or (has_place and last.isalpha() and len(last) > 1)


def _is_ending(label: str) -> bool:
    """Whether a top-level domain may be called so, or begin what stands there: two letters or more, or encoded."""
    letters = _LETTERS.match(label)
    first = "" if letters is None else letters[0].lower()
    behind = label[len(first) : len(first) + 1]
    if first == "xn" and label[2:4] == "--":
        return True
    if not first:
        return len(label) > 1 and label[0].isalpha()
    if behind == "-" or (behind.isascii() and behind.isalnum()):
        return False
    return (len(first) > 1 or (bool(behind) and behind.isalpha())) and first not in FILE_ENDINGS
