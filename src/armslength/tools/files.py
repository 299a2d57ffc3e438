"""Files and notes in one folder: list, search, read, append, write.

File names are the store's own knowledge and trusted, unless our ledger says that an untrusted value named the file. What stands in a file
is `file:NAME`, untrusted by default, unless the ledger knows who wrote it. Every change keeps what it needs to be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from armslength.errors import NoLongerThere, ToolError
from armslength.events import Trust
from armslength.labels import (
    NOTHING,
    PRIVATE,
    PUBLIC,
    SATURATED,
    Label,
    Readers,
    Source,
    construct,
    join,
    label,
    steered,
    steering,
)
from armslength.schema import ListOf, Origin
from armslength.tools.backups import Backups, Kept
from armslength.tools.base import Prospect, Role, Tool, ToolCall, names_in, nobody, record_type, tool
from armslength.tools.folder import Folder, Found
from armslength.tools.ledger import Ledger, digest, knowing, read_back
from armslength.tools.listing import listing_among
from armslength.tools.opened import acting_by_name, is_plain
from armslength.tools.text.folding import normalized
from armslength.tools.usual import Usual, Usually
from armslength.values import Labelled, Plain

STORE = Source("store:files", is_trusted=True)
MOST_BYTES = 2_000_000
MOST_TOTAL = 50_000_000
_NAME = label([STORE], readers=PRIVATE)
_HERE = label([STORE])
"""That a record is a file's, which is all that having it tells; which file it is, its name says."""
_ORIGIN = Origin("file")


@dataclass(frozen=True, slots=True, repr=False)
class File:
    """A file as programs see it; `filename` is the path below the folder."""

    id: str
    filename: str
    content: str


FILE = record_type(File)


@dataclass(frozen=True, slots=True, repr=False)
class Read:
    """A file that was read: its path, its text (a note in brackets if it has none), and the labels of both."""

    path: str
    text: str
    is_text: bool
    name_label: Label
    content_label: Label


class Notes:
    """The folder with its ledger and backups."""

    def __init__(self, folder: Path, trust: Trust, state: Path) -> None:
        self.folder = Folder(folder, "files", MOST_BYTES)
        self.trust = knowing(trust, STORE)
        self.ledger = Ledger(state / "files.ledger.json", self.trust)
        self.backups = Backups(state / "files.backups", self.trust)

    def resolve(self, filename: str) -> str | None:
        """The path that a name means where something is changed: one that others gave to a file must be said whole.

        Else whoever names a file would decide which one is changed, and stand in the line that says so as if it were the user's word. A name
        of a plain kind means no file of a kind that acts when it is opened.

        Raises:
            ToolError: the name is refused, or several files fit.
        """
        return self._fitting(
            filename, lambda path: self._name_label(path).is_trusted and (is_plain(path) or not is_plain(filename))
        )

    def existing(self, filename: str) -> str:
        """The path that a name means where something is read; what is read is labelled by who wrote and named it.

        Raises:
            ToolError: as `resolve`, or there is no such file.
        """
        path = self._fitting(filename, lambda _path: True)
        if path is None:
            raise self.folder.refused("there is no file of this name; list_files shows what there is")
        return path

    def _fitting(self, filename: str, may_be_guessed: Callable[[str], bool]) -> str | None:
        """The file of that very name if there is one, else the only one, of those that may be, that differs in case or extension.

        An extension that the user did not say may be guessed by the program, so another one counts as differing too.
        """
        self.folder.checked(filename)
        paths = [found.path for found in self.folder.files()]
        if filename in paths:
            return filename
        for form, name in (
            (_folded, _folded(filename)),
            (_without_extension, _folded(filename)),
            (_without_extension, _without_extension(filename)),
        ):
            fitting = [path for path in paths if form(path) == name and may_be_guessed(path)]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                raise self.folder.refused("more than one file fits this name; give the whole name with its extension")
        return None

    def _name_label(self, path: str) -> Label:
        return read_back(self.ledger.label_of(_name_object(path), path.encode(), _NAME), STORE)

    def read(self, path: str, *, size: int = 0) -> Read:
        """The file at this path; one that is too large or no text has a note in place of its text."""
        name_label = self._name_label(path)
        if size > MOST_BYTES:
            return Read(path, f"[not shown: {size:,} bytes]", False, name_label, self.content_label(path, b""))
        content = self.folder.read(path)
        if content is None:
            raise self.folder.gone()
        content_label = self.content_label(path, content)
        if b"\0" in content:
            return Read(path, f"[not text: {len(content):,} bytes]", False, name_label, content_label)
        return Read(path, content.decode("utf-8-sig", "replace"), True, name_label, content_label)

    def everything(self) -> list[Read]:
        """Every file, by path.

        Raises:
            ToolError: together they are over the limit.
        """
        found = self.folder.files()
        if sum(each.size for each in found if each.size <= MOST_BYTES) > MOST_TOTAL:
            raise self.folder.refused(f"more than {MOST_TOTAL:,} bytes; point the configuration at a smaller folder")
        return list(self._still_there(found))

    def _still_there(self, found: list[Found]) -> Iterator[Read]:
        for each in found:
            try:
                read = self.read(each.path, size=each.size)
            except NoLongerThere:
                continue
            yield read

    def content_label(self, path: str, content: bytes) -> Label:
        """What the ledger says of this content, else `file:PATH`; private in any case."""
        default = label([self.trust(f"file:{path}")], readers=PRIVATE, steer=PRIVATE)
        return join(
            read_back(self.ledger.label_of(path, content, default), STORE), label(readers=PRIVATE, steer=PRIVATE)
        )

    def text_of(self, path: str) -> bytes | None:
        """The bytes of a file that is to be changed, None if there is none.

        Raises:
            ToolError: it is no text, so that text in it would destroy it.
        """
        content = self.folder.read(path)
        if content is not None and b"\0" in content:
            raise self.folder.refused("that file is not text, so no text is written into it")
        return content

    def change(self, call: ToolCall, tool_name: str, path: str, before: bytes | None, after: bytes) -> None:
        """Keep the earlier bytes, record the label of the new ones, then replace the file."""
        text, name = call.labels["text"], call.labels["filename"]
        old = None if before is None else self.content_label(path, before)
        written = text if old is None or tool_name == "write_file" else construct(old, text)
        self.backups.keep(f"{tool_name} {path}", after, Kept(before, old, call.key))
        self.ledger.record(path, after, steered(written, steering(name, SATURATED)))
        if before is None and not name.is_trusted:
            self.ledger.record(_name_object(path), path.encode(), name)
        self.folder.write(path, after)

    def prospect(self, filename: str, change: Callable[[bytes | None], bytes]) -> Prospect:
        """The file's text before and after a change, for whoever is asked about it.

        Raises:
            ToolError: the name is refused, or the file is no text.
        """
        self.folder.checked(filename)
        path = self.resolve(filename) or filename
        before = self.text_of(path)
        shown = None if before is None else before.decode("utf-8", "replace")
        whose = () if before is None else names_in(self.content_label(path, before))
        state = "" if before is None else digest(before)
        return Prospect(path, shown, change(before).decode("utf-8", "replace"), whose, ("text",), state)

    def has_changed(self, call: ToolCall, tool_name: str, filename: str) -> bool | None:
        """Whether a change that was begun got done: the backup, which comes first, says what it began from and what it leaves.

        None where the file is neither by now.
        """
        path = self.resolve(filename) or filename
        made, now = self.backups.made_by(f"{tool_name} {path}", call.key), self.folder.read(path)
        if made is None or now == made.before:
            return False
        return True if now is not None and made.leaves(now) else None

    def taking_back(self, tool_name: str, filename: str, ahead: Sequence[Prospect]) -> Prospect:
        """The file's text before and after `take_back`, once inverses that leave these are done.

        Raises:
            ToolError: `take_back` would refuse.
        """
        path = self.resolve(filename) or filename
        change, mine = f"{tool_name} {path}", [each for each in ahead if each.place == path]
        content = self.folder.read(path) if not mine else None
        before = mine[-1].after if mine else None if content is None else content.decode("utf-8", "replace")
        is_now = mine[-1].state.split()[-1] if mine else digest(content or b"")
        state = f"{change} {is_now}"
        later = sum(each.state.startswith(f"{state} ") for each in mine)
        kept = None if before is None else self.backups.earlier(change, is_now, later)
        if kept is None:
            raise self._is_another()
        is_there = kept.before is not None and kept.label is not None
        left = kept.before if is_there else None
        whose = () if mine or content is None else names_in(self.content_label(path, content))
        after = None if left is None else left.decode("utf-8", "replace")
        return Prospect(path, before, after, whose, state=f"{state} {digest(left or b'')}")

    def _is_another(self) -> ToolError:
        return self.folder.refused(
            "the file was changed since, or what it was is not kept any more, so nothing was undone; edit it by hand"
        )

    def take_back(self, tool_name: str, filename: str) -> None:
        """Put the earlier bytes and their label back, if the file still is as the tool left it.

        Raises:
            ToolError: the file is another now, or no backup is left; nothing was changed.
        """
        path = self.resolve(filename) or filename
        change, now = f"{tool_name} {path}", self.folder.read(path)
        kept = None if now is None else self.backups.latest(change, now)
        if now is None or kept is None:
            raise self._is_another()
        if kept.before is None or kept.label is None:
            self.folder.remove(path)
            self.ledger.forget(path)
            self.ledger.forget(_name_object(path))
        else:
            self.folder.write(path, kept.before)
            self.ledger.record(path, kept.before, kept.label)
        self.backups.drop_latest(change, now)


def _name_object(path: str) -> str:
    return f"{path}//name"


def _folded(path: str) -> str:
    return normalized(path, "NFC").casefold()


def _without_extension(path: str) -> str:
    return _folded(str(PurePosixPath(path).with_suffix("")))


def file_tools(folder: Path, trust: Trust, state: Path) -> list[Tool]:
    """The tools over the files below `folder`; `state` is where the ledger and the backups live."""
    notes = Notes(folder, trust, state)
    return [_list_files(notes), _search_files(notes), _read_file(notes), _append_to_file(notes), _write_file(notes)]


def _record(read: Read, gain: Label) -> Labelled:
    name_label, content_label = steered(read.name_label, gain), steered(read.content_label, gain)
    parts = {
        "id": Labelled(read.path, name_label),
        "filename": Labelled(read.path, name_label),
        "content": Labelled(read.text, content_label),
    }
    return Labelled(parts, steered(_HERE if read.name_label.is_trusted else read.name_label, gain), FILE)


def _usually(*, steer: Readers) -> Usually:
    """A file of the person's whose name is the store's own, and whose text is its own source."""

    def of(args: Mapping[str, Plain], _where: str) -> Usual:
        name = args.get("filename")
        content = label([Source(f"file:{name}" if isinstance(name, str) else "file:*")], readers=PRIVATE, steer=PRIVATE)
        if steer is PUBLIC:
            return Usual(_HERE, {"id": _NAME, "filename": _NAME, "content": content}, shape=_NAME)
        listing = listing_among(STORE, [content, _NAME], steer=steer)
        labels = {"id": _NAME, "filename": _NAME, "content": content}
        fields = {name: steered(each, listing.gain) for name, each in labels.items()}
        return Usual(steered(_HERE, listing.gain), fields, shape=listing.shape)

    return of


def _list_files(notes: Notes) -> Tool:
    @tool(
        name="list_files",
        returns=ListOf(FILE),
        origin=_ORIGIN,
        reads="files",
        changes=None,
        receivers=nobody,
        picks=True,
        usually=_usually(steer=PUBLIC),
    )
    def list_files() -> Labelled:
        """All of them."""
        found = notes.everything()
        shape = _NAME
        for read in (each for each in found if not each.name_label.is_trusted):
            shape = join(shape, steering(read.name_label, SATURATED))
        return Labelled(tuple(_record(read, NOTHING) for read in found), shape)

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
        usually=_usually(steer=PRIVATE),
    )
    def search_files(query: str) -> Labelled:
        """By filename or content."""
        found = notes.everything()
        words = _folded(query).split()
        ranked = sorted((rank, read.path, read) for read in found if (rank := _rank(read, words)) is not None)
        labels = [each for read in found for each in (read.content_label, read.name_label)]
        listing = listing_among(STORE, labels, steer=PRIVATE)
        return Labelled(tuple(_record(read, listing.gain) for _, _, read in ranked), listing.shape)

    return search_files


def _rank(read: Read, words: list[str]) -> int | None:
    """0: the words are the name; 1: all are in the name; 2: all are in name or content; None: not found."""
    name = _folded(read.path)
    if " ".join(words) in (name, _without_extension(read.path)):
        return 0
    if all(word in name for word in words):
        return 1
    whole = f"{name}\n{_folded(read.text)}" if read.is_text else name
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
        usually=_usually(steer=PUBLIC),
    )
    def read_file(filename: str) -> Labelled:
        """The file of that name."""
        read = notes.read(notes.existing(filename))
        if not read.is_text:
            raise notes.folder.refused("that file is not text and cannot be read")
        return _record(read, NOTHING)

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
