"""The server by which an account's mail leaves, in the configuration, and what a request says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from armslength.app import load_settings
from armslength.app.in_force import in_force
from armslength.app.settings import Settings
from armslength.errors import ConfigError
from armslength.surfaces.configured import summary

HEAD = 'state = "state"\n[user]\naddresses = ["ada@example.com"]\n[mail]\npath = "Mail"\n'


def loaded(folder: Path, text: str) -> Settings:
    """The settings with such a table."""
    file = folder / "config.toml"
    file.write_text(f"{HEAD}{text}")
    return load_settings(file)


def test_without_a_server_mail_leaves_by_the_outbox(tmp_path: Path) -> None:
    """As before."""
    assert loaded(tmp_path, "").accounts[0].submission is None


@pytest.mark.parametrize(("tls", "port"), [("", 465), ("implicit", 465), ("starttls", 587), ("none", 25)])
def test_tls_is_on_and_says_the_port(tmp_path: Path, tls: str, port: int) -> None:
    """Unless it is switched off in so many words."""
    text = f'[mail.smtp]\nhost = "mail.example.com"\n{f"tls = {tls!r}" if tls else ""}\n'
    way = loaded(tmp_path, text).accounts[0].submission
    assert way is not None
    assert (way.host, way.port, way.tls, way.user, way.secret) == (
        "mail.example.com", port, tls or "implicit", "", None,
    )  # fmt: skip


def test_the_password_is_read_when_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its place, and stands in no setting."""
    text = '[mail.smtp]\nhost = "m.example"\nuser = "ada"\npassword = { environment = "SMTP_WORD" }\nport = 2465\n'
    way = loaded(tmp_path, text).accounts[0].submission
    monkeypatch.setenv("SMTP_WORD", "correct horse")
    assert way is not None
    assert way.secret is not None
    assert (way.secret(), way.login, way.port) == ("correct horse", "password", 2465)
    assert "horse" not in repr(way)


def test_what_is_configured_is_shown_without_the_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By which server mail leaves, and who vouches for senders."""
    text = 'check_signatures = true\nauthserv_id = "mx.example"\n[mail.smtp]\nhost = "m.example"\nuser = "ada"\n'
    monkeypatch.setenv("SMTP_WORD", "correct horse")
    settings = loaded(tmp_path, f'{text}password = {{ environment = "SMTP_WORD" }}\n')
    assert in_force(settings)["mail"]["smtp"] == {
        "host": "m.example", "port": 465, "tls": "implicit", "user": "ada", "password": {"environment": "SMTP_WORD"}, "authorities": None,
        "keep_copy": True,
    }  # fmt: skip
    lines = summary(settings)
    assert "  vouching   the results of mx.example, else signatures, checked here" in lines
    assert "  leaves by  m.example:465" in lines
    assert "horse" not in str(lines)


def test_a_token_is_one_more_way_to_log_in(tmp_path: Path) -> None:
    """And each account has a server of its own."""
    text = (
        '[user]\naddresses = ["ada@example.com"]\n[mail.work]\npath = "Work"\n[mail.work.smtp]\nhost = "m.example"\nuser = "ada"\n'
        'keep_copy = false\ntoken = { command = ["token"] }\n[mail.home]\npath = "Home"\n'
    )
    file = tmp_path / "config.toml"
    file.write_text(text)
    work, home = load_settings(file).accounts
    assert work.submission is not None
    assert (work.submission.login, work.submission.keeps_copy, home.submission) == ("oauth", False, None)


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "user = 'ada'\n": "mail.smtp.host must be the name of the server by which mail leaves",
        "host = 'a b'\n": "mail.smtp.host must be the name of the server by which mail leaves",
        "host = 'm.example'\ntls = 'yes'\n": "mail.smtp.tls must be one of implicit, starttls, none",
        "host = 'm.example'\nport = 0\n": "mail.smtp.port must be a whole number from 1 to 65535",
        "host = 'm.example'\nuser = 'ada'\n": "mail.smtp.user must be given with one of password and token",
        "host = 'm.example'\nuser = 'ad\\u0001a'\n".replace("'ad", '"ad').replace("a'\n", 'a"\n'): "mail.smtp.user must be a name",
        "host = 'm.example'\nuser = 'a'\npassword = { environment = 'X' }\ntoken = { environment = 'Y' }\n": "mail.smtp.user must be",
        "host = 'm.example'\npassword = 'secret'\n": "mail.smtp.password must be one place",
        "host = 'm.example'\ntls = 'none'\nuser = 'a'\npassword = { environment = 'X' }\n": "mail.smtp.tls must be implicit or starttls",
        "host = 'm.example'\nuse = 'a'\n": "mail.smtp.use is not a setting",
    }.items(),
)  # fmt: skip
def test_a_wrong_server_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """By the setting, without what stands in it."""
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, f"[mail.smtp]\n{text}")
    assert str(caught.value).startswith(f"{tmp_path}/config.toml: {message}")
    assert "secret" not in str(caught.value).removesuffix("; a secret does not stand in this file")


def test_this_machine_may_be_spoken_to_without_tls(tmp_path: Path) -> None:
    """A relay of one's own."""
    text = '[mail.smtp]\nhost = "localhost"\ntls = "none"\nuser = "a"\npassword = { environment = "X" }\n'
    assert loaded(tmp_path, text).accounts[0].submission is not None


def test_who_logs_in_is_the_first_address_unless_the_table_says_another(tmp_path: Path) -> None:
    """As with the server on which mail lies; without a secret nobody logs in."""
    smtp, secret = '[mail.smtp]\nhost = "m.example"\n', 'password = { environment = "X" }\n'
    users = ["ada@example.com", "ada", ""]
    for text, user in zip((smtp + secret, f'{smtp}user = "ada"\n{secret}', smtp), users, strict=True):
        way = loaded(tmp_path, text).accounts[0].submission
        assert way is not None
        assert (way.user, way.secret is None) == (user, not user)


def test_a_provider_gives_tokens_for_sending_alone(tmp_path: Path) -> None:
    """Also where no user is named: a token that is there is not left out without a word. A relay on this machine, without TLS, gets none."""
    oauth = '[mail.oauth]\nprovider = "microsoft"\nclient_id = "client"\n'
    account = loaded(tmp_path, f'{oauth}[mail.smtp]\nhost = "m.example"\n').accounts[0]
    assert account.server is None
    assert account.submission is not None
    assert account.tokens is not None
    assert account.submission.secret is account.tokens
    assert (account.submission.user, account.submission.login) == ("ada@example.com", "oauth")
    relay = loaded(tmp_path, f'{oauth}[mail.smtp]\nhost = "localhost"\ntls = "none"\n').accounts[0].submission
    assert relay is not None
    assert (relay.user, relay.secret) == ("", None)
