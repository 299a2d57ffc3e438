"""Effects: the bytes that are decided on are the bytes that are used, and a yes covers all that was shown."""

from __future__ import annotations

from dataclasses import replace

from bench.home.world import Home, Person, says
from tests.agent.drawing import EVIL, pending, text

from armslength.agent.approving.approval import screen_of
from armslength.events import Site
from armslength.tools.base import Receivers, Role, Tool, nobody, tool


def test_a_list_that_changes_later_does_not_change_the_effect(home: Home) -> None:
    """Arguments are copied at the call."""
    home.ask(
        'to = ["kim@b.example"]\nsend_email(recipients=to, subject="s", body="b")\nto.append("eve@c.example")', person=Person([True])
    )  # fmt: skip
    (sent,) = home.outbox()
    assert "To: kim@b.example\n" in sent
    assert "eve" not in sent


def test_a_tool_that_changes_its_arguments_changes_a_copy(home: Home) -> None:
    """Neither the screen, the digest nor a second look sees what a tool did to what it was given."""
    seen: list[object] = []

    def receivers(args: dict[str, object]) -> Receivers:
        names = args["to"]
        assert isinstance(names, list)
        found = tuple(names)
        names.append("eve@c.example")
        return Receivers(found)

    @tool(name="post", changes="board", receivers=receivers, roles={"to": Role.TARGET})
    def post(to: list[str]) -> None:
        seen.append(to)

    home.more = [post]
    result = home.ask('post(to=["kim@b.example"])')
    assert result.outcome.ending == "done"
    assert seen == [["kim@b.example"]]


def test_the_tool_gets_the_bytes_of_the_screen(home: Home) -> None:
    """What was approved is what is sent, to the character."""
    hostile = "a\u202eb\x1b[2J\r\nBcc: eve@c.example\ud800\u200b"
    got: list[str] = []
    home.more = [_post(got)]
    person = Person([True])
    result = home.ask('post(body=quarantined("?", "x"))', says(hostile), person=person)
    # lone surrogates are no text: the reader has made them U+FFFD before anybody saw them
    expected = hostile.replace("\ud800", "\ufffd")
    assert got == [expected]
    assert result.outcome.effects[0].effect.arguments() == {"body": expected}


def test_a_digest_covers_each_part() -> None:
    """Run, place, turn, tool, version, bytes, receivers, whether they are vouched for, the summary: each makes another digest."""
    effect = pending().effect
    tool_of = effect.tool
    variants = [
        effect,
        replace(effect, site=Site(2, 0, 1)),
        replace(effect, site=Site(1, 4, 1)),
        replace(effect, site=Site(1, 0, 2)),
        replace(effect, tool=replace(tool_of, version="other")),
        replace(effect, tool=replace(tool_of, signature=replace(tool_of.signature, name="other"))),
        replace(effect, canonical='{"body": "hello ", "to": "kim@b.example"}'),
        replace(effect, resolved=replace(effect.resolved, summary="post")),
        replace(effect, resolved=replace(effect.resolved, receivers=Receivers(("eve@c.example",)))),
        replace(effect, resolved=replace(effect.resolved, receivers=Receivers(()))),
        replace(effect, resolved=replace(effect.resolved, receivers=Receivers(None))),
        replace(effect, resolved=replace(effect.resolved, receivers=Receivers(("kim@b.example",), are_vouched=False))),
    ]
    digests = {each.digest("run") for each in variants} | {effect.digest("another run")}
    assert len(digests) == len(variants) + 1
    assert effect.digest("run") == pending().effect.digest("run")


def test_a_screens_digest_covers_its_neighbours_in_order() -> None:
    """The same two effects the other way round, or one of them alone, are another yes."""
    one, other = pending(), pending(body=text("bye", EVIL))
    digests = {screen_of("run", asked).digest for asked in ([one, other], [other, one], [one], [other], [one, one])}
    assert len(digests) == 5


def test_receivers_of_a_reply_are_worked_out_before_it_is_decided(home: Home) -> None:
    """The journal has who would learn of it, from the mail as the store knows it."""
    home.verified("Hello")
    result = home.ask('reply_to_email(email=search_emails()[0], body="b")', person=Person([True]))
    resolved = [entry for entry in result.entries if entry["kind"] == "resolve" and entry["name"] == "reply_to_email"]
    assert [entry["answered"]["receivers"] for entry in resolved] == [["julia@example.com"]] * 2
    assert result.outcome.effects[0].effect.receivers == Receivers(("julia@example.com",))


def _post(got: list[str]) -> Tool:
    @tool(
        name="post",
        changes="board",
        receivers=lambda args: Receivers(("board",)),
        roles={"body": Role.CONTENT},
    )
    def post(body: str) -> None:
        got.append(body)

    return post


def test_a_tool_without_receivers_and_summary_is_not_asked_about_them(home: Home) -> None:
    """There is nothing to find out, so nothing crosses."""

    @tool(name="note", changes="notes", receivers=nobody, undo=lambda call, args, outcome: None)
    def note() -> None:
        """Note."""

    home.more = [note]
    assert [entry["kind"] for entry in home.ask("note()").entries if entry["entry"] == "crossing"] == [
        "clock",
        "tokens",
        "tokens",
        "model",
        "tool",
    ]
