"""For tests of tools and programs: a model that says what the test wrote down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from armslength.errors import ModelNonsense
from armslength.models.base import ModelReply, ModelRequest, Processor, Usage

__all__ = ["SCRIPTED", "ScriptedModel"]

SCRIPTED = Processor(name="scripted", model="scripted", is_local=True, is_small=False, window=131_072, at_once=1)
"""The processor of a scripted model: on this machine, with a large window, asked one thing at a time so that replies come in order."""


class ScriptedModel:
    """A `Model` that answers with `replies` in order, or with what a function makes of each request. A single string is one reply.

    `requests` holds every request it was asked, in order. A function may be called by several threads at once, if a `processor` is
    given that takes so many; replies in order are asked for one at a time.
    """

    def __init__(self, replies: Sequence[str] | Callable[[ModelRequest], str], processor: Processor = SCRIPTED) -> None:
        self._replies = replies if callable(replies) else [replies] if isinstance(replies, str) else list(replies)
        is_one = callable(self._replies) or processor.at_once == 1
        self._processor = processor if is_one else replace(processor, at_once=1)
        self.requests: list[ModelRequest] = []

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self._processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """The next reply. Tokens are counted by `count_tokens`; no time passes.

        Raises:
            ModelNonsense: the script is at its end.
        """
        self.requests.append(request)
        if callable(self._replies):
            text = self._replies(request)
        elif len(self.requests) <= len(self._replies):
            text = self._replies[len(self.requests) - 1]
        else:
            raise ModelNonsense("the script is at its end")
        prompt = sum(self.count_tokens(part) for part in (request.system, *(turn.text for turn in request.turns)))
        return ModelReply(text, Usage(prompt=prompt, cached=0, completion=self.count_tokens(text), seconds=0.0))

    def count_tokens(self, text: str) -> int:
        """One for each byte: no byte-pair tokeniser makes more."""
        return len(text.encode("utf-8", "surrogatepass"))
