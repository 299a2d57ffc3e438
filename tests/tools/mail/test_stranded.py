"""Mail that waits for an account which was renamed or left out: counted, with its place and what to do."""

from __future__ import annotations

from pathlib import Path

from armslength.tools.mail.dispatches import Dispatch, State, dispatches_in
from armslength.tools.mail.maildir import Maildir
from armslength.tools.mail.stranded import Stranded, stranded

RAW = b"From: me@example.org\nSubject: Hi\n\nping\n"


def waiting_in(state: Path, called: str, folder: str, count: int = 1) -> Path:
    """The Maildir of an account on a server, with so many mails in one of its folders."""
    place = state / f"mail-{called}.index.waiting"
    for name in ("tmp", "new", "cur"):
        (place / name).mkdir(parents=True, exist_ok=True)
    maildir = Maildir(place)
    maildir.make_folder(folder)
    for _ in range(count):
        maildir.append(folder, RAW, "S")
    return place


def noted(state: Path, account: str, became: State, raw: bytes | None = None) -> None:
    """A dispatch of an account."""
    key = f"{account or 'only'}{became}{raw is None}".ljust(32, "0")
    dispatches_in(state).put(Dispatch(key, account, became, ("kim@example.com",), "d", raw, 0.0, ""))


def test_nothing_waits_where_nothing_was_written(tmp_path: Path) -> None:
    """Looking makes no file."""
    assert stranded(tmp_path, {"work"}) == []
    assert list(tmp_path.iterdir()) == []


def test_mail_of_an_account_that_is_gone_is_counted(tmp_path: Path) -> None:
    """Outbox and held mail in its Maildir, and what is noted of mail on its way; not that of accounts that are there, nor what is done."""
    place = waiting_in(tmp_path, "old", "Outbox", 2)
    waiting_in(tmp_path, "old", "Held")
    waiting_in(tmp_path, "work", "Outbox")
    only = waiting_in(tmp_path, "only", "Held")
    waiting_in(tmp_path, "empty", "Held", 0)
    for account in ("old", "work"):
        noted(tmp_path, account, "held")
        noted(tmp_path, account, "sent", RAW)
        noted(tmp_path, account, "sent")
        noted(tmp_path, account, "done")
    assert stranded(tmp_path, {"work"}) == [Stranded("", only, 1, 0), Stranded("old", place, 3, 2)]
    assert [each.account for each in stranded(tmp_path, {"", "old"})] == ["work"]


def test_what_is_said_names_the_place_and_what_to_do(tmp_path: Path) -> None:
    """In one line each."""
    found = Stranded("old", tmp_path, 1, 2)
    assert found.said == (
        f"the account old is not configured, and mail of it waits: 1 mail in {tmp_path}, 2 mails held, or without a copy among the sent mail"
    )
    assert found.do == (
        "call the account old again, as [mail.old], and send or recall what waits before you rename it; "
        f"or take the mails out of {tmp_path}, which is a Maildir, and remove it"
    )
    assert (
        Stranded("", tmp_path, 0, 1).do
        == "let [mail] be the account again, and send or recall what waits before you rename it"
    )


def test_other_names_in_our_folder_are_no_accounts(tmp_path: Path) -> None:
    """Only what we name so is looked into."""
    waiting_in(tmp_path, "Not_Ours", "Outbox")
    (tmp_path / "mail-x.index.waiting").symlink_to(tmp_path / "nowhere")
    assert stranded(tmp_path, set()) == []
