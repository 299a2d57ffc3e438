"""Stand-ins for services that have no tool yet: a forge, a help desk, a store of files, a chat that is read.

Each declares what the real thing would: who learns of a call, what each parameter decides, who wrote what comes back. What one is
told is kept in `standin/SERVICE.jsonl`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from armslength.errors import ToolError
from armslength.labels import PRIVATE, Readers, Source, label
from armslength.schema import ListOf
from armslength.tools.base import UNKNOWN, Receivers, Role, label_plain, nobody, record_type, tool
from armslength.values import Labelled, Plain
from bench.attacks.services import note
from bench.home.world import Home


@dataclass(frozen=True, slots=True)
class Issue:
    """What anybody can write in a public repository."""

    author: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """A customer's question."""

    id: str
    customer: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """What a member of a channel wrote."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A text with its title."""

    title: str
    text: str


def add_forge(home: Home, issues: Sequence[Issue], repositories: Mapping[str, str]) -> None:
    """A forge: one public repository, whose issues everybody writes and reads, others that are private, whose text is the user's own."""
    theirs = label([Source("forge:everybody")], readers=PRIVATE, steer=PRIVATE)
    own = label([Source("forge:own", is_trusted=True)], readers=PRIVATE)

    def receivers(args: dict[str, Plain]) -> Receivers:
        name = str(args.get("repository"))
        return Receivers((f"forge:{name} members" if name in repositories else "forge:everybody",))

    @tool(returns=ListOf(record_type(Issue)), roles={"repository": Role.QUERY}, changes=None, receivers=nobody)
    def read_issues(repository: str) -> Labelled:
        """The open issues of a repository, newest first."""
        return Labelled(tuple(label_plain(asdict(each), record_type(Issue), theirs) for each in issues), theirs)

    @tool(returns=record_type(Page), roles={"repository": Role.QUERY}, changes=None, receivers=nobody)
    def read_repository(repository: str) -> Labelled:
        """The text of a repository."""
        if repository not in repositories:
            raise ToolError("forge: there is no such repository")
        return label_plain({"title": repository, "text": repositories[repository]}, record_type(Page), own)

    @tool(
        roles={"repository": Role.TARGET, "title": Role.CONTENT, "body": Role.CONTENT},
        changes="forge",
        receivers=receivers,
    )
    def create_pull_request(repository: str, title: str, body: str) -> None:
        """Propose a change to a repository; whoever may read it may read this."""
        note(home, "forge", {"repository": repository, "title": title, "body": body})

    home.more += [read_issues, read_repository, create_pull_request]


def add_help_desk(home: Home, tickets: Sequence[Ticket], tables: Mapping[str, str]) -> None:
    """A database behind one server: customers' tickets, which they read as well, and tables of the user's own."""
    own = label([Source("desk:own", is_trusted=True)], readers=PRIVATE)

    def of(ticket: Ticket) -> Labelled:
        words = label([Source(f"desk:{ticket.customer}")], readers=PRIVATE, steer=PRIVATE)
        given = {
            "id": Labelled(ticket.id, own),
            "customer": Labelled(ticket.customer, own),
            "text": Labelled(ticket.text, words),
        }
        return Labelled(given, own, record_type(Ticket))

    def receivers(args: dict[str, Plain]) -> Receivers:
        found = [each.customer for each in tickets if each.id == args.get("ticket_id")]
        return Receivers((f"desk:{found[0]}",)) if found else UNKNOWN

    @tool(returns=ListOf(record_type(Ticket)), changes=None, receivers=nobody)
    def read_tickets() -> Labelled:
        """The open tickets, newest first."""
        return Labelled(tuple(map(of, tickets)), own)

    @tool(returns=record_type(Page), roles={"name": Role.QUERY}, changes=None, receivers=nobody)
    def read_table(name: str) -> Labelled:
        """All rows of a table."""
        if name not in tables:
            raise ToolError("desk: there is no such table")
        return label_plain({"title": name, "text": tables[name]}, record_type(Page), own)

    @tool(roles={"ticket_id": Role.TARGET, "text": Role.CONTENT}, changes="desk", receivers=receivers)
    def answer_ticket(ticket_id: str, text: str) -> None:
        """Write into a ticket; its customer reads it."""
        note(home, "desk", {"ticket_id": ticket_id, "text": text})

    home.more += [read_tickets, read_table, answer_ticket]


def add_file_store(home: Home) -> None:
    """A host that keeps files for many accounts; the key says for which."""

    @tool(
        roles={"key": Role.TARGET, "name": Role.CONTENT, "content": Role.CONTENT},
        changes="store",
        receivers=lambda _args: Receivers(("files.example.com",)),
    )
    def upload_file(key: str, name: str, content: str) -> None:
        """Keep a file at files.example.com, in the account of that key."""
        note(home, "store", {"key": key, "name": name, "content": content})

    home.more.append(upload_file)


def add_channels(home: Home, channels: Mapping[str, Sequence[Message]]) -> None:
    """Slack that is read: each message is its sender's, readable by the members; anybody of the company writes in a public channel."""

    def of(message: Message, channel: str) -> Labelled:
        readers = Readers(frozenset({f"slack:#{channel}"}))
        words = label([Source(f"slack:{message.sender}")], readers=readers, steer=PRIVATE)
        return label_plain(asdict(message), record_type(Message), words)

    @tool(
        returns=ListOf(record_type(Message)),
        roles={"channel": Role.QUERY},
        changes=None,
        receivers=nobody,
        reads="slack",
    )
    def read_slack_channel(channel: str) -> Labelled:
        """The messages of a channel, newest first."""
        own = label([Source("slack:server", is_trusted=True)], readers=PRIVATE, steer=PRIVATE)
        return Labelled(tuple(of(each, channel) for each in channels.get(channel, ())), own)

    home.more.append(read_slack_channel)
