"""Mail on a server on the command line: asked about, drafted, taken back; and a provider that gives access in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from tests.servers.imap_dovecot import PASSWORD, Dovecot
from tests.servers.oauth import authorisation
from tests.store.keyrings import NAME, FakeKeyring

from armslength.app import load_settings

MAIL = b"From: Bob <bob@example.com>\nTo: ada@example.com\nSubject: Minutes\nMessage-ID: <m1@example.com>\n\nBook the room.\n"


@pytest.fixture
def ring() -> Iterator[FakeKeyring]:
    """The keyring of the system."""
    before, made = keyring.get_keyring(), FakeKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def on_server(home: Any, imap_server: Dovecot, user: str) -> None:
    """The home's mail lies on a server from now on."""
    table = (
        f'[mail.imap]\nhost = "localhost"\nport = {imap_server.tls_port}\nuser = "{user}"\n'
        f'password = {{ environment = "IMAP_WORD" }}\nauthorities = "{imap_server.authorities}"\n'
    )
    home.config.write_text(home.config.read_text().replace('[mail]\npath = "Mail"\n', table))
    home.monkeypatch.setenv("IMAP_WORD", PASSWORD)


def test_a_request_reads_and_drafts_and_is_taken_back(home: Any, imap_server: Dovecot) -> None:
    """What is written lies on the server; the password stands in nothing that is kept."""
    on_server(home, imap_server, "surface")
    imap_server.deliver("surface", MAIL)
    home.will(
        'mail = search_emails(query="book")[0]\ndraft_email(["kim@example.com"], "Room", "Yes")\nanswer(mail.subject)'
    )
    ended = home.run("ask", "draft it", "--json", "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert "Minutes" in ended.json()["answer"]
    with imap_server.session("surface") as client:
        assert client.select("Entwuerfe")[1] == [b"1"]
    run = ended.json()["run"]
    assert home.at_terminal("undo", run, say=lambda shown: "yes\n" if shown.endswith("refuse: ") else None).code == 0
    with imap_server.session("surface") as client:
        assert (client.select("Entwuerfe")[1], client.select("Trash")[1]) == ([b"0"], [b"1"])
    kept = [path for path in (home.path / "state").rglob("*") if path.is_file()]
    assert not [path for path in kept if PASSWORD.encode() in path.read_bytes()]
    assert "surface on localhost" in home.run("config").out


def test_access_is_granted_in_a_browser(home: Any, ring: FakeKeyring) -> None:
    """An address and a code are shown; the grant goes into the keyring and gives tokens from then on."""
    with authorisation() as provider:
        urls = f'device_url = "{provider.url}/device"\ntoken_url = "{provider.url}/token"\n'
        tables = f'[mail.imap]\nhost = "localhost"\n[mail.oauth]\nprovider = "other"\nclient_id = "c"\nscope = "mail"\n{urls}'
        text = home.config.read_text().replace('[mail]\npath = "Mail"\n', tables)
        home.config.write_text(f'{text}[runs]\nkeyring = "{NAME}"\n')
        provider.answers = [(200, {"access_token": "t0ken", "refresh_token": "gr4nt", "expires_in": 3600})]
        ended = home.run("mail", "login")
        assert (ended.code, ended.err) == (0, "")
        assert ended.out == (
            "open http://localhost/device and type in WDJB-MJHT\naccess was granted, and the grant is kept in the keyring\n"
        )
        server = load_settings(home.config).accounts[0].server
        assert server is not None
        assert server.secret() == "t0ken"
        assert provider.asked[-1][1]["refresh_token"] == "gr4nt"


def test_access_is_granted_for_sending_alone(home: Any, ring: FakeKeyring) -> None:
    """A folder whose mail leaves by a server that wants tokens has a table oauth, too."""
    with authorisation() as provider:
        urls = f'device_url = "{provider.url}/device"\ntoken_url = "{provider.url}/token"\n'
        tables = f'[mail.smtp]\nhost = "localhost"\n[mail.oauth]\nprovider = "other"\nclient_id = "c"\nscope = "mail"\n{urls}'
        text = home.config.read_text().replace('[mail]\npath = "Mail"\n', f'[mail]\npath = "Mail"\n{tables}')
        home.config.write_text(f'{text}[runs]\nkeyring = "{NAME}"\n')
        provider.answers = [(200, {"access_token": "t0ken", "refresh_token": "gr4nt", "expires_in": 3600})]
        ended = home.run("mail", "login")
        assert (ended.code, ended.err) == (0, "")
        way = load_settings(home.config).accounts[0].submission
        assert way is not None
        assert way.secret is not None
        assert way.secret() == "t0ken"


def test_an_account_without_a_provider_is_said(home: Any, imap_server: Dovecot) -> None:
    """Also one that is not there: the names that there are stand beside it."""
    on_server(home, imap_server, "surface")
    said = "armslength: mail login: "
    no_table = "there is no table [mail.oauth], so access is not by a provider's grant"
    assert home.run("mail", "login").err == f"{said}{no_table}\n"
    assert home.run("mail", "login", "work").err == f"{said}the one account has no name; leave it out\n"
    text = home.config.read_text().replace("[mail.imap]", "[mail.work.imap]")
    grant = '[mail.old.oauth]\nprovider = "microsoft"\nclient_id = "c"\n'
    home.config.write_text(f'{text}[mail.old.imap]\nhost = "localhost"\n{grant}')
    for name in ("", "wrok\x1b"):
        asked = "there are several accounts" if not name else "there is no account wrok⟨U+001B⟩"
        assert home.run("mail", "login", *filter(None, [name])).err == f"{said}{asked}; name one of old, work\n"
    ended = home.run("mail", "login", "work")
    assert (ended.code, ended.err) == (
        2,
        f"{said}there is no table [mail.work.oauth], so access is not by a provider's grant; old can be logged in to\n",
    )
    home.config.write_text('state = "state"\n')
    assert home.run("mail", "login").err == (
        f"{said}no mail is configured; [mail] in the configuration says where it lies\n"
    )


def test_mail_of_an_account_that_was_renamed_is_said_at_each_start(home: Any, imap_server: Dovecot) -> None:
    """Nothing sends what lies in its outbox; other commands and `doctor` say where that is, and what to do."""
    on_server(home, imap_server, "surface")
    text = home.config.read_text()
    home.config.write_text(text.replace("[mail.imap]", "[mail.work.imap]"))
    home.will('send_email(["kim@example.com"], "Hi", "ping")')
    assert "done: send a mail" in home.run("ask", "send it", "--quiet").out
    assert home.run("runs").err == ""
    home.config.write_text(text.replace("[mail.imap]", "[mail.office.imap]"))
    place = home.path / "state" / "mail-work.index.waiting"
    said = f"the account work is not configured, and mail of it waits: 1 mail in {place}"
    assert home.run("runs").err.startswith(
        f"armslength: {said}; call the account work again, as [mail.work], and send or"
    )
    held = home.run("held")
    assert (held.code, held.out) == (0, "no account that is configured holds anything\n")
    assert said in held.err
    run = home.run("runs", "--json").json()["runs"][0]["name"]
    recalled = home.run("recall", run)
    assert recalled.code == 2
    assert recalled.err.startswith(
        f"armslength: no account that is configured holds anything of {run}; {said}; call the account work"
    )
    assert "has left" not in recalled.err
    home.will("yes")
    assert f"hint mail of work: {said}\n" in home.run("doctor").out


def test_a_certificate_that_is_not_accepted_names_the_accounts_own_setting(home: Any, imap_server: Dovecot) -> None:
    """Of several accounts each has its own."""
    on_server(home, imap_server, "surface")
    text = home.config.read_text().replace("[mail.imap]", "[mail.work.imap]")
    home.config.write_text(text.replace(f'authorities = "{imap_server.authorities}"\n', ""))
    home.will("answer(search_emails()[0].subject)")
    ended = home.run("ask", "what is new?", "--quiet")
    assert "or name its authority in mail.work.imap.authorities" in ended.out + ended.err


def test_a_server_that_does_not_answer_stops_no_other_command(home: Any, imap_server: Dovecot) -> None:
    """`runs` asks no mail server, though it sends what is due before."""
    on_server(home, imap_server, "surface")
    home.config.write_text(home.config.read_text().replace(f"port = {imap_server.tls_port}", "port = 9"))
    ended = home.run("runs")
    assert (ended.code, ended.err) == (0, "")
    home.will("answer(search_emails()[0].subject)")
    ended = home.run("ask", "what is new?", "--quiet")
    assert ended.code == 5
    assert "mail server localhost: the connection failed (ConnectionRefusedError); try again" in ended.out + ended.err
    assert Path(home.path / "state" / "mail-only.index.sqlite").exists()
