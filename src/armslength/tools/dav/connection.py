"""Requests to one account's server, and the mapping of all that can go wrong. Nothing else here opens a network connection.

Credentials go to the configured origin alone: environment, cookies and proxies are not looked at, and a redirect is followed only within
that origin, or to https of the same host. An answer is read uncompressed up to a cap, within a time that counts from the first byte sent.
"""

from __future__ import annotations

import re
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

from armslength.certificates import certificate_error, trusting, untrusted
from armslength.deadlines import Line
from armslength.errors import ArmslengthError, ConfigError, ToolError
from armslength.installing import install_command
from armslength.tools.dav.places import Place, named_place, place_of
from armslength.tools.dav.settings import DavSettings

MOST_BYTES = 20_000_000
"""Of one answer."""
_MOST_REDIRECTS = 5
_CONNECTING = 10.0  # seconds
_READS = frozenset({"GET", "OPTIONS", "PROPFIND", "REPORT"})
_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]{1,8000}=*")  # RFC 6750, section 2.1
_ETAG = re.compile(r'"[\x21\x23-\x7e]{1,500}"')  # RFC 9110, section 8.8.3; weak ones guard nothing


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What came back. `place`: where it came from in the end. `headers`: by name in lower case. `is_cut`: there was more than the cap."""

    status: int
    place: Place
    headers: Mapping[str, str]
    body: bytes
    is_cut: bool = False

    @property
    def etag(self) -> str:
        """The strong entity tag of what lies there; nothing where none was given."""
        return strong_etag(self.headers.get("etag", ""))


def strong_etag(text: str) -> str:
    """An entity tag that a change can be bound to, else nothing."""
    return text.strip() if _ETAG.fullmatch(text.strip()) else ""


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """What is asked. `headers` beside those of every request."""

    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Connection:
    """One account's server. One request at a time goes over one connection, which stays open between them."""

    def __init__(self, settings: DavSettings) -> None:
        """Nothing is contacted yet.

        Raises:
            ConfigError: the address is none, is not one of TLS, or the HTTP library is not installed.
        """
        self.settings, self.name = settings, settings.setting
        self.start = place_of(settings.url, f"{self.name}.url")
        self.origin = self.start.origin
        if (self.origin.scheme == "https") != (settings.tls == "implicit"):
            raise ConfigError(
                f'{self.name}.url: begins with {self.origin.scheme}://, and {self.name}.tls is "{settings.tls}"; '
                'write https://, or tls = "none" and http://: then whoever is on the way reads and changes everything, the password too'
            )
        self._lock = threading.RLock()
        self._line = Line()
        self._credentials = _Credentials(settings)
        self._opened: Any = None

    def ask(self, request: Request) -> Answer:
        """The answer to a request, whatever its status. Redirects are followed for what only reads.

        Raises:
            ToolError: there is none, or it leads elsewhere.
            ConfigError: certificates or password cannot be had.
        """
        with self._lock:
            answer = self._once(request, Place(self.origin, request.path))
            if answer.status == 401 and self._credentials.is_renewed():
                answer = self._once(request, answer.place)
            for _ in range(_MOST_REDIRECTS):
                if answer.status not in {301, 302, 307, 308}:
                    return answer
                if request.method not in _READS:
                    raise self.failed("the server says that this lies elsewhere now, so nothing was changed; ask again")
                answer = self._once(request, self._moved(answer))
            raise self.failed("the server redirects without end")

    def place(self, reference: str) -> str:
        """The path of what an answer names on this origin.

        Raises:
            ToolError: it is elsewhere, or no place.
        """
        found = named_place(reference, self.origin)
        if found is None:
            raise self.failed("the server names a place that is none")
        if found.origin != self.origin:
            self._elsewhere(found)
        return found.path

    def _moved(self, answer: Answer) -> Place:
        found = named_place(answer.headers.get("location", ""), answer.place.origin)
        if found is None:
            raise self.failed("the server redirects to a place that is none")
        if not self.origin.leads_to(found.origin):
            self._elsewhere(found)
        self.origin = found.origin
        return found

    def _elsewhere(self, found: Place) -> NoReturn:
        raise self.failed(
            f"the server leads to {found.origin.url}, where your password does not go by itself; if that is right, "
            f"write the address there in {self.name}.url"
        )

    def _once(self, request: Request, at: Place) -> Answer:
        headers = {
            "User-Agent": "armslength",
            "Accept-Encoding": "identity",
            **({"Content-Type": "application/xml; charset=utf-8"} if request.body else {}),
            **request.headers,
            **self._credentials.header(),
        }
        url = f"{at.origin.url}{at.path}"
        with self._mapped(), self._line.ended_after(self.settings.seconds):
            client = self._client()
            extensions = {"trace": self._note}
            with client.stream(
                request.method, url, content=request.body, headers=headers, extensions=extensions
            ) as response:
                body, is_cut = _capped(response.iter_raw())
                given = {name.lower(): text for name, text in response.headers.items()}
                status = int(response.status_code)
        if given.get("content-encoding", "identity") != "identity":
            raise self.failed("the answer is compressed, which was not asked for")
        return Answer(status, at, given, body, is_cut)

    def _note(self, event: str, found: Mapping[str, Any]) -> None:
        if event in _CONNECTED:
            self._line.hold(found["return_value"].get_extra_info("socket"))

    def _client(self) -> Any:
        if self._opened is None:
            try:
                import httpx2
            except ModuleNotFoundError:
                raise ConfigError(
                    f"{self.name}: the package httpx2 is not installed; run {install_command('calendars')}"
                ) from None
            context = trusting(self.settings.authorities, f"{self.name}.authorities")
            timeout = httpx2.Timeout(self.settings.seconds, connect=min(_CONNECTING, self.settings.seconds))
            limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
            self._opened = httpx2.Client(
                trust_env=False, follow_redirects=False, verify=context, timeout=timeout, limits=limits
            )
        return self._opened

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        """The only mapping of what the HTTP library raises. No text of the server is repeated."""
        try:
            yield
        except ArmslengthError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it is that nothing usable came
            self._close()
            raise self._unreachable(error) from None

    def _unreachable(self, error: BaseException) -> ToolError:
        causes = set(map(type, _chain(error)))
        host = self.origin.url
        if self._line.is_cut:
            return self.failed(f"no whole answer from {host} within {self.settings.seconds:g} s; try again later")
        if (wrong := certificate_error(error)) is not None:
            return self.failed(f"{host} {untrusted(wrong, f'{self.name}.authorities')}")
        if any(issubclass(each, ssl.SSLError) for each in causes):
            return self.failed(f"no TLS with {host}; check {self.name}.url")
        kind = type(error).__name__
        if kind in {"ConnectError", "ConnectTimeout"}:
            return self.failed(f"no connection to {host}; check {self.name}.url and that the server runs")
        if kind.endswith("Timeout"):
            return self.failed(f"{host} did not answer in time; try again later")
        return self.failed(f"the connection to {host} broke off in the middle of an answer; try again")

    def _close(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            with suppress(Exception):
                opened.close()

    def failed(self, what: str) -> ToolError:
        """An error that names the account and no data."""
        return ToolError(f"{self.name}: {what}")

    def wrong(self, answer: Answer, what: str) -> ToolError:
        """What the status of an answer says, where that is not what was hoped for. `what`: what was not done."""
        meaning = _MEANINGS.get(answer.status)
        if meaning is None and answer.status >= 500:
            meaning = "the server has a fault of its own; try again later"
        return self.failed(f"{what} (HTTP {answer.status}): {meaning or 'the server refuses it'}")


_KEPT_FOR = 300.0
"""Seconds that a secret is kept: whoever prints it may be slow, or ask the person each time."""


class _Credentials:
    """The one header in which the secret stands: Basic (RFC 7617) with a user, Bearer (RFC 6750) without. Shows nothing of it."""

    __slots__ = ("_made", "_settings", "_until")

    def __init__(self, settings: DavSettings) -> None:
        self._settings = settings
        self._made: dict[str, str] | None = None
        self._until = 0.0

    def __repr__(self) -> str:
        return "_Credentials()"

    def header(self) -> dict[str, str]:
        """As it is sent; nothing where there is no secret.

        Raises:
            ConfigError: user or token cannot be sent.
            OperatorError: the secret cannot be had.
        """
        if self._made is None or time.monotonic() > self._until:
            self._made, self._until = self._written(), time.monotonic() + _KEPT_FOR
        return self._made

    def is_renewed(self) -> bool:
        """The server does not accept it: whether there is another by now, as of a token that has run out."""
        refused, self._made = self._made, None
        return self.header() != refused

    def _written(self) -> dict[str, str]:
        settings = self._settings
        if settings.secret is None:
            return {}
        secret, user, name = settings.secret(), settings.user, settings.setting
        if user:
            if ":" in user or not user.isprintable():
                raise ConfigError(f"{name}.user: holds a colon or control characters, which no user's name can have")
            return {"Authorization": f"Basic {b64encode(f'{user}:{secret}'.encode()).decode('ascii')}"}
        if not _TOKEN.fullmatch(secret):
            raise ConfigError(f"{name}.token: is no token; write password and user, if it is a password")
        return {"Authorization": f"Bearer {secret}"}


_MEANINGS = {
    401: "the server does not accept the user or the password; check both, and whether it wants a password made for apps",
    403: "the server does not allow it with this account",
    404: "it is not there any more",
    409: "what it should lie in is not there",
    412: "it was changed meanwhile, so nothing was overwritten; ask again",
    413: "the server finds it too large",
    423: "it is locked; try again later",
    429: "the server wants fewer requests; try again later",
    503: "the server does not work at the moment; try again later",
    507: "the server has no room left; make some",
}


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it came of."""
    for _ in range(10):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _capped(pieces: Iterator[bytes]) -> tuple[bytes, bool]:
    """The body, up to the cap, and whether there is more."""
    found, size = [], 0
    for piece in pieces:
        size += len(piece)
        if size > MOST_BYTES:
            return b"", True
        found.append(piece)
    return b"".join(found), False


_CONNECTED = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
"""What the HTTP library traces when a connection is another one."""
