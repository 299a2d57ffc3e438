"""A home with mail for the tests of the mail tools: real Maildir folders, the tools over them, and a way to deliver."""

from __future__ import annotations

import mailbox
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from armslength.events import trust_nobody
from armslength.labels import Label, Source
from armslength.tools.base import Receivers, ToolCall
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools
from armslength.values import Labelled

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
FIRST = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
ME = "me@example.org"


def trust(name: str) -> Source:
    """A configuration that trusts Julia, and, by mistake, whoever is not verified."""
    return (
        trust_nobody(name)
        if name in {"user", "program"}
        else Source(name, name in {"mail:julia@example.com", "mail:unverified"})
    )


class Home:
    """A Maildir with its tools. Each message put into it is delivered a minute after the one before."""

    def __init__(self, path: Path, **settings: str) -> None:
        self.path = path
        self.box = mailbox.Maildir(path / "Maildir")
        for name in ("Sent", "Trash", "Drafts", "Outbox", "Archive", "Junk"):
            self.box.add_folder(name)
        self.count = 0
        self.settings = MailSettings(path / "Maildir", (ME, "me@home.example"), "Max Example", **settings)
        self.tools = {tool.name: tool for tool in mail_tools(self.settings, trust, path / "state")}

    def put(self, raw: str | bytes, folder: str = "", *, is_read: bool = False) -> None:
        """Deliver these bytes."""
        self.count += 1
        moment = int((FIRST + timedelta(minutes=self.count)).timestamp())
        content = raw.encode() if isinstance(raw, str) else raw
        place = self.path / "Maildir" / (f".{folder}" if folder else "")
        shown = f"cur/{moment}.N{self.count}.host:2,S" if is_read else f"new/{moment}.N{self.count}.host"
        (place / shown).write_bytes(content)

    def deliver(  # the parts of a message
        self,
        subject: str,
        *,
        sender: str = "Julia Novak <julia@example.com>",
        to: str = ME,
        body: str = "Hello.",
        head: str = "",
        ident: str = "",
        folder: str = "",
    ) -> None:
        """Deliver a message of these parts; `head` stands above its own headers."""
        ids = f"Message-ID: <{ident}@example.com>\n" if ident else ""
        self.put(f"{head}From: {sender}\nTo: {to}\nSubject: {subject}\n{ids}\n{body}\n", folder)

    def call(self, name: str, labels: dict[str, Label] | None = None, **args: object) -> Labelled:
        """What a tool returns for these arguments."""
        return self.tools[name].run(ToolCall(labels or {}, NOW), args)

    def undo(self, name: str, **args: object) -> None:
        """Take a call back."""
        self.tools[name].undo(ToolCall({}, NOW), args, None)

    def plain(self, name: str, **args: object) -> object:
        """What a tool returns, without labels."""
        return self.call(name, **args).plain()

    def subjects(self, name: str, **args: object) -> list[str]:
        """The subjects of the mails that a tool lists."""
        return [email["subject"] for email in self.plain(name, **args)]

    def one(self, **query: object) -> dict[str, object]:
        """The newest mail found."""
        return self.plain("search_emails", **query)[0]

    def folder(self, name: str) -> list[bytes]:
        """The bytes of all messages of a folder, oldest first."""
        place = self.path / "Maildir" / f".{name}"
        return [path.read_bytes() for part in ("new", "cur") for path in sorted((place / part).iterdir())]

    def ids(self, folder: str) -> list[str]:
        """The ids of all messages of a folder."""
        place = self.path / "Maildir" / f".{folder}"
        return [path.name.partition(":")[0] for part in ("new", "cur") for path in sorted((place / part).iterdir())]

    def receivers(self, subject: str) -> Receivers:
        """Who would get a reply to the mail of that subject."""
        return self.tools["reply_to_email"].receivers({"email": self.one(query=subject), "body": "yes"})


@pytest.fixture
def new_home(tmp_path: Path) -> Callable[..., Home]:
    """Makes an empty home with these mail settings."""
    return lambda **settings: Home(tmp_path, **settings)


@pytest.fixture
def home(new_home: Callable[..., Home]) -> Home:
    """An empty home whose server, mx.example.org, vouches for senders."""
    return new_home(authserv_id="mx.example.org")


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    """A user of the server that no other test has."""
    return re.sub("[^a-z0-9]", "", request.node.name.lower())[:60]
