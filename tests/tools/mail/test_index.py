"""The index of a mailbox on a server: it finds what a look through all texts finds, whatever is looked for."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armslength.errors import ToolError
from armslength.tools.mail import index as indexes
from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.index import Arrived, Index, Known, Read, Words
from armslength.tools.mail.message import read_message

START = datetime(2026, 11, 1, tzinfo=UTC)


def arrived(number: int, text: str, folder: str = "INBOX", sender: Sender | None = None, raw: bytes = b"") -> Arrived:
    """A message with this text to be found by, a minute after the one before."""
    content = raw or f"From: julia@example.com\nMessage-ID: <{number}@example.com>\n\n{number}\n".encode()
    read = Read(content, read_message(content), sender, text, "julia\njulia@example.com")
    when = START + timedelta(minutes=number)
    return Arrived(folder, number + 1, when, number % 2 == 0, len(content), f"{number:064x}", read)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """An empty one."""
    return Index(tmp_path / "index.sqlite")


SIGNS = st.text(st.sampled_from("ab東\"'*(): %_\0é-"), max_size=8)


def seen(text: str) -> str:
    """As it is looked for: a NUL and the sign that stands for what cannot be read are one."""
    return text.replace("\0", "\ufffd")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    texts=st.lists(SIGNS, min_size=1, max_size=6),
    words=st.lists(SIGNS.filter(str.strip), max_size=3),
    tried=st.integers(0, 3),
)
def test_words_are_found_as_a_look_through_finds_them(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    texts: list[str],
    words: list[str],
    tried: int,
) -> None:
    """Of any length, with any signs, in any order: nothing in a word is a command of the search."""
    monkeypatch.setattr(indexes, "_MOST_TRIED", tried)
    made = Index(tmp_path_factory.mktemp("index") / "index.sqlite")
    for number, text in enumerate(texts):
        made.add(arrived(number, text))
    looked_for = tuple(part for word in words for part in word.split())
    expected = [number for number, text in enumerate(texts) if all(seen(word) in seen(text) for word in looked_for)]
    found = made.newest(Words(("INBOX",), looked_for), 200)
    assert sorted(row.uid - 1 for row in found) == expected
    made.close()


def test_the_newest_come_first_and_no_more_than_wanted(index: Index) -> None:
    """Whatever the order in which they were added; of the same bytes in two folders one."""
    for number in (3, 1, 2, 0):
        index.add(arrived(number, "same"))
    index.add(Arrived(**{**fields(arrived(2, "same")), "folder": "All", "uid": 9}))
    both = ("INBOX", "All")
    assert [row.uid for row in index.newest(Words(both, ("same",)), 3)] == [4, 9, 2]
    assert [row.uid for row in index.newest(Words(("INBOX",)), 2)] == [4, 3]
    assert [row.uid for row in index.newest(Words(both, is_unread=True), 9)] == [9, 1]


def fields(given: Arrived) -> dict[str, object]:
    """The fields of an arrival."""
    return {name: getattr(given, name) for name in Arrived.__slots__}


def test_what_was_looked_through_is_said(index: Index) -> None:
    """Verified senders, and the messages of ours that are borne in these folders; only those unread if so asked."""
    index.add(arrived(0, "a"))
    index.add(arrived(1, "b", "Work", Sender("julia@example.com")))
    ours = ["<0@example.com>", "<1@example.com>", "<7@example.com>"]
    assert (index.senders(["INBOX"]), index.senders(["Work"]), index.senders([])) == (False, True, False)
    assert index.bearing_one_of(["INBOX"], ours) == {"<0@example.com>"}
    assert index.bearing_one_of(["INBOX", "Work"], ours) == {"<0@example.com>", "<1@example.com>"}
    assert index.bearing_one_of(["INBOX", "Work"], ours, is_unread=True) == {"<0@example.com>"}


def test_ids_of_our_form_are_found_like_others(index: Index) -> None:
    """Whoever bears one."""
    ids = [f"<{number:032x}@example.org>" for number in range(3)]
    for number in (0, 1):
        raw = f"From: julia@example.com\nMessage-ID: {ids[number]}\n\n".encode()
        index.add(arrived(number, "a", ("INBOX", "Work")[number], raw=raw))
    assert index.bearing_one_of(["INBOX", "Work"], ids) == {ids[0], ids[1]}
    assert index.bearing_one_of(["Work"], [*ids, "<0@example.com>"]) == {ids[1]}
    assert index.bearing_one_of(["INBOX", "Work"], ids[1:], is_unread=True) == frozenset()


def test_a_sender_is_one_only_with_the_address_in_from(index: Index) -> None:
    """What is authenticated for another address finds nobody."""
    index.add(arrived(0, "a", sender=Sender("eve@example.com")))
    assert (index.senders(["INBOX"]), index.sent_by(["INBOX"], "eve@example.com")) == (False, [])


def test_what_left_leaves_nothing_but_an_id(index: Index) -> None:
    """No word, no byte; the same bytes get the id again, others never."""
    index.add(arrived(0, "secret"))
    (before,) = index.newest(Words(("INBOX",)), 9)
    index.lose("INBOX", [1])
    assert index.newest(Words(("INBOX",), ("secret",)), 9) == []
    assert (index.raw(before.n), index.mentioning(["INBOX"], "<0@example.com>")) == (b"", [])
    index.add(arrived(5, "other"))
    index.add(Arrived(**{**fields(arrived(0, "secret")), "folder": "Work", "uid": 77}))
    assert index.by_id(before.entry.id).entry.folder == "Work"
    assert len({row.entry.id for row in index.newest(Words(("INBOX", "Work")), 9)}) == 2


def test_a_batch_is_kept_whole_or_not(index: Index) -> None:
    """Cut off in its middle nothing of it is there."""

    def cut_off() -> None:
        with index.change():
            index.add(arrived(0, "a"))
            index.know("INBOX", Known(1, 2, 0, 1, 1))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        cut_off()
    assert (index.folders(), index.uids("INBOX")) == ({}, frozenset())


def test_an_index_of_another_version_is_named(tmp_path: Path) -> None:
    """With what to do."""
    file = tmp_path / "index.sqlite"
    with sqlite3.connect(file) as made:
        made.execute("PRAGMA user_version=99")
    made.close()
    with pytest.raises(ToolError, match="is of another version; remove it, it is made anew"):
        Index(file)


def test_a_link_is_no_index(tmp_path: Path) -> None:
    """Nothing is written through one."""
    (tmp_path / "index.sqlite").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ToolError, match="cannot be opened"):
        Index(tmp_path / "index.sqlite")
    assert not (tmp_path / "elsewhere").exists()
