"""The benches of labels and of start-up measure what they say. Nothing here is timed."""

from __future__ import annotations

import pytest
from bench.speed import documents, labels, mail_search, startup
from bench.speed.programs import FOREIGN, TRUSTED
from bench.speed.timing import interleaved

from armslength.labels import join


def test_what_is_compared_is_run_in_turn() -> None:
    """Each once before, and then as often as asked, never one after itself; what is short is repeated."""
    ran: list[str] = []
    best = interleaved([lambda: ran.append("a"), lambda: ran.append("b")], 2)
    firsts = [name for at, name in enumerate(ran) if at == 0 or ran[at - 1] != name]
    assert firsts == ["a", "b", "a", "b", "a", "b"]
    assert all(0 < each < 1 for each in best)


def test_the_two_labels_differ_and_so_does_what_they_make() -> None:
    """Two labels that are one object are joined by an identity check, which would measure something else."""
    assert len({TRUSTED, FOREIGN, join(TRUSTED, FOREIGN)}) >= 2
    assert not FOREIGN.is_trusted


def test_each_thing_done_with_labels_has_a_row() -> None:
    """The look-up is the measure of all others; joins of labels that met before are bound."""
    rows = labels.measured(1, passes=50)
    assert rows[0].look_ups == 1
    assert [row.name for row in rows if row.is_bound] == list(labels.BOUND)
    assert len(rows) == 1 + len(labels.AGAIN) + len(labels.SOURCES)
    assert all(row.nanoseconds > 0 for row in rows)


def test_a_broken_bound_ends_with_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """And says which."""
    monkeypatch.setattr(labels, "measured", lambda runs: [labels.Row("join(a, b)", 1.0, 5.1, is_bound=True)])
    assert labels.main(["--dry"]) == 1
    assert "BROKEN join(a, b): 5.1 attribute look-ups" in capsys.readouterr().out


def test_every_command_starts_and_its_modules_are_counted() -> None:
    """An empty program loads none of ours; each command loads more than it, and the command line less than the assistant's libraries."""
    rows = {row.name: row for row in startup.measured(1)}
    assert rows["an empty program"].ours == 0
    assert all(
        row.modules > rows["an empty program"].modules for name, row in rows.items() if name != "an empty program"
    )
    assert rows["armslength --version"].modules < rows["import armslength.app"].modules


def test_documents_are_read_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same document in a process of its own and in this one; what is compared with itself has the ratio 1."""
    monkeypatch.setattr(documents, "PAGES", 2)
    rows = documents.measured(1)
    assert [row.ratio for row in rows if row.name == row.base] == [1, 1, 1]
    assert [row.name for row in rows if row.is_wall] == ["the same within bubblewrap"]
    assert all(row.seconds > 0 for row in rows)


def test_mails_are_searched() -> None:
    """Every search finds what was put there for it, none more than are shown."""
    rows, size = mail_search.measured(1_001, 1)
    found = {row.name: row.found for row in rows}
    assert found["a word that one mail in a thousand has"] == found["a word and all senders"] == 2
    assert (found["a word that no mail has"], found["all that is there"]) == (0, 200)
    assert size > 1
    assert all(row.milliseconds > 0 for row in rows)
