"""The scripted model, as engineers use it in their tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from armslength.errors import ModelNonsense
from armslength.models.base import ModelReply, ModelRequest, Processor, Turn, Usage
from armslength.testing import SCRIPTED, ScriptedModel


def asked(text: str) -> ModelRequest:
    """A request of one turn."""
    return ModelRequest(system="sys", turns=(Turn("user", text),))


def test_replies_come_in_order_and_requests_are_kept() -> None:
    """Each request gets the next reply, counted in bytes, and stands in `requests`."""
    model = ScriptedModel(["first", "zweitÄ"])
    assert model.complete(asked("one")) == ModelReply("first", Usage(prompt=6, cached=0, completion=5, seconds=0.0))
    assert model.complete(asked("two")).usage == Usage(prompt=6, cached=0, completion=7, seconds=0.0)
    assert model.requests == [asked("one"), asked("two")]


def test_the_end_of_the_script_is_a_model_error() -> None:
    """A call too many is nonsense of the model, recorded like the others."""
    model = ScriptedModel("only one")
    model.complete(asked("one"))
    with pytest.raises(ModelNonsense) as caught:
        model.complete(asked("two"))
    assert str(caught.value) == "the script is at its end"
    assert len(model.requests) == 2


def test_a_function_answers_each_request() -> None:
    """A function sees the request and makes the reply."""
    model = ScriptedModel(lambda request: request.turns[-1].text.upper())
    assert [model.complete(asked(text)).text for text in ("a", "b")] == ["A", "B"]


def test_the_processor_is_local_with_a_large_window_unless_given() -> None:
    """Tests of small windows give a processor of their own; replies in order are asked for one at a time all the same."""
    small = Processor(name="tiny", model="tiny", is_local=False, is_small=True, window=64)
    assert ScriptedModel([]).processor is SCRIPTED
    assert ScriptedModel(str, small).processor is small
    assert ScriptedModel([], small).processor == replace(small, at_once=1)


def test_a_token_is_a_byte() -> None:
    """The count is an upper bound for byte-pair tokenisers, also for text that is no Unicode."""
    assert [ScriptedModel([]).count_tokens(text) for text in ("", "abc", "€", "\ud800")] == [0, 3, 3, 3]
