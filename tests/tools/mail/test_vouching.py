"""Whose results stand on top of the latest mails: a suggestion that the person judges, since senders can write them too."""

from __future__ import annotations

from pathlib import Path

import pytest

from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.vouching import claimed_server

BODY = b"From: Bob <bob@example.com>\nSubject: Hi\n\nHello.\n"


def account(folder: Path, *tops: bytes) -> MailSettings:
    """A Maildir with a mail for each field on top."""
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, top in enumerate(tops):
        (folder / "new" / f"17957736{number:02}.M1P1.host").write_bytes(top + BODY)
    return MailSettings(folder, ("me@example.org",))


OURS = b"Authentication-Results: MX.example.org; dmarc=pass header.from=example.com\n"


def test_the_one_on_top_of_most_of_the_latest_mails_is_found(tmp_path: Path) -> None:
    """With how many of them have it."""
    assert claimed_server(account(tmp_path / "m", *[OURS] * 9, b"")) == ("mx.example.org", 9, 10)


def test_a_few_senders_do_not_suggest_theirs(tmp_path: Path) -> None:
    """What stands on top of some mails only is not what the person's own server adds to each."""
    assert claimed_server(account(tmp_path / "m", *[OURS] * 3, *[b""] * 2)) is None
    assert claimed_server(account(tmp_path / "n")) is None


@pytest.mark.parametrize(
    "top",
    [
        b"Authentication-Results: a b\x1b[2J; none\n",
        b"Authentication-Results: \xe2\x80\xaemx.example; none\n",
        b"Authentication-Results: " + b"x" * 300 + b"; none\n",
        b'Authentication-Results: "yes; rm -rf"; none\n',
    ],
)
def test_what_is_no_name_of_a_host_is_none(tmp_path: Path, top: bytes) -> None:
    """It would be printed, and written into the configuration."""
    assert claimed_server(account(tmp_path / "m", top)) is None


def test_only_the_topmost_counts(tmp_path: Path) -> None:
    """Below it everybody writes what he likes."""
    forged = b"Authentication-Results: evil.example; dmarc=pass header.from=example.com\n"
    assert claimed_server(account(tmp_path / "m", OURS + forged)) == ("mx.example.org", 1, 1)
