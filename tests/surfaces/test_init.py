"""`init`: questions, what is connected tried at once, and a file for the person alone; whoever breaks it off has changed nothing."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from tests.servers.dav_radicale import PASSWORD as DAV_PASSWORD
from tests.servers.dav_radicale import USER as DAV_USER
from tests.servers.everything import IMAP_USER, SECRETS, Everything, everything
from tests.servers.imap_dovecot import PASSWORD as IMAP_PASSWORD
from tests.servers.smtp import PASSWORD as SMTP_PASSWORD
from tests.servers.smtp import USER as SMTP_USER
from tests.store.keyrings import NAME, FakeKeyring

from armslength.app import load_settings
from armslength.installing import install_command
from armslength.surfaces.setup.answers import Answered

OURS = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"


@pytest.fixture
def whole(home: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Everything]:
    """Servers of everything, none of them configured yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(home.path / "states"))
    with everything(home.path / "servers", monkeypatch) as made:
        yield made


def answers(home: Any, **tables: dict[str, Any]) -> Path:
    """A file of answers: a name and an address, and what else a test says."""
    from armslength.app.draft import Draft

    usual: dict[str, Any] = {"user": {"name": "Ada", "addresses": ["ada@example.org"]}, "mail": {"where": "nowhere"}}
    file: Path = home.path / "answers.toml"
    file.write_text(Draft(file, {**usual, **tables}).text())
    return file


def made(home: Any, *words: str, **tables: dict[str, Any]) -> tuple[Any, Path]:
    """What came of `init` with such answers, and where the file would be."""
    file = home.path / "made" / "config.toml"
    return home.run("init", "--config", str(file), "--answers", str(answers(home, **tables)), *words), file


def dav(whole: Everything, **more: Any) -> dict[str, Any]:
    """The answers about an account on a server."""
    password = {"environment": "DAV_PASSWORD"}
    authorities = str(whole.dav.authority)
    return {
        "where": "server", "url": whole.dav.url, "user": DAV_USER, "password": password, "authorities": authorities, **more
    }  # fmt: skip


def mail(home: Any, whole: Everything, **more: Any) -> dict[str, Any]:
    """The answers about a Maildir whose mail leaves by a server."""
    smtp = {
        "host": "127.0.0.1", "port": whole.smtp.port, "user": SMTP_USER, "password": {"command": ["cat", str(whole.file)]},
        "authorities": str(whole.smtp.authorities),
    }  # fmt: skip
    return {"where": "folder", "path": str(home.path / "Mail"), "sends": True, "smtp": smtp, **more}


def test_all_of_it_is_connected_and_written(home: Any, whole: Everything, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is tried; the file is the person's alone, has no secret, and `doctor` finds the same with it."""
    monkeypatch.setenv("DAV_PASSWORD", DAV_PASSWORD)
    servers = home.path / "servers.json"
    command = {"command": whole.mcp.server().place.command, "args": whole.mcp.arguments}
    servers.write_text(json.dumps({"mcpServers": {"notes": command}}))
    search = {"kind": "brave", "url": whole.search.url, "is_own": True, "key": {"environment": "SEARCH_KEY"}}
    key = {"environment": "MODEL_KEY"}
    home.will("yes")
    asked = set[str]()
    found_in = Answered._found
    monkeypatch.setattr(Answered, "_found", lambda self, name: (asked.add(name), found_in(self, name))[1])
    ended, file = made(
        home,
        mail=mail(home, whole),
        files={"path": str(home.path / "Notes")},
        calendar=dav(whole),
        contacts=dav(whole),
        web={"fetch": True, "search": search},
        mcp={"servers_file": str(servers)},
        models={"provider": "openai", "base_url": home.provider.base_url, "model": "tiny", "has_key": True, "key": key},
    )
    assert (ended.code, ended.err) == (0, "")
    assert "FAIL" not in ended.out
    page = (Path(__file__).parents[2] / "docs" / "quickstart.md").read_text("utf-8")
    assert [name for name in asked if f"{name.rpartition('.')[2]}`" not in page] == []
    assert file.stat().st_mode & 0o777 == 0o600
    for secret in SECRETS:
        assert secret not in file.read_text() + ended.out
    home.will("yes")
    found = home.run("doctor", "--config", str(file), "--json").json()["findings"]
    assert [each["what"] for each in found if each["state"] == "does not work"] == []
    assert {"mail", "mail: sending", "files", "calendar", "contacts", "web pages", "web search", "mcp.notes"} <= {
        each["what"] for each in found
    }
    assert whole.smtp.taken == []


def test_what_fails_is_said_in_a_line_and_left_out_or_kept(home: Any, whole: Everything) -> None:
    """As the answers say; without a word of it, it is left out."""
    whole.file.write_text("wrong\n")
    ended, file = made(home, mail=mail(home, whole))
    (line,) = [each for each in ended.out.splitlines() if "FAIL" in each]
    assert line.startswith(
        f"  FAIL mail: sending: mail: 127.0.0.1:{whole.smtp.port} does not take user and password (535"
    )
    assert "smtp" not in tomllib.loads(file.read_text())["mail"]
    table = mail(home, whole)
    table["smtp"]["if_it_fails"] = "keep"
    ended, file = made(home, "--force", mail=table)
    assert tomllib.loads(file.read_text())["mail"]["smtp"]["user"] == SMTP_USER
    assert [each.name for each in sorted(file.parent.iterdir())] == ["config.toml", "config.toml.bak"]


def test_a_library_that_is_missing_is_said_with_what_installs_it(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same line as any other failure; the file can be written all the same."""
    monkeypatch.setitem(sys.modules, "imap_tools", None)
    imap = {"password": {"command": ["echo", "x"]}, "if_it_fails": "keep"}
    user = {"name": "Ada", "addresses": ["ada@gmail.com"]}
    ended, file = made(home, user=user, mail={"where": "server", "sends": False, "imap": imap})
    (line,) = [each for each in ended.out.splitlines() if "FAIL" in each]
    assert line == f"  FAIL mail: mail on a server needs packages that are not installed; run {install_command('mail')}"
    assert ended.code == 0
    assert tomllib.loads(file.read_text())["mail"]["imap"]["host"] == "imap.gmail.com"


def test_a_provider_that_takes_no_password_is_left_to_its_own_command(home: Any) -> None:
    """Nobody is asked for a password that would be refused."""
    user = {"name": "Ada", "addresses": ["ada@outlook.com"]}
    ended, file = made(home, user=user, mail={"where": "server"})
    assert ended.code == 0
    assert "outlook.com: it takes no password from programs" in ended.out
    assert "mail" not in tomllib.loads(file.read_text())


def test_a_server_that_there_is_not_is_said(home: Any) -> None:
    """A name is mistyped sooner or later."""
    imap = {"host": "imap.invalid", "password": {"command": ["echo", "x"]}}
    ended, file = made(home, mail={"where": "server", "looks_up": False, "imap": imap})
    assert (
        "  FAIL mail: mail server imap.invalid: there is no such server; look at host, or at your network" in ended.out
    )
    assert (ended.code, "mail" in tomllib.loads(file.read_text())) == (0, False)


def test_an_earlier_file_is_not_replaced(home: Any) -> None:
    """Nothing is asked before that is said."""
    ended, file = made(home)
    assert ended.code == 0
    before = file.read_bytes()
    ended, _ = made(home)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"armslength: {file} is there already; --force replaces it and keeps it as config.toml.bak\n"
    assert file.read_bytes() == before


def test_an_answer_to_no_question_is_an_error(home: Any) -> None:
    """A misspelt one would else be a default that nobody wanted."""
    ended, file = made(home, web={"fetsch": True})
    assert ended.code == 2
    assert "web.fetsch answers no question that was asked; nothing was written" in ended.err
    assert not file.exists()


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"user": {"addresses": ["ada"]}}, "user.addresses: plain addresses"),
        ({"files": {"path": "/no/such/folder"}}, "files.path: there is no such folder; make it first"),
        ({"web": {"fetch": "perhaps"}}, "web.fetch: one of: yes, no"),
        ({"user": {"name": "A\x1b[2J"}}, "an answer is not one line of text"),
        ({"calendar": {"where": "server", "url": "https://kim:secret@dav.example/"}}, "without a password in it"),
    ],
)
def test_a_wrong_answer_of_a_file_is_said_with_its_name(home: Any, tables: dict[str, Any], said: str) -> None:
    """And nothing is written."""
    ended, file = made(home, **tables)
    assert ended.code == 2
    assert said in ended.err
    assert not file.exists()


def test_a_secret_in_the_answers_is_refused(home: Any, whole: Everything) -> None:
    """And not repeated."""
    ended, file = made(home, calendar=dav(whole, password="hunter22"))
    assert (ended.code, "hunter22" in ended.err + ended.out) == (2, False)
    assert "calendar.password must be a place, such as" in ended.err
    assert not file.exists()


@pytest.mark.parametrize(
    "place", [{"environment": "hunter 22"}, {"text": "hunter 22"}, {"keyring": "x", "command": ["hunter 22"]}]
)
def test_a_secret_in_a_wrong_place_is_never_kept(home: Any, whole: Everything, place: dict[str, Any]) -> None:
    """Not even where what fails is to be kept: it would stand in the file."""
    ended, file = made(home, calendar=dav(whole, password=place, if_it_fails="keep"))
    assert (ended.code, "hunter" in ended.err + ended.out) == (2, False)
    assert "the answers about calendar make no configuration; nothing was written" in ended.err
    assert not file.exists()


def test_names_that_a_server_gives_are_inert_and_picked_by_number(
    home: Any, whole: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What acts on a terminal is shown as marks; what cannot stand in the file cannot be picked."""
    monkeypatch.setenv("DAV_PASSWORD", DAV_PASSWORD)
    whole.dav.make(f"/{DAV_USER}/a/", "calendar", "⟧ [yes] https://evil.example/")
    whole.dav.make(f"/{DAV_USER}/b/", "calendar", "x\u202ey")
    ended, file = made(home, calendar=dav(whole, writes="2"))
    assert ended.code == 0
    assert not any(each in ended.out for each in ("⟧", "https://evil", "\u202e"))
    assert tomllib.loads(file.read_text())["calendar"]["writes"] in {"Work", "⟧ [yes] https://evil.example/"}
    assert load_settings(file).calendars[0].writes


@pytest.mark.parametrize(
    ("said", "kept"), [("no", None), ("yes", "mx.example.org"), ("mx.example.org", "mx.example.org")]
)
def test_who_vouches_for_senders_is_the_persons_word(home: Any, said: str, kept: str | None) -> None:
    """What stands on top of the mails is only suggested: a sender may have written it."""
    (home.path / "Mail" / "new" / "1795773600.M1P1.host").write_text(f"{OURS}From: bob@example.com\n\nHi.\n")
    table = {"where": "folder", "path": str(home.path / "Mail"), "authserv_id": said}
    ended, file = made(home, mail=table)
    assert "1 of your 1 latest mails have on top what mx.example.org found out" in ended.out
    assert tomllib.loads(file.read_text())["mail"].get("authserv_id") == kept


def test_answers_that_end_early_change_nothing(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the keyring either, into which a password had been put: an entry that was there before is left as it was."""
    before, ring = keyring.get_keyring(), FakeKeyring()
    keyring.set_keyring(ring)
    monkeypatch.setattr("armslength.store.keyrings.KEYRINGS", (NAME,))
    ring.set_password("armslength secrets", "calendar.password", "theirs")
    file = home.path / "made" / "config.toml"
    lines = ["Ada", "", "-", "server", "http://127.0.0.1:9/", "ada", "keyring", "", "no", "", "open-sesame", "skip"]
    try:
        ended = home.run("init", "--config", str(file), stdin="\n".join(lines).encode())
    finally:
        keyring.set_keyring(before)
    assert (ended.code, ended.err) == (
        2,
        "armslength: init: the answers ended before the questions; nothing was written\n",
    )
    assert "open-sesame" not in ended.out
    assert "the keyring has calendar.password already" in ended.out.lower()
    assert "FAIL calendar: calendar: " in ended.out
    assert ring.secrets == {("armslength secrets", "calendar.password"): "theirs"}
    assert not file.parent.exists()


def test_a_password_goes_into_the_keyring_by_itself(
    home: Any, whole: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one is running that keeps secrets; another server may have the same. The file names the entry, and `doctor` finds it."""
    monkeypatch.setattr("armslength.store.keyrings.KEYRINGS", (NAME,))
    file, authorities = home.path / "made" / "config.toml", str(whole.dav.authority)
    lines = ["Ada", "", "-", "server", whole.dav.url, DAV_USER, "", "", "", DAV_PASSWORD, authorities]
    lines += ["", "", "", "yes", "", "no", "nobody", "", "", "yes"]
    ended = home.run("init", "--config", str(file), stdin="\n".join(lines).encode())
    assert (ended.code, ended.err) == (0, "")
    assert '  ok   contacts: 1 address book: "Friends"' in ended.out
    assert whole.ring.secrets["armslength secrets", "calendar.password"] == DAV_PASSWORD
    tables = tomllib.loads(file.read_text())
    assert tables["calendar"]["password"] == tables["contacts"]["password"] == {"keyring": "calendar.password"}
    assert DAV_PASSWORD not in file.read_text() + ended.out
    assert "has to be set" not in ended.out
    found = home.run("doctor", "--config", str(file), "--json").json()["findings"]
    assert {each["what"]: each["state"] for each in found}["calendar"] == "works"


@pytest.mark.parametrize(
    ("allowed", "more", "why"),
    [
        ((), [], "no keyring that keeps secrets is running"),
        ((NAME,), ["", DAV_PASSWORD], "the keyring does not keep what it is given"),
    ],
)
def test_a_keyring_that_cannot_be_used_is_said_and_the_place_asked_again(
    home: Any, whole: Everything, monkeypatch: pytest.MonkeyPatch, allowed: tuple[str, ...], more: list[str], why: str
) -> None:
    """There is none, or it keeps nothing: no answer before it is lost."""
    monkeypatch.setattr("armslength.store.keyrings.KEYRINGS", allowed)
    whole.ring.forgets = True
    file = home.path / "made" / "config.toml"
    lines = ["Ada", "", "-", "server", whole.dav.url, DAV_USER, "keyring", *more, "environment", "", DAV_PASSWORD]
    lines += [str(whole.dav.authority), "nowhere", "no", "nobody", "", "", "yes"]
    ended = home.run("init", "--config", str(file), stdin="\n".join(lines).encode())
    assert (ended.code, ended.err) == (0, "")
    assert f"\n  {why}" in ended.out
    assert '  ok   calendar: 1 calendar: "Work"' in ended.out
    assert tomllib.loads(file.read_text())["calendar"]["password"] == {"environment": "CALENDAR_PASSWORD"}


def test_a_password_that_is_not_used_after_all_leaves_the_keyring(
    home: Any, whole: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what was left out nothing stays, and nothing is said of it."""
    monkeypatch.setattr("armslength.store.keyrings.KEYRINGS", (NAME,))
    file, before = home.path / "made" / "config.toml", dict(whole.ring.secrets)
    lines = ["Ada", "", "-", "server", whole.dav.url, DAV_USER, "", "", "wrong", str(whole.dav.authority), "skip"]
    lines += ["nowhere", "no", "nobody", "", "", "yes"]
    ended = home.run("init", "--config", str(file), stdin="\n".join(lines).encode())
    assert (ended.code, ended.err) == (0, "")
    assert "FAIL calendar" in ended.out
    assert whole.ring.secrets == before
    assert "calendar" not in tomllib.loads(file.read_text())


def test_a_password_typed_for_trying_is_forgotten(home: Any, whole: Everything) -> None:
    """Here by lines of a pipe: the environment has it no more afterwards, and the file names the variable only."""
    file = home.path / "made" / "config.toml"
    lines = [
        "Ada",
        "",
        "-",
        "server",
        whole.dav.url,
        DAV_USER,
        "environment",
        "",
        DAV_PASSWORD,
        str(whole.dav.authority),
    ]
    lines += ["nowhere", "no", "nobody", "", "", "yes"]
    ended = home.run("init", "--config", str(file), stdin="\n".join(lines).encode())
    assert (ended.code, ended.err) == (0, "")
    assert '  ok   calendar: 1 calendar: "Work"' in ended.out
    assert "CALENDAR_PASSWORD" not in os.environ
    assert DAV_PASSWORD not in file.read_text() + ended.out
    assert "  CALENDAR_PASSWORD has to be set in the environment" in ended.out


def test_ctrl_c_writes_nothing(home: Any) -> None:
    """At whichever question; keys that are no letters end nothing."""
    file = home.path / "made" / "config.toml"

    def say(screen: str) -> str | None:
        return (
            "Ada\n" if screen.endswith("Your name []: ") else "\x03" if screen.rstrip().endswith("writes []:") else None
        )

    ended = home.at_terminal("init", "--config", str(file), say=say)
    assert ended.code == 130
    assert "init: nothing was written" in ended.screen
    assert not file.parent.exists()


def talked(said: list[tuple[str, str]]) -> Callable[[str], str | None]:
    """Whoever waits for these ends of the screen, one after the other, and types what stands beside each."""
    rest = iter(said)
    waiting = next(rest)

    def say(screen: str) -> str | None:
        nonlocal waiting
        if not screen.endswith(waiting[0]):
            return None
        answer, waiting = waiting[1], next(rest, ("\0", ""))
        return f"{answer}\n"

    return say


def test_a_new_user_connects_the_own_mailbox(home: Any, whole: Everything) -> None:
    """At a terminal: servers, passwords and who vouches. A wrong password is corrected, and what was right is asked with it as the default."""
    for number in range(3):
        whole.imap.deliver(IMAP_USER, f"{OURS}From: bob@example.com\nSubject: {number}\n\nHi.\n".encode())
    file = home.path / "made" / "config.toml"
    imap, smtp = str(whole.imap.tls_port), str(whole.smtp.port)
    first = [
        ("lies []: ", "localhost"), ("[implicit]: ", ""), ("port [993]: ", imap), ("[ada@example.org]: ", IMAP_USER),
        ("(keyring, environment, command) [environment]: ", ""), ("[MAIL_PASSWORD]: ", ""), ("(not shown): ", "wrong"),
        ("do not []: ", str(whole.imap.authorities)), ("skip) [correct]: ", ""),
    ]  # fmt: skip
    again = [
        ("lies [localhost]: ", ""), ("[implicit]: ", ""), (f"port [{imap}]: ", ""), ("[ada]: ", ""), ("[environment]: ", ""),
        ("[MAIL_PASSWORD]: ", ""), ("(not shown): ", IMAP_PASSWORD), (".pem]: ", ""),
    ]  # fmt: skip
    sending = [
        ("(yes, no) [yes]: ", ""), ("leaves []: ", "127.0.0.1"), ("[implicit]: ", ""), ("port [465]: ", smtp), ("[ada]: ", SMTP_USER),
        ("before (yes, no) [yes]: ", "no"), ("[environment]: ", ""), ("[MAIL_PASSWORD]: ", "SMTP_PASSWORD"),
        ("(not shown): ", SMTP_PASSWORD), (".pem]: ", str(whole.smtp.authorities)), ("receive your mail (yes, no) [no]: ", "yes"),
    ]  # fmt: skip
    rest = [
        ("(- for none) []: ", str(home.path / "Notes")), ("calendars (server, files, nowhere) [nowhere]: ", "server"),
        ("server []: ", whole.dav.url), ("[ada]: ", DAV_USER), ("before (yes, no) [yes]: ", "no"), ("[environment]: ", ""),
        ("[CALENDAR_PASSWORD]: ", ""), ("(not shown): ", DAV_PASSWORD), ("do not []: ", str(whole.dav.authority)),
        ("contacts (server, files, nowhere) [server]: ", ""), (f"[{whole.dav.url}]: ", ""), ("[kim]: ", ""),
        ("before (yes, no) [yes]: ", ""), ("authority.pem]: ", ""), ("web (yes, no) [no]: ", ""), ("[nobody]: ", ""),
        ("here too []: ", ""), ("[embedded]: ", ""), ("(yes, no) [yes]: ", "yes"),
    ]  # fmt: skip
    begun = [
        ("Your name []: ", "Ada"),
        ("writes []: ", "ada@example.org"),
        ("[server]: ", ""),
        ("its name) (yes, no) [yes]: ", "no"),
    ]
    ended = home.at_terminal("init", "--config", str(file), say=talked([*begun, *first, *again, *sending, *rest]))
    assert ended.code == 0, ended.screen
    assert "FAIL mail: " in ended.screen
    assert "ok   mail: logged in to localhost as ada; 3 messages in the inbox" in ended.screen
    assert f"ok   mail: sending: by 127.0.0.1:{smtp}, over TLS; logged in as max" in ended.screen.replace("\n", "")
    assert 'ok   calendar: 1 calendar: "Work"' in ended.screen
    assert 'ok   contacts: 1 address book: "Friends"' in ended.screen
    assert not any(secret in ended.screen + file.read_text() for secret in (IMAP_PASSWORD, SMTP_PASSWORD, DAV_PASSWORD))
    (account,) = load_settings(file).accounts
    assert account.authserv_id == "mx.example.org"
    assert account.server is not None
    assert account.submission is not None
    assert whole.smtp.taken == []
