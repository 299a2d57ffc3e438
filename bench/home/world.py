"""A person's home with real tools over it, an attacker who can write into it, and scripted models: for runs through the public face."""

from __future__ import annotations

import json
import mailbox
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from armslength.agent.approving.approval import Screen
from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant, Result, Settings
from armslength.app.accepted import mcp_tools, offers_of, pins_of, server_named
from armslength.app.settings import settings_in
from armslength.language import Limits
from armslength.models.base import ModelRequest
from armslength.policy.engine import PolicySettings
from armslength.store.chain import key_in
from armslength.store.document import Document
from armslength.store.runs import Runs
from armslength.testing import ScriptedModel
from armslength.tools.base import Tool
from armslength.tools.calendar.tools import calendar_tools
from armslength.tools.clock import clock_tools
from armslength.tools.contacts.tools import contacts_tools
from armslength.tools.files import file_tools
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools
from armslength.tools.mcp.connection import Connection
from armslength.tools.mcp.pins import Pin
from armslength.tools.standin import standin_tools
from armslength.tools.web.address import web_address
from armslength.tools.web.fetching import Reach
from armslength.tools.web.search import SearchSettings
from armslength.tools.web.services import Service
from armslength.tools.web.tools import WebSettings, web_tools
from bench.home.foretelling import compare
from bench.home.internet import Internet

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
FIRST = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
ME = "me@example.org"
JULIA = "Julia Novak <julia@example.com>"


@dataclass
class Person:
    """Whoever is asked: gives the answers in order, then the last one again; keeps every screen."""

    answers: Sequence[bool] = (False,)
    screens: list[Screen] = field(default_factory=list)

    def approve(self, screen: Screen) -> bool:
        """The next answer."""
        self.screens.append(screen)
        return self.answers[min(len(self.screens), len(self.answers)) - 1]


Reading = Callable[[ModelRequest], str] | Sequence[str] | str
"""What a model says: a function of what it is asked, or replies in order."""


class Home:
    """Mail, files, calendar, contacts, pages and Slack below one folder, none of them with anything in it.

    `configured`: tables of servers of MCP, as they stand in a configuration; `accept` makes tools of what one declares.
    """

    def __init__(self, path: Path, *, trusted: frozenset[str] = frozenset()) -> None:
        self.path, self.trust, self.count = path, trust_of(trusted), 0
        path.mkdir(parents=True, exist_ok=True)
        self.box = mailbox.Maildir(path / "mail")
        for name in ("Sent", "Trash", "Drafts", "Outbox"):
            self.box.add_folder(name)
        for name in ("files", "calendar", "contacts", "standin/web", "standin/slack"):
            (path / name).mkdir(parents=True, exist_ok=True)
        self.more: list[Tool] = []
        self.configured = ""
        self.internet: Internet | None = None
        self.services: list[Service] = []
        self.search: SearchSettings | None = None
        self.planner = ScriptedModel([])
        self.quarantined = ScriptedModel([])

    def tools(self) -> list[Tool]:
        """The tools as a start of the program makes them."""
        state, trust = self.path / "state", self.trust
        mail = MailSettings(self.path / "mail", (ME,), "Max Example", authserv_id="mx.example.org")
        found = [
            *mail_tools(mail, trust, state),
            *file_tools(self.path / "files", trust, state),
            *calendar_tools(self.path / "calendar", trust, state, UTC),
            *contacts_tools(self.path / "contacts", trust, state),
            *self._web_and_slack(),
            *clock_tools(),
            *self.more,
        ]
        return [*found, *mcp_tools(self.settings, trust, found)] if self.configured else found

    @property
    def settings(self) -> Settings:
        """What its configuration says, which has tables of servers of MCP alone."""
        return settings_in(
            self.path / "config.toml", {"state": str(self.path / "state"), **tomllib.loads(self.configured)}
        )

    def accept(self, name: str) -> None:
        """A person looks at a configured server and accepts all that it declares now.

        Raises:
            ValueError: something of it is no tool here.
        """
        server = server_named(self.settings, name)
        line = Connection(server)
        pins_of(self.settings).accept(name, server.identity, map(Pin, line.listed()))
        line.close()
        refused = offers_of(self.settings, self.trust, []).refused
        if refused:
            raise ValueError(f"{refused[0].server} has a tool that is none: {refused[0].why}")

    def connect(self) -> None:
        """From now on pages are fetched by the real tool, from hosts that all there is has an address of."""
        self.internet = Internet()

    def searchable(self, *pages: tuple[str, str]) -> None:
        """Programs can search the web, by the host search.example, which finds these titles and texts whatever it is asked."""
        if self.internet is None:
            raise ValueError("no host is there before the home is connected")
        found = [
            {"title": title, "content": text, "url": f"https://found.example/{number}"}
            for number, (title, text) in enumerate(pages)
        ]
        self.internet.web.put("search.example", "/search", json.dumps({"results": found}), kind="application/json")
        self.search = SearchSettings("searxng", "https://search.example/search")

    def _web_and_slack(self) -> list[Tool]:
        standins = standin_tools(self.path / "standin", self.trust, self.path / "state")
        if self.internet is None:
            return standins
        reach = Reach(self.internet.network, ports=frozenset(range(1, 65_536)))
        real = web_tools(WebSettings(reach=reach, services=tuple(self.services), search=self.search), self.trust)
        return [*real, *(each for each in standins if each.name not in {tool.name for tool in real})]

    def put(self, raw: str | bytes, folder: str = "", *, is_read: bool = False) -> None:
        """Deliver these bytes, a minute after what was delivered before."""
        self.count += 1
        moment = int((FIRST + timedelta(minutes=self.count)).timestamp())
        place = self.path / "mail" / (f".{folder}" if folder else "")
        name = f"cur/{moment}.N{self.count}.host:2,S" if is_read or folder else f"new/{moment}.N{self.count}.host"
        (place / name).write_bytes(raw.encode() if isinstance(raw, str) else raw)

    def deliver(
        self, body: str, *, subject: str = "Hello", sender: str = JULIA, to: str = ME, head: str = "", folder: str = ""
    ) -> None:
        """Deliver a message that nobody vouches for, unless `head` does."""
        self.put(f"{head}From: {sender}\nTo: {to}\nSubject: {subject}\n\n{body}\n", folder)

    def verified(self, body: str, *, subject: str = "Hello", sender: str = JULIA, to: str = ME, head: str = "") -> None:
        """Deliver a message whose sender the user's own server vouches for."""
        address = re.sub(r".*<(.*)>", r"\1", sender)
        vouch = (
            f"Authentication-Results: mx.example.org; dmarc=pass header.from={address.partition('@')[2]};"
            f" dkim=pass header.d={address.partition('@')[2]}\n"
        )
        self.deliver(body, subject=subject, sender=sender, to=to, head=vouch + head)

    def file(self, name: str, text: str) -> Path:
        """Put a file there by other hands than ours."""
        path = self.path / "files" / name
        path.write_text(text, encoding="utf-8")
        return path

    def page(self, url: str, text: str) -> None:
        """Put a page on its host, or on the stand-in for the web."""
        if self.internet is not None:
            address = web_address(url)
            self.internet.web.put(
                address.host, address.target.partition("?")[0], text, kind="text/plain; charset=utf-8"
            )
            return
        web = self.path / "standin" / "web"
        index = web / "index.json"
        known = json.loads(index.read_text("utf-8")) if index.exists() else {}
        name = f"page{len(known)}.txt"
        (web / name).write_text(text, encoding="utf-8")
        index.write_text(json.dumps({**known, url: name}), encoding="utf-8")

    def assistant(
        self,
        programs: Reading,
        reading: Reading = (),
        *,
        policy: PolicySettings | None = None,
        limits: Limits | None = None,
        runs: Runs | None = None,
    ) -> Assistant:
        """The assistant whose planner writes these programs and whose reader says this."""
        self.planner, self.quarantined = ScriptedModel(programs), ScriptedModel(reading)
        return Assistant(
            tools=self.tools(),
            planner=self.planner,
            quarantined=self.quarantined,
            policy=policy or PolicySettings(),
            trust=self.trust,
            runs=runs,
            now=lambda: NOW,
            limits=limits or Limits(),
        )

    def ask(  # noqa: PLR0913  # what `Assistant.ask` takes, with what the models say
        self,
        program: Reading,
        reading: Reading = (),
        *,
        person: Person | None = None,
        policy: PolicySettings | None = None,
        pasted: str | None = None,
        is_strict: bool = False,
        request: str = "Do it",
    ) -> Result:
        """Carry a request to its end. Its preview is compared with what came: it may miss nothing."""
        assistant = self.assistant(program, reading, policy=policy)
        result = assistant.ask(request, approver=person, pasted=pasted, is_strict=is_strict)
        compared = compare(assistant, result, pasted=pasted, is_strict=is_strict)
        assert compared.missed == [], f"the preview missed {compared.missed} in\n{result.outcome.program}"
        return result

    def everything(self) -> dict[str, bytes]:
        """Every byte that somebody else could see, by path: all but our own state."""
        return {
            path.relative_to(self.path).as_posix(): path.read_bytes()
            for path in sorted(self.path.rglob("*"))
            if path.is_file() and path.name != "maildirfolder" and "state" not in path.relative_to(self.path).parts[:1]
        }

    def outbox(self) -> list[str]:
        """The messages that were sent, whole."""
        return [path.read_text("utf-8") for path in sorted((self.path / "mail" / ".Outbox").glob("*/*"))]

    def drafts(self) -> list[str]:
        """The messages that were kept as drafts, whole."""
        return [path.read_text("utf-8") for path in sorted((self.path / "mail" / ".Drafts").glob("*/*"))]

    def slack(self, channel: str) -> list[str]:
        """The texts that were posted in a channel."""
        path = self.path / "standin" / "slack" / f"{channel}.jsonl"
        return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def transcript(self) -> list[ModelRequest]:
        """All that the planner was told in the last run."""
        return list(self.planner.requests)

    def told(self) -> str:
        """The same as one text."""
        return "\n".join(
            text for asked in self.transcript() for text in (asked.system, *(turn.text for turn in asked.turns))
        )


def keeper(home: Home) -> Document:
    """The memory's file."""
    state = home.path / "state"
    return Document(state / "memory.kept", "the memory", key_in(state / "memory.key"))


def says(answer: object) -> str:
    """What a reader's model replies to give this answer."""
    return json.dumps({"answer": answer})


def statuses(result: Result) -> list[tuple[str, str]]:
    """Each effect's tool and how far it got, in order."""
    return [(pending.effect.tool.name, pending.status) for pending in result.outcome.effects]


def rules(result: Result) -> list[str]:
    """The rules that spoke, over all effects."""
    return [reason.rule for pending in result.outcome.effects for reason in pending.decision.reasons]
