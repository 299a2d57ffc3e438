"""Which request may see a screen, and which may answer it. Everything else gets a plain page that says no.

The link's token is good for one request and gives a session cookie (HttpOnly, SameSite=Strict); the cookie shows the screen; an answer
needs the cookie, the mark of the form and the page's own origin, and is taken once. Secrets are compared in constant time. A host name
that is not this machine's is refused, so that no other name can be made to point here (DNS rebinding).

A cookie knows no port: a browser sends it to whatever other server there is on this machine, if that is asked for the same path. So the
screen has a path of its own, which nobody can guess, and the cookie goes to no other.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from hmac import compare_digest
from typing import Literal
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from armslength.agent.approving.approval import REFUSED, Answer, Screen, all_of, in_words
from armslength.surfaces.page.drawn import STYLE, draw_entrance, draw_notice, draw_page

_COOKIE = "armslength"
_MOST_BODY = 100_000
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",  # `no-referrer` would take the origin from the form's own request
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
State = Literal["open", "answered", "over"]


class Asked:
    """One screen on the page: its secrets, and the one answer that it takes. Used from the server's thread and the one that waits."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.token, self.session, self.mark, self.place = (secrets.token_urlsafe(32) for _ in range(4))
        self.is_entered = False
        self._lock, self._done = threading.Lock(), threading.Event()
        self._state: State = "open"
        self._answer = REFUSED

    @property
    def path(self) -> str:
        """Where the screen is, and the one place that its cookie is sent to."""
        return f"/at/{self.place}"

    @property
    def state(self) -> State:
        """Whether it can still be answered."""
        return self._state

    def enter(self) -> bool:
        """The link is used; False where it was before."""
        with self._lock:
            was, self.is_entered = self.is_entered, True
            return not was

    def answer(self, answer: Answer) -> bool:
        """The answer; False where it comes too late or is not the first."""
        with self._lock:
            if self._state != "open":
                return False
            self._state, self._answer = "answered", answer
            self._done.set()
            return True

    def wait(self, seconds: float) -> Answer | None:
        """The answer; None where none came in time, and then none is taken any more."""
        self._done.wait(seconds)
        with self._lock:
            if self._state != "answered":
                self._state = "over"
                return None
            return self._answer

    def give_up(self) -> None:
        """No answer is taken any more."""
        with self._lock:
            self._state = "over" if self._state == "open" else self._state


class Desk:
    """The screens that were asked about on this page; the last is the one that can be answered."""

    def __init__(self, port: int) -> None:
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._asked: list[Asked] = []

    def put(self, screen: Screen) -> Asked:
        """A screen is asked about from now on."""
        asked = Asked(screen)
        self._asked.append(asked)
        return asked

    def application(self) -> Starlette:
        """What the server runs."""
        made = Starlette(
            routes=[
                Route("/style.css", self._style, methods=["GET"]),
                Route("/at/{place}", self._screen, methods=["GET"]),
                Route("/at/{place}", self._answer, methods=["POST"]),
                Route("/{token}", self._link, methods=["GET"]),
            ],
            exception_handlers={404: _no_such_page, 405: _no_such_page, 500: _no_such_page},
        )
        made.router.redirect_slashes = False  # a redirection would go to whatever host the request names
        return made

    async def _style(self, request: Request) -> Response:
        if not self._is_here(request):
            return _refused()
        return Response(STYLE, headers=_HEADERS, media_type="text/css")

    async def _link(self, request: Request) -> Response:
        asked = _with_secret(self._asked, "token", request.path_params["token"])
        if asked is None or not self._is_here(request):
            return _refused()
        if not asked.enter():
            return _page(
                410,
                "This link was used",
                "It opens once. If that was not you, press Ctrl-C where the run was started; nothing that is asked here happens then.",
            )
        response = _page(200, html=draw_entrance(asked.path))
        response.set_cookie(_COOKIE, asked.session, httponly=True, samesite="strict", path=asked.path)
        return response

    async def _screen(self, request: Request) -> Response:
        asked = self._of_session(request)
        if asked is None:
            return _refused()
        return (
            _over(asked.state)
            if asked.state != "open"
            else _page(200, html=draw_page(asked.screen, asked.path, asked.mark))
        )

    async def _answer(self, request: Request) -> Response:
        asked = self._of_session(request)
        if asked is None or not self._is_own_form(request):
            return _refused()
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BODY:
                return _refused()
        said = _fields(body)
        if said is None or not _is_same(dict(said).get("mark", ""), asked.mark):
            return _refused()
        answer = chosen(asked.screen, [(name, text) for name, text in said if name != "mark"])
        if not asked.answer(answer):
            return _over(asked.state)
        return _page(200, "Thank you", f"Your answer is {in_words(asked.screen, answer)}. You can close this page.")

    def _is_here(self, request: Request) -> bool:
        """At a name of this machine, and no HEAD, which the library takes for a GET and would use the link up."""
        return request.method in {"GET", "POST"} and request.headers.getlist("host") in [[host] for host in self._hosts]

    def _of_session(self, request: Request) -> Asked | None:
        asked = _with_secret(self._asked, "session", request.cookies.get(_COOKIE, ""))
        is_there = asked is not None and _is_same(str(request.path_params["place"]), asked.place)
        return asked if is_there and self._is_here(request) else None

    def _is_own_form(self, request: Request) -> bool:
        origin = request.headers.getlist("origin")
        site = request.headers.get("sec-fetch-site", "same-origin")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        own = origin == [f"http://{request.headers['host']}"]
        return own and site == "same-origin" and kind == "application/x-www-form-urlencoded"


def chosen(screen: Screen, said: Sequence[tuple[str, str]]) -> Answer:
    """The answer in the fields of the form. What is not exactly one of its buttons with its own boxes is a no to all."""
    buttons = [text for name, text in said if name == "say"]
    accept = [text for name, text in said if name == "accept"]
    take = [text for name, text in said if name == "take"]
    items = {str(number): item for number, item in enumerate(screen.items, 1)}
    offers = {
        f"{number}.{place}": offer.name for number, item in items.items() for place, offer in enumerate(item.offers, 1)
    }
    known = {"say", "accept", "take"}
    if any(name not in known for name, _ in said) or not items.keys() >= {*accept} or not offers.keys() >= {*take}:
        return REFUSED
    taken = frozenset(offers[each] for each in take)
    match buttons:
        case ["all"]:
            return Answer(all_of(screen).accepted, taken)
        case ["some"] if all(each.partition(".")[0] in accept for each in take):
            return Answer(frozenset(items[each].digest for each in accept), taken)
        case _:
            return REFUSED


def _fields(body: bytes) -> list[tuple[str, str]] | None:
    try:
        return parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True, max_num_fields=2_000)
    except ValueError:
        return None


def _with_secret(asked: Sequence[Asked], kind: Literal["token", "session"], given: str) -> Asked | None:
    """The screen of this secret; all are compared, each in constant time."""
    found = [each for each in asked if _is_same(given, each.token if kind == "token" else each.session)]
    return found[0] if found else None


def _is_same(given: str, secret: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _over(state: State) -> Response:
    if state == "answered":
        return _page(409, "This was answered already", "An answer is taken once; nothing was changed by this one.")
    return _page(410, "This is over", "Nobody waits for this answer any more; nothing was changed by it.")


def _refused() -> Response:
    return _page(403, "Nothing to see here", "Open the link that the run printed, once, in one browser.")


async def _no_such_page(_request: Request, _error: Exception) -> Response:
    return _refused()


def _page(status: int, title: str = "", text: str = "", *, html: str = "") -> HTMLResponse:
    return HTMLResponse(html or draw_notice(title, text), status, headers=_HEADERS)
