"""Results are found, told apart, and said to be old when what they speak of has changed. Nothing is measured here."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from bench import campaigns, commit, stale
from bench.newest import Result, listed, newest, subject_of
from bench.subjects import SUBJECTS, Subject, subject

JOURNAL = Subject("journal", "speed", "", "", ("src/a.py",))


def known(name: str) -> Subject:
    found = subject(name)
    assert found is not None
    return found


def written(folder: Path, name: str, **found: object) -> Path:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(found), "utf-8")
    return path


def test_the_newest_of_each_name_counts(tmp_path: Path) -> None:
    """By day, then by the time that the file says; another kind of the same subject is a name of its own, another subject is not it."""
    written(tmp_path, "2026-11-29-journal-fffffff", date="2026-11-29T10:00:00+00:00")
    written(tmp_path, "2026-11-30-journal-eeeeeee", date="2026-11-30T09:00:00+00:00")
    written(tmp_path, "2026-11-30-journal-aaaaaaa", date="2026-11-30T11:00:00+00:00")
    written(tmp_path, "2026-11-28-journal-tmpfs-aaaaaaa")
    written(tmp_path, "2026-11-30-journal-postgresql-aaaaaaa")
    written(tmp_path, "2026-11-30-nothing-of-ours-aaaaaaa")
    assert [(each.name, each.day, each.commit) for each in newest(known("journal"), tmp_path)] == [
        ("journal", "2026-11-30", "aaaaaaa"),
        ("journal-tmpfs", "2026-11-28", "aaaaaaa"),
    ]
    assert [each.name for each in newest(known("journal-postgresql"), tmp_path)] == ["journal-postgresql"]
    assert newest(known("dojo"), tmp_path) == []


def test_a_part_counts_until_all_is_there(tmp_path: Path) -> None:
    """What was measured of some runs stands beside a whole that is older, and no longer beside a later one."""
    written(tmp_path, "2026-11-29-crashes-sqlite-aaaaaaa")
    written(tmp_path, "2026-11-30-crashes-sqlite-part-aaaaaaa")
    crashes = known("crashes-sqlite")
    assert [each.name for each in newest(crashes, tmp_path)] == ["crashes-sqlite", "crashes-sqlite-part"]
    written(tmp_path, "2026-12-01-crashes-sqlite-bbbbbbb")
    assert [(each.name, each.commit) for each in newest(crashes, tmp_path)] == [("crashes-sqlite", "bbbbbbb")]


def test_a_part_of_one_model_counts_beside_the_whole_of_another(tmp_path: Path) -> None:
    """A later whole stands for the parts of its own name alone."""
    written(tmp_path, "2026-11-29-dojo-model-a-part-aaaaaaa")
    written(tmp_path, "2026-11-29-dojo-model-b-part-aaaaaaa")
    written(tmp_path, "2026-11-30-dojo-model-b-bbbbbbb")
    written(tmp_path, "2026-11-30-dojo-bbbbbbb")
    assert [each.name for each in newest(known("dojo-model"), tmp_path)] == ["dojo-model-a-part", "dojo-model-b"]


def test_every_result_that_is_kept_is_of_a_known_subject() -> None:
    """No file lies in bench/results that no report reads."""
    names = {path.name for path in commit.RESULTS.glob("*.json")}
    assert {each.path.name for each in listed()} == names
    assert all(subject_of(each) in SUBJECTS for each in listed())


def test_what_a_subject_speaks_of_is_there() -> None:
    """A path that is gone would never change again."""
    assert [path for each in SUBJECTS for path in each.speaks_of if not (commit.ROOT / path).exists()] == []


def test_only_the_start_up_speaks_of_the_whole_package() -> None:
    """Whatever else is measured does not grow old by a tool that it does not call."""
    assert [each.name for each in SUBJECTS if "src/armslength" in each.speaks_of] == ["startup"]


@pytest.mark.parametrize("name", ["everyday", "attacks", "dojo", "dojo-model", "requests"])
def test_what_a_measurement_of_requests_is_made_of_it_speaks_of(name: str) -> None:
    """The rooms of the package that its modules import from, but for the library's face, which says nothing by itself, and errors."""
    face = (
        "src/armslength/app",
        "src/armslength/testing",
        "src/armslength/errors",
        "src/armslength/installing",
        "src/armslength/events",
    )
    spoken = known(name).speaks_of
    used = {
        f"src/{module.replace('.', '/')}"
        for path in spoken
        if path.startswith("bench/")
        for source in ([commit.ROOT / path] if path.endswith(".py") else sorted((commit.ROOT / path).rglob("*.py")))
        if "tests" not in source.parts
        for module in re.findall(r"^from (armslength\.[\w.]+) import", source.read_text("utf-8"), re.MULTILINE)
    }
    left = {each for each in used if not f"{each}.py".startswith(tuple(spoken)) and not each.startswith(face)}
    assert left == set()


def test_a_result_says_of_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit is that of the beginning; the day, the machine and the paths stand beside the figures."""
    monkeypatch.setattr(commit, "RESULTS", tmp_path)
    monkeypatch.setattr(commit, "commit", lambda *_folders: "1234567890abcdef")
    monkeypatch.setattr(commit, "machine", lambda: "a machine")
    taken = commit.Taken("laws")
    monkeypatch.setattr(commit, "commit", lambda *_folders: "changed meanwhile")
    path = taken.write({"programs": 7})
    assert path == tmp_path / f"{commit.today()}-laws-123456789.json"
    result = Result(path, "laws")
    assert (result.commit, result.found["programs"]) == ("1234567890abcdef", 7)
    assert result.found["speaks_of"] == [*known("laws").speaks_of]
    assert (result.machine, result.is_committed) == ("a machine", True)
    assert result.moment.startswith("20")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one, in which ages are asked."""
    monkeypatch.setattr(stale, "ROOT", tmp_path)
    git(tmp_path, "init", "-q")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def committed(folder: Path, name: str, text: str) -> str:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", name)
    return git(folder, "rev-parse", "HEAD")


def test_a_result_is_old_when_what_it_speaks_of_has_changed(repository: Path) -> None:
    """Commits to other paths make it no older, whatever paths the file itself names."""
    measured = committed(repository, "src/a.py", "1")
    result = Result(written(repository, "2026-11-30-journal", commit=measured), "journal")
    committed(repository, "src/b.py", "1")
    other = Result(written(repository, "2026-12-01-journal", commit=measured, speaks_of=["src/b.py"]), "journal")
    assert [stale.age(JOURNAL, each) for each in (result, other)] == ["", ""]
    committed(repository, "src/a.py", "2")
    last = git(repository, "rev-parse", "--short", "HEAD")
    assert stale.age(JOURNAL, other) == f"1 commit later than {measured[:9]} changed what it speaks of, last {last}"


def test_what_cannot_be_said_of_a_result_is_said(repository: Path) -> None:
    """Its commit is not here, or its sources were none."""
    committed(repository, "src/a.py", "1")
    unknown = Result(written(repository, "2026-11-30-journal", commit="0" * 40), "journal")
    changed = Result(written(repository, "2026-12-01-journal", commit="123456789-changed-abcdef"), "journal")
    assert stale.age(JOURNAL, unknown) == "commit 000000000 is not in this clone"
    assert stale.age(JOURNAL, changed) == "measured on sources that were not committed"


def test_old_results_warn_and_never_fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, on standard error, with the command that measures again."""
    monkeypatch.setattr(stale, "newest", lambda _subject: [])
    assert stale.main([]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("warning: laws: never measured; python -m tests.laws ")
    assert len(lines) == len(SUBJECTS)


def test_all_campaigns_run_with_one_seed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each by its own command; one that fails is named at the end, and the others run all the same."""
    ran: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command[2:])
        return subprocess.CompletedProcess(command, int("tests.fuzz.language" in command))

    monkeypatch.setattr(subprocess, "run", run)
    assert campaigns.main(["--seed", "5"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "failed: fuzz"
    assert ran[0] == ["tests.laws", "100000", "5", "--write"]
    assert len(ran) == sum(each.kind == "campaign" for each in SUBJECTS)
    assert campaigns.main(["--only", "laws"]) == 0
