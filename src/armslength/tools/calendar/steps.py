"""What each effect on a server's calendar was about to do, kept before it is done: for whoever asks whether it happened, and for undoing."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

from armslength.errors import ToolError
from armslength.events import Trust, label_from_json, label_to_json
from armslength.labels import Label
from armslength.tools.folder import Folder
from armslength.tools.locking import Lock

MOST_KEPT = 1_000
_MOST_BYTES = 16_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """A change of one resource.

    `before`, `after`: its text, None where nothing lies; `left`: a digest of what it says after it was done,
    nothing until that is known. `labels`: what the ledger had of its events before, by their names there.
    """

    calendar: str
    path: str
    before: bytes | None
    after: bytes | None
    left: str = ""
    labels: tuple[tuple[str, Label], ...] = ()


class Steps:
    """A folder of steps, one file for each effect."""

    def __init__(self, path: Path, trust: Trust) -> None:
        """`path`: the folder, made at the first step."""
        self._trust = trust
        self._folder, self._lock = Folder(path, "calendar steps", _MOST_BYTES), Lock(path)

    def keep(self, key: str, step: Step) -> None:
        """Remember the step of the effect with this key."""
        stored = {
            "calendar": step.calendar,
            "path": step.path,
            "before": _text(step.before),
            "after": _text(step.after),
            "left": step.left,
            "labels": {name: label_to_json(each) for name, each in step.labels},
        }
        with self._lock.held():
            self._folder.write(_name(key), json.dumps(stored).encode())
            self._drop_oldest()

    def of(self, key: str) -> Step | None:
        """The step of the effect with this key, None if it was not begun.

        Raises:
            ToolError: it is damaged, or may have been dropped.
        """
        content = self._folder.read(_name(key))
        if content is None:
            if len(self._folder.files()) >= MOST_KEPT:
                raise ToolError("calendar: so much was changed since that it is not known any more")
            return None
        try:
            stored = json.loads(content)
            labels = tuple((name, label_from_json(each, self._trust)) for name, each in stored["labels"].items())
            before, after = _bytes(stored["before"]), _bytes(stored["after"])
            return Step(str(stored["calendar"]), str(stored["path"]), before, after, str(stored["left"]), labels)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ToolError("calendar: what was kept of a change is damaged, so nothing was done") from error

    def _drop_oldest(self) -> None:
        stated = [(found.path, (self._folder.root / found.path).stat()) for found in self._folder.files()]
        for name, _ in sorted(stated, key=lambda each: -each[1].st_mtime_ns)[MOST_KEPT:]:
            self._folder.remove(name)


def _name(key: str) -> str:
    return f"{hashlib.sha256(key.encode()).hexdigest()[:40]}.json"


def _text(content: bytes | None) -> str | None:
    return None if content is None else b64encode(content).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else b64decode(text, validate=True)
