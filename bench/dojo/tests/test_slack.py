"""Slack: members and senders are its own records, messages and channel names are not; who gets a message is who is there."""

from __future__ import annotations

import pytest

from armslength.errors import ToolError
from armslength.labels import LITERAL, PRIVATE, PUBLIC, Readers, label
from armslength.tools.base import UNKNOWN
from armslength.values import Labelled
from bench.dojo.tests.declaring import Suite, leaves, suite_of
from bench.dojo.tools import slack
from bench.dojo.tools.shared import Args

GENERAL = frozenset({"slack:Alice", "slack:Bob", "slack:Charlie", "slack:Eve"})


def _suite() -> Suite:
    return suite_of(slack)


def _first(found: Labelled) -> dict[str, Labelled]:
    assert isinstance(found.data, tuple)
    parts = found.data[0].data
    assert isinstance(parts, dict)
    return parts


def test_members_and_senders_are_chosen_and_what_people_wrote_is_not() -> None:
    suite = _suite()
    for _path, leaf in leaves(suite.call("get_users_in_channel", channel="general")):
        assert leaf.label.is_chosen
    for path, leaf in leaves(suite.call("read_channel_messages", channel="general")):
        assert leaf.label.is_chosen == (path == "Message.sender")
    for path, leaf in leaves(suite.call("read_inbox", user="Bob")):
        assert leaf.label.is_chosen == (path != "Message.body")


def test_a_message_is_its_senders_and_readable_by_those_who_have_it() -> None:
    suite = _suite()
    body = _first(suite.call("read_channel_messages", channel="general"))["body"].label
    assert {source.name for source in body.data} == {"slack:Charlie"}
    assert body.readers == Readers(GENERAL)
    direct = _first(suite.call("read_inbox", user="Alice"))["body"].label
    assert direct.readers == Readers(frozenset({"slack:Alice", "slack:Bob"}))


def test_which_messages_and_members_are_listed_others_had_a_say_in() -> None:
    suite = _suite()
    for found in (
        suite.call("get_channels"),
        suite.call("get_users_in_channel", channel="general"),
        suite.call("read_channel_messages", channel="general"),
    ):
        assert not found.label.is_trusted
        assert all("listed:slack:*" in {source.name for source in leaf.label.choice} for _path, leaf in leaves(found))


def test_who_gets_a_message() -> None:
    tools = _suite().tools
    assert tools["send_direct_message"].receivers({"recipient": "Bob"}).names == ("slack:Bob",)
    assert tools["send_direct_message"].receivers({"recipient": "B\u043eb"}) == UNKNOWN
    assert set(tools["send_channel_message"].receivers({"channel": "general"}).names or ()) == GENERAL
    assert tools["send_channel_message"].receivers({"channel": "nowhere"}) == UNKNOWN
    added = tools["add_user_to_channel"].receivers({"user": "Bob", "channel": "private"}).names
    assert added == ("slack:Bob", "slack:#private")
    invited = tools["invite_user_to_slack"].receivers({"user": "Dora", "user_email": "Dora@b.example"}).names
    assert invited == ("dora@b.example",)
    assert tools["send_direct_message"].receivers({"recipient": "#private"}) == UNKNOWN


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("www.b.example", "www.b.example"),
        ("https://www.b.example/a?q=1", "www.b.example"),
        ("https://http://www.b.example/a", "www.b.example"),
        ("WWW.b.example/a", "www.b.example"),
        ("www.b.example@evil.example/a", None),
        ("www.b.example\\@evil.example", None),
        ("", None),
    ],
)
def test_whoever_is_asked_for_a_page_is_its_host(url: str, host: str | None) -> None:
    tools = _suite().tools
    assert tools["get_webpage"].receivers({"url": url}).names == (None if host is None else (host,))
    published = tools["post_webpage"].receivers({"url": url, "content": ""}).names
    assert published == (None if host is None else (host, "everybody"))


def test_a_page_is_its_hosts_words_and_public() -> None:
    found = _suite().call("get_webpage", url="https://www.eve-blog.com").label
    assert {source.name for source in found.data} == {"web:www.eve-blog.com"}
    assert found.readers == PUBLIC


def test_what_was_sent_or_published_is_read_back_with_its_labels() -> None:
    suite = _suite()
    theirs = label([suite.trust("web:evil.example")], readers=PRIVATE)
    writes: list[tuple[str, Args]] = [
        ("send_direct_message", {"recipient": "Alice", "body": "x"}),
        ("send_channel_message", {"channel": "random", "body": "x"}),
        ("post_webpage", {"url": "www.b.example", "content": "x"}),
    ]
    for name, args in writes:
        last = list(args)[-1]
        suite.labelled_call(name, dict.fromkeys(args, LITERAL) | {last: theirs}, args)
    read = (
        suite.call("read_inbox", user="Alice"),
        suite.call("read_channel_messages", channel="random"),
        suite.call("get_webpage", url="http://www.b.example"),
    )
    for found in read:
        written = [leaf for _path, leaf in leaves(found) if leaf.data == "x"]
        assert len(written) == 1
        assert "web:evil.example" in {source.name for source in written[0].label.data}
        assert written[0].label.readers == PRIVATE


def test_our_own_messages_are_trusted_where_nobody_else_wrote_or_steered_them() -> None:
    suite = _suite()
    args = {"recipient": "Alice", "body": "Lunch?"}
    suite.labelled_call("send_direct_message", dict.fromkeys(args, LITERAL), args)
    own = [leaf for _path, leaf in leaves(suite.call("read_inbox", user="Alice")) if leaf.data == "Lunch?"]
    assert [leaf.label.is_chosen for leaf in own] == [True]


def test_members_that_others_words_brought_in_are_listed_as_theirs() -> None:
    suite = _suite()
    theirs = label([suite.trust("slack:Bob")], readers=PRIVATE)
    invited = {"user": "Mallory", "user_email": "m@evil.example"}
    suite.labelled_call("invite_user_to_slack", dict.fromkeys(invited, theirs), invited)
    added = {"user": "Mallory", "channel": "private"}
    suite.labelled_call("add_user_to_channel", dict.fromkeys(added, theirs), added)
    found = suite.call("get_users_in_channel", channel="private")
    assert "Mallory" in [leaf.data for _path, leaf in leaves(found)]
    assert not any(leaf.label.is_chosen for _path, leaf in leaves(found))


def test_nothing_that_destroys_or_admits_is_granted() -> None:
    tools = _suite().tools
    granted = {name for name, tool in tools.items() if tool.may_be_granted}
    assert granted == {"send_direct_message", "send_channel_message", "get_webpage"}


def test_what_cannot_be_is_one_error_line() -> None:
    suite = _suite()
    with pytest.raises(ToolError, match="read_channel_messages: Channel does not exist!"):
        suite.call("read_channel_messages", channel="nowhere")
