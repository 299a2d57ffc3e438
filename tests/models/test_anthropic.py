from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from armslength.errors import (
    ModelDeclined,
    ModelError,
    ModelKeyRejected,
    ModelNonsense,
    ModelTimedOut,
    ModelUnreachable,
)
from armslength.models.anthropic import AnthropicModel
from armslength.models.base import ModelRequest, Turn
from armslength.models.wire import Endpoint

SECRET = "the launch code is 1234"
REQUEST = ModelRequest(system="Be brief.", turns=(Turn("user", SECRET),), max_tokens=50)
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
WITH_SCHEMA = replace(REQUEST, schema=SCHEMA)
NO_ANSWER = "test: the model sent no answer; try again or choose another model"
NO_JSON = "test: the response is not JSON; check that base_url is the address of its API"
DECLINED = "test: the model refused to answer; rephrase the request or choose another model"


def model(provider: Any, **changes: Any) -> AnthropicModel:
    base_url = provider.base_url.removesuffix("/v1")
    return AnthropicModel(
        replace(Endpoint(base_url, "tiny", name="test", api_key="key-1", timeout=5, retries=0), **changes)
    )


def said(*blocks: dict[str, Any], stop_reason: str = "end_turn") -> dict[str, Any]:
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "tiny",
        "content": list(blocks),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 5,
            "cache_read_input_tokens": 90,
            "cache_creation_input_tokens": 3,
            "output_tokens": 7,
        },
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def refused(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


@pytest.mark.parametrize("counts", [None, {}, {"input_tokens": 5}, {"input_tokens": 10**400, "output_tokens": 7}])
def test_a_response_without_usage_does_not_say_that_it_cost_nothing(provider: Any, counts: object) -> None:
    """A cap would never fill by zeros that nobody said."""
    provider.will({**said(text("hi")), "usage": counts})
    assert model(provider).complete(REQUEST).usage.is_said is False


def test_an_answer_comes_back_with_what_it_cost(provider: Any) -> None:
    """Text blocks are joined, thinking is left out, and cached tokens count as prompt tokens too."""
    provider.will(said({"type": "thinking", "thinking": "hm", "signature": "s"}, text("hi "), text("there")))
    reply = model(provider).complete(REQUEST)
    assert (reply.text, reply.cut) == ("hi there", False)
    assert (reply.usage.prompt, reply.usage.cached, reply.usage.completion) == (98, 90, 7)
    assert provider.paths == ["/v1/messages"]
    assert provider.seen == [
        {
            "model": "tiny",
            "max_tokens": 50,
            "system": [{"type": "text", "text": "Be brief."}],
            "messages": [{"role": "user", "content": SECRET}],
        }
    ]
    assert provider.headers[0]["authorization"] == "Bearer key-1"


def test_the_system_text_is_marked_for_the_cache_only_if_the_prefix_is_kept(provider: Any) -> None:
    """The quarantined side, which keeps no prefix, leaves no cache mark."""
    provider.will(said(text("x")))
    asked = model(provider)
    asked.complete(replace(REQUEST, keep_prefix=True))
    asked.complete(REQUEST)
    assert [body["system"][0].get("cache_control") for body in provider.seen] == [{"type": "ephemeral"}, None]


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_an_answer_that_ended_at_a_limit_is_marked(provider: Any, reason: str) -> None:
    """Both limits become `cut`."""
    provider.will(said(text("half"), stop_reason=reason))
    assert model(provider).complete(REQUEST).cut is True


FAILURES = [
    ({"status": 401}, ModelKeyRejected, "test: the key was rejected (HTTP 401); check the key for {host}"),
    ({"status": 403}, ModelKeyRejected, "test: the key was rejected (HTTP 403); check the key for {host}"),
    ({"status": 404}, ModelUnreachable, "test: no model tiny there (HTTP 404); check model and base_url"),
    ({"status": 400}, ModelUnreachable, "test: the request was refused (HTTP 400); it may be too long for tiny"),
    ({"status": 413}, ModelUnreachable, "test: the request was refused (HTTP 413); it may be too long for tiny"),
    (
        {"status": 429},
        ModelUnreachable,
        "test: too many requests, or no credit left (HTTP 429); wait, or check the account",
    ),
    ({"status": 500}, ModelUnreachable, "test: the provider has a fault of its own (HTTP 500); try again later"),
    ({"status": 529}, ModelUnreachable, "test: the provider has a fault of its own (HTTP 529); try again later"),
    (
        {"closes": True},
        ModelUnreachable,
        "test: no connection to {host}; check that it runs and that base_url is right",
    ),
    ({"body": b"<html></html>", "headers": {"Content-Type": "text/html"}}, ModelNonsense, NO_JSON),
    ({"body": b""}, ModelNonsense, NO_JSON),
    ({"body": [1]}, ModelNonsense, NO_JSON),
    ({"body": {}}, ModelNonsense, NO_ANSWER),
    ({"body": {"content": "words"}}, ModelNonsense, NO_ANSWER),
    ({"body": said()}, ModelNonsense, NO_ANSWER),
    ({"body": said({"type": "text", "text": 7})}, ModelNonsense, NO_ANSWER),
    ({"body": said(text(""), stop_reason="refusal")}, ModelDeclined, DECLINED),
]


@pytest.mark.parametrize(("answer", "kind", "message"), FAILURES)
def test_each_failure_is_one_clear_line(
    provider: Any, answer: dict[str, Any], kind: type[ModelError], message: str
) -> None:
    """Whatever the server sends, one error of ours leaves, with a message that repeats nothing of the server's."""
    provider.will(**({"body": refused(f"bad: {SECRET}"), **answer} if "status" in answer else answer))
    with pytest.raises(ModelError) as caught:
        model(provider).complete(REQUEST)
    host = provider.base_url.split("/")[2]
    assert (type(caught.value), str(caught.value)) == (kind, message.format(host=host))


def test_a_slow_server_is_a_time_out(provider: Any) -> None:
    """No byte within the configured time ends the call."""
    provider.will(said(text("x")), seconds=30)
    with pytest.raises(ModelTimedOut) as caught:
        model(provider, timeout=0.2).complete(REQUEST)
    assert str(caught.value) == "test: no answer within 0.2 s; try again or raise timeout"


def test_retries_are_bounded(provider: Any) -> None:
    """`retries` 1 asks twice, then the error leaves."""
    provider.will(refused("busy"), status=529, headers={"retry-after-ms": "1"})
    with pytest.raises(ModelUnreachable):
        model(provider, retries=1).complete(REQUEST)
    assert len(provider.seen) == 2


def test_a_redirect_is_not_followed(provider: Any) -> None:
    """The request, with the key and the data, goes to the configured address only."""
    provider.will({}, status=307, headers={"Location": f"{provider.base_url}/elsewhere"})
    with pytest.raises(ModelUnreachable) as caught:
        model(provider).complete(REQUEST)
    assert str(caught.value) == (
        "test: redirects elsewhere (HTTP 307), which is not followed; set base_url to the final address"
    )
    assert len(provider.paths) == 1


def test_the_environment_redirects_nothing(provider: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses, keys, profiles, proxies and headers of the environment have no effect."""
    for name, value in {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
        "ANTHROPIC_API_KEY": "env-key",
        "ANTHROPIC_AUTH_TOKEN": "env-token",
        "ANTHROPIC_PROFILE": "env-profile",
        "ANTHROPIC_CUSTOM_HEADERS": "X-From-Env: yes\nx-api-key: env",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    provider.will(said(text("x")))
    model(provider, api_key=None).complete(REQUEST)
    assert provider.headers[0]["authorization"] == "Bearer none"
    assert not [value for value in provider.headers[0].values() if "env" in value or value == "yes"]


def test_a_schema_constrains_by_output_config(provider: Any) -> None:
    """The schema is sent as the format of the output, and the JSON comes back as text."""
    provider.will(said(text('{"n": 4}')))
    assert model(provider).complete(WITH_SCHEMA).text == '{"n": 4}'
    assert provider.seen[0]["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}


def test_a_model_without_output_config_is_asked_by_a_forced_tool_and_remembered(provider: Any) -> None:
    """One refusal, then the tool; the next request starts with the tool."""
    provider.will(refused("output_config: this model does not support structured outputs"), status=400)
    provider.will(
        said({"type": "tool_use", "id": "t", "name": "give_answer", "input": {"n": 5}}, stop_reason="tool_use")
    )
    asked = model(provider)
    assert [asked.complete(WITH_SCHEMA).text, asked.complete(WITH_SCHEMA).text] == ['{"n": 5}', '{"n": 5}']
    assert ["output_config" in body for body in provider.seen] == [True, False, False]
    assert provider.seen[1]["tool_choice"] == {"type": "tool", "name": "give_answer"}


def test_a_model_that_can_constrain_in_no_way_is_an_error(provider: Any) -> None:
    """There is no silent fall back to an unconstrained answer."""
    provider.will(refused("output_config: not supported"), status=400)
    provider.will(refused("tools: not supported"), status=400)
    with pytest.raises(ModelUnreachable) as caught:
        model(provider).complete(WITH_SCHEMA)
    assert str(caught.value) == (
        "test: tiny accepts neither a JSON schema nor a forced tool; choose another model or server"
    )
