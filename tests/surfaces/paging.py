"""The approval page as a browser sees it, or as somebody who speaks HTTP by hand."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

from armslength.agent.approving.approval import Answer, Screen
from armslength.surfaces.page.serving import PageApprover


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass
class Asking:
    """A screen that is asked about on a page, in a thread of its own."""

    approver: PageApprover
    link: str
    thread: threading.Thread
    answers: list[Answer | BaseException] = field(default_factory=list)
    place: str = "/"
    """The path of the screen, once the link was used."""

    @property
    def host(self) -> str:
        found = re.search(r"//([^/]+)/", self.link)
        assert found is not None
        return found[1]

    @property
    def token(self) -> str:
        return self.link.rpartition("/")[2]

    def answer(self) -> Answer:
        """What the approver gave, once it did."""
        self.thread.join(30)
        (found,) = self.answers
        assert isinstance(found, Answer)
        return found

    def request(self, method: str, path: str, *, cookie: str = "", body: str | None = None, **headers: str) -> Reply:
        """One request, with these headers (`_` for `-`); None leaves one out."""
        given = {"Host": self.host, **{name.replace("_", "-"): text for name, text in headers.items()}}
        if cookie:
            given["Cookie"] = cookie
        connection = http.client.HTTPConnection(self.host, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, text in given.items():
            connection.putheader(name, text)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(None if body is None else body.encode())
        got = connection.getresponse()
        reply = Reply(got.status, {name.lower(): text for name, text in got.getheaders()}, got.read().decode())
        connection.close()
        return reply

    def enter(self) -> str:
        """Use the link; the cookie."""
        entered = self.request("GET", f"/{self.token}")
        self.place = place_in(entered.body)
        return entered.headers["set-cookie"].partition(";")[0]

    def mark(self, cookie: str) -> str:
        """The mark of the form."""
        found = re.search(r'name="mark" value="([^"]+)"', self.request("GET", self.place, cookie=cookie).body)
        assert found is not None
        return found[1]

    def say(self, cookie: str, fields: list[tuple[str, str]], **headers: str) -> Reply:
        """Send the form."""
        kept = {"Origin": f"http://{self.host}", "Content_Type": "application/x-www-form-urlencoded", **headers}
        return self.request("POST", self.place, cookie=cookie, body=urlencode(fields), **kept)


def place_in(entrance: str) -> str:
    """The path to which the link's page goes on."""
    found = re.search(r'content="0;url=(/[^"]+)"', entrance)
    assert found is not None
    return found[1]


@contextmanager
def asked(screen: Screen, *, wait: float = 60.0) -> Iterator[Asking]:
    """Ask about it; the server ends with the block."""
    links: list[str] = []
    is_told = threading.Event()

    def tell(line: str) -> None:
        links.append(line.rpartition(" ")[2])
        is_told.set()

    approver = PageApprover(tell, wait=wait)
    asking = Asking(approver, "", threading.Thread(target=lambda: asking.answers.append(approver.approve(screen))))
    asking.thread.start()
    assert is_told.wait(30)
    asking.link = links[0]
    try:
        yield asking
    finally:
        approver.close()
        asking.thread.join(0.01)
