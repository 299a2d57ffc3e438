"""One connection to an IMAP server: what is asked of it, and every way in which that fails as one error.

This file and `client` alone import `imap_tools`. Nothing that the server says goes into a message. Sources: RFC 3501, 4315, 6851, 7162, 9051.
"""

from __future__ import annotations

import imaplib
import re
import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from armslength.certificates import untrusted
from armslength.errors import ConfigError, ToolError
from armslength.installing import install_command
from armslength.tools.mail.client import box_of
from armslength.tools.mail.secrets import login_secret
from armslength.tools.mail.settings import ImapServer

_AT_ONCE = 50
_LONGEST_ITEM = 8_192
"""Bytes of what is said of a folder or around a message."""
_CODES = {
    "OVERQUOTA": "the mailbox on the server is full; make room in it",
    "LIMIT": "the server allows no more of this now; try again later",
    "NOPERM": "the account may not do this; look at its rights on the server",
    "TRYCREATE": "the folder is not there",
    "NONEXISTENT": "the folder is not there",
    "INUSE": "another program uses the folder; try again",
    "UNAVAILABLE": "the server cannot do this now; try again later",
    "SERVERBUG": "the server reports a fault of its own; try again later",
}
"""Response codes (RFC 5530, 9208) and what they mean to the person. Of what else the server answers nothing is repeated."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder by the server's name and its attributes, without backslash, in lower case: `sent`, `trash` (RFC 6154)."""

    name: str
    attributes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Status:
    """What a server says of a folder. `modseq`: of its latest change, 0 where the server keeps none (RFC 7162)."""

    validity: int
    following: int
    messages: int
    unseen: int
    modseq: int


@dataclass(frozen=True, slots=True, repr=False)
class Fetched:
    """A message. `size` as the server counts it; `raw` ends where the bound was."""

    uid: int
    delivered: datetime
    is_unread: bool
    size: int
    raw: bytes = field(repr=False)


class Connection:
    """A connection that is logged in, to one server. Every method raises ToolError where it cannot, and then it is closed."""

    def __init__(self, server: ImapServer) -> None:
        """Connects and logs in.

        Raises:
            ConfigError: the server does not accept the user, or has a certificate that is not accepted.
            OperatorError: the secret is not given.
            ToolError: it cannot be reached, or answers nonsense.
        """
        self._server = server
        self.is_cut = False
        """Whether a command went out whose answer never came: what became of it is not known."""
        check_installed()
        secret = login_secret(self.place, server.user, server.secret)
        with self._told("cannot be reached"):
            self._box = box_of(server)
        try:
            self._log_in(secret)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave, without waiting for an answer."""
        self._box.client.shutdown()

    def is_alive(self) -> bool:
        """Whether it still answers."""
        try:
            return bool(self._box.client.noop()[0] == "OK")
        except (OSError, EOFError, imaplib.IMAP4.error):
            return False

    def folders(self) -> list[Folder]:
        """The folders in which messages can lie."""
        with self._told("does not list its folders"):
            found = list(_listed(self._answered(self._box.client.list())))
        return [each for each in found if not each.attributes & {"noselect", "nonexistent"} and each.name.isprintable()]

    def status(self, folder: str) -> Status:
        """What is in a folder."""
        wanted = "UIDVALIDITY UIDNEXT MESSAGES UNSEEN" + (" HIGHESTMODSEQ" if self._has("CONDSTORE") else "")
        with self._told("does not say what is in a folder"):
            answered = self._answered(self._box.client.status(_quoted(folder), f"({wanted})"))
            numbers = dict(re.findall(r"([A-Z]{1,20}) (\d{1,20})", _last_parentheses(answered)))
            return Status(
                _number(numbers["UIDVALIDITY"]),
                _number(numbers["UIDNEXT"]),
                _number(numbers["MESSAGES"]),
                _number(numbers["UNSEEN"]),
                _number(numbers.get("HIGHESTMODSEQ", "0"), bits=63),
            )

    def select(self, folder: str, *, is_changing: bool = False) -> int:
        """Open a folder; gives its UIDVALIDITY."""
        with self._told("does not open a folder"):
            self._answered(self._box.client.select(_quoted(folder), readonly=not is_changing))
            answered = self._box.client.untagged_responses.get("UIDVALIDITY", [b""])
            return _number(answered[-1])

    def uids(self, first: int = 1) -> list[int]:
        """The UIDs from `first` on in the open folder, in order."""
        with self._told("does not list a folder"):
            (line, *_) = self._answered(self._box.client.uid("SEARCH", "UID", f"{first}:*"))
            # `n:*` holds the last message also where its UID is below n.
            return sorted(uid for uid in map(_number, (line or b"").split()) if uid >= first)

    def bearing(self, message_id: str) -> list[int]:
        """The UIDs of the messages in the open folder with that Message-ID."""
        with self._told("does not search a folder"):
            wanted = ("HEADER", "Message-ID", f'"{message_id}"')
            (line, *_) = self._answered(self._box.client.uid("SEARCH", *wanted))
            return sorted(map(_number, (line or b"").split()))

    def unread(self, since: int = 0) -> dict[int, bool]:
        """By UID, whether a message of the open folder is unread; only those that changed `since` a modification sequence, if one is given."""
        with self._told("does not say what was read"):
            more = [f"(CHANGEDSINCE {since})"] if since else []
            data = self._answered(self._box.client.uid("FETCH", "1:*", "(UID FLAGS)", *more))
            return {head.uid: head.is_unread for head, _ in _messages(data)}

    def fetch(self, uids: Iterable[int], most: int) -> Iterator[Fetched]:
        """These messages of the open folder, up to so many bytes of each. What is there no more is left out."""
        wanted = sorted(uids)
        for at in range(0, len(wanted), _AT_ONCE):
            batch = wanted[at : at + _AT_ONCE]
            with self._told("does not give a message"):
                parts = f"(UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{most}>)"
                data = self._answered(self._box.client.uid("FETCH", _numbers(batch), parts))
                found = [_fetched(head, raw) for head, raw in _messages(data) if raw is not None]
            yield from (each for each in found if each.uid in batch)

    def append(self, folder: str, raw: bytes, flags: str) -> None:
        """Add a message with these flags. Lines of `raw` end with LF or CRLF."""
        with self._told("does not take a message"):
            wire = re.sub(rb"\r?\n", b"\r\n", raw)
            when = imaplib.Time2Internaldate(datetime.now(UTC))
            self._answered(self._box.client.append(_quoted(folder), f"({flags})" if flags else "", when, wire))

    def move(self, uid: int, folder: str) -> None:
        """Move a message of the open folder, in one step of the server's (RFC 6851).

        Raises:
            ToolError: also where the server has no such step: a copy and a removal could be cut in two.
        """
        if not self._has("MOVE"):
            raise ToolError(f"{self.place}: it cannot move a mail in one step, so none is moved; move it yourself")
        with self._told("does not move a message"):
            self._answered(self._box.client.uid("MOVE", str(uid), _quoted(folder)))

    def flag(self, uid: int, flags: str) -> None:
        """Add flags to a message of the open folder."""
        with self._told("does not flag a message"):
            self._answered(self._box.client.uid("STORE", str(uid), "+FLAGS.SILENT", f"({flags})"))

    def create(self, folder: str) -> None:
        """Make a folder."""
        with self._told("does not make a folder"):
            self._answered(self._box.client.create(_quoted(folder)))

    @property
    def place(self) -> str:
        """The server, for messages."""
        return f"mail server {self._server.host}"

    def _has(self, capability: str) -> bool:
        return capability in self._box.client.capabilities

    def _log_in(self, secret: str) -> None:
        client, server = self._box.client, self._server
        try:
            with self._told("does not answer the login"):
                if server.login == "oauth":
                    first = [f"user={server.user}\1auth=Bearer {secret}\1\1".encode()]
                    # After a refusal the server sends its reason and wants an empty answer.
                    client.authenticate("XOAUTH2", lambda _: first.pop() if first else b"")
                else:
                    self._answered(client.login(server.user, secret))
                client._get_capabilities()  # noqa: SLF001  # those after the login are others
        except _Refused:
            raise ConfigError(
                f"{self.place}: it does not accept the user and the {'token' if server.login == 'oauth' else 'password'}; "
                "look at both, and whether the account needs a password for programs"
            ) from None

    def _answered(self, answer: tuple[str, list[Any]]) -> list[Any]:
        status, data = answer
        if status != "OK":
            raise _No(b" ".join(each for each in data if isinstance(each, bytes)))
        return data

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Turns every failure of the block into one ToolError, or ConfigError for a certificate, and closes the connection."""
        check_installed()
        from imap_tools.errors import ImapToolsError

        try:
            yield
        except (ToolError, ConfigError, _Refused):
            raise
        except _No as error:
            raise ToolError(f"{self.place}: {_meaning(error.answer) or f'it {what}; try again later'}") from None
        except ssl.SSLCertVerificationError as error:
            raise ConfigError(f"{self.place} {untrusted(error, self._server.setting)}") from None
        except TimeoutError:
            self._drop()
            raise ToolError(f"{self.place}: no whole answer within {self._server.timeout:.0f} s; try again") from None
        except socket.gaierror:
            self._drop()
            raise ToolError(f"{self.place}: there is no such server; look at host, or at your network") from None
        except (OSError, EOFError, imaplib.IMAP4.abort) as error:
            self._drop()
            name = type(error).__name__ if isinstance(error, OSError) else "it hung up"
            raise ToolError(f"{self.place}: the connection failed ({name}); try again") from None
        except imaplib.IMAP4.error as error:
            if "login" in what and client_said_no(error):
                raise _Refused from None
            self._drop()
            raise ToolError(f"{self.place}: it {what}; try again later") from None
        except (ImapToolsError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError, RecursionError):
            self._drop()
            raise ToolError(f"{self.place}: it answers what is no IMAP; look at host and port") from None

    def _drop(self) -> None:
        self.is_cut = True
        if hasattr(self, "_box"):
            self.close()


def client_said_no(error: imaplib.IMAP4.error) -> bool:
    """Whether a login failed by the server's word: what imaplib raises then is of this very class."""
    return type(error) is imaplib.IMAP4.error


class _No(Exception):
    """The server's NO or BAD."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        super().__init__()


class _Refused(Exception):
    """The server does not accept the user."""


def _meaning(answer: bytes) -> str | None:
    code = re.match(rb"\s*\[([A-Z]{1,20})[^\]]*\]", answer.upper())
    return _CODES.get(code[1].decode()) if code else None


def _quoted(folder: str) -> str:
    """A folder's name on the wire: modified UTF-7 (RFC 3501, 5.1.3), quoted."""
    from imap_tools.imap_utf7 import utf7_encode

    text = utf7_encode(folder).decode("ascii")
    if not text.isprintable():
        raise ToolError("mailbox: a folder of this name cannot be asked for; choose another")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _numbers(uids: Iterable[int]) -> str:
    return ",".join(map(str, uids))


def _number(digits: bytes | str, bits: int = 32) -> int:
    """A number of the protocol's (RFC 9051, section 9: of 32 bits; RFC 7162, section 7: a modification sequence has 63).

    Raises:
        ValueError: it is none.
    """
    number = int(digits)
    if not 0 <= number < 1 << bits:
        raise ValueError("no number of the protocol's")
    return number


def _last_parentheses(data: list[Any]) -> str:
    text = b" ".join(each if isinstance(each, bytes) else b" ".join(each) for each in data if each)
    if len(text) > _LONGEST_ITEM:
        raise ValueError("a line beyond the bound")
    return text.rpartition(b"(")[2].decode("ascii", "replace")


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands around the bytes of a message in an answer."""

    uid: int
    is_unread: bool
    delivered: datetime | None
    size: int | None


_LISTED = re.compile(rb'\(([^()]*+)\) (?:NIL|"\\?[^\r\n]") (.++)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")


def _listed(data: list[Any]) -> Iterator[Folder]:
    """The folders in an answer to LIST (RFC 9051, section 7.3.1), in time that grows with it. What is none is left out.

    Raises:
        ValueError: one is longer than a folder can be.
    """
    from imap_tools.imap_utf7 import utf7_decode

    for item in data:
        text, literal = (item[0], item[1]) if isinstance(item, tuple) else (item or b"", None)
        if len(text) + len(literal or b"") > _LONGEST_ITEM:
            raise ValueError("a folder beyond the bound")
        found = _LISTED.fullmatch(text)
        if found is None:
            continue
        name = utf7_decode(found[2] if literal is None else literal)
        if literal is None and len(name) > 1 and name.startswith('"') and name.endswith('"'):
            name = _ESCAPED.sub(r"\1", name[1:-1])
        flags = found[1].decode("ascii", "replace").lower().split()
        yield Folder(name, frozenset(flag.lstrip("\\") for flag in flags))


_UID = re.compile(rb"\bUID (\d{1,10})")
_FLAGS = re.compile(rb"\bFLAGS \(([^()]*)\)")
_WHEN = re.compile(rb'\bINTERNALDATE ("[^"]{20,30}")')
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,15})")


def _messages(data: list[Any]) -> Iterator[tuple[_Head, bytes | None]]:
    """The messages in an answer to FETCH: what stands around each, and its bytes if they were asked for. Others' news are left out."""
    around, raw = b"", None
    for item in data:
        text, literal = (item[0], item[1]) if isinstance(item, tuple) else (item or b"", None)
        if len(around) + len(text) > _LONGEST_ITEM:
            raise ValueError("a line beyond the bound")
        around, raw = around + b" " + text, raw if literal is None else literal
        if literal is None and text.endswith(b")"):
            head = _head(around)
            if head is not None:
                yield head, raw
            around, raw = b"", None


def _head(around: bytes) -> _Head | None:
    uid, flags, when, size = (each.search(around) for each in (_UID, _FLAGS, _WHEN, _SIZE))
    if uid is None or flags is None:
        return None
    read = {each.lower() for each in flags[1].split()}
    return _Head(
        _number(uid[1]),
        b"\\seen" not in read,
        None if when is None else _moment(when[1]),
        int(size[1]) if size else None,
    )


def _moment(text: bytes) -> datetime:
    return datetime.strptime(text.decode("ascii").strip('" '), "%d-%b-%Y %H:%M:%S %z").astimezone(UTC)


def _fetched(head: _Head, raw: bytes) -> Fetched:
    if head.delivered is None or head.size is None:
        raise ValueError
    return Fetched(head.uid, head.delivered, head.is_unread, head.size, raw)


def check_installed() -> None:
    """That the library is there.

    Raises:
        ConfigError: it is not.
    """
    try:
        import imap_tools  # noqa: F401  # only whether it is there
    except ImportError:
        raise ConfigError(
            f"mail on a server needs packages that are not installed; run {install_command('mail')}"
        ) from None
