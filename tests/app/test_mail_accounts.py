"""The accounts in the configuration: one in `[mail]` itself, or each in a table of its own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from armslength.app import load_settings, tools_of
from armslength.app.settings import Settings
from armslength.app.wiring import policy_without_models
from armslength.errors import ConfigError

TWO = """
[user]
name = "Ada Lovelace"
addresses = ["ada@example.com"]
[mail]
hold = "10m"
[mail.work]
path = "Work"
addresses = ["ada@work.example", "a.lovelace@work.example"]
authserv_id = "mx.work.example"
[mail.home]
path = "Home"
name = "Ada"
sent = "Gone"
"""


def loaded(folder: Path, text: str) -> Settings:
    """The settings in such a file."""
    file = folder / "config.toml"
    file.write_text(f'state = "state"\n{text}')
    return load_settings(file)


def test_each_account_has_a_table(tmp_path: Path) -> None:
    """In the order of the file; what it does not say is the user's, and what is held is held equally long."""
    work, home = loaded(tmp_path, TWO).accounts
    assert (work.account, work.path, work.name) == ("work", tmp_path / "Work", "Ada Lovelace")
    assert (work.addresses, work.authserv_id) == (("ada@work.example", "a.lovelace@work.example"), "mx.work.example")
    assert (home.account, home.addresses, home.name, home.sent) == ("home", ("ada@example.com",), "Ada", "Gone")
    assert (work.hold, home.hold) == (timedelta(minutes=10), timedelta(minutes=10))


def test_every_address_of_every_account_is_the_persons_own(tmp_path: Path) -> None:
    """To the policy, the user's first."""
    policy = policy_without_models(loaded(tmp_path, TWO), is_strict=False)
    assert policy.addresses == ("ada@example.com", "ada@work.example", "a.lovelace@work.example")


def test_a_place_of_an_account_that_is_missing_or_shared_is_named(tmp_path: Path) -> None:
    """By the table that it stands in."""
    (tmp_path / "Work").mkdir()
    with pytest.raises(ConfigError, match=r"mail\.home\.path: there is no .*/Home"):
        tools_of(loaded(tmp_path, TWO))
    with pytest.raises(ConfigError, match=r"mail\.work\.path and mail\.home\.path: one lies in the other"):
        tools_of(loaded(tmp_path, TWO.replace('"Home"', '"Work"')))


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "[mail]\npath = 'a'\n[mail.work]\npath = 'b'\n": "mail.path is not a setting; there are: hold, work",
        "[mail.Work]\npath = 'b'\n": "mail.Work must be named by small letters, digits, - and _, at most 30",
        "[mail.only]\npath = 'b'\n": "mail.only must be called otherwise: in the state folder this is the account that has no name",
        "[mail.work]\nsent = 'b'\n": "mail.work.path must be given: a Maildir, or one mbox file; or a table imap",
        "[mail.work]\npath = 'b'\nhold = '10m'\n": "mail.work.hold is not a setting; there are: "
        "addresses, authserv_id, check_signatures, drafts, folders_path, held, imap, name, oauth, outbox, path, resolver, sent, smtp, trash",
    }.items(),
)
def test_a_wrong_account_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """With its table, and what there is instead."""
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    assert str(caught.value) == f"{tmp_path / 'config.toml'}: {message}"
