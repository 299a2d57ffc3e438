"""A model behind the boundary: each answer is recorded, its cost is tallied."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from armslength.agent.boundary import Boundary
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Usage
from armslength.values import Plain


class RecordedModel:
    """The model itself, seen through the boundary. `spent` lists what each call cost, in order."""

    def __init__(self, model: Model, boundary: Boundary, role: str) -> None:
        """`role`: `planner` or `quarantined`."""
        self._model, self._boundary, self._role = model, boundary, role
        self.spent: list[Usage] = []

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self._model.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask, record, tally."""
        asked = cast("Plain", {"system": request.system, "turns": [asdict(turn) for turn in request.turns]})
        answered = self._boundary.cross(
            "model", self._role, asked, lambda: _reply_to_json(self._model.complete(request))
        )
        reply = _reply_from_json(cast("dict[str, Any]", answered))
        self.spent.append(reply.usage)
        return reply

    def count_tokens(self, text: str) -> int:
        """Recorded too: a replay has no tokeniser."""
        counted = self._boundary.cross("tokens", self._role, len(text), lambda: self._model.count_tokens(text))
        return cast("int", counted)


def _reply_to_json(reply: ModelReply) -> Plain:
    return {"text": reply.text, "usage": cast("Plain", asdict(reply.usage)), "cut": reply.cut}


def _reply_from_json(answered: dict[str, Any]) -> ModelReply:
    return ModelReply(answered["text"], Usage(**answered["usage"]), answered["cut"])
