"""An IMAP server of our own that answers what a test says: the nonsense, excess and change of mind that no real server is made to show."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Answer = bytes | Callable[[bytes], bytes]
"""What comes before the tagged OK, or a function of the command that gives the whole answer, `TAG` standing for its tag."""
_USUAL: dict[str, Answer] = {
    "CAPABILITY": b"* CAPABILITY IMAP4rev1 MOVE UIDPLUS CONDSTORE\r\n",
    "LIST": b'* LIST (\\HasNoChildren) "/" INBOX\r\n',
    "STATUS": b"* STATUS INBOX (UIDVALIDITY 1 UIDNEXT 2 MESSAGES 1 UNSEEN 1 HIGHESTMODSEQ 1)\r\n",
    "EXAMINE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n",
    "SELECT": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n",
    "UID SEARCH": b"* SEARCH 1\r\n",
}
MAIL = b"From: Julia <julia@example.com>\r\nSubject: Hello\r\nMessage-ID: <1@example.com>\r\n\r\nThe budget.\r\n"


def fetched(raw: bytes = MAIL, uid: int = 1, size: int | None = None) -> bytes:
    """The answer to FETCH with one message."""
    around = (
        f'UID {uid} FLAGS () INTERNALDATE "30-Nov-2026 09:00:00 +0000" RFC822.SIZE {len(raw) if size is None else size}'
    )
    return b"* 1 FETCH (%s BODY[]<0> {%d}\r\n%s)\r\n" % (around.encode(), len(raw), raw)


@dataclass(slots=True)
class Hostile:
    """The server at `port`: what it answers by the beginning of a command, and all that it was told."""

    port: int
    greeting: bytes = b"* OK ready\r\n"
    answers: dict[str, Answer] = field(default_factory=lambda: {**_USUAL, "UID FETCH": fetched()})
    told: list[bytes] = field(default_factory=list)
    clients: list[socket.socket] = field(default_factory=list)
    context: ssl.SSLContext | None = None
    """With which it speaks TLS after STARTTLS."""
    threads: list[threading.Thread] = field(default_factory=list)


@contextlib.contextmanager
def hostile() -> Iterator[Hostile]:
    """A running one."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = Hostile(listening.getsockname()[1])
        accepting = threading.Thread(target=_serve, args=(listening, made), daemon=True)
        accepting.start()
        try:
            yield made
        finally:
            listening.shutdown(socket.SHUT_RDWR)  # ends `accept`
            accepting.join(10)
            for client in made.clients:
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
            for thread in made.threads:
                thread.join(10)


def _serve(listening: socket.socket, made: Hostile) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listening.accept()
            made.clients.append(client)
            made.threads.append(threading.Thread(target=_speak, args=(client, made), daemon=True))
            made.threads[-1].start()


def _speak(client: socket.socket, made: Hostile) -> None:
    with contextlib.suppress(OSError), client:
        client.sendall(made.greeting)
        if _converse(client, made) and made.context is not None:
            with made.context.wrap_socket(client, server_side=True) as encrypted:
                made.clients.append(encrypted)
                _converse(encrypted, made)


def _converse(client: socket.socket, made: Hostile) -> bool:
    """Whether TLS begins now."""
    with client.makefile("rb") as lines:
        while line := lines.readline():
            tag, _, command = line.strip().partition(b" ")
            while literal := re.search(rb"\{(\d+)\}$", command):
                client.sendall(b"+ go on\r\n")
                command += lines.read(int(literal[1])) + lines.readline().strip()
            made.told.append(command or tag)
            client.sendall(_answer(made, command).replace(b"TAG", tag))
            if command.upper() == b"STARTTLS":
                return True
    return False


def _answer(made: Hostile, command: bytes) -> bytes:
    for beginning in sorted(made.answers, key=len, reverse=True):
        if command.upper().startswith(beginning.encode()):
            answer = made.answers[beginning]
            return answer + b"TAG OK done\r\n" if isinstance(answer, bytes) else answer(command)
    return b"TAG OK done\r\n"
