"""CSV and plain text as lines. The character set is what a mark at the beginning says, else UTF-8 if it fits, else what is declared."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from io import StringIO

from armslength.tools.documents.wire import MOST_CHARACTERS, Output, Reader

_MARKS = ((BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be"))
_MOST_BYTES = 4 * MOST_CHARACTERS
_LOOKED_AT = 64 * 1024
_SEPARATORS = ",;\t|"
_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def read_text(content: bytes, charset: str, output: Output) -> None:
    """A form feed ends a page."""
    for number, page in enumerate(decoded(content, charset, output).split("\f"), 1):
        output.page(number)
        for line in _ENDS.split(page):
            output.line(line)


def read_csv(content: bytes, charset: str, output: Output) -> None:
    """One line a row, its cells between commas whatever they stood between, quoted where they must be."""
    text = decoded(content, charset, output)
    csv.field_size_limit(MOST_CHARACTERS)
    separator = max(_SEPARATORS, key=text[:_LOOKED_AT].count)
    written = StringIO()
    writer = csv.writer(written, lineterminator="")
    for row in csv.reader(StringIO(text, newline=""), delimiter=separator):
        writer.writerow([_ENDS.sub(" ", cell) for cell in row])
        output.line(written.getvalue())
        written.seek(0)
        written.truncate()


def decoded(content: bytes, charset: str, output: Output) -> str:
    """The text of the bytes; what was guessed or cut is noted."""
    if len(content) > _MOST_BYTES:
        output.note(f"cut here: only {_MOST_BYTES:,} bytes are read")
        content = content[:_MOST_BYTES]
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    output.note("the character set is a guess" if not charset else f"the character set is said to be {charset}")
    return content.decode(charset or "cp1252", "replace")


READERS: dict[str, Reader] = {"csv": read_csv, "text": read_text}
