"""Calendars and address books on servers in the configuration."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.servers.dav_radicale import PASSWORD, USER, radicale
from tests.tools.dav.conftest import event

from armslength.app import load_settings, tools_of
from armslength.app.settings import Settings
from armslength.errors import ConfigError
from armslength.schema import Menu
from armslength.tools.base import ToolCall

TWO = """
[contacts]
path = "Cards"
[contacts.home]
url = "https://dav.example.com/"
user = "kim"
password = { environment = "NO_SUCH_VARIABLE" }
collection = "Friends"
[contacts.club]
url = "http://localhost:5232/club/"
tls = "none"
timeout = 5
"""


def loaded(folder: Path, text: str) -> Settings:
    """The settings in such a file."""
    file = folder / "config.toml"
    file.write_text(f'state = "state"\n{text}')
    return load_settings(file)


def test_each_address_book_has_a_table(tmp_path: Path) -> None:
    """Files may stand beside them; the password's place is read late, and nothing is contacted."""
    (tmp_path / "Cards").mkdir()
    settings = loaded(tmp_path, TWO)
    home, club = settings.address_books
    assert (home.name, home.server.setting, home.server.user, home.server.collection) == (
        "home",
        "contacts.home",
        "kim",
        "Friends",
    )
    assert (home.server.tls, club.server.tls, club.server.seconds, club.secret) == ("implicit", "none", 5.0, None)
    assert "search_contacts" in {tool.name for tool in tools_of(settings)}
    assert home.server.secret is not None
    with pytest.raises(ConfigError, match=r"contacts\.home\.password: .*NO_SUCH_VARIABLE is not set"):
        home.server.secret()


def test_one_may_stand_in_the_table_itself(tmp_path: Path) -> None:
    """Without a name."""
    (book,) = loaded(tmp_path, '[contacts]\nurl = "https://dav.example.com/"').address_books
    assert (book.name, book.server.setting) == ("", "contacts")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[contacts.Home]\nurl='https://x/'", r"contacts\.Home must be named by small letters"),
        ("[contacts.home]\nuser='kim'", r"contacts\.home\.url must be given"),
        ("[contacts.home]\nurl='https://x/'\nuser='kim'", r"contacts\.home\.password must be given where a user is"),
        (
            "[contacts.home]\nurl='https://x/'\npassword={environment='X'}",
            r"contacts\.home\.password must be given where a user is",
        ),
        (
            "[contacts.home]\nurl='https://x/'\nuser='kim'\npassword={environment='X'}\ntoken={environment='X'}",
            r"contacts\.home\.token must be left out",
        ),
        ("[contacts.home]\nurl='https://x/'\npassword='secret'", r"contacts\.home\.password must be one place"),
        ("[contacts.home]\nurl='https://x/'\ntls='maybe'", r"contacts\.home\.tls must be one of implicit, none"),
        ("[contacts.home]\nurl='https://x/'\ncolour='red'", r"contacts\.home\.colour is not a setting"),
        ("[contacts]\nurl='https://x/'\n[contacts.home]\nurl='https://x/'", r"contacts\.url is not a setting"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, told: str) -> None:
    """Each by its name, and no secret is repeated."""
    with pytest.raises(ConfigError, match=told) as caught:
        loaded(tmp_path, text)
    assert "'secret'" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://x/", "https://kim:secret@x/", "ftp://x/", "x"])
def test_an_address_that_is_none_is_refused_before_anything_runs(tmp_path: Path, url: str) -> None:
    """Plain HTTP is none, unless it is asked for."""
    with pytest.raises(ConfigError, match=r"contacts\.url") as caught:
        tools_of(loaded(tmp_path, f'[contacts]\nurl = "{url}"'))
    assert "secret" not in str(caught.value)


CALENDARS = """
[user]
addresses = ["Ada@example.com"]
[calendar.work]
url = "https://dav.example.com/"
user = "ada"
password = { environment = "NO_SUCH_VARIABLE" }
writes = "Work"
shared_with = ["eva@example.com"]
[calendar.home]
url = "https://other.example.com/cal/home/"
addresses = ["ada@home.example"]
"""


def test_each_calendar_has_a_table(tmp_path: Path) -> None:
    """A program names it; by whom its owner is invited is the user's own addresses, unless it says others."""
    settings = loaded(tmp_path, CALENDARS)
    work, home = settings.calendars
    assert (work.addresses, work.shared_with, work.writes) == (("ada@example.com",), ("eva@example.com",), "Work")
    assert (home.addresses, home.secret) == (("ada@home.example",), None)
    tools = {tool.name: tool for tool in tools_of(settings)}
    assert {"search_calendar_events", "create_calendar_event", "answer_invitation", "change_calendar_event"} <= set(
        tools
    )
    which = tools["create_calendar_event"].signature.parameter("calendar")
    assert which is not None
    assert (which.type, which.default) == (Menu(("work", "home")), "work")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[calendar]\npath='Cal'\n[calendar.home]\nurl='https://x/'", r"calendar\.path must be left out"),
        (
            "[calendar.home]\nurl='https://x/'\naddresses=['Ada']",
            r"calendar\.home\.addresses must be a list of plain addresses",
        ),
        (
            "[calendar.home]\nurl='https://x/'\nshared_with=['a@b?cc=c@d']",
            r"calendar\.home\.shared_with must be a list of plain",
        ),
        (
            "[contacts.home]\nurl='https://x/'\nshared_with=['a@b.example']",
            r"contacts\.home\.shared_with is not a setting",
        ),
    ],
)
def test_what_no_calendar_can_be_is_refused(tmp_path: Path, text: str, told: str) -> None:
    """Files beside servers, and addresses that are none."""
    with pytest.raises(ConfigError, match=told):
        loaded(tmp_path, text)


def test_the_calendar_asks_the_mail_who_invites(tmp_path: Path) -> None:
    """An invitation that lies in the calendar of one table and in the mailbox of another is its organizer's."""
    lines = ("ORGANIZER:mailto:anna@example.com", "ATTENDEE:mailto:me@example.org", "DTSTART:20991201T080000Z")
    mail = (
        "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\nFrom: anna@example.com\n"
        "Content-Type: text/calendar; method=REQUEST\n\n" + event("tea", *lines, around="METHOD:REQUEST\n")
    )
    for name in ("tmp", "new", "cur"):
        (tmp_path / "Mail" / name).mkdir(parents=True)
    (tmp_path / "Mail" / "new" / "1790000000.N1.host").write_text(mail)
    (tmp_path / "radicale").mkdir()
    with radicale(tmp_path / "radicale") as server:
        path = server.make(f"/{USER}/tea/", "calendar", "Work")
        server.put(f"{path}tea.ics", event("tea", *lines))
        (tmp_path / "password").write_text(PASSWORD)
        settings = loaded(
            tmp_path,
            f"""
            [user]
            addresses = ["me@example.org"]
            [mail]
            path = "Mail"
            authserv_id = "mx.example.org"
            [calendar]
            url = "{server.url.rstrip("/")}{path}"
            user = "{USER}"
            password = {{ command = ["cat", "{tmp_path / "password"}"] }}
            tls = "none"
            """,
        )
        (search,) = [tool for tool in tools_of(settings) if tool.name == "search_calendar_events"]
        found = search.run(ToolCall({}, datetime(2026, 11, 30, tzinfo=UTC)), {"query": ""}).data
    assert isinstance(found, tuple)
    assert "mail:anna@example.com" in {source.name for source in found[0].data["organizer"].label.data}
