"""The two models behind the boundary: each answer is recorded, its cost is tallied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, cast

from armslength.agent.outside.boundary import Boundary, Entrance
from armslength.agent.quarantined.reader import Reader, Reading
from armslength.errors import ArmslengthError
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Usage
from armslength.schema import Type
from armslength.values import Labelled, Plain


class RecordedModel:
    """The model itself, seen through the boundary. `spent` lists what each call cost, in order."""

    def __init__(self, model: Model, entrance: Entrance, role: str, spent: list[Usage] | None = None) -> None:
        """`role`: `planner` or `quarantined`. `spent`: where the costs are listed, if somebody else has the list."""
        self._model, self._entrance, self._role = model, entrance, role
        self.spent: list[Usage] = [] if spent is None else spent

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self._model.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask, record, tally."""
        asked = cast("Plain", {"system": request.system, "turns": [asdict(turn) for turn in request.turns]})
        answered = self._entrance.cross(
            "model", self._role, asked, lambda: _reply_to_json(self._model.complete(request))
        )
        reply = _reply_from_json(cast("dict[str, Any]", answered))
        self.spent.append(reply.usage)
        return reply

    def count_tokens(self, text: str) -> int:
        """Recorded too: a replay has no tokeniser."""
        counted = self._entrance.cross("tokens", self._role, len(text), lambda: self._model.count_tokens(text))
        return cast("int", counted)


class RecordedReader:
    """The quarantined side behind the boundary. Questions go on beside each other, as many as the model takes at once.

    `spent` lists what each call cost, in the order in which answers were asked for.
    """

    def __init__(self, model: Model, boundary: Boundary, today: date | None = None, role: str = "quarantined") -> None:
        """`today`: the run's date, if the model may know. `role`: under which its calls are recorded."""
        self._model, self._boundary, self._today, self._role = model, boundary, today, role
        self.spent: list[Usage] = []

    @property
    def processor(self) -> Processor:
        """Who computes the answers."""
        return self._model.processor

    def start(self, instruction: str, data: Sequence[Labelled], declared: Type) -> Callable[[], Reading]:
        """Ask now; the reading is there when it is called for, and each time after.

        Raises:
            ModelError: by what is given, not by this: `Reader.read` failed.
        """
        spent: list[Usage] = []

        def perform(entrance: Entrance) -> Reading:
            model = RecordedModel(self._model, entrance, self._role, spent)
            return Reader(model, self._today).read(instruction, data, declared)

        started = self._boundary.start(self._role, self.processor.at_once, perform)

        def answer() -> Reading:
            try:
                reading = started.answer()
            except ArmslengthError:
                self._tally(spent)
                raise
            self._tally(spent)
            return reading

        return answer

    def _tally(self, spent: list[Usage]) -> None:
        self.spent += spent
        spent.clear()


def _reply_to_json(reply: ModelReply) -> Plain:
    return {"text": reply.text, "usage": cast("Plain", asdict(reply.usage)), "cut": reply.cut}


def _reply_from_json(answered: dict[str, Any]) -> ModelReply:
    return ModelReply(answered["text"], Usage(**answered["usage"]), answered["cut"])
