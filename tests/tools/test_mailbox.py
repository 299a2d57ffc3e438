"""Mailboxes on disk: what is found, what is refused, what survives."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from armslength.errors import ToolError
from armslength.tools.mail.mailbox import Entry, Mailbox
from armslength.tools.mail.opening import open_mailbox

RAW = b"Subject: hi\n\nhello\n"


def maildir(root: Path) -> Path:
    """An empty Maildir."""
    for name in ("cur", "new", "tmp"):
        (root / name).mkdir(parents=True)
    return root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A Maildir with an inbox of two and folders of both layouts."""
    root = maildir(tmp_path / "Mail")
    (root / "cur" / "1700000000.M1P1.host:2,FS").write_bytes(RAW)
    (root / "new" / "1600000000.M1P1.host").write_bytes(RAW * 2)
    maildir(root / ".Sent")
    maildir(root / ".Archive.2024")
    maildir(root / "Work" / "Plans")
    return root


def refused(box: Mailbox, folder: str) -> str:
    """What listing a folder that is not there says."""
    with pytest.raises(ToolError) as told:
        box.entries(folder)
    return str(told.value)


def test_a_maildir_is_listed(home: Path) -> None:
    """Folders of both layouts, ids without flags, delivery from the file name, unread without the S flag."""
    box = open_mailbox(home)
    assert box.kind == "maildir"
    assert box.folders() == ["INBOX", "Archive.2024", "Sent", "Work/Plans"]
    assert box.entries("INBOX") == [
        Entry("1600000000.M1P1.host", "INBOX", datetime(2020, 9, 13, 12, 26, 40, tzinfo=UTC), is_unread=True, size=38),
        Entry(
            "1700000000.M1P1.host", "INBOX", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC), is_unread=False, size=19
        ),
    ]
    assert [box.raw(entry) for entry in box.entries("INBOX")] == [RAW * 2, RAW]


def test_a_file_name_without_time_uses_the_time_of_the_file(home: Path) -> None:
    """A delivery time comes from the store even where the name holds none."""
    odd = home / "cur" / "odd-name"
    odd.write_bytes(RAW)
    os.utime(odd, (1_000_000_000, 1_000_000_000))
    assert open_mailbox(home).entries("INBOX")[0] == Entry(
        "odd-name", "INBOX", datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC), is_unread=True, size=19
    )


def test_a_message_is_found_after_its_flags_changed(home: Path) -> None:
    """The id is stable, and a file that another program renamed meanwhile is found again."""
    box = open_mailbox(home)
    first = box.entries("INBOX")[0]
    (home / "new" / first.id).rename(home / "cur" / f"{first.id}:2,S")
    assert box.raw(first) == RAW * 2
    assert box.entries("INBOX")[0].id == first.id


def test_a_message_that_is_gone_is_told(home: Path) -> None:
    """A deleted message raises one clear line."""
    box = open_mailbox(home)
    first = box.entries("INBOX")[0]
    (home / "new" / first.id).unlink()
    with pytest.raises(ToolError, match=r"^mailbox: a message is no longer there; list the folder again$"):
        box.raw(first)


@pytest.mark.parametrize("folder", ["../Mail", "..", ".Sent", "Sent/../..", "/etc", "Missing", "", "cur"])
def test_folders_are_only_what_is_listed(home: Path, folder: str) -> None:
    """No path is made of a folder name from outside."""
    assert refused(open_mailbox(home), folder) == "mailbox: there is no such folder; take a name that the mailbox lists"


def test_ids_are_only_what_is_listed(home: Path) -> None:
    """No path is made of an id from outside."""
    (home.parent / "secret").write_bytes(b"secret")
    box = open_mailbox(home)
    entry = Entry("../../secret", "INBOX", datetime.now(UTC), is_unread=True, size=1)
    with pytest.raises(ToolError, match="no longer there"):
        box.raw(entry)
    with pytest.raises(ToolError, match="no longer there"):
        box.move(entry, "Sent")


def test_symbolic_links_are_not_followed(home: Path) -> None:
    """Links to files and folders outside are not listed, and one put in place later is not read."""
    (home.parent / "secret").write_bytes(b"secret")
    maildir(home.parent / "Other")
    (home / ".Linked").symlink_to(home.parent / "Other")
    (home / "cur" / "1.link:2,").symlink_to(home.parent / "secret")
    box = open_mailbox(home)
    assert "Linked" not in box.folders()
    entries = box.entries("INBOX")
    assert len(entries) == 2
    place = home / "new" / entries[0].id
    place.unlink()
    place.symlink_to(home.parent / "secret")
    with pytest.raises(ToolError, match="cannot be read"):
        box.raw(entries[0])


def test_reading_is_capped(home: Path) -> None:
    """No more than the bound is read; the size tells that it was cut."""
    box = open_mailbox(home, most_bytes=5)
    entry = box.entries("INBOX")[1]
    assert (box.raw(entry), entry.size) == (b"Subje", 19)


def test_what_is_written_is_whole_private_and_listed(home: Path) -> None:
    """Without flags into new, with flags into cur, mode 600, nothing left in tmp."""
    box = open_mailbox(home)
    unread, seen = box.append("Sent", RAW), box.append("Sent", RAW + b"2", flags="SD")
    assert {(entry.id, entry.is_unread) for entry in box.entries("Sent")} == {(unread, True), (seen, False)}
    written = [home / ".Sent" / "new" / unread, home / ".Sent" / "cur" / f"{seen}:2,DS"]
    assert [path.read_bytes() for path in written] == [RAW, RAW + b"2"]
    assert [path.stat().st_mode & 0o777 for path in written] == [0o600, 0o600]
    assert not list((home / ".Sent" / "tmp").iterdir())


def test_a_key_writes_once(home: Path) -> None:
    """Writing again with the same key, as after a crash, finds the message that is there."""
    box = open_mailbox(home)
    first = box.append("Sent", RAW, key="run00000001call2")
    assert open_mailbox(home).append("Sent", RAW, key="run00000001call2") == first
    assert len(box.entries("Sent")) == 1


@pytest.mark.parametrize(("flags", "key"), [("X", ""), ("S/../", ""), ("", "../../../x"), ("", "short")])
def test_flags_and_keys_are_an_allow_list(home: Path, flags: str, key: str) -> None:
    """What would become part of a file name is checked."""
    with pytest.raises(ToolError, match=r"^mailbox: unknown flag or key;"):
        open_mailbox(home).append("Sent", RAW, flags, key)


def test_a_message_moves_and_comes_back(home: Path) -> None:
    """Id, flags and bytes stay; moving twice is moving once."""
    box = open_mailbox(home)
    box.make_folder("Trash")
    old = box.entries("INBOX")[1]
    moved = box.move(old, "Trash")
    assert (moved.id, moved.folder, moved.is_unread) == (old.id, "Trash", False)
    assert box.move(old, "Trash") == moved
    assert [entry.id for entry in box.entries("INBOX")] == ["1600000000.M1P1.host"]
    assert box.raw(moved) == RAW
    assert box.move(moved, "INBOX") == old
    assert (home / "cur" / "1700000000.M1P1.host:2,FS").read_bytes() == RAW


def test_a_message_gets_flags_where_it_moves(home: Path) -> None:
    """Beside those that it has, in order; its id stays, and moving it back leaves them."""
    box = open_mailbox(home)
    box.make_folder("Drafts")
    old = box.entries("INBOX")[1]
    moved = box.move(old, "Drafts", "D")
    assert (moved.id, moved.folder) == (old.id, "Drafts")
    assert (home / ".Drafts" / "cur" / "1700000000.M1P1.host:2,DFS").read_bytes() == RAW
    assert box.move(moved, "INBOX") == old


def test_moving_never_overwrites(home: Path) -> None:
    """A message of the same id in the other folder stays as it is."""
    (home / ".Sent" / "cur" / "1700000000.M1P1.host:2,").write_bytes(b"other")
    box = open_mailbox(home)
    with pytest.raises(ToolError, match=r"^mailbox: the other folder holds a message of that id"):
        box.move(box.entries("INBOX")[1], "Sent")
    assert (home / ".Sent" / "cur" / "1700000000.M1P1.host:2,").read_bytes() == b"other"


@pytest.mark.parametrize("name", ["../x", "a/b", ".x", "", "x\n", "x" * 65, "\u202e"])
def test_folder_names_are_an_allow_list(home: Path, name: str) -> None:
    """Only plain names become folders."""
    with pytest.raises(ToolError, match="a folder name may hold"):
        open_mailbox(home).make_folder(name)


def test_a_folder_is_made_once(home: Path) -> None:
    """Making a folder again changes nothing, and it is a folder of the same layout."""
    box = open_mailbox(home)
    box.make_folder("Outbox")
    kept = box.append("Outbox", RAW)
    box.make_folder("Outbox")
    assert [entry.id for entry in box.entries("Outbox")] == [kept]
    assert (home / ".Outbox" / "cur").is_dir()


def test_a_folder_of_maildirs_is_a_mailbox(tmp_path: Path) -> None:
    """The layout that mbsync writes: one Maildir per folder."""
    maildir(tmp_path / "INBOX")
    maildir(tmp_path / "Sent")
    box = open_mailbox(tmp_path)
    box.make_folder("Trash")
    assert box.folders() == ["INBOX", "Sent", "Trash"]


def test_what_is_no_mailbox_is_told(tmp_path: Path) -> None:
    """Neither a missing path, nor an empty folder, nor another file is a mailbox."""
    (tmp_path / "x.txt").write_bytes(b"hello")
    for path in (tmp_path, tmp_path / "x.txt"):
        with pytest.raises(ToolError) as told:
            open_mailbox(path)
        assert str(told.value) == (
            f"mailbox {path}: neither a Maildir nor an mbox file; name a folder with cur, new and tmp, or a file"
        )
    with pytest.raises(ToolError, match=r"No such file or directory; name a Maildir or an mbox file"):
        open_mailbox(tmp_path / "missing")


MBOX = (
    b"From alice@x.example Tue Jan  2 10:00:00 2024\nFrom: alice@x.example\nStatus: RO\n\n>From me\n>>From quoted\n\n"
    b"From bob@x.example Mon Jan  1 09:00:00 2024 +0100\nFrom: bob@x.example\n\nbody\nFrom here no message begins 2024\n\n"
    b"From nobody begins here\n\nFrom carol@x.example Wed Jan 31 25:00:00 2024\n\nno header\n"
)


def test_an_mbox_is_listed(tmp_path: Path) -> None:
    """Messages begin at From lines after an empty line; times come from those lines, quoting is taken off."""
    file = tmp_path / "mbox"
    file.write_bytes(MBOX)
    os.utime(file, (1_000_000_000, 1_000_000_000))
    box = open_mailbox(file)
    assert (box.kind, box.folders()) == ("mbox", ["INBOX"])
    entries = box.entries("INBOX")
    assert [(entry.delivered.isoformat(), entry.is_unread) for entry in entries] == [
        ("2001-09-09T01:46:40+00:00", True),
        ("2024-01-01T08:00:00+00:00", True),
        ("2024-01-02T10:00:00+00:00", False),
    ]
    assert [box.raw(entry) for entry in entries] == [
        b"\nno header\n",
        b"From: bob@x.example\n\nbody\nFrom here no message begins 2024\n\nFrom nobody begins here\n\n",
        b"From: alice@x.example\nStatus: RO\n\nFrom me\n>From quoted\n\n",
    ]


def test_ids_in_an_mbox_survive_flags_and_neighbours(tmp_path: Path) -> None:
    """A status field that a mail program rewrites, or a message put in front, changes no other id."""
    file = tmp_path / "mbox"
    file.write_bytes(MBOX)
    box = open_mailbox(file)
    before = {entry.id for entry in box.entries("INBOX")}
    file.write_bytes(b"From x Tue Jan  2 10:00:00 2024\n\nnew\n\n" + MBOX.replace(b"Status: RO\n", b"Status: O\n"))
    after = {entry.id for entry in box.entries("INBOX")}
    assert (len(before), len(after), before <= after) == (3, 4, True)


def test_equal_messages_in_an_mbox_have_different_ids(tmp_path: Path) -> None:
    """Copies are numbered in their order."""
    file = tmp_path / "mbox"
    file.write_bytes(b"From x Tue Jan  2 10:00:00 2024\n\nsame\n\n" * 2)
    first, second = (entry.id for entry in open_mailbox(file).entries("INBOX"))
    assert second == f"{first}-2"


def test_an_mbox_is_only_read(tmp_path: Path) -> None:
    """Writing goes to the Maildir beside it, or is refused."""
    file = tmp_path / "mbox"
    file.write_bytes(MBOX)
    box = open_mailbox(file)
    for change in (
        lambda: box.append("INBOX", RAW),
        lambda: box.make_folder("Outbox"),
        lambda: box.move(box.entries("INBOX")[0], "Outbox"),
    ):
        with pytest.raises(ToolError) as told:
            change()
        assert (
            str(told.value) == "mailbox: an mbox file is only read; configure a Maildir beside it for what is written"
        )
    both = open_mailbox(file, own_folders=tmp_path / "own")
    both.make_folder("Outbox")
    written = both.append("Outbox", RAW)
    assert both.folders() == ["INBOX", "Outbox"]
    assert [(entry.id, both.raw(entry)) for entry in both.entries("Outbox")] == [(written, RAW)]
    assert file.read_bytes() == MBOX


def test_an_empty_mbox_is_an_empty_inbox(tmp_path: Path) -> None:
    """A mailbox in which nothing has arrived yet is one."""
    (tmp_path / "mbox").write_bytes(b"")
    assert open_mailbox(tmp_path / "mbox").entries("INBOX") == []
