"""The recorded demo, end to end, without a model; and that recordings answer only what they were asked."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from armslength.agent.approving.approval import Screen
from armslength.demo import build_home, run_demo
from armslength.demo.attacks import ATTACKS
from armslength.demo.recording import Recorder, Recordings, Reply, digest_of, load_recordings, save_recordings
from armslength.demo.run import REQUESTS, play, recorded_models
from armslength.demo.showing import Page
from armslength.demo.traces import disk_of
from armslength.errors import ModelNonsense, OperatorError
from armslength.models.base import ModelRequest, Turn
from armslength.surfaces.exits import Exit
from armslength.testing import ScriptedModel

NOW = datetime(2027, 5, 12, 9, 30, tzinfo=UTC)


class _Nobody:
    """Says no, and keeps what was asked."""

    def __init__(self) -> None:
        self.screens: list[str] = []

    def approve(self, screen: Screen) -> bool:
        self.screens.append(screen.text)
        return False


def played(folder: Path, now: datetime) -> tuple[str, list[str], Exit]:
    """What the recorded demo prints, the screens it showed, and its exit code."""
    page, person = Page(Console(file=io.StringIO(), width=300, markup=False, emoji=False)), _Nobody()
    code = play(recorded_models(), folder, page, person, now)
    assert isinstance(page.console.file, io.StringIO)
    return page.console.file.getvalue(), person.screens, code


@pytest.mark.parametrize("now", [NOW, NOW + timedelta(days=200, hours=7)], ids=["spring", "winter"])
def test_the_recorded_demo_runs_on_any_day(tmp_path: Path, now: datetime) -> None:
    """It says first that it is recorded, shows three requests and eight attacks, and changes the TODO file alone."""
    printed, screens, code = played(tmp_path / "home", now)
    assert code is Exit.DONE
    assert printed.startswith("RECORDED: no model is at work.")
    assert printed.count("(recorded models)") == len(REQUESTS) == 3
    assert all(f"│ {attack.kind}" in printed for attack in ATTACKS)
    assert len(screens) == 1
    assert "Attacks with words in anything that the planner was asked: none." in printed
    assert "Mails in the outbox: 0." in printed


def test_only_the_todo_file_changes(tmp_path: Path) -> None:
    """What stood there still stands there, what the boss asked for comes after it, nothing else on disk is touched."""
    play_home, fresh_home = tmp_path / "played", tmp_path / "fresh"
    printed, _, _ = played(play_home, NOW)
    first = printed.split("━━ Request 2")[0]
    assert "What needed a yes" not in first
    build_home(fresh_home, NOW)
    before, after = disk_of(fresh_home), disk_of(play_home)
    assert [name for name in after if after[name] != before.get(name)] == ["files/TODO.txt"]
    text = after["files/TODO.txt"].decode()
    assert text.startswith(before["files/TODO.txt"].decode())
    assert all(words in text for words in ("meeting room", "cost table", "parking permit"))
    assert "collector.test" not in text


def test_a_question_that_was_not_recorded_has_no_answer() -> None:
    """A recording is no model: whatever differs from what was asked is an error, not a guess."""
    planner = load_recordings().player("planner")
    assert planner.complete(ModelRequest("any system text", (Turn("user", REQUESTS[0]),))).text
    with pytest.raises(ModelNonsense) as raised:
        planner.complete(ModelRequest("", (Turn("user", REQUESTS[0] + " now"),)))
    assert str(raised.value) == (
        "the recordings hold no answer of the planner model to this; run the demo without --recorded"
    )


def test_a_recording_is_found_again_on_another_day(tmp_path: Path) -> None:
    """Times, ids and the fence's mark do not count, all else does."""
    kept: list[Reply] = []

    def asked(mark: str, day: str, text: str) -> ModelRequest:
        fenced = f"[data {mark}]\ntimestamp: {day} 08:15\nbody: {text}\n[end of data {mark}]\n\nWhat is it?"
        return ModelRequest("", (Turn("user", fenced),))

    recorder = Recorder(ScriptedModel('{"answer": "tea"}'), "quarantined", kept)
    recorder.complete(asked("0a1b2c3d", "2027-01-02", "tea"))
    save_recordings(tmp_path / "kept.json", "scripted", NOW.date(), kept)
    player = Recordings("scripted", "2027-05-12", tuple(kept)).player("quarantined")
    assert player.complete(asked("ffffffff", "2028-03-04", "tea")).text == '{"answer": "tea"}'
    assert digest_of("quarantined", asked("0a1b2c3d", "2027-01-02", "coffee")) not in player.replies


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    """`--folder` takes a new or an empty folder; nothing is written into another."""
    (tmp_path / "letter.txt").write_text("mine", "utf-8")
    page = Page(Console(file=io.StringIO()))
    with pytest.raises(OperatorError) as raised:
        play(recorded_models(), tmp_path, page, _Nobody(), NOW)
    assert str(raised.value) == f"{tmp_path} is not empty; name a new or an empty folder for the demo's home"
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_without_a_model_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line names both ways, and no home is made."""
    config = tmp_path / "config.toml"
    config.write_text("", "utf-8")
    monkeypatch.setenv("ARMSLENGTH_CONFIG", str(config))
    monkeypatch.setenv("ARMSLENGTH_MODEL", str(tmp_path / "none.gguf"))
    console = Console(file=io.StringIO(), width=400, markup=False, emoji=False)
    assert run_demo(recorded=False, folder=tmp_path / "home", console=console) is Exit.USAGE
    assert isinstance(console.file, io.StringIO)
    printed = console.file.getvalue()
    assert printed.count("\n") == 1
    assert printed.endswith("; or run armslength demo --recorded, which needs no model\n")
    assert not (tmp_path / "home").exists()
