"""Runs that are kept are taken back: by another process, after a kill, and never what changed since."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.home.world import Home, Person
from tests.app.keeping import APPEND, Died, again, carried_out, dying_before

from armslength.app import assistant as assistant_module
from armslength.app.talk import Talk
from armslength.errors import AtWork, OperatorError, ToolError
from armslength.store.opened import OpenDatabaseRun
from armslength.store.runs import OpenRun
from armslength.store.sqlite import SqliteRuns
from armslength.tools.base import Prospect, Role, Tool, ToolCall, nobody, tool
from armslength.values import Plain


@pytest.fixture
def runs(tmp_path: Path) -> SqliteRuns:
    """Where runs are kept."""
    return SqliteRuns(tmp_path / "state" / "runs.sqlite")


def test_a_run_is_taken_back_by_another_process(home: Home, runs: SqliteRuns) -> None:
    """The latest first, after a yes; then nothing of it is left to take back."""
    home.file("todo.txt", "old\n")
    program = f'{APPEND}\nwrite_file(filename="new.txt", text="n")\ndraft_email(recipients=["kim@example.com"], subject="s", body="b")'
    run = carried_out(home, runs, program).run
    person = Person([True])
    undone = again(home, runs).undo(run, approver=person)
    assert (undone.error, undone.count, len(person.screens)) == (None, 3, 1)
    assert {name: text for name, text in home.everything().items() if name.startswith("files/")} == {
        "files/todo.txt": b"old\n"
    }
    assert home.drafts() == []
    assert again(home, runs).done_in(run) == ()
    with pytest.raises(OperatorError) as caught:
        again(home, runs).undo(run, approver=person)
    assert str(caught.value) == f"nothing that {run} did is left to be taken back; armslength why {run} shows it"
    assert [each.state for each in runs.listed()] == ["done", "done"]
    assert runs.verify() == []


def test_what_changed_since_is_left_alone(home: Home, runs: SqliteRuns) -> None:
    """The later effect is taken back, the earlier one's file was edited by hand: it stays, with the reason."""
    run = carried_out(home, runs, f'{APPEND}\nwrite_file(filename="new.txt", text="n")').run
    home.file("todo.txt", "edited")
    undone = again(home, runs).undo(run, approver=Person([True]))
    assert (undone.count, str(undone.error)) == (
        1,
        "files: the file was changed since, or what it was is not kept any more, so nothing was undone; edit it by hand",
    )
    assert home.everything()["files/todo.txt"] == b"edited"
    assert [done.tool for done in again(home, runs).done_in(run)] == ["append_to_file"]


def test_nothing_is_taken_back_without_a_yes(home: Home, runs: SqliteRuns) -> None:
    """It is an effect like others."""
    run = carried_out(home, runs, APPEND).run
    undone = again(home, runs).undo(run, approver=Person([False]))
    assert (undone.count, home.everything()["files/todo.txt"]) == (0, b"milk")


def test_nothing_is_taken_back_where_another_process_begins_to_work_on_the_run(
    home: Home, runs: SqliteRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is taken back could not be noted there, and would be offered again."""
    run = home.assistant(APPEND, runs=runs).ask("Do it").run
    found = assistant_module.can_be_taken_back

    def taken_meanwhile(*args: Any) -> Any:
        monkeypatch.setattr(assistant_module, "can_be_taken_back", found)
        held.append(SqliteRuns(tmp_path / "state" / "runs.sqlite").take(run))
        return found(*args)

    held: list[OpenRun] = []
    monkeypatch.setattr(assistant_module, "can_be_taken_back", taken_meanwhile)
    with pytest.raises(AtWork):
        again(home, runs).undo(run, approver=Person([True]))
    held[0].close()
    assert home.everything()["files/todo.txt"] == b"milk"
    assert again(home, runs).undo(run, approver=Person([True])).count == 1


def test_what_a_killed_run_did_is_taken_back(home: Home, runs: SqliteRuns) -> None:
    """Its journal says what was done before it died."""

    @tool(name="post", changes="board", receivers=nobody)
    def post() -> None:
        raise Died

    run = dying_before(home, runs, post, f"{APPEND}\npost()")
    assert again(home, runs).undo(run, approver=Person([True])).count == 1
    assert "files/todo.txt" not in home.everything()


def counting(path: Path, dies_at: int) -> Tool:
    """A tool of one's own that writes numbers down; its inverse takes the last one away, and dies at one of them."""

    def undo(_call: ToolCall, args: dict[str, Plain], _outcome: Plain) -> None:
        kept = path.read_text().split()
        if not kept or kept[-1] != args["number"]:
            raise ToolError("counting: the last one is another by now, so nothing was undone")
        path.write_text(" ".join(kept[:-1]))
        if int(kept[-1]) == dies_at:
            raise Died

    @tool(name="count", roles={"number": Role.CONTENT}, changes="numbers", receivers=nobody, undo=undo)
    def count(number: str) -> None:
        kept = path.read_text() if path.exists() else ""
        path.write_text(f"{kept} {number}")

    return count


def test_taking_back_that_was_killed_goes_on(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """The process died in an inverse that got done: the next one says that it is not sure of it, and takes back the rest."""
    path = tmp_path / "numbers"
    home.more = [counting(path, 2)]
    run = carried_out(home, runs, 'for n in ("1", "2", "3"):\n    count(n)').run
    with pytest.raises(Died):
        again(home, runs).undo(run, approver=Person([True]))
    assert path.read_text() == "1"
    undone = again(home, runs).undo(run, approver=Person([True]))
    assert (undone.error, undone.unsure, path.read_text()) == (None, ("count",), "")
    assert again(home, runs).done_in(run) == ()
    assert runs.verify() == []


def test_what_was_never_begun_to_be_taken_back_is_not_guessed(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """Somebody else took the last one away: that ends it, and nothing before it is touched."""
    path = tmp_path / "numbers"
    home.more = [counting(path, -1)]
    run = carried_out(home, runs, 'count("1")\ncount("2")').run
    path.write_text("1")
    undone = again(home, runs).undo(run, approver=Person([True]))
    assert (undone.count, undone.unsure, path.read_text()) == (0, (), "1")


def test_an_inverse_that_refused_was_not_taken_back_and_is_offered_again(
    home: Home, runs: SqliteRuns, tmp_path: Path
) -> None:
    """No process was killed: whoever was in its way for a moment does not make it count as taken back."""
    path = tmp_path / "numbers"
    home.more = [counting(path, -1)]
    run = carried_out(home, runs, 'count("1")').run
    path.write_text("1 another")
    for _ in range(2):
        undone = again(home, runs).undo(run, approver=Person([True]))
        assert (undone.count, undone.unsure, undone.gone) == (0, (), ())
        assert isinstance(undone.error, ToolError)
    assert [done.is_begun for done in again(home, runs).done_in(run)] == [False]
    assert runs.listed()[0].effects == "left"
    path.write_text("1")
    assert again(home, runs).undo(run, approver=Person([True])).count == 1
    assert (path.read_text(), runs.verify()) == ("", [])


def test_what_most_likely_was_taken_back_is_not_asked_about(home: Home, runs: SqliteRuns) -> None:
    """A process was killed just after an inverse of a tool that says what it would find: it is named as not sure, without a question."""
    run = carried_out(home, runs, APPEND).run
    (done,) = again(home, runs).done_in(run)
    opened = runs.take(run)
    opened.note("undoing", {"by": "another", "digests": [done.key]})
    opened.close()
    (home.path / "files" / "todo.txt").unlink()
    person = Person([])
    undone = again(home, runs).undo(run, approver=person)
    assert (undone.error, undone.count, undone.unsure, person.screens) == (None, 0, ("make the file todo.txt",), [])
    assert again(home, runs).done_in(run) == ()
    assert runs.verify() == []


def test_what_comes_before_something_that_stays(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """Where one tool says that its inverse would refuse, another one at that store that does not say it is not asked for its own."""
    path = tmp_path / "numbers"
    plain = counting(path, -1)

    def refuse(_call: ToolCall, _args: dict[str, Plain], _outcome: Plain, _ahead: object) -> Prospect:
        raise ToolError("counting: no")

    checked = replace(plain, undo_prospect=refuse, signature=replace(plain.signature, name="count_well"))
    home.more = [plain, checked]
    run = carried_out(home, runs, f'{APPEND}\ncount("1")\ncount_well("2")').run
    told: list[tuple[str, str]] = []
    undone = again(home, runs).undo(run, approver=Person([True]), stays=lambda done, why: told.append((done.tool, why)))
    assert told == [
        ("count_well", "counting: no"),
        ("count", "something that the run did after it, at the same place, stays"),
    ]
    assert (undone.count, str(undone.error), path.read_text()) == (1, "counting: no", " 1 2")
    assert "files/todo.txt" not in home.everything()


def test_a_conversation_goes_on_taking_back(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """`/undo-last` after a kill in the middle of it: what the journal says was taken back is not taken back again."""
    path = tmp_path / "numbers"
    home.more = [counting(path, 2)]
    talk = Talk(home.assistant('count("1")\ncount("2")\ncount("3")', runs=runs), tmp_path / "talks")
    talk.ask("count")
    with pytest.raises(Died):
        talk.undo_last(approver=Person([True]))
    later = Talk(again(home, runs), tmp_path / "talks")
    assert later.resume()
    undone = later.undo_last(approver=Person([True]))
    assert (undone.error, undone.count, undone.unsure, path.read_text()) == (None, 2, ("count",), "")


@pytest.mark.parametrize("when", ["before", "once it was verified"])
def test_an_edited_journal_is_not_what_was_done(
    home: Home, runs: SqliteRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Neither in a conversation, which has its own account of the last request, nor where it is edited after it was verified."""
    home.more = [counting(tmp_path / "numbers", -1)]
    talk = Talk(home.assistant('count("1")', runs=runs), tmp_path / "talks")
    run = talk.ask("count").run

    def edit() -> None:
        with sqlite3.connect(tmp_path / "state" / "runs.sqlite") as database:
            database.execute("UPDATE entries SET body = CAST(replace(body, '\"started\"', '\"begun\"') AS BLOB)")
        database.close()

    if when == "before":
        edit()
        with pytest.raises(OperatorError, match="is not as it was written"):
            again(home, runs).done_in(run)
        assert talk.undo_last(approver=Person([True])).count == 1
        return
    close = OpenDatabaseRun.close

    def closing(opened: OpenDatabaseRun) -> None:
        close(opened)
        edit()

    monkeypatch.setattr(OpenDatabaseRun, "close", closing)
    assert [done.tool for done in again(home, runs).done_in(run)] == ["count"]


def test_more_than_fits_on_a_screen_is_taken_back_in_turns(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """The latest hundred, then the rest."""
    path = tmp_path / "numbers"
    home.more = [counting(path, -1)]
    run = carried_out(home, runs, "for n in range(103):\n    count(str(n))").run
    first = again(home, runs).undo(run, approver=Person([True]))
    assert (first.error, first.count, first.left, path.read_text()) == (None, 100, 3, "0 1 2")
    second = again(home, runs).undo(run, approver=Person([True]))
    assert (second.error, second.count, second.left, path.read_text()) == (None, 3, 0, "")


def test_a_file_that_was_changed_a_hundred_times_is_put_back(home: Home, runs: SqliteRuns) -> None:
    """What it was before is kept for each of them."""
    home.file("todo.txt", "old\n")
    run = carried_out(home, runs, 'for n in range(130):\n    append_to_file("todo.txt", str(n))').run
    assert again(home, runs).undo(run, approver=Person([True])).left == 30
    undone = again(home, runs).undo(run, approver=Person([True]))
    assert (undone.error, undone.count) == (None, 30)
    assert home.everything()["files/todo.txt"] == b"old\n"


def test_a_changed_journal_is_not_taken_back(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """What it says of an effect could be somebody else's."""
    run = carried_out(home, runs, APPEND).run
    database = sqlite3.connect(tmp_path / "state" / "runs.sqlite")
    with database:
        database.execute("UPDATE entries SET body = replace(CAST(body AS TEXT), 'todo.txt', 'mine.txt')")
    database.close()
    with pytest.raises(OperatorError, match="is not as it was written: entry"):
        again(home, runs).undo(run, approver=Person([True]))
