"""The planner: asks the privileged model for a program. It is blind: its prompt is a function of trusted input alone.

The user's words: typed by the person (what is pasted is not among them). Tool declarations: written by whoever installed the tool. Notes:
configuration. The date: the run's start. Refusals: earlier programs, a function of the same, with messages that the session lets pass only
where operands, control context and halt are trusted, or their price is paid. Hints: what the preview of an earlier program says, a function
of its text and of the configuration. Told: earlier requests, as `transcript` says. No value, label,
answer or count of a run has a parameter to come in by.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from armslength.agent.planning.prompt import dates, system_text
from armslength.agent.planning.transcript import Told, fenced, turns_of
from armslength.errors import ModelError, ModelNonsense
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Turn, Usage
from armslength.schema import Signature

MAX_PROGRAM = 64_000
"""Bytes of a program."""
NOT_ACCEPTED, COULD_RUN = "This program was not accepted:", "This program could run, but:"
"""How the planner is told why it writes another."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A program as text, parsed by nobody yet, and what each call cost."""

    program: str
    usage: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An earlier program and what may be told about why it did not do. `message` is trusted text: the session decides that it is."""

    program: str
    message: str

    @property
    def said(self) -> str:
        """What the planner is told."""
        return f"{NOT_ACCEPTED} {self.message}\nWrite the whole program again."


@dataclass(frozen=True, slots=True)
class Hint:
    """An earlier program that could run, and what is foreseen of it: a function of its text and of the configuration."""

    program: str
    said: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the planner's model picks its words. `max_tokens` bounds the program."""

    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 700


class Planner:
    """The privileged model with the system text of one set of tools and one day."""

    def __init__(
        self,
        model: Model,
        signatures: Sequence[Signature],
        today: date,
        notes: str = "",
        *,
        sampling: Sampling | None = None,
        more: str = "",
    ) -> None:
        """`more`: what the system text says of a conversation, if there is one."""
        self._model = model
        self._sampling = sampling or Sampling()
        self._today = today
        self.system = system_text(signatures, today, notes, more, is_small=model.processor.is_small)

    @property
    def processor(self) -> Processor:
        """Who is told all that the planner is told."""
        return self._model.processor

    def write(self, request: str, before: Sequence[Refusal | Hint] = (), told: Told | None = None) -> Plan:
        """A program for the user's request, after earlier attempts in their order. `told`: what is told of a conversation.

        Raises:
            ModelNonsense: no program, one that is too long, or one cut off.
            ModelError: the request does not fit the model's window, or the model failed.
        """
        attempts = []
        for each in before:
            attempts.append(Turn("assistant", fenced(each.program)))
            attempts.append(Turn("user", each.said))
        turns = [Turn("user", request)] if told is None else turns_of(told, request, self._room_for(request, attempts))
        turns += attempts
        self._check_room(turns)
        reply = self._model.complete(
            ModelRequest(
                system=self.system,
                turns=tuple(turns),
                answer_start=_ANSWER_START,
                max_tokens=self._sampling.max_tokens,
                temperature=self._sampling.temperature,
                seed=self._sampling.seed,
                keep_prefix=True,
                changing=len(dates(self._today)),
            )
        )
        return Plan(_program(reply), (reply.usage,))

    def _room_for(self, request: str, attempts: Sequence[Turn]) -> Callable[[str], bool]:
        """Whether an earlier turn still has room, in half of what the window has for turns; it counts down."""
        texts = [request, *(turn.text for turn in attempts)]
        left = self._room(0) // 2 - sum(map(self._model.count_tokens, texts))

        def has_room(text: str) -> bool:
            nonlocal left
            left -= self._model.count_tokens(text) + 2 * _CHAT_FORMAT
            return left >= 0

        return has_room

    def _room(self, turns: int) -> int:
        """Tokens that so many turns can have together."""
        used = self._model.count_tokens(self.system) + self._sampling.max_tokens + _CHAT_FORMAT * (turns + 1)
        return self._model.processor.window - used

    def _check_room(self, turns: Sequence[Turn]) -> None:
        window = self._model.processor.window
        words = sum(self._model.count_tokens(turn.text) for turn in turns)
        room = self._room(len(turns))
        if words > room:
            raise ModelError(
                f"the request needs about {words:,} tokens, and {max(room, 0):,} of the planner's window of {window:,} are left "
                "beside the tools; ask in fewer words, or hand the text over as a file"
            )


_ANSWER_START = "```python\n"  # a small model else answers "no" to a yes-or-no question
_CHAT_FORMAT = 8  # tokens that a chat template adds to a turn, about
_FENCE = re.compile(
    r"^[ \t]*(?P<marks>`{3,}|~{3,})[ \t]*[\w+.-]*[ \t]*\n(?P<program>.*?)(?P<end>^[ \t]*(?P=marks)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)


def _program(reply: ModelReply) -> str:
    """The first fenced block, else the whole text. Nothing is executed, repaired or guessed."""
    text = reply.text.replace("\r\n", "\n")
    block = _FENCE.search(text)
    if reply.cut and not (block and block["end"]):
        raise ModelNonsense("the planner's program was cut off at its longest; ask for less at once")
    program = textwrap.dedent(block["program"] if block else text).strip()
    if not program:
        raise ModelNonsense("the planner wrote no program; ask in other words")
    if len(program.encode("utf-8", "surrogatepass")) > MAX_PROGRAM:
        raise ModelNonsense(f"the planner's program has more than {MAX_PROGRAM:,} bytes; ask for less at once")
    return program
