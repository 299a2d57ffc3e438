"""An account whose mail lies on a server, for tests: the tools over it, as the person's program sees them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.servers.imap_dovecot import Dovecot
from tests.tools.mail.conftest import ME, NOW, trust

from armslength.tools.base import ToolCall
from armslength.tools.mail.settings import ImapServer, MailSettings
from armslength.tools.mail.tools import mail_tools
from armslength.values import Labelled

LETTER = {"recipients": ["kim@example.com"], "subject": "Hi", "body": "ping"}


def at(port: int, index: Path, timeout: float = 5.0) -> ImapServer:
    """A server on this machine that is spoken to in the clear."""
    return ImapServer("127.0.0.1", "ada", lambda: "correct-horse", index, port, "none", timeout=timeout)


class Online:
    """The tools of one account. Two of the same `path` are two processes' tools."""

    def __init__(self, path: Path, server: ImapServer, **settings: Any) -> None:
        self.settings = MailSettings(Path(), (ME,), "Max Example", "mx.example.org", server=server, **settings)
        self.tools = {tool.name: tool for tool in mail_tools(self.settings, trust, path)}

    def call(self, name: str, key: str = "", **args: object) -> Labelled:
        """What a tool returns."""
        return self.tools[name].run(ToolCall({}, NOW, key), args)

    def plain(self, name: str, key: str = "", **args: object) -> Any:
        """The same without labels."""
        return self.call(name, key, **args).plain()

    def subjects(self, **query: object) -> list[str]:
        """The subjects that a search finds."""
        return [email["subject"] for email in self.plain("search_emails", **query)]

    def one(self, **query: object) -> Any:
        """The newest mail found."""
        return self.plain("search_emails", **query)[0]

    def undo(self, name: str, key: str = "", **args: object) -> None:
        """Take a call back."""
        undo = self.tools[name].undo
        assert undo is not None
        undo(ToolCall({}, NOW, key), dict(args), None)

    def happened(self, name: str, key: str, **args: object) -> bool | None:
        """Whether it was done before the process was killed."""
        happened = self.tools[name].happened
        assert happened is not None
        return happened(ToolCall({}, NOW, key), dict(args))


def online(server: Dovecot, user: str, path: Path, **changed: Any) -> Online:
    """The tools of a user of Dovecot's."""
    return Online(path, replace(server.server(user, path / "mail.index.sqlite"), **changed))
