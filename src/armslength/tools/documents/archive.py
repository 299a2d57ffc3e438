"""The parts of a DOCX, taken out of its archive and read as XML, both within bounds.

Source: ISO/IEC 29500-2 (packages), APPNOTE 4.4 (ZIP).
"""

from __future__ import annotations

import codecs
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import NoReturn
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from armslength.tools.documents.wire import Failed

_MOST_FILES = 5_000
_MOST_UNPACKED = 60_000_000  # bytes, over all parts that are read
_MOST_DEPTH = 300
_PART = 1 << 16
_IS_ENCRYPTED = 1
codecs.lookup("cp437")  # of names in archives; it is found in a file, which cannot be opened later

Attributes = dict[str, str]
Begin = Callable[[str, Attributes], None]


class Package:
    """An archive with its parts by name."""

    def __init__(self, content: bytes) -> None:
        """Its list of files is read.

        Raises:
            Failed: it is no archive, is encrypted, or two of its files have one name.
        """
        try:
            self._archive = ZipFile(BytesIO(content))
        except (BadZipFile, struct.error, ValueError, NotImplementedError, EOFError) as error:
            raise Failed("damaged") from error
        found = self._archive.infolist()
        if len(found) > _MOST_FILES:
            raise Failed("expands")
        self._parts = {each.filename.lower(): each for each in found}
        if len(self._parts) != len(found):
            raise Failed("twice")
        if any(each.flag_bits & _IS_ENCRYPTED for each in found):
            raise Failed("encrypted")
        self._left = _MOST_UNPACKED

    @property
    def names(self) -> list[str]:
        """The names of its parts, lower case, in order."""
        return sorted(self._parts)

    def unpacked(self, name: str) -> Iterator[bytes]:
        """A part, bit by bit; nothing if it is not there.

        Raises:
            Failed: it is damaged, packed otherwise than by deflate, or all parts together are too large.
        """
        info = self._parts.get(name.lower())
        if info is None:
            return
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Failed("damaged")
        yield from self._bits(info)

    def _bits(self, info: ZipInfo) -> Iterator[bytes]:
        try:
            with self._archive.open(info) as part:
                while bit := part.read(_PART):
                    self._left -= len(bit)
                    if self._left < 0:
                        raise Failed("expands")
                    yield bit
        except (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, struct.error) as error:
            raise Failed("damaged") from error


@dataclass(frozen=True, slots=True)
class Handlers:
    """What is told of each element's beginning and end, and of text. Names are local ones with their namespace's last word, `main t`."""

    begin: Begin
    end: Callable[[str], None]
    text: Callable[[str], None]


def parse(bits: Iterator[bytes], handlers: Handlers) -> None:
    """Read a part as XML.

    Raises:
        Failed: it is none, declares a type or entities, or is nested too deeply.
    """
    depth = 0

    def begin(name: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > _MOST_DEPTH:
            raise Failed("too deep")
        handlers.begin(_short(name), {_short(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handlers.end(_short(name))

    def refuse(*_declared: object) -> NoReturn:
        raise Failed("entities")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = handlers.text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    try:
        for bit in bits:
            parser.Parse(bit, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Failed("damaged") from error


_SHORT: dict[str, str] = {}
_MOST_SHORT = 5_000


def _short(name: str) -> str:
    """A name as `main p`: the last word of its namespace, and its own; strict and transitional namespaces end alike."""
    found = _SHORT.get(name)
    if found is None:
        space, _, own = name.rpartition(" ")
        found = f"{space.rstrip('/').rpartition('/')[2]} {own}" if space else own
        if len(_SHORT) < _MOST_SHORT:
            _SHORT[name] = found
    return found
