"""Recorded models: what the embedded model answered when the demo was recorded, found again by what is asked.

A reply is looked up by its role and the text of the question with its data. What depends on the day (times, ids, the mark of the fence) is
left out of that comparison, so the recordings answer on any day what they answered on theirs, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Literal

from armslength.errors import ModelNonsense, OperatorError
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Usage

Role = Literal["planner", "quarantined"]

_OF_THE_DAY = (
    (re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?"), "TIME"),
    (re.compile(r"\d{10}\.M\d{6}P1\.home"), "ID"),
    (re.compile(r"\[(data|end of data) [0-9a-f]{8}\]"), r"[\1]"),
)
_FILE = "recordings.json"


@dataclass(frozen=True, slots=True)
class Reply:
    """One recorded reply. `asked` is the end of the question, for people; `digest` finds it."""

    role: str
    asked: str
    digest: str
    text: str


@dataclass(frozen=True, slots=True)
class Recordings:
    """All replies, the model that gave them, and the day."""

    model: str
    day: str
    replies: tuple[Reply, ...]

    def player(self, role: Role) -> Player:
        """The model of that role that plays them."""
        processor = Processor(f"recorded {self.model}", f"recorded {self.model}", True, True, 131_072)
        return Player(processor, role, {reply.digest: reply.text for reply in self.replies if reply.role == role})


def load_recordings() -> Recordings:
    """The recordings that the package ships.

    Raises:
        OperatorError: they are not there or damaged; the installation is broken.
    """
    try:
        stored = json.loads(files("armslength.demo").joinpath(_FILE).read_text("utf-8"))
        return Recordings(stored["model"], stored["day"], tuple(Reply(**reply) for reply in stored["replies"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OperatorError("the demo's recordings cannot be read; install armslength again") from error


@dataclass(frozen=True, slots=True)
class Player:
    """A `Model` that says what was recorded for exactly this question."""

    processor: Processor
    role: Role
    replies: dict[str, str]

    def complete(self, request: ModelRequest) -> ModelReply:
        """The recorded reply; it takes no time.

        Raises:
            ModelNonsense: nothing was recorded for this question.
        """
        text = self.replies.get(digest_of(self.role, request))
        if text is None:
            raise ModelNonsense(
                f"the recordings hold no answer of the {self.role} model to this; run the demo without --recorded"
            )
        return ModelReply(text, Usage(self.count_tokens(request.turns[-1].text), 0, self.count_tokens(text), 0.0))

    def count_tokens(self, text: str) -> int:
        """One for each byte: no byte-pair tokeniser makes more."""
        return len(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Recorder:
    """A model whose replies are kept in `kept` while it works."""

    model: Model
    role: Role
    kept: list[Reply]

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self.model.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask the model itself and keep the reply."""
        reply = self.model.complete(request)
        asked = " ".join(request.turns[-1].text.split())[-160:]
        self.kept.append(Reply(self.role, asked, digest_of(self.role, request), reply.text))
        return reply

    def count_tokens(self, text: str) -> int:
        """As the model itself counts."""
        return self.model.count_tokens(text)


def digest_of(role: Role, request: ModelRequest) -> str:
    """What a question is found by: SHA-256 of its turns without what depends on the day, hexadecimal."""
    text = json.dumps([role, *(asdict(turn) for turn in request.turns), request.seed])
    for pattern, name in _OF_THE_DAY:
        text = pattern.sub(name, text)
    return hashlib.sha256(text.encode()).hexdigest()


def save_recordings(path: Path, model: str, day: date, replies: Iterable[Reply]) -> None:
    """Write recordings; one reply for each question."""
    kept = {reply.digest: reply for reply in replies}
    stored = {"model": model, "day": day.isoformat(), "replies": [asdict(reply) for reply in kept.values()]}
    path.write_text(json.dumps(stored, indent=1, ensure_ascii=True) + "\n", "utf-8")


def shipped_file() -> Path:
    """Where the recordings stand in a source tree."""
    return Path(__file__).with_name(_FILE)
