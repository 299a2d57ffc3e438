"""Servers that take mail, on loopback: a real one (aiosmtpd) and one that says what a test wrote down.

with mail_server() as server:
way = server.way()                 # a Submission to it, over TLS
server.taken                       # what it took

with scripted_server("220 hello", "250 me", ...) as server:
server.heard                       # the lines that it was told
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from armslength.tools.mail.settings import Submission, Tls

USER, PASSWORD, TOKEN = "max", "correct horse", "ya29.token"


@cache
def authority() -> trustme.CA:
    """Who vouches for the servers of tests, and for nobody else."""
    return trustme.CA(key_type=trustme.KeyType.ECDSA)


@dataclass(frozen=True)
class Taken:
    """A message that a server took."""

    sender: str
    recipients: tuple[str, ...]
    content: bytes


@dataclass
class MailServer:
    """The server. `answers`: what it says to a recipient or, under "DATA", to a message, instead of taking it. `users`: who logged in.

    `before_answering`, `before_recipient`: what happens before it says that it took a message, or a recipient.
    """

    security: Tls
    authorities: Path
    port: int = 0
    taken: list[Taken] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    users: list[str] = field(default_factory=list)
    before_answering: Callable[[], None] = lambda: None
    before_recipient: Callable[[], None] = lambda: None

    def way(self, password: str = PASSWORD, **more: Any) -> Submission:
        """How to speak to it."""
        usual = {"user": USER, "secret": lambda: password, "authorities": self.authorities, "seconds": 5.0}
        return Submission("127.0.0.1", self.port, self.security, **{**usual, **more})

    async def handle_RCPT(  # aiosmtpd's name and shape
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Takes a recipient, or not."""
        await asyncio.get_running_loop().run_in_executor(None, self.before_recipient)
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # aiosmtpd's name
        """Takes a message, or not."""
        if "DATA" not in self.answers:
            self.taken.append(Taken(envelope.mail_from or "", tuple(envelope.rcpt_tos), bytes(envelope.content or b"")))
        await asyncio.get_running_loop().run_in_executor(None, self.before_answering)
        return self.answers.get("DATA", "250 2.0.0 taken")

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # aiosmtpd's name
        """Takes the one token."""
        import base64

        if base64.b64decode(args[1]) == f"user={USER}\x01auth=Bearer {TOKEN}\x01\x01".encode():
            self.users.append("by token")
            return AuthResult(success=True, auth_data=USER)
        await server.push("334 eyJzdGF0dXMiOiI0MDEifQ==")
        await server._reader.readline()
        return AuthResult(success=False, handled=False)

    def knows(self, server: object, session: object, envelope: object, mechanism: str, data: Any) -> AuthResult:
        """Whether user and password are right."""
        is_right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        self.users += [mechanism] * is_right
        return AuthResult(success=is_right, handled=False)


@contextmanager
def mail_server(
    folder: Path, security: Tls = "implicit", name: str = "127.0.0.1", **options: Any
) -> Iterator[MailServer]:
    """A server on a free port whose certificate is for `name`, stopped at the end. `options`: aiosmtpd's."""
    authorities = folder / "authorities.pem"
    authority().cert_pem.write_to_path(authorities)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert(name, key_type=trustme.KeyType.ECDSA).configure_cert(context)
    made = MailServer(security, authorities)
    # aiosmtpd does not know of TLS that was there from the start.
    usual = {"authenticator": made.knows, "auth_require_tls": False, "hostname": "mail.test"}
    if security == "starttls":
        usual |= {"tls_context": context, "require_starttls": True, "auth_require_tls": True, "auth_required": True}
    loop, spoken = asyncio.new_event_loop(), list[SMTP]()

    async def start() -> asyncio.Server:
        def protocol() -> SMTP:
            spoken.append(SMTP(made, loop=loop, **{**usual, **options}))
            return spoken[-1]

        return await loop.create_server(protocol, "127.0.0.1", 0, ssl=context if security == "implicit" else None)

    server = loop.run_until_complete(start())
    made.port = server.sockets[0].getsockname()[1]
    serving = threading.Thread(target=loop.run_forever, name="smtp", daemon=True)
    serving.start()
    try:
        yield made
    finally:
        asyncio.run_coroutine_threadsafe(_end(server, spoken), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        serving.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def _end(server: asyncio.Server, spoken: list[SMTP]) -> None:
    server.close()
    for each in spoken:
        for transport in (each.transport, each._original_transport):
            if transport is not None:
                transport.abort()
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    for _ in range(5):  # a transport closes its socket in a later turn of the loop
        await asyncio.sleep(0)


@dataclass
class ScriptedServer:
    """Says one text after the other: the first at once, each further one after a line that it is told; a message is one line to it."""

    port: int
    heard: list[bytes] = field(default_factory=list)

    def way(self, **more: Any) -> Submission:
        """How to speak to it."""
        return Submission("127.0.0.1", self.port, **{"tls": "none", "seconds": 1.0, **more})


DROP, HANG, DRIP = "drop", "hang", "drip"
"""Instead of a text: it breaks the connection off; says no more; says a byte every tenth of a second."""


@contextmanager
def scripted_server(*script: str) -> Iterator[ScriptedServer]:
    """Such a server on a free port, without encryption, for one connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made, ended = ScriptedServer(listening.getsockname()[1]), threading.Event()

        def serve() -> None:
            with suppress(OSError):
                connected, _ = listening.accept()
                with connected, connected.makefile("rb") as lines:
                    _play(script, connected, lines, made.heard, ended)

        serving = threading.Thread(target=serve, name="scripted smtp", daemon=True)
        serving.start()
        try:
            yield made
        finally:
            ended.set()
            with suppress(OSError), socket.create_connection(("127.0.0.1", made.port), 1):
                pass
            serving.join(10)


def _play(
    script: tuple[str, ...], connected: socket.socket, lines: Any, heard: list[bytes], ended: threading.Event
) -> None:
    is_message = False
    for number, text in enumerate(script):
        if number:
            heard.append(_until(lines, b".\r\n") if is_message else lines.readline())
        match text:
            case "drop":
                return
            case "hang":
                ended.wait(30)
                return
            case "drip":
                while not ended.wait(0.1):
                    connected.sendall(b"2")
            case _:
                is_message = text.startswith("354")
                connected.sendall(f"{text}\r\n".encode())
    while line := lines.readline():
        heard.append(line)


def _until(lines: Any, ending: bytes) -> bytes:
    found = b""
    while line := lines.readline():
        found += line
        if line == ending:
            break
    return found
