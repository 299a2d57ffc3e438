"""The local index of a mailbox on a server: its messages as they were read, and their words, in one SQLite file of mode 600.

A message has a number that begins with its time of delivery, so the newest are found first. Words are found within words, by an index of
trigrams (SQLite FTS5): those of three signs or more by their own, shorter ones by all that begin with them. What left the server is removed, but for id and digest:
a message of the same bytes that appears elsewhere is the same one, which was moved.
"""

from __future__ import annotations

import json
import sqlite3
import weakref
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from armslength.database_file import connected, transaction
from armslength.errors import ToolError
from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.headers import Address
from armslength.tools.mail.mailbox import Entry, key_of
from armslength.tools.mail.message import Attachment, Message

_VERSION = 2
_PLACES = 20  # bits below the second of delivery
_SHORTEST = 3  # signs of a trigram
_MOST_LOST = 20_000
_MOST_TRIED = 2_000
_MOST_TERMS = 400
_END = "\n\n"
"""At the end of each text, so that its last sign begins a trigram too."""
_SCHEMA = """
CREATE TABLE folders(name TEXT PRIMARY KEY, validity INTEGER, following INTEGER, modseq INTEGER, messages INTEGER, unseen INTEGER);
CREATE TABLE mails(
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, folder TEXT NOT NULL, uid INTEGER NOT NULL, is_unread INTEGER NOT NULL,
  delivered INTEGER NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL, key TEXT, from_address TEXT NOT NULL, sender TEXT,
  is_whole INTEGER NOT NULL, message TEXT NOT NULL, UNIQUE(folder, uid));
CREATE INDEX by_folder ON mails(folder, n);
CREATE INDEX by_unread ON mails(folder, n) WHERE is_unread;
CREATE INDEX by_sender ON mails(sender, folder) WHERE sender IS NOT NULL;
CREATE INDEX by_verified ON mails(folder, is_unread) WHERE sender IS NOT NULL;
CREATE INDEX by_key ON mails(key) WHERE key IS NOT NULL;
CREATE INDEX by_ours ON mails(folder, is_unread, n) WHERE key IS NOT NULL;
CREATE TABLE ids(message_id TEXT NOT NULL, n INTEGER NOT NULL, is_own INTEGER NOT NULL, folder TEXT NOT NULL);
CREATE INDEX by_message_id ON ids(message_id, is_own, folder);
CREATE INDEX by_number ON ids(n);
CREATE TABLE raws(n INTEGER PRIMARY KEY, raw BLOB NOT NULL);
CREATE TABLE texts(n INTEGER PRIMARY KEY, text TEXT NOT NULL, who TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(text, who, content='texts', content_rowid='n', tokenize='trigram case_sensitive 1');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'row');
CREATE TABLE lost(id TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE INDEX by_digest ON lost(digest);
CREATE TABLE appended(key TEXT PRIMARY KEY);
CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Known:
    """What the index knows of a folder: that of the server when it was last looked at."""

    validity: int
    following: int
    modseq: int
    messages: int
    unseen: int


@dataclass(frozen=True, slots=True, repr=False)
class Read:
    """A message as it was read. `text` and `who`: folded, for the search."""

    raw: bytes
    message: Message
    sender: Sender | None
    text: str = field(repr=False)
    who: str = field(repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Arrived:
    """A message that appeared in a folder."""

    folder: str
    uid: int
    delivered: datetime
    is_unread: bool
    size: int
    digest: str
    read: Read


@dataclass(frozen=True, slots=True, repr=False)
class Row:
    """A message of the index. `place`: folder and UID."""

    n: int
    entry: Entry
    uid: int
    digest: str
    message: Message
    sender: Sender | None


@dataclass(frozen=True, slots=True)
class Words:
    """What is looked for in these folders: all of `text` in subject, body or name, all of `who` in name or address; each folded."""

    folders: tuple[str, ...]
    text: tuple[str, ...] = field(default=(), repr=False)
    who: tuple[str, ...] = field(default=(), repr=False)
    is_unread: bool = False


_ROW = "n, id, folder, uid, is_unread, delivered, size, digest, sender, is_whole, message"


class Index:
    """The file at `path`. Every method raises ToolError where it cannot be used."""

    def __init__(self, path: Path) -> None:
        """Makes the file with mode 600 if there is none."""
        self.path = path
        try:
            with self._told():
                self._db = connected(path, "NORMAL")
        except OSError as error:
            raise ToolError(
                f"the index {path.name} cannot be opened ({error.strerror}); look at its permissions"
            ) from error
        weakref.finalize(self, self._db.close)
        with self._told():
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA cache_size=-32000")
            self._db.execute("PRAGMA mmap_size=2000000000")
        with self.change():
            self._make()

    def _make(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            raise ToolError(f"the index {self.path.name} is of another version; remove it, it is made anew")
        if version == 0:
            for statement in _SCHEMA.split(";\n"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={_VERSION}")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Everything in the block or nothing of it. Within another such block, part of that."""
        if self._db.in_transaction:
            yield
            return
        with self._told(), transaction(self._db):
            yield

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise ToolError(
                f"the index {self.path.name} cannot be used ({error.sqlite_errorname}); look at space and permissions, or try again"
            ) from error
        except sqlite3.Error as error:
            raise ToolError(f"the index {self.path.name} is damaged; remove it, it is made anew") from error

    def _all(self, statement: str, *given: Any) -> list[Any]:
        with self._told():
            return self._db.execute(statement, given).fetchall()

    # --- what was read ------------------------------------------------------------------------------------------------

    def folders(self) -> dict[str, Known]:
        """What is known of each folder."""
        return {
            name: Known(*rest)
            for name, *rest in self._all("SELECT name, validity, following, modseq, messages, unseen FROM folders")
        }

    def newest(self, words: Words, most: int) -> list[Row]:
        """The newest messages that fit, the newest first; of several with the same bytes one."""
        words = replace(words, text=tuple(map(_text, words.text)), who=tuple(map(_text, words.who)))
        short = [word for word in (*words.text, *words.who) if not _is_indexed(word)]
        found = self._found(words, most, least=self._recent() if short else 0)
        if short and len(found) < most:
            found = self._found(words, most, least=0, begun=[self._beginning_with(word) for word in short])
        once = {each[7]: each for each in reversed(found)}
        return sorted((_row(*each) for each in once.values()), key=lambda row: row.n, reverse=True)[:most]

    def _found(
        self, words: Words, most: int, *, least: int, begun: Iterable[list[str] | None] = ()
    ) -> list[tuple[Any, ...]]:
        """The columns of twice as many messages from the number `least` on. `begun`: trigrams of which a short word needs one."""
        phrases, short = list[str](), list[tuple[str, str]]()
        for column, among in (("text", words.text), ("who", words.who)):
            for word in among:
                if _is_indexed(word):
                    phrases.append(f"{column} : {_phrase(word)}")
                else:
                    short.append((column, word))
        phrases += [f"({' OR '.join(map(_phrase, terms))})" for terms in begun if terms is not None]
        wanted, given = ["m.folder IN (SELECT value FROM json_each(?))", "m.n >= ?"], [json.dumps(words.folders), least]
        if words.is_unread:
            wanted.append("m.is_unread")
        if phrases:
            wanted.append("words MATCH ?")
            given.append(" AND ".join(phrases))
        for column, word in short:
            wanted.append(f"instr(t.{column}, ?)")
            given.append(word)
        table = ("words w CROSS JOIN mails m ON m.n = w.rowid" if phrases else "mails m") + (
            " CROSS JOIN texts t ON t.n = m.n" if short else ""
        )
        columns = ", ".join(f"m.{each}" for each in _ROW.split(", "))
        order = "w.rowid" if phrases else "m.n"
        return self._all(
            f"SELECT {columns} FROM {table} WHERE {' AND '.join(wanted)} ORDER BY {order} DESC LIMIT ?",  # noqa: S608  # own words
            *given,
            2 * most,
        )

    def _recent(self) -> int:
        """The number of the first of the latest messages: among so many a short word is looked for one by one."""
        found = self._all("SELECT n FROM mails ORDER BY n DESC LIMIT 1 OFFSET ?", _MOST_TRIED)
        return int(found[0][0]) if found else 0

    def _beginning_with(self, short: str) -> list[str] | None:
        """The trigrams that begin with a short word; None where there are very many. Every text ends so that each of its signs begins one."""
        found = self._all(
            "SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?",
            short,
            f"{short}\U0010ffff",
            _MOST_TERMS + 1,
        )
        terms = [term for (term,) in found]
        return terms if 0 < len(terms) <= _MOST_TERMS else None

    def senders(self, folders: Iterable[str], *, is_unread: bool = False) -> bool:
        """Whether any of the messages in these folders has a sender that is authenticated."""
        found = self._all(
            "SELECT 1 FROM mails INDEXED BY by_verified WHERE sender IS NOT NULL "
            "AND folder IN (SELECT value FROM json_each(?)) AND is_unread >= ? LIMIT 1",
            json.dumps(list(folders)),
            is_unread,
        )
        return bool(found)

    def bearing_one_of(
        self, folders: Iterable[str], message_ids: Iterable[str], *, is_unread: bool = False
    ) -> frozenset[str]:
        """Those of these ids that messages in the folders bear.

        Ids of the form of ours are compared with those of all messages that have such a one, which are few; others are looked up.
        """
        wanted, named = frozenset(message_ids), json.dumps(list(folders))
        found = self._all(
            "SELECT DISTINCT i.message_id FROM mails m CROSS JOIN ids i ON i.n = m.n WHERE m.key IS NOT NULL AND i.is_own = 1 "
            "AND m.folder IN (SELECT value FROM json_each(?)) AND m.is_unread >= ?",
            named,
            is_unread,
        )
        found += self._all(
            "SELECT DISTINCT i.message_id FROM json_each(?) j CROSS JOIN ids i ON i.message_id = j.value "
            "WHERE i.is_own = 1 AND i.folder IN (SELECT value FROM json_each(?)) "
            "AND (NOT ? OR (SELECT m.is_unread FROM mails m WHERE m.n = i.n))",
            json.dumps(sorted(each for each in wanted if not key_of(each))),
            named,
            is_unread,
        )
        return wanted & {each for (each,) in found}

    def mentioning(self, folders: Iterable[str], message_id: str) -> list[Row]:
        """The messages in these folders that bear that id or say that they follow it."""
        return self._rows("n IN (SELECT n FROM ids WHERE message_id = ?)", folders, message_id)

    def sent_by(self, folders: Iterable[str], address: str) -> list[Row]:
        """The messages in these folders whose authenticated sender has that address, lower case."""
        return self._rows("sender = ?", folders, address)

    def in_folder(self, folder: str) -> list[Row]:
        """All messages of a folder."""
        return self._rows("1", [folder])

    def under_key(self, folders: Iterable[str], key: str) -> list[Row]:
        """The messages in these folders that were put by that key."""
        return self._rows("key = ?", folders, key)

    def by_id(self, message_id: str) -> Row | None:
        """The message of that id of ours."""
        found = self._all(f"SELECT {_ROW} FROM mails WHERE id = ?", message_id)  # noqa: S608  # own words
        return _row(*found[0]) if found else None

    def _rows(self, condition: str, folders: Iterable[str], *given: Any) -> list[Row]:
        named = tuple(folders)
        marks = ",".join("?" * len(named))
        statement = f"SELECT {_ROW} FROM mails WHERE {condition} AND folder IN ({marks}) ORDER BY n DESC"  # noqa: S608  # marks
        return [_row(*each) for each in self._all(statement, *given, *named)]

    def entries(self, folder: str) -> list[Entry]:
        """The messages of a folder, oldest delivery first."""
        found = self._all("SELECT id, delivered, is_unread, size FROM mails WHERE folder = ? ORDER BY n", folder)
        return [Entry(each, folder, _moment(when), bool(unread), size) for each, when, unread, size in found]

    def raw(self, n: int) -> bytes:
        """The bytes that are kept of a message."""
        found = self._all("SELECT raw FROM raws WHERE n = ?", n)
        return zlib.decompress(found[0][0]) if found else b""

    def uids(self, folder: str) -> frozenset[int]:
        """The UIDs of a folder's messages."""
        return frozenset(uid for (uid,) in self._all("SELECT uid FROM mails WHERE folder = ?", folder))

    def fact(self, name: str) -> str:
        """Something that was noted."""
        found = self._all("SELECT value FROM facts WHERE name = ?", name)
        return str(found[0][0]) if found else ""

    def has_appended(self, key: str) -> bool:
        """Whether the server was asked, or was about to be, to take a message with that key."""
        return bool(self._all("SELECT 1 FROM appended WHERE key = ?", key))

    # --- changes ------------------------------------------------------------------------------------------------------

    def note(self, name: str, value: str) -> None:
        """Note something."""
        self._all("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value)

    def appending(self, key: str) -> None:
        """The server is about to be asked to take a message with that key."""
        self._all("INSERT OR IGNORE INTO appended VALUES (?)", key)

    def not_appended(self, key: str) -> None:
        """The server said that it does not take it."""
        self._all("DELETE FROM appended WHERE key = ?", key)

    def know(self, folder: str, known: Known) -> None:
        """A folder was looked at."""
        row = (known.validity, known.following, known.modseq, known.messages, known.unseen)
        self._all("INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?, ?, ?)", folder, *row)

    def forget_folder(self, folder: str) -> None:
        """A folder is gone, or the server forgot its UIDs: nothing is known of it, and its messages are lost until they appear again."""
        self.lose(folder, self.uids(folder))
        self._all("DELETE FROM folders WHERE name = ?", folder)

    def lose(self, folder: str, uids: Iterable[int]) -> None:
        """These messages are no longer in the folder. Only their ids and digests stay."""
        with self.change():
            for uid in uids:
                for n, kept, digest in self._all(
                    "SELECT n, id, digest FROM mails WHERE folder = ? AND uid = ?", folder, uid
                ):
                    self._all("INSERT OR REPLACE INTO lost VALUES (?, ?)", kept, digest)
                    self._remove(n)
            self._all(
                "DELETE FROM lost WHERE rowid NOT IN (SELECT rowid FROM lost ORDER BY rowid DESC LIMIT ?)",
                _MOST_LOST,
            )

    def set_unread(self, folder: str, unread: dict[int, bool]) -> None:
        """By UID, whether messages are unread."""
        with self.change():
            self._db.executemany(
                "UPDATE mails SET is_unread = ? WHERE folder = ? AND uid = ? AND is_unread <> ?",
                ((value, folder, uid, value) for uid, value in unread.items()),
            )

    def add(self, arrived: Arrived) -> None:
        """A message appeared. It is one that was lost if it has the same bytes, and a new one otherwise."""
        with self.change():
            again = self._all("SELECT id FROM lost WHERE digest = ? LIMIT 1", arrived.digest)
            kept = again[0][0] if again else token_hex(12)
            self._all("DELETE FROM lost WHERE id = ?", kept)
            seconds = int(arrived.delivered.timestamp())
            first = max(seconds, 0) << _PLACES
            ((latest,),) = self._all(
                "SELECT max(n) FROM mails WHERE n BETWEEN ? AND ?", first, first + (1 << _PLACES) - 1
            )
            n = first if latest is None else latest + 1
            read = arrived.read
            place = (n, kept, arrived.folder, arrived.uid, arrived.is_unread, seconds, arrived.size, arrived.digest)
            self._all(
                "INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', NULL, 0, '')",
                *place,
                key_of(read.message.message_id) or None,
            )
            self._all("INSERT INTO raws VALUES (?, ?)", n, zlib.compress(read.raw, 1))
            self._set_read(n, read)

    def read_again(self, n: int, read: Read) -> None:
        """What was made out of the bytes of a message is made out anew."""
        with self.change():
            self._remove_words(n)
            self._set_read(n, read)

    def numbers(self) -> list[tuple[int, datetime]]:
        """All messages: their numbers and times of delivery."""
        return [(n, _moment(when)) for n, when in self._all("SELECT n, delivered FROM mails ORDER BY n")]

    def from_nobody(self, since: datetime) -> list[tuple[int, datetime]]:
        """The messages delivered since then of which nobody vouches for the sender."""
        first = max(int(since.timestamp()), 0) << _PLACES
        found = self._all("SELECT n, delivered FROM mails WHERE sender IS NULL AND n >= ?", first)
        return [(n, _moment(when)) for n, when in found]

    def _set_read(self, n: int, read: Read) -> None:
        message, sender = read.message, read.sender
        self._all(
            "UPDATE mails SET from_address = ?, sender = ?, is_whole = ?, message = ? WHERE n = ?",
            _text(message.from_address.lower()),
            None
            if sender is None or sender.address.lower() != message.from_address.lower()
            else sender.address.lower(),
            sender is not None and sender.is_whole,
            _to_json(message, sender),
            n,
        )
        answered = {*message.references, message.in_reply_to} - {""}
        ((folder,),) = self._all("SELECT folder FROM mails WHERE n = ?", n)
        own = {message.message_id} - {""}
        rows = [(_text(each), n, is_own, folder) for is_own, ids in ((0, answered), (1, own)) for each in ids]
        self._db.executemany("INSERT INTO ids VALUES (?, ?, ?, ?)", rows)
        text, who = _text(read.text) + _END, _text(read.who) + _END
        self._all("INSERT INTO texts VALUES (?, ?, ?)", n, text, who)
        self._all("INSERT INTO words(rowid, text, who) VALUES (?, ?, ?)", n, text, who)

    def _remove_words(self, n: int) -> None:
        for text, who in self._all("SELECT text, who FROM texts WHERE n = ?", n):
            self._all("INSERT INTO words(words, rowid, text, who) VALUES ('delete', ?, ?, ?)", n, text, who)
        self._all("DELETE FROM texts WHERE n = ?", n)
        self._all("DELETE FROM ids WHERE n = ?", n)

    def _remove(self, n: int) -> None:
        self._remove_words(n)
        self._all("DELETE FROM raws WHERE n = ?", n)
        self._all("DELETE FROM mails WHERE n = ?", n)


def _phrase(word: str) -> str:
    """As FTS5 takes it, whatever is in it."""
    return '"' + word.replace('"', '""') + '"'


def _is_indexed(word: str) -> bool:
    return len(word) >= _SHORTEST


def _text(text: str) -> str:
    """As SQLite keeps it whole: what stands behind a NUL is not indexed."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)


def _to_json(message: Message, sender: Sender | None) -> str:
    fields = asdict(message)
    fields["date_claimed"] = None if message.date_claimed is None else message.date_claimed.isoformat()
    return json.dumps([fields, None if sender is None else asdict(sender)])


def _row(  # noqa: PLR0913, PLR0917  # the columns
    n: int, kept: str, folder: str, uid: int, is_unread: int, delivered: int, size: int, digest: str, *rest: Any
) -> Row:
    fields, sender = json.loads(rest[-1])
    for name in ("reply_to", "to", "cc"):
        fields[name] = tuple(Address(**each) for each in fields[name])
    fields["attachments"] = tuple(Attachment(**each) for each in fields["attachments"])
    fields["references"], fields["flaws"] = tuple(fields["references"]), tuple(fields["flaws"])
    claimed = fields["date_claimed"]
    fields["date_claimed"] = None if claimed is None else datetime.fromisoformat(claimed)
    entry = Entry(kept, folder, _moment(delivered), bool(is_unread), size)
    return Row(n, entry, uid, digest, Message(**fields), None if sender is None else Sender(**sender))
