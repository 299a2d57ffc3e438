"""The client beneath a connection to an IMAP server: each answer is bounded in time and size, whatever the server does.

Sources: RFC 3501, 9051; the standard library's `imaplib`, whose own time counts from byte to byte.
"""

from __future__ import annotations

import imaplib
import io
import socket
import ssl
from contextlib import suppress
from typing import Any

from armslength.certificates import trusting
from armslength.deadlines import Deadline
from armslength.tools.mail.settings import ImapServer

_LONGEST_LINE = 20_000_000
"""Bytes of a line without a literal: an answer with the numbers of two million messages."""
_MOST_ANSWERED = 512 * 1024 * 1024
_IN_THE_CLEAR = frozenset({"OK", "ALERT", "CAPABILITY", "BYE"})
"""Of what may come before TLS: a greeting, what it says beside, the answer to the one question, and the end."""


def box_of(server: ImapServer) -> Any:
    """A connection of `imap_tools`, whose answers are bounded in time and size."""
    from imap_tools.mailbox import BaseMailBox

    class Box(BaseMailBox):
        def _get_mailbox_client(self) -> imaplib.IMAP4:
            match server.tls:
                case "implicit":
                    return _BoundedTls(server)
                case "starttls":
                    return _encrypted(server)
                case "none":
                    return _Bounded(server)

    return Box()


def _encrypted(server: ImapServer) -> _Bounded:
    """A client that speaks TLS from here on (STARTTLS)."""
    context = trusting(server.authorities, server.setting)
    client = _BoundedStartTls(server)
    try:
        client.starttls(context)
    except BaseException:
        client.shutdown()
        raise
    return client


class _Clock:
    """The time and the bytes that are left for one answer. What arrives gives more time, so a slow line is none that stands still."""

    def __init__(self, server: ImapServer) -> None:
        self._server = server
        self.start()

    def start(self) -> None:
        """A command is sent."""
        self._deadline, self._left = Deadline.in_seconds(self._server.timeout), _MOST_ANSWERED

    def seconds(self) -> float:
        """How long to wait for the next bytes."""
        return min(self._deadline.left(), self._server.timeout)

    def got(self, count: int) -> None:
        """So many bytes arrived."""
        self._deadline = Deadline(self._deadline.at + count / self._server.slowest)
        self._left -= count
        if self._left < 0:
            raise imaplib.IMAP4.abort("an answer beyond the bound")


class _Answers(io.RawIOBase):
    """The bytes of a socket, by the clock."""

    def __init__(self, sock: socket.socket, clock: _Clock) -> None:
        self.sock, self._clock = sock, clock

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes."""
        self.sock.settimeout(self._clock.seconds())
        count = self.sock.recv_into(buffer)
        self._clock.got(count)
        return count


class _Bounded(imaplib.IMAP4):
    """A client that waits `timeout` seconds for each answer as a whole, and takes no literal beyond the bound."""

    def __init__(self, server: ImapServer) -> None:
        self.server, self._clock = server, _Clock(server)
        self._answers: _Answers | None = None
        self._reader: Any = None
        super().__init__(server.host, server.port, timeout=server.timeout)

    def send(self, data: Any) -> None:
        """Each command has its own time."""
        self._clock.start()
        self.sock.settimeout(self.server.timeout)
        super().send(data)

    def read(self, size: int) -> bytes:
        """A literal."""
        if size > self.server.most_bytes:
            raise self.abort("a literal beyond the bound")
        found = self._stream().read(size)
        if len(found) < size:
            raise self.abort("cut off")
        return bytes(found)

    def readline(self) -> bytes:
        """A line."""
        line = self._stream().readline(_LONGEST_LINE + 1)
        if len(line) > _LONGEST_LINE:
            raise self.abort("a line beyond the bound")
        return bytes(line)

    def _stream(self) -> Any:
        # STARTTLS replaces the socket: what was read in the clear and not used is forgotten with its reader.
        if self._answers is None or self._answers.sock is not self.sock:
            self._answers = _Answers(self.sock, self._clock)
            self._reader = io.BufferedReader(self._answers, 65_536)
        return self._reader

    def shutdown(self) -> None:
        """Close without a word."""
        with suppress(OSError):
            super().shutdown()


class _BoundedStartTls(_Bounded):
    """The same in the clear until STARTTLS, of which nothing that was said before it counts after it (RFC 9051, section 6.2.1).

    The library keeps each untagged answer until something asks for one of its name, so a line that whoever stands in between wrote in
    the clear would be the beginning of the server's first list of folders.
    """

    def _append_untagged(self, typ: str, dat: Any) -> None:
        if not self._tls_established and typ not in _IN_THE_CLEAR:
            raise self.abort("an answer in the clear that nothing asked for")
        super()._append_untagged(typ, dat)  # type: ignore[misc]

    def _get_capabilities(self) -> None:
        """What this answer says alone. It is the first that is asked over TLS."""
        self.untagged_responses.clear()
        super()._get_capabilities()  # type: ignore[misc]


class _BoundedTls(_Bounded):
    """The same over TLS from the first byte."""

    def __init__(self, server: ImapServer) -> None:
        self._trusting = trusting(server.authorities, server.setting)
        super().__init__(server)

    def _create_socket(self, timeout: float | None) -> ssl.SSLSocket:
        plain = super()._create_socket(timeout)  # type: ignore[misc]
        return self._trusting.wrap_socket(plain, server_hostname=self.server.host)
