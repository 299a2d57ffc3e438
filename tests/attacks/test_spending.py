"""Attacks on caps by a model's provider, or a proxy before it, that computes, bills and says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.models import conftest as providers

from armslength.app.caps import Caps, Price
from armslength.app.spending import CappedModel, Spending, Till
from armslength.errors import CapReached, ModelUnreachable
from armslength.models.anthropic import AnthropicModel
from armslength.models.base import ModelRequest, Turn
from armslength.models.chat import ChatModel
from armslength.models.wire import Endpoint

provider = providers.provider
REQUEST = ModelRequest("s" * 100, (Turn("user", "hi"),), max_tokens=1_500)
MOST = 102 + 32 + 1_500
"""Tokens that this call may have: a byte each of what it sends, 16 for the form of each message, and its answer."""
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
AT_ONCE = {"retry-after-ms": "1"}


def chat(base_url: str, retries: int) -> ChatModel:
    """A model that is asked by Chat Completions."""
    return ChatModel(Endpoint(base_url, "m", timeout=20, retries=retries))


def messages(base_url: str, retries: int) -> AnthropicModel:
    """A model that is asked by Messages."""
    return AnthropicModel(Endpoint(base_url.removesuffix("/v1"), "m", timeout=20, retries=retries))


def chat_answer(prompt: int, completion: int) -> dict[str, Any]:
    """An answer by Chat Completions that says it took so much."""
    choice = {"message": {"role": "assistant", "content": "x"}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}


def messages_answer(prompt: int, completion: int) -> dict[str, Any]:
    """An answer by Messages that says it took so much."""
    usage = {"input_tokens": prompt, "output_tokens": completion}
    return {"content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn", "usage": usage}


KINDS = pytest.mark.parametrize(("made", "answer"), [(chat, chat_answer), (messages, messages_answer)])
Made, Said = Callable[[str, int], Any], Callable[[int, int], dict[str, Any]]


def capped(folder: Path, model: Any, tokens: int) -> CappedModel:
    """The model under a cap of one run."""
    spending = Spending(folder / "spending.sqlite", Caps(run_tokens=tokens), {"planner": Price(1.0, 1.0)})
    return CappedModel(model, Price(1.0, 1.0), Till(spending, lambda: NOON))


@KINDS
def test_an_error_after_the_answer_was_computed_sends_no_request_that_is_not_paid_for(
    provider: Any, tmp_path: Path, made: Made, answer: Said
) -> None:
    """A package sends again what failed, and the call was booked once: a cap of one call let two requests through, or six."""
    provider.will(status=500, headers=AT_ONCE)
    model = capped(tmp_path, made(provider.base_url, 2), 2 * MOST - 1)
    with pytest.raises(
        CapReached, match=rf"spending\.run_tokens allows {2 * MOST - 1:,} tokens; {MOST:,} tokens are spent$"
    ):
        model.complete(REQUEST)
    assert len(provider.seen) == 1


@KINDS
def test_each_request_that_was_sent_again_is_booked(provider: Any, tmp_path: Path, made: Made, answer: Said) -> None:
    """Those that failed whole, the last as its answer says; where all fail, all whole."""
    provider.will(status=500, headers=AT_ONCE)
    provider.will(status=429, headers=AT_ONCE)
    provider.will(answer(100, 10))
    model = capped(tmp_path, made(provider.base_url, 2), 10 * MOST)
    model.complete(REQUEST)
    assert (len(provider.seen), model.till.tokens) == (3, 2 * MOST + 110)
    provider.answers.clear()
    provider.will(status=500, headers=AT_ONCE)
    with pytest.raises(ModelUnreachable):
        model.complete(REQUEST)
    assert (len(provider.seen), model.till.tokens) == (6, 5 * MOST + 110)


def test_a_refusal_after_which_the_call_is_asked_otherwise_is_booked(provider: Any, tmp_path: Path) -> None:
    """What a server refuses by the name of a parameter is sent again without it, by us and not by a package."""
    provider.will({"error": {"message": "temperature is not supported", "param": "temperature"}}, status=400)
    provider.will(chat_answer(100, 10))
    model = capped(tmp_path, chat(provider.base_url, 0), 10 * MOST)
    model.complete(REQUEST)
    assert (len(provider.seen), model.till.tokens) == (2, MOST + 110)


@KINDS
@pytest.mark.parametrize(("prompt", "completion"), [(0, 0), (100, 0), (0, 10)])
def test_an_answer_that_says_it_took_nothing_is_booked_whole(
    provider: Any, tmp_path: Path, made: Made, answer: Said, prompt: int, completion: int
) -> None:
    """Zeros were booked as what was said, so no number of calls filled a cap."""
    provider.will(answer(prompt, completion))
    model = capped(tmp_path, made(provider.base_url, 0), 2 * MOST)
    model.complete(REQUEST)
    model.complete(REQUEST)
    assert model.till.tokens == 2 * MOST
    with pytest.raises(CapReached):
        model.complete(REQUEST)
    assert len(provider.seen) == 2
