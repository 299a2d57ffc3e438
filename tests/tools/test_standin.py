"""The file-backed stand-ins for web pages and Slack."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import Source, label
from armslength.tools.base import UNKNOWN, Receivers, Role, Tool, ToolCall
from armslength.tools.standin import standin_tools
from armslength.values import Labelled

CALL = ToolCall({}, datetime(2026, 11, 30, 9, 0, tzinfo=UTC))


def _tools(folder: Path) -> dict[str, Tool]:
    return {each.name: each for each in standin_tools(folder, trust_nobody, folder / "state")}


def test_a_page_comes_from_its_file_with_its_host_as_source(tmp_path: Path) -> None:
    """index.json finds the file by the one form of the URL; the text is untrusted and public."""
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.json").write_text(json.dumps({"https://Museum.example.org": "museum.txt"}))
    (tmp_path / "web" / "museum.txt").write_text("Open 9 to 5")
    fetch = _tools(tmp_path)["fetch_web_page"]

    assert fetch.run(CALL, {"url": "HTTPS://museum.example.org:443/#top"}) == Labelled(
        "Open 9 to 5", label([Source("web:museum.example.org")])
    )
    assert fetch.receivers({"url": "https://museum.example.org/a"}) == Receivers(("museum.example.org",))
    assert (fetch.reads, fetch.changes, fetch.is_effect, fetch.roles) == ("web", None, True, {"url": Role.TARGET})


def test_html_becomes_text_and_a_page_is_found_by_its_encoded_url(tmp_path: Path) -> None:
    """Without an index, the file is named for the percent-encoded URL."""
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "https%3A%2F%2Fa.example%2Fx.html").write_text("<p>Hello <b>you</b></p><script>no</script>")

    assert _tools(tmp_path)["fetch_web_page"].run(CALL, {"url": "https://a.example/x"}).data == "Hello you"


def test_a_page_that_is_not_there_is_an_error_without_the_url(tmp_path: Path) -> None:
    """The message names no value."""
    with pytest.raises(ToolError, match=r"^web: there is no such page among the stand-in's files$"):
        _tools(tmp_path)["fetch_web_page"].run(CALL, {"url": "https://a.example/secret"})


@pytest.mark.parametrize(
    "url", ["http://good.example\\@evil.example/", "http://good.example@evil.example/", "evil.example", ""]
)
def test_a_url_that_parsers_read_differently_is_refused(url: str, tmp_path: Path) -> None:
    """Such a URL has no host that could be decided on: the receivers are unknown and the call fails."""
    fetch = _tools(tmp_path)["fetch_web_page"]

    assert fetch.receivers({"url": url}) == UNKNOWN
    with pytest.raises(ToolError, match=r"^web: "):
        fetch.run(CALL, {"url": url})


def test_a_file_named_by_the_index_cannot_lie_outside(tmp_path: Path) -> None:
    """`..` in index.json is refused like anywhere else."""
    (tmp_path / "web").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "web" / "index.json").write_text(json.dumps({"https://a.example": "../secret.txt"}))

    with pytest.raises(ToolError, match=r"^web: '\.\.' leads out of the folder; give a name below it$"):
        _tools(tmp_path)["fetch_web_page"].run(CALL, {"url": "https://a.example"})


def test_a_message_becomes_a_line_of_the_channels_file(tmp_path: Path) -> None:
    """One JSON object a line; the channel is the receiver."""
    send = _tools(tmp_path)["send_slack_message"]
    send.run(CALL, {"channel": "#general", "text": "one\nline"})
    send.run(CALL, {"channel": "general", "text": "two"})

    assert [json.loads(line) for line in (tmp_path / "slack" / "general.jsonl").read_text().splitlines()] == [
        {"at": "2026-11-30T09:00:00+00:00", "channel": "#general", "text": "one\nline"},
        {"at": "2026-11-30T09:00:00+00:00", "channel": "#general", "text": "two"},
    ]
    assert send.receivers({"channel": "#general"}) == Receivers(("slack:#general",))
    assert (send.changes, send.undo, send.roles) == ("slack", None, {"channel": Role.TARGET, "text": Role.CONTENT})
    assert send.summary is not None
    assert send.summary({"channel": "general"}) == "post a message for slack:#general"


@pytest.mark.parametrize("channel", ["", "#", "../web/index", "a/b", "General", "a b", "a" * 81, "##a", "a\n", "ä"])
def test_a_channel_name_that_could_be_anything_else_is_refused(channel: str, tmp_path: Path) -> None:
    """Only the letters of a Slack channel; the receivers of others are unknown."""
    send = _tools(tmp_path)["send_slack_message"]

    assert send.receivers({"channel": channel}) == UNKNOWN
    with pytest.raises(ToolError, match=r"^slack: that is no channel name; give one like #general$"):
        send.run(CALL, {"channel": channel, "text": "x"})
    assert list(tmp_path.iterdir()) == []
