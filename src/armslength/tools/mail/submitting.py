"""One message handed to the server by which the user's mail leaves (RFC 6409), over TLS, for all its recipients or for none.

Whether it left is known by the answer to the message's end alone. Until that end goes out nothing was sent, whatever fails; from then
until the answer nobody can tell. No word of the server's goes into a message of ours, only its codes.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from armslength.certificates import trusting, untrusted
from armslength.deadlines import Line
from armslength.errors import ConfigError, InDoubt, OperatorError, ToolError
from armslength.tools.mail.secrets import login_secret
from armslength.tools.mail.settings import Submission

_ENDING = b".\r\n"
_STEPS = 6
"""The longest that it all may take, as a multiple of one step's time: a server may give a byte at a time."""
_MOST_ANSWERED = 64 * 1024
"""Bytes of one answer, over all its lines."""
_NAME = "[127.0.0.1]"  # RFC 5321, section 4.1.3: this machine's own name is nobody's business
_DOT = re.compile(rb"^\.", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message, its lines ended by LF, with the address that sends it and those that get it."""

    sender: str = field(repr=False)
    recipients: tuple[str, ...] = field(repr=False)
    raw: bytes = field(repr=False)


class _Lines:
    """The server's lines, of which one answer has so many bytes and no more."""

    def __init__(self, file: Any) -> None:
        self._file, self.left = file, _MOST_ANSWERED

    def readline(self, most: int) -> bytes:
        """The next line.

        Raises:
            ValueError: the answer is too long.
        """
        line: bytes = self._file.readline(most)
        self.left -= len(line)
        if self.left < 0:
            raise ValueError("an answer beyond the bound")
        return line

    def close(self) -> None:
        """It is read no more."""
        self._file.close()


class _Session(smtplib.SMTP):
    """A session whose answers have an end: the library keeps each line of one, however many there are."""

    def getreply(self) -> tuple[int, bytes]:
        """The next answer."""
        if self.file is None and self.sock is not None:
            self.file = _Lines(self.sock.makefile("rb"))
        if self.file is not None:
            self.file.left = _MOST_ANSWERED
        return super().getreply()


def submit(way: Submission, envelope: Envelope, about_to: Callable[[], None]) -> None:
    """Hand it over. `about_to` is called just before the end goes out, after which nobody can call it back; if it raises, nothing is sent.

    Raises:
        ToolError: nothing was sent.
        InDoubt: the end went out, and no answer came.
    """
    secret = _secret(way)
    with _session(way) as session:
        _log_in(session, way, secret)
        _offer(session, way, envelope)
        about_to()
        _end(session, way)


def log_in(way: Submission) -> None:
    """See whether the server lets the user in; nothing is sent.

    Raises:
        ToolError: it does not, or cannot be reached, or the secret cannot be had.
    """
    secret = _secret(way)
    with _session(way) as session:
        _log_in(session, way, secret)


@contextmanager
def _session(way: Submission) -> Iterator[smtplib.SMTP]:
    """A session up to the greeting, encrypted as it should be. What fails in it, but for the end, is told as nothing sent."""
    place = f"{way.host}:{way.port}"
    session, line = _Session(local_hostname=_NAME, timeout=way.seconds), Line()
    try:
        with line.ended_after(way.seconds * _STEPS):
            session.sock = plain = socket.create_connection((way.host, way.port), way.seconds)
            line.hold(plain)
            _greet(session, plain, way, line)
            yield session
            with suppress(smtplib.SMTPException, OSError, ValueError):
                session.quit()
    except ssl.SSLCertVerificationError as error:
        raise ToolError(f"mail: {place} {untrusted(error, way.setting)}") from None
    except smtplib.SMTPResponseException as error:
        raise _refused(place, "fails", error.smtp_code, error.smtp_error) from None
    except (smtplib.SMTPException, OSError, UnicodeError, ValueError) as error:
        raise ToolError(f"mail: {place} {_how(TimeoutError() if line.is_cut else error)}; nothing was sent") from None
    finally:
        session.close()


def _how(error: Exception) -> str:
    match error:
        case TimeoutError():
            return "does not answer in time"
        case ssl.SSLError():
            return "does not speak TLS as it should; look at smtp.tls and smtp.port"
        case smtplib.SMTPServerDisconnected():
            return "broke the connection off, or did not answer in time"
        case socket.gaierror():
            return "has no address; look at smtp.host"
        case OSError():
            return f"cannot be reached ({error.strerror or type(error).__name__})"
        case _:
            return "does not speak SMTP as it should"


def _refused(place: str, what: str, code: int, said: object) -> ToolError:
    """The code, and the enhanced one (RFC 3463) if there is one: digits and dots."""
    text = said if isinstance(said, bytes) else str(said).encode("utf-8", "replace")
    more = re.match(rb"[245]\.\d{1,3}\.\d{1,3}\b", text)
    shown = f"{code} {more[0].decode()}" if more else str(code)
    when = "; it may do so later" if 400 <= code < 500 else ""
    return ToolError(f"mail: {place} {what} ({shown}){when}; nothing was sent")


def _greet(session: smtplib.SMTP, plain: socket.socket, way: Submission, line: Line) -> None:
    if way.tls == "implicit":
        _encrypt(session, plain, way, line)
    code, said = session.getreply()
    if code != 220:
        raise smtplib.SMTPResponseException(code, said)
    session.ehlo_or_helo_if_needed()
    if way.tls == "starttls":
        if not session.has_extn("starttls"):
            raise ToolError(
                f"mail: {way.host}:{way.port} offers no STARTTLS, or somebody on the way took it out; nothing was sent. Look at smtp.tls"
            )
        code, said = session.docmd("STARTTLS")
        if code != 220:
            raise smtplib.SMTPResponseException(code, said)
        _encrypt(session, plain, way, line)
        # RFC 3207, section 4.2: what was said before counts no more, unread bytes least of all.
        session.file = None
        session.ehlo_resp = session.helo_resp = None
        session.esmtp_features, session.does_esmtp = {}, False
        session.ehlo_or_helo_if_needed()


def _encrypt(session: smtplib.SMTP, plain: socket.socket, way: Submission, line: Line) -> None:
    try:
        context = trusting(way.authorities, way.setting)
    except ConfigError as error:
        raise ToolError(f"mail: {error}; nothing was sent") from None
    session.sock = made = context.wrap_socket(plain, server_hostname=way.host, do_handshake_on_connect=False)
    line.hold(made)
    made.do_handshake()


def _secret(way: Submission) -> str:
    """Password or token; empty where none is wanted. Had before a server waits for it: whoever has it may ask the person."""
    if not way.user or way.secret is None:
        return ""
    try:
        return login_secret(f"{way.host}:{way.port}", way.user, way.secret)
    except (OperatorError, ToolError) as error:
        raise ToolError(f"mail: {error}; nothing was sent") from None


def _log_in(session: smtplib.SMTP, way: Submission, secret: str) -> None:
    if not secret:
        return
    place, offered = f"{way.host}:{way.port}", session.esmtp_features.get("auth", "").upper().split()
    wanted = ("XOAUTH2",) if way.login == "oauth" else ("PLAIN", "LOGIN")
    method = next((each for each in wanted if each in offered), None)
    if method is None:
        raise ToolError(
            f"mail: {place} takes no {' or '.join(wanted)}; look at smtp.tls and smtp.user; nothing was sent"
        )
    said = {"PLAIN": [f"\0{way.user}\0{secret}"], "LOGIN": [way.user, secret]}
    answers = iter(said.get(method, [f"user={way.user}\x01auth=Bearer {secret}\x01\x01"]))
    answer: Any = lambda _challenge=None: next(answers, "")  # noqa: E731  # typed as an overloaded protocol
    try:
        session.auth(method, answer, initial_response_ok=method != "LOGIN")
    except smtplib.SMTPAuthenticationError as error:
        what = "does not take the access token" if way.login == "oauth" else "does not take user and password"
        raise _refused(place, what, error.smtp_code, error.smtp_error) from None


def _offer(session: smtplib.SMTP, way: Submission, envelope: Envelope) -> None:
    """Sender, recipients and the message but its end. All are taken, or nothing is sent."""
    place, wire = f"{way.host}:{way.port}", _wire(envelope.raw)
    room = session.esmtp_features.get("size", "")
    if re.fullmatch(r"[0-9]{1,12}", room) and 0 < int(room) < len(wire):
        raise ToolError(
            f"mail: {place} takes mails of {int(room)} bytes at most, and this one has {len(wire)}; nothing was sent"
        )
    options = [f"SIZE={len(wire)}"] if session.has_extn("size") else []
    code, said = session.mail(envelope.sender, options)
    if code != 250:
        raise _refused(place, "does not take mail from your address", code, said)
    for number, recipient in enumerate(envelope.recipients, 1):
        code, said = session.rcpt(recipient)
        if code not in (250, 251):
            which = f"recipient {number} of {len(envelope.recipients)}"
            raise _refused(place, f"does not take {which}", code, said)
    code, said = session.docmd("DATA")
    if code != 354:
        raise _refused(place, "does not take the mail", code, said)
    session.send(wire)


def _wire(raw: bytes) -> bytes:
    """The message as it is sent (RFC 5321, sections 2.3.8, 4.5.2).

    Raises:
        ToolError: it has other ends of lines, by which a server may see an end of the message where there is none.
    """
    if b"\r" in raw or b"\0" in raw or not raw.isascii():
        raise ToolError("mail: the message holds bytes that cannot be sent; nothing was sent")
    whole = raw if raw.endswith(b"\n") else raw + b"\n"
    return _DOT.sub(b"..", whole).replace(b"\n", b"\r\n")


def _end(session: smtplib.SMTP, way: Submission) -> None:
    place = f"{way.host}:{way.port}"
    try:
        if session.sock is not None:
            session.sock.settimeout(way.seconds * (_STEPS - 2))
        session.send(_ENDING)
        code, said = session.getreply()
    except (smtplib.SMTPException, OSError, ValueError):
        code, said = -1, b""
    if code == 250:
        return
    if 400 <= code < 600:
        raise _refused(place, "does not take the mail", code, said)
    raise InDoubt(
        f"mail: {place} got the whole mail and did not say whether it took it; look among the sent mail or ask who should have got it, before it is sent again"
    )
