"""The person's files and notes: the folder, who wrote and named what in it, and what its changes need to be taken back.

What stands in a file, and what it is called, is `file:NAME`, untrusted by default, unless the ledger knows who wrote or named it: a folder is
synchronised, shared, unpacked into. Which files there are, and in which order, all who can add one decide (`listed:file:*`). Every change
keeps what it needs to be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from armslength.errors import NoLongerThere, ToolError
from armslength.events import Trust
from armslength.labels import (
    NOTHING,
    PRIVATE,
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
from armslength.tools.backups import Backups, Kept
from armslength.tools.base import Prospect, ToolCall, names_in
from armslength.tools.documents.confinement import MOST_BYTES as MOST_OF_A_DOCUMENT
from armslength.tools.documents.confinement import USUAL, Confinement
from armslength.tools.documents.kinds import is_document
from armslength.tools.documents.reading import read_document
from armslength.tools.folder import Folder, Found
from armslength.tools.ledger import Ledger, digest, knowing, read_back
from armslength.tools.listing import Listing, adding_to, listing_among
from armslength.tools.opened import is_kind, is_plain
from armslength.tools.text.folding import normalized

STORE = Source("store:files", is_trusted=True)
ADDING = adding_to("file")
"""All who can add a file to the folder, as far as that decides what a listing holds: each adds his own, with any name and any words, and so is
found or moves others along. Named like the sources of files, so that what the configuration says of `file:*` holds for it.
"""
MOST_BYTES = 2_000_000
MOST_TOTAL = 50_000_000
NAME = label([STORE], readers=PRIVATE)


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

    def __init__(self, folder: Path, trust: Trust, state: Path, confinement: Confinement = USUAL) -> None:
        """`state`: where the ledger and the backups live. `confinement`: of what reads documents."""
        self.folder = Folder(folder, "files", MOST_BYTES)
        self._documents, self._confinement = Folder(folder, "files", MOST_OF_A_DOCUMENT), confinement
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
            filename,
            lambda path: (
                self._made_label(path, NAME).is_trusted and is_kind(path) and (is_plain(path) or not is_plain(filename))
            ),
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

    def asked_for(self, filename: str, asking: Label) -> tuple[Read, Label]:
        """The file that a name means, labelled `asking`, with what is added by which one it is.

        Said whole, and where no other file could be meant, the name is that of whoever said it and nobody else had a say. A name that differs
        in case or extension from another one's, or is guessed, may mean whichever file somebody adds.

        Raises:
            ToolError: as `existing` and `opened`.
        """
        path = self.existing(filename)
        read = self.opened(path)
        if path == filename and not self._has_twin(path):
            return replace(read, name_label=read_back(asking, STORE)), NOTHING
        return read, self.listing([read], steer=PRIVATE).gain

    def _has_twin(self, path: str) -> bool:
        return sum(without_extension(each.path) in _stems(path) for each in self.folder.files()) > 1

    def listing(self, looked: Iterable[Read], *, steer: Readers, by_content: bool = False) -> Listing:
        """What a listing of these adds: all who can add a file, and who named, or wrote in, those that we made.

        `by_content`: what stands in them decided over it as well. `steer`: as `listing_among` has it.
        """
        ours = self.ledger.names()
        made = [each.name_label for each in looked if _name_object(each.path) in ours]
        written = [each.content_label for each in looked if by_content and each.path in ours]
        return listing_among(STORE, [label([ADDING]), *made, *written], steer=steer)

    def is_there(self, filename: str) -> bool:
        """Whether a file is called just so."""
        return any(found.path == filename for found in self.folder.files())

    def _fitting(self, filename: str, may_be_guessed: Callable[[str], bool]) -> str | None:
        """The file of that very name if there is one, else the only one, of those that may be, that differs in case or extension.

        An extension that the user did not say may be guessed by the program, so another one counts as differing too.
        """
        self.folder.checked(filename)
        paths = [found.path for found in self.folder.files()]
        if filename in paths:
            return filename
        for form, name in (
            (folded, folded(filename)),
            (without_extension, folded(filename)),
            (without_extension, without_extension(filename)),
        ):
            fitting = [path for path in paths if form(path) == name and may_be_guessed(path)]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                raise self.folder.refused("more than one file fits this name; give the whole name with its extension")
        return None

    def _name_label(self, path: str) -> Label:
        return self._made_label(path, label([self.trust(f"file:{path}")], readers=PRIVATE, steer=PRIVATE))

    def _made_label(self, path: str, default: Label) -> Label:
        """Of a name under which we made a file, who wrote it; `default` of others."""
        return read_back(self.ledger.label_of(_name_object(path), path.encode(), default), STORE)

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

    def opened(self, path: str) -> Read:
        """The file at this path, a document as the text that it shows.

        Raises:
            ToolError: it is no text and no document, is too large, or the document cannot be read.
        """
        content = self._documents.read(path)
        if content is None:
            raise self.folder.gone()
        if not is_document(content):
            return self._text_at(path)
        text = read_document(content, path, self._confinement, path).text
        return Read(path, text, True, self._name_label(path), self.content_label(path, content))

    def _text_at(self, path: str) -> Read:
        read = self.read(path)
        if not read.is_text:
            raise self.folder.refused("that file is not text and cannot be read")
        return read

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
        """What the ledger says of this content, else `file:PATH`; private in any case.

        The store is an author of what the assistant wrote alone: else a grant for one file would cover what it wrote into others.
        """
        default = label([self.trust(f"file:{path}")], choice=[STORE], readers=PRIVATE, steer=PRIVATE)
        known = self.ledger.label_of(path, content, default)
        return default if known is default else join(read_back(known, STORE), label(readers=PRIVATE, steer=PRIVATE))

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
        if before is None:
            self.ledger.record(_name_object(path), path.encode(), self._naming(path, name))
        self.folder.write(path, after)

    def _naming(self, path: str, name: Label) -> Label:
        """Of the name of a file that we make. One that was picked out of a listing is that of a file that was there, as others named it."""
        return join(name, label([self.trust(f"file:{path}")])) if ADDING in name.choice else name

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


def folded(path: str) -> str:
    """A path as it is compared, whatever its case."""
    return normalized(path, "NFC").casefold()


def _stems(path: str) -> tuple[str, str]:
    """What another path without its extension is, if one of the two may be meant by the other's name."""
    return folded(path), without_extension(path)


def without_extension(path: str) -> str:
    """The same without what stands behind its last dot."""
    return folded(str(PurePosixPath(path).with_suffix("")))
