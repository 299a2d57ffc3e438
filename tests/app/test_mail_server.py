"""Mail on a server, in the configuration: how it is reached, and what a request says of it. No server is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from armslength.app import load_settings, tools_of
from armslength.app.in_force import in_force
from armslength.app.settings import Settings
from armslength.errors import ConfigError
from armslength.tools.base import NOBODY, nobody
from armslength.tools.mail.oauth import Tokens

HEAD = 'state = "state"\n[user]\naddresses = ["ada@example.com"]\n'
IMAP = '[mail.imap]\nhost = "imap.example.com"\npassword = { environment = "IMAP_WORD" }\n'
OAUTH = '[mail.oauth]\nprovider = "microsoft"\nclient_id = "client"\n'


def loaded(folder: Path, text: str) -> Settings:
    """The settings with such tables."""
    file = folder / "config.toml"
    file.write_text(f"{HEAD}{text}")
    return load_settings(file)


@pytest.mark.parametrize(("tls", "port"), [("", 993), ("implicit", 993), ("starttls", 143)])
def test_tls_is_on_and_says_the_port(tmp_path: Path, tls: str, port: int) -> None:
    """Unless it is switched off in so many words."""
    server = loaded(tmp_path, IMAP + (f"tls = {tls!r}\n" if tls else "")).accounts[0].server
    assert server is not None
    assert (server.host, server.port, server.tls, server.user, server.login) == (
        "imap.example.com", port, tls or "implicit", "ada@example.com", "password",
    )  # fmt: skip
    assert server.index == tmp_path / "state" / "mail-only.index.sqlite"


def test_the_password_is_read_when_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its place, and stands in no setting; a program may give a token instead."""
    server = loaded(tmp_path, IMAP).accounts[0].server
    assert server is not None
    monkeypatch.setenv("IMAP_WORD", "correct horse")
    assert server.secret() == "correct horse"
    assert "horse" not in repr(server)
    text = '[mail.imap]\nhost = "imap.example.com"\nuser = "ada"\ntoken = { command = ["echo", "t0ken"] }\n'
    server = loaded(tmp_path, text).accounts[0].server
    assert server is not None
    assert (server.login, server.user, server.secret()) == ("oauth", "ada", "t0ken")


def test_a_provider_gives_tokens_for_reading_and_sending(tmp_path: Path) -> None:
    """One grant for both servers of the account."""
    text = f'[mail.imap]\nhost = "imap.example.com"\n{OAUTH}[mail.smtp]\nhost = "smtp.example.com"\nuser = "ada@example.com"\n'
    account = loaded(tmp_path, text).accounts[0]
    assert account.server is not None
    assert account.submission is not None
    assert isinstance(account.server.secret, Tokens)
    assert account.server.secret is account.submission.secret
    assert (account.server.login, account.submission.login) == ("oauth", "oauth")


def test_each_account_has_an_index_of_its_own(tmp_path: Path) -> None:
    """By its name; an account on a server stands beside one in a folder."""
    (tmp_path / "Home").mkdir()
    text = f'{IMAP.replace("[mail.", "[mail.work.")}[mail.home]\npath = "Home"\n'
    work, home = loaded(tmp_path, text).accounts
    assert work.server is not None
    assert (work.server.index.name, home.server) == ("mail-work.index.sqlite", None)
    assert {"search_emails", "draft_email"} <= {tool.name for tool in tools_of(loaded(tmp_path, text))}
    assert not (tmp_path / "state").exists()


def test_a_draft_on_a_server_is_told_where_data_stays_here(tmp_path: Path) -> None:
    """Its receiver is the user's own address, so that the rule about this machine sees it; otherwise nobody learns of it."""
    private = '[privacy]\nthis_machine_only = ["file:*"]\n'
    draft = {tool.name: tool for tool in tools_of(loaded(tmp_path, IMAP))}["draft_email"]
    assert draft.receivers is nobody
    told = {tool.name: tool for tool in tools_of(loaded(tmp_path, IMAP + private))}["draft_email"]
    assert told.receivers({}).names == ("ada@example.com",)
    here = IMAP.replace("imap.example.com", "localhost")
    assert {tool.name: tool for tool in tools_of(loaded(tmp_path, here + private))}["draft_email"].receivers(
        {}
    ) == NOBODY


@pytest.mark.parametrize(
    ("text", "message"),
    {
        IMAP
        + "tls = 'none'\n": "mail.imap.tls must be implicit or starttls, where a password or token goes to another machine",
        IMAP + "tls = 'maybe'\n": "mail.imap.tls must be one of implicit, starttls, none",
        IMAP + "port = 0\n": "mail.imap.port must be a whole number from 1 to 65535",
        IMAP + 'user = "a\\nb"\n': "mail.imap.user must be a name of plain letters",
        IMAP.replace(
            "imap.example.com", "imap.example.com/x"
        ): "mail.imap.host must be the name of the server on which the mail lies",
        '[mail.imap]\nhost = "a.example"\n': "mail.imap.password must be given, or token instead, or a table oauth beside this one",
        IMAP + OAUTH: "mail.imap.password must be given, or token instead, or a table oauth beside this one",
        '[mail]\npath = "Mail"\n' + IMAP: "mail.path must be left out where there is a table imap: the mail lies there",
        '[mail.imap]\nhost = "a.example"\npassword = "horse"\n': "mail.imap.password must be one place, such as "
        '{ environment = "VARIABLE" }, { keyring = "entry" } or { command = ["program", "word"] }; a secret does not stand in this file',
        OAUTH.replace("microsoft", "other"): "mail.oauth.device_url must be given",
        OAUTH.replace("microsoft", "google"): "mail.oauth.provider must be one of other, microsoft",
    }.items(),
)
def test_a_wrong_server_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """With its setting, and what there is instead; no password is repeated."""
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    assert str(caught.value) == f"{tmp_path / 'config.toml'}: {message}"


def test_codes_and_tokens_go_over_tls(tmp_path: Path) -> None:
    """An address of a provider elsewhere that is not encrypted is refused."""
    urls = 'device_url = "http://a.example/code"\ntoken_url = "https://a.example/token"\nscope = "mail"\n'
    with pytest.raises(ConfigError, match="begin with https://"):
        loaded(tmp_path, OAUTH.replace("microsoft", "other") + urls)


def test_it_is_shown_without_its_password(tmp_path: Path) -> None:
    """Place and user of the server, and where its password is."""
    shown = in_force(loaded(tmp_path, IMAP))["mail"]
    assert shown["imap"] == {
        "host": "imap.example.com", "port": 993, "tls": "implicit", "user": "ada@example.com", "password": {"environment": "IMAP_WORD"},
        "authorities": None,
    }  # fmt: skip
    assert "horse" not in json.dumps(shown)
