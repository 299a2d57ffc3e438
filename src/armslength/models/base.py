"""The one protocol that every model speaks, and the records it speaks in."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

JsonSchema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation with a model."""

    role: Literal["user", "assistant"]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call. Nothing is kept between calls except the state of `system`, and that only if `keep_prefix`.

    `schema`: the answer must be JSON of this schema (constrained where the runtime can), else free text.
    `answer_start`: the answer begins so where the runtime can be made to, and the reply's text has it; elsewhere it counts for nothing.
    `keep_prefix`: the state of the system text may be kept and reused (the planner's side only; the quarantined side runs without).
    `changing`: the last so many characters of `system` change from day to day; what is kept is the state of what stands before them.
    """

    system: str
    turns: tuple[Turn, ...]
    schema: JsonSchema | None = None
    answer_start: str = ""
    max_tokens: int = 1024
    temperature: float = 0.0
    seed: int = 0
    keep_prefix: bool = False
    changing: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost. `cached` prompt tokens were not computed again. Seconds of wall time.

    `is_said`: false where the provider did not say how many tokens it took, or says of a request or an answer that it has none; those that it did
    not say are 0 then.
    """

    prompt: int
    cached: int
    completion: int
    seconds: float
    is_said: bool = True


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back. `cut`: the answer ended at `max_tokens`, not by itself."""

    text: str = field(repr=False)
    usage: Usage
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Processor:
    """A model provider and what it is cleared for.

    `name` is what labels and messages call it. `is_local`: it runs in this process or is declared to run on this machine,
    so it may see what is marked "this machine only". `is_small`: whatever its programs send is asked about.
    `window` is in tokens, prompt and answer together. `at_once`: so many calls of one run go beside each other.
    """

    name: str
    model: str
    is_local: bool
    is_small: bool
    window: int
    at_once: int = 32


class Model(Protocol):
    """A model that can be asked once. Where its processor takes several calls at once, they come from several threads."""

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        ...

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once and wait.

        Raises:
            ModelError: one of its subclasses, with a message of one line. No other exception leaves.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """At least as many tokens as `text` has for this model (an upper bound where the tokeniser is not at hand)."""
        ...


def _somebody_waits() -> bool:
    return False


given_up: ContextVar[Callable[[], bool]] = ContextVar("given_up", default=_somebody_waits)
"""Whether nobody waits any more for the call that is being made. A model that computes in this process looks now and then."""


def _nobody_pays() -> None:
    return None


sending: ContextVar[Callable[[], None]] = ContextVar("sending", default=_nobody_pays)
"""Called before each request of the call that is being made leaves for its provider: one call may send several. Raises ModelError where it must not."""
