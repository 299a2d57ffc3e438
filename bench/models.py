"""The two models of a measurement: those of a configuration, or the embedded one with both roles. Each question is asked once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from armslength.app import Settings, model_of
from armslength.app.model_choice import ModelChoice
from armslength.errors import ArmslengthError
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Usage

_FREE = Usage(0, 0, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two models of a measurement."""

    planner: Model
    quarantined: Model

    @property
    def name(self) -> str:
        """The planner's, and the reader's if that is another, as a part of a file's name."""
        planner, reader = (file_name(each.processor.model) for each in (self.planner, self.quarantined))
        return planner if planner == reader else f"{planner}-with-{reader}"


def embedded_pair(notice: Callable[[str], None]) -> Pair:
    """The embedded model with both roles.

    Raises:
        ModelMissing: it or its runtime is not there.
    """
    embedded = model_of(ModelChoice(), notice)
    return Pair(embedded, embedded)


def pair_of(settings: Settings, notice: Callable[[str], None]) -> Pair:
    """The privileged and the quarantined model of a configuration; one model where both tables say the same.

    Raises:
        OperatorError: a model cannot be used as it stands.
    """
    planner = model_of(settings.planner, notice)
    is_one = settings.quarantined == settings.planner
    return Pair(planner, planner if is_one else model_of(settings.quarantined, notice))


def file_name(text: str) -> str:
    """A name as a part of a file's name."""
    return "".join(char if char.isalnum() or char in ".-" else "-" for char in text.lower())


def nobody_keeps(_digest: str, _reply: ModelReply) -> None:
    """A reply is known as long as the measurement lasts."""


@dataclass(slots=True)
class OnceModel:
    """A model that is asked each question once: what it said to an identical one (system text included) is said again, at no cost.

    `known`: the replies by digest. `heard` is told each new one, for whoever keeps them. Of this row: `prompts` holds all that was
    asked, `used` what each distinct question cost when it was asked, `errors` what the model raised.
    """

    model: Model
    known: dict[str, ModelReply]
    heard: Callable[[str, ModelReply], None] = nobody_keeps
    prompts: list[str] = field(default_factory=list)
    used: dict[str, Usage] = field(default_factory=dict)
    errors: list[ArmslengthError] = field(default_factory=list)

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self.model.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """The known reply, else the model's own. One that was cut off is not kept."""
        self.prompts += [request.system, *(turn.text for turn in request.turns)]
        digest = hashlib.sha256(json.dumps(asdict(request), sort_keys=True).encode()).hexdigest()
        if digest in self.known:
            known = self.known[digest]
            self.used[digest] = known.usage
            return ModelReply(known.text, _FREE)
        try:
            reply = self.model.complete(request)
        except ArmslengthError as error:
            self.errors.append(error)
            raise
        self.used[digest] = reply.usage
        if not reply.cut:
            self.known[digest] = reply
            self.heard(digest, reply)
        return reply

    def count_tokens(self, text: str) -> int:
        """As the model counts."""
        return self.model.count_tokens(text)


def reply_json(digest: str, reply: ModelReply) -> dict[str, Any]:
    """A reply for the file that keeps them."""
    return {"kind": "reply", "digest": digest, "text": reply.text, "usage": asdict(reply.usage)}


def reply_of(entry: Mapping[str, Any]) -> tuple[str, ModelReply]:
    """A kept reply with its digest."""
    return entry["digest"], ModelReply(entry["text"], Usage(**entry["usage"]))
