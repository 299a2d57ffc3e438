"""Whoever watches a run go on, such as what makes spans. It is told kinds, names and counts at the one boundary, and no content.

The arguments of a crossing never reach it. Of an answer it is given how many tokens a model took or how much a person accepted; of a note
the kind, and of a decision the verdict and the names of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from armslength.values import Plain

Kind = Literal["model", "read", "effect", "approval"]
"""What is watched of what crosses: a model's answer, a tool that reads, a tool that does something, a person's answer."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a model's answer cost, in tokens. `cached` ones of those that went in were not computed again."""

    prompt: int
    cached: int
    completion: int


@dataclass(frozen=True, slots=True)
class Answered:
    """All that is told of an answer. `spent` of a model's; `accepted` of a person's, how much of the screen."""

    spent: Spent | None = None
    accepted: Literal["all", "some", "none"] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that is told of a decision about an effect."""

    tool: str
    verdict: str
    rules: tuple[str, ...]


Tell = Callable[[Answered], None]


class Watch(Protocol):
    """Watches one run. Calls come from several threads."""

    def around(self, kind: Kind, name: str) -> AbstractContextManager[Tell]:
        """Around one crossing. `name`: the model's role or the tool; nothing of an approval."""
        ...

    def decided(self, verdict: Verdict) -> None:
        """Something was decided about an effect."""
        ...

    def ended(self, ending: str) -> None:
        """The run came to this end."""
        ...

    def close(self) -> None:
        """This process works on the run no more."""
        ...


def _to_nobody(_answered: Answered) -> None:
    """Nobody watches."""


class Unwatched:
    """Nobody watches."""

    def around(self, kind: Kind, name: str) -> AbstractContextManager[Tell]:
        """Nothing."""
        return nullcontext(_to_nobody)

    def decided(self, verdict: Verdict) -> None:
        """Nothing."""

    def ended(self, ending: str) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Watched:
    """The one place where what crosses and what is noted is cut down to what a watch is told."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._is_beginning = False

    def performed(self, kind: str, name: str, perform: Callable[[], Plain], *, is_aside: bool = False) -> Plain:
        """What `perform` gives. `is_aside`: it goes on beside the program, so it is no effect that was just begun."""
        is_effect = self._is_beginning and not is_aside
        match kind:
            case "model":
                seen: Kind = "model"
            case "tool":
                seen = "effect" if is_effect else "read"
                self._is_beginning = self._is_beginning and is_aside
            case "approval":
                seen, name = "approval", ""
            case _:
                return perform()
        with self._watch.around(seen, name) as tell:
            answered = perform()
            tell(_told(seen, answered))
            return answered

    def noted(self, kind: str, content: dict[str, Any]) -> None:
        """What the controller wrote down."""
        match kind, content:
            case "started" | "found", _:  # found: it was begun before the run was cut off
                self._is_beginning = True
            case "decision", {"effect": {"tool": str(tool)}, "verdict": str(verdict), "reasons": list(reasons)}:
                self._watch.decided(Verdict(tool, verdict, _rules(reasons)))
            case "end", {"ending": str(ending)}:
                self._watch.ended(ending)
            case _:
                pass

    def close(self) -> None:
        """The run has ended here."""
        self._watch.close()


def _told(kind: Kind, answered: Plain) -> Answered:
    match kind, answered:
        case "model", {"usage": {"prompt": int(prompt), "cached": int(cached), "completion": int(completion)}}:
            return Answered(spent=Spent(prompt, cached, completion))
        case "approval", {"yes": True}:
            return Answered(accepted="all")
        case "approval", {"accepted": [_, *_]}:
            return Answered(accepted="some")
        case "approval", _:
            return Answered(accepted="none")
        case _:
            return Answered()


def _rules(reasons: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(reason["rule"]) for reason in reasons if isinstance(reason, dict) and "rule" in reason)
