"""Two processes over one state folder: no entry of either is lost, and a lock that is never let go of ends in a refusal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import NOTHING, Source, label
from armslength.tools import locking
from armslength.tools.backups import Backups, Kept
from armslength.tools.ledger import Ledger
from armslength.tools.locking import Lock

EVIL = label([Source("mail:evil@example.com")])
ROUNDS = 12
_LEDGER = """
import sys
from pathlib import Path
from armslength.labels import Source, label
from armslength.tools.ledger import Ledger
ledger, who = Ledger(Path(sys.argv[1])), sys.argv[2]
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    ledger.record(f"{who}{number}", b"text", label([Source("mail:evil@example.com")]))
    ledger.record(f"{who}-passing", b"text", label())
    ledger.forget(f"{who}-passing")
"""
_BACKUPS = """
import sys
from pathlib import Path
from armslength.events import trust_nobody
from armslength.tools.backups import Backups, Kept
backups = Backups(Path(sys.argv[1]), trust_nobody)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    backups.keep("write_file a", b"the same", Kept(b"earlier" * 3000, None))
"""


def at_once(program: str, place: Path) -> None:
    """Run the program twice at the same time over one place, as the writers a and b."""
    runs = [
        subprocess.Popen([sys.executable, "-c", program, str(place), who, str(ROUNDS)], stdin=subprocess.PIPE)
        for who in ("a", "b")
    ]
    for run in runs:
        run.stdin.write(b"\n")
        run.stdin.flush()
    for run in runs:
        run.communicate(timeout=60)
    assert [run.returncode for run in runs] == [0, 0]


def test_ledger_entries_of_two_runs_are_all_kept(tmp_path: Path) -> None:
    """A mail's words in a file stay the mail's, whatever another run writes meanwhile."""
    at_once(_LEDGER, tmp_path / "l.json")
    ledger = Ledger(tmp_path / "l.json")

    names = {f"{who}{number}" for who in "ab" for number in range(ROUNDS)}
    assert ledger.names() == names
    assert {ledger.label_of(name, b"text", NOTHING) for name in names} == {EVIL}


def test_backups_of_two_runs_are_all_kept(tmp_path: Path) -> None:
    """Each change can be taken back as often as it was made."""
    at_once(_BACKUPS, tmp_path / "backups")
    backups = Backups(tmp_path / "backups", trust_nobody)

    for _ in range(2 * ROUNDS):
        assert backups.latest("write_file a", b"the same") == Kept(b"earlier" * 3000, None)
        backups.drop_latest("write_file a", b"the same")
    assert backups.latest("write_file a", b"the same") is None


def test_a_lock_that_another_holds_is_waited_for_and_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is recorded past another run's change; its own holder may take it again, and its file is the owner's alone."""
    monkeypatch.setattr(locking, "LONGEST_WAIT", 0.05)
    ledger = Ledger(tmp_path / "l.json")
    ledger.record("a", b"1", EVIL)

    with Lock(tmp_path / "l.json").held(), pytest.raises(ToolError) as caught:
        ledger.forget("a")
    assert str(caught.value) == "another run holds l.json.lock; ask again when it has ended"
    with ledger.alone():
        ledger.forget("a")
    assert ledger.names() == frozenset()
    assert (tmp_path / "l.json.lock").stat().st_mode & 0o777 == 0o600


def test_a_lock_file_is_no_link(tmp_path: Path) -> None:
    """What stands where the lock belongs is not followed."""
    (tmp_path / "l.json.lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ToolError) as caught:
        Ledger(tmp_path / "l.json").record("a", b"1", EVIL)
    assert str(caught.value) == "l.json.lock cannot be opened; check the state folder and its permissions"
    assert not (tmp_path / "elsewhere").exists()
