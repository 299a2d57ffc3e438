"""Files and notes in one folder: list, search, read, append, write. A PDF or DOCX is read as text; others are not looked into."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import PRIVATE, PUBLIC, Label, Readers, Source, label, steered
from armslength.schema import ListOf, Origin
from armslength.tools.annotations import record_type
from armslength.tools.base import Prospect, Role, Tool, ToolCall, nobody, tool
from armslength.tools.bearing import Bearing
from armslength.tools.documents.confinement import AT_ONCE, USUAL, Confinement
from armslength.tools.listing import listing_among
from armslength.tools.notes import ADDING, NAME, STORE, Notes, Read, folded, without_extension
from armslength.tools.opened import acting_by_name
from armslength.tools.usual import Usual, Usually
from armslength.values import Labelled, Plain

_KIND: Final = "file"
_HERE = label([STORE])
"""That a record is a file's, which is all that having it tells; which file it is, its name says."""
_ORIGIN = Origin(_KIND)


@dataclass(frozen=True, slots=True, repr=False)
class File:
    """A file as programs see it; `filename` is the path below the folder."""

    id: str
    filename: str
    content: str


FILE = record_type(File)


def file_tools(folder: Path, trust: Trust, state: Path, confinement: Confinement = USUAL) -> list[Tool]:
    """The tools over the files below `folder`; `state` is where the ledger and the backups live, documents are read in `confinement`."""
    notes = Notes(folder, trust, state, confinement)
    bears = {"filename": Bearing(_KIND, notes.is_there)}
    changing = [replace(each, bears=bears) for each in (_append_to_file(notes), _write_file(notes))]
    return [_list_files(notes), _search_files(notes), _read_file(notes), *changing]


def _record(read: Read, gain: Label) -> Labelled:
    name_label, content_label = steered(read.name_label, gain), steered(read.content_label, gain)
    parts = {
        "id": Labelled(read.path, name_label),
        "filename": Labelled(read.path, name_label),
        "content": Labelled(read.text, content_label),
    }
    return Labelled(parts, steered(_HERE, gain), FILE)


def _usually_listed(*, steer: Readers) -> Usually:
    """Files that others named, and whose text is their own source."""
    its_name = Bearing(_KIND, lambda _name: True).usually
    listing = listing_among(STORE, [label([ADDING])], steer=steer)
    name, content = (
        steered(label([STORE, each], readers=PRIVATE, steer=PRIVATE), listing.gain)
        for each in (its_name, Source(f"{_KIND}:*"))
    )
    found = Usual(steered(_HERE, listing.gain), {"id": name, "filename": name, "content": content}, shape=listing.shape)
    return lambda _args, _where: found


def _usually_read(args: Mapping[str, Plain], _where: str) -> Usual:
    """The file that the program names, and whose text is its own source."""
    said = args.get("filename")
    content = label(
        [STORE, Source(f"{_KIND}:{said if isinstance(said, str) else '*'}")], readers=PRIVATE, steer=PRIVATE
    )
    return Usual(_HERE, {"id": NAME, "filename": NAME, "content": content})


def _list_files(notes: Notes) -> Tool:
    @tool(
        name="list_files",
        returns=ListOf(FILE),
        origin=_ORIGIN,
        reads="files",
        changes=None,
        receivers=nobody,
        picks=True,
        usually=_usually_listed(steer=PUBLIC),
    )
    def list_files() -> Labelled:
        """All of them."""
        found = notes.everything()
        listing = notes.listing(found, steer=PUBLIC)
        return Labelled(tuple(_record(read, listing.gain) for read in found), listing.shape)

    return list_files


def _search_files(notes: Notes) -> Tool:
    @tool(
        name="search_files",
        returns=ListOf(FILE),
        origin=_ORIGIN,
        roles={"query": Role.QUERY},
        reads="files",
        changes=None,
        receivers=nobody,
        picks=True,
        usually=_usually_listed(steer=PRIVATE),
    )
    def search_files(query: str) -> Labelled:
        """By filename or content."""
        found = notes.everything()
        words = folded(query).split()
        ranked = sorted((rank, read.path, read) for read in found if (rank := _rank(read, words)) is not None)
        listing = notes.listing(found, steer=PRIVATE, by_content=True)
        return Labelled(tuple(_record(read, listing.gain) for _, _, read in ranked), listing.shape)

    return search_files


def _rank(read: Read, words: list[str]) -> int | None:
    """0: the words are the name; 1: all are in the name; 2: all are in name or content; None: not found."""
    name = folded(read.path)
    if " ".join(words) in (name, without_extension(read.path)):
        return 0
    if all(word in name for word in words):
        return 1
    whole = f"{name}\n{folded(read.text)}" if read.is_text else name
    return 2 if all(word in whole for word in words) else None


def _read_file(notes: Notes) -> Tool:
    @tool(
        name="read_file",
        returns=FILE,
        origin=_ORIGIN,
        roles={"filename": Role.QUERY},
        reads="files",
        changes=None,
        receivers=nobody,
        picks=True,
        at_once=AT_ONCE,
        usually=_usually_read,
    )
    def read_file(call: ToolCall, filename: str) -> Labelled:
        """The file of that name; of a PDF or DOCX its text."""
        return _record(*notes.asked_for(filename, call.labels["filename"]))

    return read_file


def _append_to_file(notes: Notes) -> Tool:
    def undo(_call: ToolCall, args: dict[str, Plain], _outcome: Plain) -> None:
        with notes.ledger.alone():
            notes.take_back("append_to_file", str(args["filename"]))

    def undo_prospect(_call: ToolCall, args: dict[str, Plain], _outcome: Plain, ahead: Sequence[Prospect]) -> Prospect:
        return notes.taking_back("append_to_file", str(args["filename"]), ahead)

    def happened(call: ToolCall, args: dict[str, Plain]) -> bool | None:
        return notes.has_changed(call, "append_to_file", str(args["filename"]))

    @tool(
        name="append_to_file",
        roles={"filename": Role.TARGET, "text": Role.CONTENT},
        reads="files",
        changes="files",
        receivers=nobody,
        undo=undo,
        undo_prospect=undo_prospect,
        happened=happened,
        prospect=lambda call, args: notes.prospect(
            str(args["filename"]), lambda before: _appended(before, _inert(call, str(args["text"])))
        ),
        may_be_granted=True,
        acting=acting_by_name(notes.resolve),
        summary=lambda args: _summary(notes, "append to", args),
    )
    def append_to_file(call: ToolCall, filename: str, text: str) -> None:
        """Makes the file if needed.

        Control characters in text that others wrote are replaced by U+FFFD, as `_inert` says.
        """
        notes.folder.checked(filename)
        with notes.ledger.alone():
            path = notes.resolve(filename) or filename
            before = notes.text_of(path)
            notes.change(call, "append_to_file", path, before, _appended(before, _inert(call, text)))

    return append_to_file


def _write_file(notes: Notes) -> Tool:
    def undo(_call: ToolCall, args: dict[str, Plain], _outcome: Plain) -> None:
        with notes.ledger.alone():
            notes.take_back("write_file", str(args["filename"]))

    def undo_prospect(_call: ToolCall, args: dict[str, Plain], _outcome: Plain, ahead: Sequence[Prospect]) -> Prospect:
        return notes.taking_back("write_file", str(args["filename"]), ahead)

    def happened(call: ToolCall, args: dict[str, Plain]) -> bool | None:
        return notes.has_changed(call, "write_file", str(args["filename"]))

    @tool(
        name="write_file",
        roles={"filename": Role.TARGET, "text": Role.CONTENT},
        reads="files",
        changes="files",
        receivers=nobody,
        undo=undo,
        undo_prospect=undo_prospect,
        happened=happened,
        prospect=lambda call, args: notes.prospect(
            str(args["filename"]), lambda _before: _inert(call, str(args["text"]))
        ),
        may_be_granted=True,
        acting=acting_by_name(notes.resolve),
        summary=lambda args: _summary(notes, "replace all of", args),
    )
    def write_file(call: ToolCall, filename: str, text: str) -> None:
        """Replaces the whole file.

        Control characters in text that others wrote are replaced by U+FFFD, as `_inert` says.
        """
        notes.folder.checked(filename)
        with notes.ledger.alone():
            existing = notes.resolve(filename)
            if existing is not None and not call.labels["filename"].is_chosen:
                raise ToolError(
                    "files: there is a file of that name, and others' words chose it, so nothing was replaced; name the file yourself"
                )
            path = existing or filename
            notes.change(call, "write_file", path, notes.text_of(path), _inert(call, text))

    return write_file


def _appended(before: bytes | None, text: bytes) -> bytes:
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    return (before or b"") + gap + text


_CONTROL = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _inert(call: ToolCall, text: str) -> bytes:
    """The bytes to write. A person prints their files on a terminal, where a control character of another's would act.

    In text that is not chosen each (C0, DEL, C1, but not newline, CR LF and tab) becomes U+FFFD. What the user or the program wrote stays.
    """
    written = text if call.labels["text"].is_chosen else _CONTROL.sub("\ufffd", text)
    return written.encode("utf-8", "replace")


def _summary(notes: Notes, what: str, args: dict[str, Plain]) -> str:
    """What will happen to which file, after the name is resolved."""
    filename = str(args["filename"])
    try:
        path = notes.resolve(filename)
    except ToolError as error:
        return f"{what} a file (will fail: {error})"
    return f"make the file {filename}" if path is None else f"{what} the file {path}"
