"""The results that are there, read: the newest of each subject.

Files are `DAY-NAME-COMMIT.json`. A name may go on after a subject's (`journal-tmpfs` is the journal on another file system): of each
name the newest counts. What was measured of a part alone (`-part`) counts until a result of all is later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bench.commit import RESULTS, committed
from bench.subjects import SUBJECTS, Subject

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)-(.+?)(?:-([0-9a-f]{7,40}(?:-changed-[0-9a-f]{6})?))?\.json")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


@dataclass(frozen=True)
class Result:
    """One file of figures. `name`: what is between day and commit."""

    path: Path
    name: str

    @cached_property
    def found(self) -> dict[str, Any]:
        """All of it."""
        loaded = json.loads(self.path.read_text("utf-8"))
        return loaded if isinstance(loaded, dict) else {"rows": loaded}

    @property
    def commit(self) -> str:
        """Of what, as the file says; else as its name does."""
        named = _NAME.fullmatch(self.path.name)
        return str(self.found.get("commit") or (named and named[3]) or "unknown")

    @property
    def day(self) -> str:
        """When, ISO 8601."""
        return self.path.name[:10]

    @property
    def moment(self) -> str:
        """When, as exactly as the file says."""
        return str(self.found.get("date") or self.day)

    @property
    def machine(self) -> str:
        """On what, as far as the file says."""
        return str(
            self.found.get("machine") or (f"Python {self.found['python']}" if "python" in self.found else "not noted")
        )

    @property
    def is_committed(self) -> bool:
        """Whether the sources were as in a commit."""
        return _COMMIT.fullmatch(self.commit) is not None


def newest(subject: Subject, folder: Path = RESULTS) -> list[Result]:
    """The newest of each name that begins with the subject's and with no longer subject's, in the order of names."""
    found: dict[str, Result] = {}
    for result in listed(folder):
        if subject_named(result.name) is subject:
            before = found.get(result.name)
            if before is None or _place(before) <= _place(result):
                found[result.name] = result
    return [found[name] for name in sorted(found) if not _is_superseded(found[name], found)]


def _is_superseded(result: Result, found: Mapping[str, Result]) -> bool:
    """Of a part, where a later result is of all."""
    name, part, _ = result.name.partition("-part")
    whole = found.get(name)
    return bool(part) and whole is not None and _place(whole) > _place(result)


def listed(folder: Path = RESULTS) -> list[Result]:
    """All results of known subjects, oldest first."""
    every = [(path, _NAME.fullmatch(path.name)) for path in sorted(folder.glob("*.json"))]
    results = [Result(path, named[2]) for path, named in every if named is not None]
    return sorted((each for each in results if subject_named(each.name) is not None), key=_place)


def subject_of(result: Result) -> Subject:
    """What it is about."""
    found = subject_named(result.name)
    if found is None:
        raise LookupError(f"{result.path.name}: bench/subjects.py names no such subject")
    return found


def subject_named(name: str) -> Subject | None:
    """The subject with the longest name that this one begins with."""
    fitting = [each for each in SUBJECTS if name == each.name or name.startswith(f"{each.name}-")]
    return max(fitting, key=lambda each: len(each.name), default=None)


def _place(result: Result) -> tuple[str, str, int]:
    """Where it stands in time. Two of one day that say no time are told apart by their commits, where these are in this clone."""
    return result.day, result.moment, 0 if "T" in result.moment else committed(result.commit)
