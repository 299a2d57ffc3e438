"""The label ledger: what we wrote keeps its label."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers import is_within

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import LITERAL, PRIVATE, PROGRAM, REQUEST, Label, Readers, Source, join, label
from armslength.tools.ledger import Ledger, knowing, read_back

STORE = Source("store:test", is_trusted=True)
EVIL = label([Source("mail:evil@example.com")], readers=PRIVATE)
DEFAULT = label([Source("file:a")], readers=PRIVATE, steer=PRIVATE)


def test_what_was_written_keeps_its_label_and_a_later_edit_joins_the_default(tmp_path: Path) -> None:
    """The same bytes have the written label, other bytes that joined with the store's default, another object the default."""
    Ledger(tmp_path / "l.json").record("a", b"text", EVIL)
    ledger = Ledger(tmp_path / "l.json")

    assert ledger.label_of("a", b"text", DEFAULT) is EVIL
    assert ledger.label_of("a", b"edited", DEFAULT) is join(EVIL, DEFAULT)
    assert ledger.label_of("b", b"text", DEFAULT) is DEFAULT
    assert (ledger.holds("a", b"text"), ledger.holds("a", b"edited"), ledger.holds("b", b"text")) == (
        True,
        False,
        False,
    )


def test_two_ledgers_over_one_file_see_each_other(tmp_path: Path) -> None:
    """What one ledger object has read is read again after another one wrote."""
    one, other = Ledger(tmp_path / "l.json"), Ledger(tmp_path / "l.json")
    one.record("a", b"1", EVIL)
    assert other.label_of("a", b"1", DEFAULT) is EVIL
    one.record("b", b"2", EVIL)
    one.forget("a")

    assert other.label_of("a", b"1", DEFAULT) is DEFAULT
    assert other.label_of("b", b"2", DEFAULT) is EVIL


def test_the_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """Names of objects and sources are private."""
    Ledger(tmp_path / "l.json").record("a", b"1", EVIL)

    assert (tmp_path / "l.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "the label ledger l.json cannot be read; move it away to start anew"),
        ("[]", "the label ledger l.json is damaged; move it away to start anew"),
        ('{"a": {"digest": 1}}', "the label ledger l.json is damaged at 'a'; move it away to start anew"),
        ('{"a": {"digest": "", "label": {}}}', "the label ledger l.json is damaged at 'a'; move it away to start anew"),
    ],
)
def test_a_damaged_ledger_labels_nothing(tmp_path: Path, content: str, message: str) -> None:
    """Unknown means no: there is no default for a store whose ledger cannot be read."""
    (tmp_path / "l.json").write_text(content)

    with pytest.raises(ToolError) as caught:
        Ledger(tmp_path / "l.json").label_of("a", b"1", DEFAULT)
    assert str(caught.value) == message


def test_trust_is_decided_when_it_is_read(tmp_path: Path) -> None:
    """A file that names a source as data makes it no more trusted than today's configuration does."""
    ledger = Ledger(tmp_path / "l.json", knowing(trust_nobody, STORE))
    ledger.record("a", b"1", label([STORE, Source("mail:friend@example.com", is_trusted=True)]))

    assert ledger.label_of("a", b"1", DEFAULT) is label([STORE, Source("mail:friend@example.com")])
    assert json.loads((tmp_path / "l.json").read_text())["a"]["label"]["data"] == [
        "mail:friend@example.com",
        "store:test",
    ]


def test_nothing_read_back_is_the_users_or_the_programs() -> None:
    """`user` and `program` become the store's source, and the value is private."""
    assert read_back(LITERAL, STORE) is label([STORE], readers=PRIVATE)
    assert read_back(REQUEST, STORE) is label([STORE], readers=PRIVATE)
    assert read_back(label([Source("web:a.example")], choice=[PROGRAM]), STORE) is label(
        [STORE, Source("web:a.example")], choice=[STORE], readers=PRIVATE
    )


_SOURCES = st.frozensets(st.builds(Source, st.sampled_from(["web:a", "mail:b", "file:c"])))
_READERS = st.builds(Readers, st.none() | st.frozensets(st.sampled_from(["a@example.com", "b@example.com"])))
_LABELS = st.builds(
    lambda data, choice, bits, readers, steer, intact: label(
        data, choice=choice, bits=bits, readers=readers, steer=steer, intact=intact
    ),
    _SOURCES,
    _SOURCES,
    st.integers(0, 9),
    _READERS,
    _READERS,
    st.booleans(),
)


@given(_LABELS)
def test_reading_back_drops_no_untrusted_part(written: Label) -> None:
    """Every untrusted source stays where it was, readers only shrink, and doing it twice changes nothing."""
    back = read_back(written, STORE)

    assert written.data <= back.data
    assert written.choice <= back.choice
    assert back.bits == written.bits
    assert is_within(back.readers, written.readers)
    assert back.steer == written.steer
    assert read_back(back, STORE) is back
