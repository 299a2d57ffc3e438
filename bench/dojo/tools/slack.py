"""AgentDojo's Slack and web tools, declared.

Which members there are, who is in a channel and who sent a message, Slack records itself. What a message says is its sender's; the name of
a channel is whoever's who made it, and any member may make one. The account that the tools act as is `bot`. A page is its host's words, and
public.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agentdojo.default_suites.v1.tools.slack import Message
from agentdojo.default_suites.v1.tools.web import standardize_url

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import PUBLIC, Label, Readers, label, steered
from armslength.policy.settings import PolicySettings
from armslength.schema import NONE, STR, ListOf, Origin
from armslength.tools.base import UNKNOWN, ByArguments, Receivers, Role, Tool, ToolCall, receivers_in
from armslength.tools.listing import adding_to, listing_among
from armslength.tools.usual import Usual, somebody
from armslength.tools.web.address import web_address
from armslength.values import Labelled, Plain
from bench.dojo.tools.shared import Args, Held, Labelling, Provider, described, done, listed, plainly, record, record_of

SUITE = "slack"
OWN = "bot"
"""The account that the tools act as."""
EVERYBODY = "everybody"
"""Whoever may read a published page, as a receiver."""
MESSAGES, MEMBERS = "messages", "members"
"""Two stores: what is posted changes nothing of who is where. (An inbox goes with its member; read before that is settled it is as it was.)"""
TRUSTED = frozenset({f"store:{SUITE}"})
NOW = datetime(2024, 5, 15, 9, 0, tzinfo=UTC)
"""Nothing in this workspace has a date."""
SETTINGS = PolicySettings(addresses=(f"slack:{OWN}",))

MESSAGE = described(record_of(Message), sender="a member's name", recipient="a channel or a member")
_SENDER = "the sender of a message"
_LONGEST_NAME = 80


def declared(world: Held, trust: Trust) -> list[Tool]:
    """Every tool of the suite."""
    slack = _Slack(world, trust)
    return [*_reading_tools(slack), *_writing_tools(slack), *_member_tools(slack), *_web_tools(slack)]


class _Slack(Provider):
    """Labels of what Slack holds, and who would get something."""

    def __init__(self, world: Held, trust: Trust) -> None:
        super().__init__(SUITE, world, trust)
        # Members write, join, and make channels: each adds to what is listed and moves others along. Nobody's words are compared for that.
        self.picked = listing_among(self.store, [label([adding_to(SUITE)])], steer=PUBLIC)
        # Any member can make a channel, so whether one of a name is there was up to them.
        self.members_decide = (trust("slack:*"),)

    def members(self, channel: object) -> list[str]:
        """Who is in a channel."""
        memberships: dict[str, list[str]] = self.world.environment.slack.user_channels
        return [name for name, channels in memberships.items() if channel in channels]

    def readers(self, names: Iterable[str]) -> Readers:
        """Who has it already."""
        return Readers(frozenset(map(receiver, names)))

    def known_to(self, names: Iterable[str]) -> Label:
        """What Slack itself records and these members see, as a listing gives it."""
        return steered(label([self.store], readers=self.readers(names)), self.picked.gain)

    def membership(self, default: Label) -> Label:
        """Once this run has added, invited or removed somebody, what decided whom is in every list of members."""
        return self.world.read("members", default, self.store)

    def channels(self, found: list[str]) -> Labelled:
        """The names of channels: each of whoever made it, seen by those who are in it."""
        named = (
            Labelled(each, steered(self.by("slack:*", readers=self.readers(self.members(each))), self.picked.gain))
            for each in found
        )
        return listed(named, self.picked.shape)

    def channel_members(self, channel: object, found: list[str]) -> Labelled:
        """The names of those in a channel, which all of them see."""
        known = self.membership(self.known_to(found))
        return listed((Labelled(each, known) for each in found), self.membership(self.picked.shape))

    def in_channel(self, channel: object, found: list[Message]) -> Labelled:
        """The messages of a channel, which its members see. Their recipient is its name."""
        named = self.by("slack:*", readers=self.readers(self.members(channel)))
        return self._messages(f"channel {channel}", found, self.members(channel), named)

    def to_member(self, member: object, found: list[Message]) -> Labelled:
        """The messages of a member's inbox, which he sees."""
        return self._messages(f"member {member}", found, [str(member)], None)

    def _messages(self, written: str, found: list[Message], parties: list[str], named: Label | None) -> Labelled:
        items = (self._message(each, written, [*parties, each.sender], named) for each in found)
        return listed(items, self.world.read(written, self.picked.shape, self.store))

    def _message(self, found: Message, written: str, parties: list[str], named: Label | None) -> Labelled:
        """One of them, which its sender sees too. The bytes of our own are those that this run wrote there, or the user's from before."""
        known = self.known_to(parties)
        theirs = steered(self.by(f"slack:{found.sender}", readers=self.readers(parties)), self.picked.gain)
        body = self.world.read(written, known, self.store) if found.sender == OWN else theirs
        where = known if named is None else steered(named, self.picked.gain)
        return record(found, MESSAGE, known, {"sender": known, "recipient": where, "body": body})

    def usual_messages(self, where: str) -> Usual:
        """The labels of a listing of messages. Who else is in the channel is not known before."""
        theirs = self.readers([somebody(_SENDER, where)])
        known = steered(label([self.store], readers=theirs), self.picked.gain)
        body = steered(self.by("slack:somebody", readers=theirs), self.picked.gain)
        named = steered(self.by("slack:*", readers=theirs), self.picked.gain)
        labels = {"sender": known, "recipient": named, "body": body}
        return Usual(known, labels, shape=self.picked.shape, known_as={"sender": _SENDER})


def receiver(name: str) -> str:
    """A member as a receiver and reader. Names that differ in case are different members'."""
    return f"slack:{name}"


def _named(args: Args, parameter: str, mark: str = "") -> Receivers:
    """The member, or with the mark # the channel, of that name."""
    name = args.get(parameter)
    is_plain = isinstance(name, str) and name.isascii() and name.isprintable() and len(name) <= _LONGEST_NAME
    is_plain = is_plain and not str(name).startswith("#")
    return Receivers((receiver(f"{mark}{name}"),)) if is_plain else UNKNOWN


def _reading_tools(slack: _Slack) -> list[Tool]:
    def channel_messages(_call: ToolCall, args: Args, result: list[Message]) -> Labelled:
        return slack.in_channel(args["channel"], result)

    def inbox(_call: ToolCall, args: Args, result: list[Message]) -> Labelled:
        return slack.to_member(args["user"], result)

    picked = slack.picked
    return [
        slack.tool(
            "get_channels",
            ListOf(STR),
            lambda _call, _args, result: slack.channels(result),
            origin=Origin("tool"),
            reads=MEMBERS,
            picks=True,
            fails_by=(),
            usually=lambda _args, _where: Usual(steered(slack.by("slack:*"), picked.gain), shape=picked.shape),
        ),
        slack.tool(
            "read_channel_messages",
            ListOf(MESSAGE),
            channel_messages,
            origin=Origin("tool"),
            roles={"channel": Role.QUERY},
            reads=MESSAGES,
            picks=True,  # stored messages, whole
            fails_by=slack.members_decide,
            usually=lambda _args, where: slack.usual_messages(where),
        ),
        slack.tool(
            "read_inbox",
            ListOf(MESSAGE),
            inbox,
            origin=Origin("tool"),
            roles={"user": Role.QUERY},
            reads=MESSAGES,
            picks=True,
            fails_by=(slack.store,),  # whether there is such a member, Slack knows
            usually=lambda _args, where: slack.usual_messages(where),
        ),
        slack.tool(
            "get_users_in_channel",
            ListOf(STR),
            lambda _call, args, result: slack.channel_members(args["channel"], result),
            origin=Origin("tool", is_trusted=True),
            roles={"channel": Role.QUERY},
            reads=MEMBERS,
            picks=True,
            fails_by=slack.members_decide,
            usually=lambda _args, _where: Usual(steered(slack.known, picked.gain), shape=picked.shape),
        ),
    ]


def _writing_tools(slack: _Slack) -> list[Tool]:
    def noted(kind: str, parameter: str) -> Labelling:
        def labelled(call: ToolCall, args: Args, result: Any) -> Labelled:
            slack.world.note(f"{kind} {args[parameter]}", call)
            return done(call, args, result)

        return labelled

    def in_channel(args: Args) -> Receivers:
        """Those who are in it, by name; of a channel that is not there, nobody knows."""
        is_there = args.get("channel") in slack.world.environment.slack.channels
        return Receivers(tuple(map(receiver, slack.members(args.get("channel"))))) if is_there else UNKNOWN

    direct = slack.tool(
        "send_direct_message",
        NONE,
        noted("member", "recipient"),
        origin=Origin("tool", is_trusted=True),
        roles={"body": Role.CONTENT},
        changes=MESSAGES,
        receivers=ByArguments(("recipient",), lambda args: _named(args, "recipient")),
        summary=lambda _args: "send a direct message",
    )
    channel = slack.tool(
        "send_channel_message",
        NONE,
        noted("channel", "channel"),
        origin=Origin("tool", is_trusted=True),
        roles={"body": Role.CONTENT},
        reads=MEMBERS,  # who is in the channel, once those are in it whom the same program adds
        changes=MESSAGES,
        receivers=in_channel,
        summary=lambda _args: "post a message in a channel",
    )
    return [
        replace(direct, is_independent=True, may_be_granted=True),
        replace(channel, is_independent=True, may_be_granted=True, usual_receivers=_usually_in_channel),
    ]


def _usually_in_channel(args: Mapping[str, Plain]) -> Receivers:
    return Receivers((f"the members of {args.get('channel')}".encode("ascii", "replace").decode().lower(),))


def _member_tools(slack: _Slack) -> list[Tool]:
    """Who is in the workspace and in its channels. No function takes somebody out of a channel again, so none of it can be undone."""

    def changed(call: ToolCall, args: Args, result: Any) -> Labelled:
        slack.world.note("members", call)
        return done(call, args, result)

    def added(args: Args) -> Receivers:
        """Whoever is added, who can read the channel from then on, and the channel, whose members see it. By the arguments alone."""
        names = [_named(args, "user").names, _named(args, "channel", "#").names]
        return UNKNOWN if None in names else Receivers(tuple(name for each in names if each for name in each))

    add = slack.tool(
        "add_user_to_channel",
        NONE,
        changed,
        origin=Origin("tool", is_trusted=True),
        changes=MEMBERS,
        receivers=ByArguments(("user", "channel"), added),
        summary=lambda _args: "add somebody to a channel",
    )
    return [
        add,
        # An invitation goes out as a mail; whoever has that address can join.
        slack.tool(
            "invite_user_to_slack",
            NONE,
            changed,
            origin=Origin("tool", is_trusted=True),
            changes=MEMBERS,
            receivers=receivers_in("user_email"),
            summary=lambda _args: "invite somebody to the workspace",
        ),
        # It destroys the inbox, and nobody gets anything: a person is asked each time.
        slack.tool(
            "remove_user_from_slack",
            NONE,
            changed,
            origin=Origin("tool", is_trusted=True),
            changes=MEMBERS,
            summary=lambda _args: "remove somebody from the workspace, with all messages to them",
        ),
    ]


def host_of(url: object) -> str | None:
    """The host that AgentDojo's functions would ask, None where the address is no plain one."""
    try:
        return web_address(f"https://{standardize_url(str(url))}").host
    except ToolError:
        return None


def _host_asked(args: Args) -> Receivers:
    host = host_of(args.get("url"))
    return UNKNOWN if host is None else Receivers((host,))


def _published(args: Args) -> Receivers:
    host = host_of(args.get("url"))
    return UNKNOWN if host is None else Receivers((host, EVERYBODY))


def _web_tools(slack: _Slack) -> list[Tool]:
    def page(_call: ToolCall, args: Args, result: str) -> Labelled:
        written = label([slack.trust(f"web:{host_of(args['url']) or '*'}")])
        return plainly(result, STR, slack.world.read(_page(args), written, slack.store))

    def posted(call: ToolCall, args: Args, result: Any) -> Labelled:
        slack.world.note(_page(args), call)
        return done(call, args, result)

    asking = slack.tool(
        "get_webpage",
        STR,  # of a page that is not there AgentDojo's says so
        page,
        origin=Origin("web"),
        reads="web",
        receivers=ByArguments(("url",), _host_asked),
        usually=lambda _args, _where: Usual(label([slack.trust("web:*")])),
        summary=lambda args: f"ask {', '.join(_host_asked(args).names or ('an unknown host',))} for a page",
    )
    posting = slack.tool(
        "post_webpage",
        NONE,
        posted,
        origin=Origin("tool", is_trusted=True),
        roles={"content": Role.CONTENT},
        changes="web",
        receivers=ByArguments(("url",), _published),
        summary=lambda args: f"publish a page on {(_published(args).names or ('an unknown host',))[0]}",
    )
    return [replace(asking, is_independent=True, may_be_granted=True), posting]


def _page(args: Args) -> str:
    return f"page {standardize_url(str(args['url']))}"
