"""One crash: a process is killed, a second one goes on, a third looks at the disk. What is wrong then, in words; nothing if all is well."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.runs.cases import CASES, logged

ROOT = Path(__file__).parents[2]
KILLED, UNKNOWN = -9, 7


class Processes:
    """Forks a process for each command, from one that has loaded the libraries and nothing else."""

    def __init__(self, database: Callable[[], str] = str) -> None:
        """`database`: the URL of a new PostgreSQL for each home; nothing, and so SQLite, if none is given."""
        self._database = database

    def __enter__(self) -> Self:
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.runs.child", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths},
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.communicate(timeout=30)

    def run(self, command: str, home: Path, *words: str) -> tuple[int, str]:
        """The exit code and what it said. The process is a new one, forked for this alone."""
        said = home.with_suffix(f".said{self._server.pid}")
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps([str(said), [command, str(home), *words]]) + "\n")
        self._server.stdin.flush()
        code = int(self._server.stdout.readline())
        return code, said.read_text("utf-8", "replace")

    def furnish(self, home: Path) -> None:
        """A new home."""
        code, said = self.run("furnish", home, *filter(None, [self._database()]))
        assert code == 0, said

    def look(self, home: Path) -> dict[str, Any]:
        """What a process finds on the disk."""
        code, said = self.run("look", home)
        assert code == 0, said
        found: dict[str, Any] = json.loads(said)
        return found


def whole(processes: Processes, home: Path, case: str) -> dict[str, Any]:
    """What is on the disk after a run that nobody killed."""
    processes.furnish(home)
    code, said = processes.run("begin", home, case)
    assert code == 0, said
    return processes.look(home)


@dataclass
class Crash:
    """Where a process is killed: see `tests.runs.child`. `again`: where the one that goes on is killed, too."""

    case: str
    when: str
    number: int
    again: tuple[str, int] | None = None


@dataclass
class Ended:
    """How it went: `reached` is False where the run was over before. `stopped` where it cannot be told what was done."""

    reached: bool
    stopped: bool = False
    problems: tuple[str, ...] = ()


def crash(processes: Processes, home: Path, expected: dict[str, Any], given: Crash) -> Ended:
    """Kill, go on, look."""
    processes.furnish(home)
    code, said = processes.run("begin", home, given.case, given.when, str(given.number))
    if code == 0:
        return Ended(reached=False)
    if code != KILLED:
        return Ended(True, problems=(f"was not killed: {code} {said}",))
    if given.again is not None:
        code, said = processes.run("resume", home, given.case, given.again[0], str(given.again[1]))
        if code not in {KILLED, 0, UNKNOWN}:
            return Ended(True, problems=(f"the second process ended with {code}: {said}",))
    before = processes.look(home)
    code, said = processes.run("resume", home, given.case)
    is_stopped = code == UNKNOWN
    if is_stopped:
        problems = _wrong_stop(before, processes.look(home), given)
        told = _did_the_last(before)
        if problems or told is None:
            return Ended(True, is_stopped, tuple(problems))
        code, said = processes.run("told", home, given.case, "yes" if told else "no")
    if code != 0:
        return Ended(True, is_stopped, (f"going on ended with {code}: {said}",))
    found = processes.look(home)
    if "sync" in {
        given.when,
        (given.again or ("",))[0],
    }:  # killed within a change, the label of what is redone is joined with itself
        expected = {**expected, "world": {**expected["world"], "labels": found["world"]["labels"]}}
    return Ended(True, is_stopped, tuple(_differences(expected, before, found)))


@dataclass
class Handover:
    """A run is cut off after an entry; a worker that goes on with it is killed before or after another one, while a second one looks on."""

    case: str
    cut: tuple[str, int]
    when: str
    kind: str
    number: int


def handed_over(
    processes: tuple[Processes, Processes, Processes], home: Path, expected: dict[str, Any], given: Handover
) -> Ended:
    """Cut off, work, kill, take over, look."""
    first, second, third = processes
    first.furnish(home)
    number = [place for place, kind in enumerate(expected["kinds"], 1) if kind == given.cut[0]][given.cut[1]]
    code, said = first.run("begin", home, given.case, "after", str(number))
    if code != KILLED:
        return Ended(True, problems=(f"was not killed: {code} {said}",))
    with ThreadPoolExecutor(2) as threads:
        hold = ("hold", given.when, given.kind, str(given.number))
        killed = threads.submit(first.run, "work", home, given.case, *hold)
        _until((home / "held").exists, killed)
        other = threads.submit(second.run, "work", home, given.case)
        _until(lambda: len(logged(home, "looked")) >= 3, other)
        is_left_alone = logged(home, "worked") == []
        before = third.look(home)
        os.kill(int((home / "held").read_text("utf-8")), signal.SIGKILL)
        code, said = killed.result(60)
        after, whole_said = other.result(60)
    problems = [] if is_left_alone else ["it was taken from a worker that lives"]
    problems += [] if code == KILLED else [f"the first worker ended with {code}: {said}"]
    problems += [] if after == 0 else [f"the second worker ended with {after}: {whole_said}"]
    return Ended(True, problems=(*problems, *_differences(expected, before, third.look(home))))


def _until(is_so: Callable[[], bool], process: Future[tuple[int, str]]) -> None:
    ends = time.monotonic() + 60
    while not is_so():
        assert not process.done(), process.result()
        assert time.monotonic() < ends
        time.sleep(0.02)


def _wrong_stop(before: dict[str, Any], after: dict[str, Any], given: Crash) -> list[str]:
    """Stopping is right only where the disk cannot tell, and then nothing is done."""
    problems = []
    is_instant = "sync" in {given.when, (given.again or ("",))[0]}
    if CASES[given.case].can_tell and not is_instant:
        problems.append("it stopped where the disk tells")
    if before["world"] != after["world"] or after["state"] != [["cut off", ""]]:
        problems.append("it stopped and did something")
    return problems


def _did_the_last(before: dict[str, Any]) -> bool | None:
    """What a person finds out about the effect in question, from the disk; None where this test cannot."""
    world, kinds = before["world"], before["kinds"]
    if kinds[-1:] != ["started"]:
        return None
    match len(before["started"]):
        case 2 if before["case"] == "posting":
            return bool(world["slack"])
        case 2 if before["case"] == "trash":
            return bool(world["calendar"])
        case _:
            return None


def _differences(expected: dict[str, Any], before: dict[str, Any], found: dict[str, Any]) -> list[str]:
    problems = []
    is_new = found["run"] != expected["run"]  # of the first nothing was written, so it was asked again
    if _named(expected, is_new=is_new) != _named(found, is_new=is_new):
        problems.append(f"the end is another: {_first_difference(expected, found)}")
    if len(set(found["started"])) != len(found["started"]):
        problems.append("an effect was begun twice")
    if found["faults"]:
        problems.append(f"the journal is damaged: {found['faults']}")
    again = Counter(found["performed"]) - Counter(before["performed"])
    missing = Counter(expected["performed"]) - Counter(before["recorded"])
    if again != missing:
        problems.append(f"reads were repeated or lost: {dict(again)} instead of {dict(missing)}")
    if "approval" in before["kinds"] and found["asked"] != before["asked"]:
        problems.append("a person was asked again")
    return problems


def _named(found: dict[str, Any], *, is_new: bool) -> str:
    parts = {name: found[name] for name in ("world", "state", "answers", "kinds")}
    return json.dumps(_masked(parts) if is_new else parts, sort_keys=True)


def _masked(found: Any) -> Any:
    """Without the names that are made of the run's."""
    match found:
        case dict():
            return sorted(([_masked(name), _masked(part)] for name, part in found.items()), key=json.dumps)
        case list():
            return sorted(map(_masked, found), key=json.dumps)
        case str():
            return re.sub(r"[0-9a-f]{32,64}", "#", found)
        case _:
            return found


def _first_difference(expected: dict[str, Any], found: dict[str, Any]) -> str:
    for name in ("state", "answers", "kinds"):
        if expected[name] != found[name]:
            return f"{name} {found[name]} instead of {expected[name]}"
    for name, part in expected["world"].items():
        if found["world"][name] != part:
            return f"{name} {found['world'][name]} instead of {part}"
    return "only names"
