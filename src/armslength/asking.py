"""One question over HTTP to an address of the configuration, and its answer: nothing else of the network is asked so.

No proxy of the environment is used, no redirect followed, and the call ends at its time whatever the server does: looking up its name,
connecting and each read have no time of their own that could add up. Sources: RFC 9110, 9112.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection, IncompleteRead
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from armslength.certificates import trusting, untrusted
from armslength.deadlines import Line
from armslength.errors import ConfigError, ToolError


@dataclass(frozen=True, slots=True)
class Question:
    """A body that is posted. `place`: whom it goes to, for messages. `seconds`: for all of it. `most`: bytes that are read of an answer.

    `authorities`: a file of certificates that count instead of the system's; `setting`: where the configuration names it, if it can.
    """

    place: str
    url: str
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    seconds: float = 30.0
    most: int = 100_000
    authorities: Path | None = None
    setting: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Answered:
    """What came back: of its body no more than was wanted."""

    status: int
    body: bytes


def asked_once(question: Question) -> Answered:
    """The answer, whatever its status. Nothing that the server says goes into a message.

    Raises:
        ConfigError: its certificate is not accepted, so nothing was sent; or the file of authorities is none.
        ToolError: it cannot be reached, breaks off, or has not answered in time.
    """
    asking = _Asking(question)
    found: queue.SimpleQueue[Answered | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found.put(asking.answer())
        except Exception as error:  # noqa: BLE001  # told by the other thread
            found.put(error)

    threading.Thread(target=ask, name="armslength-asking", daemon=True).start()
    try:
        answer = found.get(timeout=question.seconds)
    except queue.Empty:
        answer = TimeoutError()
    finally:
        asking.line.cut()
    if isinstance(answer, Answered):
        return answer
    raise _told(question, answer)


def _told(question: Question, error: Exception) -> ConfigError | ToolError:
    place = question.place
    match error:
        case ConfigError():
            return error
        case ssl.SSLCertVerificationError():
            return ConfigError(f"{place} {untrusted(error, question.setting)}")
        case TimeoutError():
            return ToolError(f"{place}: it gives no whole answer in time; try again later")
        case _:
            return ToolError(f"{place}: cannot be reached ({type(error).__name__}); try again later")


class _Asking:
    """The one who asks, over a line that is ended from another thread."""

    def __init__(self, question: Question) -> None:
        self._question, self.line = question, Line()

    def answer(self) -> Answered:
        """Connect, ask, read.

        Raises:
            OSError: not possible.
            HTTPException: that is no HTTP.
            ValueError: URL or headers are none.
            ConfigError: the file of authorities is none.
        """
        asked, parts = self._question, urlsplit(self._question.url)
        client = self._client(parts)
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            client.request("POST", path, asked.body, {"User-Agent": "armslength", **asked.headers})
            with client.getresponse() as response:
                return Answered(response.status, _whole(response, asked.most))
        finally:
            client.close()

    def _client(self, parts: SplitResult) -> HTTPConnection:
        """One that is connected already, so it does not connect by itself."""
        asked, host, tls = self._question, parts.hostname or "", None
        if parts.scheme == "https":
            tls = trusting(asked.authorities, asked.setting)
        client = HTTPSConnection(host, parts.port, context=tls) if tls else HTTPConnection(host, parts.port)
        client.sock = made = socket.create_connection((host, client.port), asked.seconds)
        try:
            self.line.hold(made)
            if tls is not None:
                client.sock = made = tls.wrap_socket(made, server_hostname=host, do_handshake_on_connect=False)
                self.line.hold(made)
                made.do_handshake()
        except BaseException:
            made.close()
            raise
        return client


def _whole(response: HTTPResponse, most: int) -> bytes:
    """The body, or so many bytes of it.

    Raises:
        IncompleteRead: it ends before its end.
    """
    body = response.read(most)
    if len(body) < most and response.length:
        raise IncompleteRead(b"")
    return body
