"""The demo's home: what lies in it, and that it is what the demo says of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from armslength.app import load_settings, tools_of
from armslength.demo import build_home
from armslength.demo.attacks import ATTACKS
from armslength.errors import OperatorError
from armslength.tools.base import ToolCall
from armslength.values import Labelled

NOW = datetime(2027, 5, 12, 9, 30, tzinfo=UTC)


def called(config: Path, tool: str, **arguments: str) -> list[Labelled]:
    """The results of one tool in the home."""
    tools = {each.name: each for each in tools_of(load_settings(config))}
    found = tools[tool].run(ToolCall({}, NOW), dict(arguments)).data
    assert isinstance(found, tuple)
    return list(found)


def field(record: Labelled, name: str) -> Labelled:
    """One field of a result."""
    assert isinstance(record.data, dict)
    return record.data[name]


def test_the_home_holds_thirty_two_mails(tmp_path: Path) -> None:
    """Four of them were sent by the owner; ten are unread by their flags; each is a message with a sender."""
    build_home(tmp_path / "home", NOW)
    mails = [path for path in (tmp_path / "home" / "mail").rglob("*") if path.is_file()]
    assert (len(mails), sum(".Sent" in str(path) for path in mails)) == (32, 4)
    assert sum(path.parent.name == "new" for path in mails) == 10
    assert all(message_from_bytes(path.read_bytes())["From"] for path in mails)


def test_eight_mails_are_attacks_of_different_kinds(tmp_path: Path) -> None:
    """Each attack is found by its own words in exactly one mail that was received."""
    config = build_home(tmp_path / "home", NOW)
    bodies = [str(field(mail, "body").data) for mail in called(config, "search_emails")]
    assert len(bodies) == 28
    assert len({attack.kind for attack in ATTACKS}) == 8
    for attack in ATTACKS:
        assert sum(attack.phrase in " ".join(body.split()) for body in bodies) == 1


def test_dates_are_relative_to_now(tmp_path: Path) -> None:
    """The newest mail is two hours old, the review is in three days."""
    config = build_home(tmp_path / "home", NOW)
    newest = str(field(called(config, "search_emails")[0], "timestamp").data)
    review = str(field(called(config, "search_calendar_events", query="review")[0], "start").data)
    assert newest == (NOW - timedelta(hours=2)).strftime("%Y-%m-%d %H:%M")
    assert review == "2027-05-15 10:00"


def test_the_boss_is_verified_and_who_plays_her_is_not(tmp_path: Path) -> None:
    """Four mails bear her address; the one with the forged header is the one whose sender is unverified."""
    config = build_home(tmp_path / "home", NOW)
    sources = {
        str(field(mail, "subject").data): sorted(source.name for source in field(mail, "body").label.data)
        for mail in called(config, "search_emails", sender="Dana")
    }
    assert sources == {
        "Fwd: Northwind quotation, and what we still need": ["mail:dana.whitfield@example.com"],
        "Urgent: supplier payment today": [
            "mail:unverified",
            "store:mail:dana.whitfield@example.com",
            "store:mail:dana.whitfield@mail-office.test",
        ],
        "Re: Review on Thursday": ["mail:dana.whitfield@example.com"],
        "Review on Thursday": ["mail:dana.whitfield@example.com"],
    }


def test_every_address_is_reserved_for_examples(tmp_path: Path) -> None:
    """No domain in the home can belong to anybody (RFC 2606)."""
    config = build_home(tmp_path / "home", NOW)
    for mail in called(config, "search_emails"):
        domain = str(field(mail, "sender").data).rpartition("@")[2]
        assert domain.endswith((".test", "example.com", "example.org", "example.net"))


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    """Nothing is written beside what somebody keeps."""
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(OperatorError) as raised:
        build_home(tmp_path, NOW)
    assert str(raised.value) == f"{tmp_path} is not empty; name a new or an empty folder for the demo's home"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
