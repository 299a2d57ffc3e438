from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from typing import Any

import pytest

from armslength.errors import (
    ConfigError,
    ModelDeclined,
    ModelError,
    ModelKeyRejected,
    ModelNonsense,
    ModelTimedOut,
    ModelUnreachable,
)
from armslength.models.base import ModelRequest, Turn
from armslength.models.chat import ChatModel
from armslength.models.wire import WHOLE_ADDRESS, Endpoint

SOON = 20.0
"""Seconds after which a test that would hang fails."""
SECRET = "the launch code is 1234"
REQUEST = ModelRequest(system="Be brief.", turns=(Turn("user", SECRET),), max_tokens=50, seed=3)
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
WITH_SCHEMA = replace(REQUEST, schema=SCHEMA)


def model(provider: Any, **changes: Any) -> ChatModel:
    settings = Endpoint(provider.base_url, "tiny", name="test", api_key="key-1", timeout=5, retries=0)
    return ChatModel(replace(settings, **changes))


def said(content: Any = "hello", finish_reason: str = "stop", **message: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, **message}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
        "usage": {
            "prompt_tokens": 20,
            "completion_tokens": 4,
            "total_tokens": 24,
            "prompt_tokens_details": {"cached_tokens": 16},
        },
    }


def refused(message: str, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": None}}


def test_an_answer_comes_back_with_what_it_cost(provider: Any) -> None:
    """Text, cut mark, and prompt, cached and completion tokens are those of the response."""
    provider.will(said("hi there"))
    reply = model(provider).complete(REQUEST)
    assert (reply.text, reply.cut) == ("hi there", False)
    assert (reply.usage.prompt, reply.usage.cached, reply.usage.completion) == (20, 16, 4)
    assert 0 < reply.usage.seconds < 5
    assert provider.paths == ["/v1/chat/completions"]
    assert provider.seen == [
        {
            "model": "tiny",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": SECRET}],
            "max_tokens": 50,
            "temperature": 0.0,
            "seed": 3,
        }
    ]
    assert provider.headers[0]["authorization"] == "Bearer key-1"


def test_an_answer_that_ended_at_max_tokens_is_marked(provider: Any) -> None:
    """finish_reason length becomes `cut`."""
    provider.will(said("half a", finish_reason="length"))
    assert model(provider).complete(REQUEST).cut is True


@pytest.mark.parametrize(
    "counts",
    [
        None,
        [],
        {},
        {"prompt_tokens": "many", "completion_tokens": -4},
        {"prompt_tokens": 9.0, "completion_tokens": True},
        {"prompt_tokens": 10**400, "completion_tokens": 2**63},
    ],
)
def test_a_response_without_usage_does_not_say_that_it_cost_nothing(provider: Any, counts: object) -> None:
    """Missing, misshapen and endless counts are none, and no exception."""
    provider.will({**said(), "usage": counts})
    usage = model(provider).complete(REQUEST).usage
    assert (usage.prompt, usage.cached, usage.completion, usage.is_said) == (0, 0, 0, False)


def test_half_of_a_usage_is_not_all_of_it(provider: Any) -> None:
    """What the answer took is the dear half."""
    provider.will({**said(), "usage": {"prompt_tokens": 20}})
    usage = model(provider).complete(REQUEST).usage
    assert (usage.prompt, usage.completion, usage.is_said) == (20, 0, False)


FAILURES = [
    ({"status": 401}, ModelKeyRejected, "test: the key was rejected (HTTP 401); check the key for {host}"),
    ({"status": 403}, ModelKeyRejected, "test: the key was rejected (HTTP 403); check the key for {host}"),
    ({"status": 402}, ModelUnreachable, "test: the account has no credit (HTTP 402); check the account"),
    ({"status": 404}, ModelUnreachable, "test: no model tiny there (HTTP 404); check model and base_url"),
    ({"status": 400}, ModelUnreachable, "test: the request was refused (HTTP 400); it may be too long for tiny"),
    ({"status": 408}, ModelTimedOut, "test: the provider ran out of time (HTTP 408); try again"),
    (
        {"status": 429},
        ModelUnreachable,
        "test: too many requests, or no credit left (HTTP 429); wait, or check the account",
    ),
    ({"status": 500}, ModelUnreachable, "test: the provider has a fault of its own (HTTP 500); try again later"),
    ({"status": 504}, ModelTimedOut, "test: the provider ran out of time (HTTP 504); try again"),
    (
        {"closes": True},
        ModelUnreachable,
        "test: no connection to {host}; check that it runs and that base_url is right",
    ),
    (
        {"body": b"<html><script>1</script></html>", "headers": {"Content-Type": "text/html"}},
        ModelNonsense,
        "test: the response is not JSON; check that base_url is the address of its API",
    ),
    ({"body": b""}, ModelNonsense, "test: the response is not JSON; check that base_url is the address of its API"),
    (
        {"body": b"[" * 200_000},
        ModelNonsense,
        "test: the response is not JSON; check that base_url is the address of its API",
    ),
    (
        {"body": b"\xff\xfe{}"},
        ModelNonsense,
        "test: the response is not JSON; check that base_url is the address of its API",
    ),
    (
        {"body": ["no object"]},
        ModelNonsense,
        "test: the response is not JSON; check that base_url is the address of its API",
    ),
    ({"body": {}}, ModelNonsense, "test: the model sent no answer; try again or choose another model"),
    ({"body": {"choices": []}}, ModelNonsense, "test: the model sent no answer; try again or choose another model"),
    ({"body": {"choices": "x"}}, ModelNonsense, "test: the model sent no answer; try again or choose another model"),
    (
        {"body": {"choices": [{"message": 7}]}},
        ModelNonsense,
        "test: the model sent no answer; try again or choose another model",
    ),
    ({"body": said(None)}, ModelNonsense, "test: the model sent no answer; try again or choose another model"),
    ({"body": said(" \n")}, ModelNonsense, "test: the model sent no answer; try again or choose another model"),
    (
        {"body": said(None, refusal=f"I will not repeat {SECRET}")},
        ModelDeclined,
        "test: the model refused to answer; rephrase the request or choose another model",
    ),
    (
        {"body": said("", finish_reason="content_filter")},
        ModelDeclined,
        "test: the model refused to answer; rephrase the request or choose another model",
    ),
]


@pytest.mark.parametrize(("answer", "kind", "message"), FAILURES)
def test_each_failure_is_one_clear_line(
    provider: Any, answer: dict[str, Any], kind: type[ModelError], message: str
) -> None:
    """Whatever the server sends, one error of ours leaves, with a message that repeats nothing of the server's."""
    answer = {"body": refused(f"bad: {SECRET}"), **answer} if "status" in answer else answer
    provider.will(**answer)
    with pytest.raises(ModelError) as caught:
        model(provider).complete(REQUEST)
    host = provider.base_url.split("/")[2]
    assert (type(caught.value), str(caught.value)) == (kind, message.format(host=host))


def test_a_slow_server_is_a_time_out(provider: Any) -> None:
    """No byte within the configured time ends the call."""
    provider.will(said(), seconds=30)
    with pytest.raises(ModelTimedOut) as caught:
        model(provider, timeout=0.2).complete(REQUEST)
    assert str(caught.value) == "test: no answer within 0.2 s; try again or raise timeout"


def test_nobody_listening_is_unreachable(provider: Any) -> None:
    """A refused connection names the host and what to check."""
    with pytest.raises(ModelUnreachable) as caught:
        model(provider, base_url="http://127.0.0.1:1/v1").complete(REQUEST)
    assert str(caught.value) == "test: no connection to 127.0.0.1:1; check that it runs and that base_url is right"


def test_retries_are_bounded(provider: Any) -> None:
    """`retries` 1 asks twice, then the error leaves."""
    provider.will(refused("down"), status=500, headers={"retry-after-ms": "1"})
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
    """Addresses, keys, proxies and headers of the environment have no effect."""
    for name, value in {
        "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
        "OPENAI_API_KEY": "env-key",
        "OPENAI_ADMIN_KEY": "env-admin",
        "OPENAI_ORG_ID": "env-org",
        "OPENAI_PROJECT_ID": "env-project",
        "OPENAI_CUSTOM_HEADERS": "X-From-Env: yes\nAuthorization: Bearer env",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
        "http_proxy": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    provider.will(said())
    model(provider, api_key=None).complete(REQUEST)
    assert provider.headers[0]["authorization"] == "Bearer none"
    assert not [value for value in provider.headers[0].values() if "env" in value or value == "yes"]


def test_a_schema_constrains_by_response_format(provider: Any) -> None:
    """The schema is sent strict, and the JSON comes back as text."""
    provider.will(said('{"n": 4}'))
    assert model(provider).complete(WITH_SCHEMA).text == '{"n": 4}'
    assert provider.seen[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }


def test_a_server_without_json_schema_is_asked_by_a_forced_tool_and_remembered(provider: Any) -> None:
    """One refusal, then the tool; the next request starts with the tool."""
    call = {"id": "1", "type": "function", "function": {"name": "give_answer", "arguments": '{"n": 5}'}}
    provider.will(refused("response_format json_schema is not supported"), status=400)
    provider.will(said(None, finish_reason="tool_calls", tool_calls=[call]))
    asked = model(provider)
    assert [asked.complete(WITH_SCHEMA).text, asked.complete(WITH_SCHEMA).text] == ['{"n": 5}', '{"n": 5}']
    assert ["response_format" in body for body in provider.seen] == [True, False, False]
    assert provider.seen[1]["tool_choice"] == {"type": "function", "function": {"name": "give_answer"}}
    assert provider.seen[1]["tools"][0]["function"]["parameters"] == SCHEMA


def test_a_server_that_can_constrain_in_no_way_is_an_error(provider: Any) -> None:
    """There is no silent fall back to an unconstrained answer."""
    provider.will(refused("unknown field response_format"), status=400)
    provider.will(refused("tools are not supported"), status=400)
    with pytest.raises(ModelUnreachable) as caught:
        model(provider).complete(WITH_SCHEMA)
    assert str(caught.value) == (
        "test: tiny accepts neither a JSON schema nor a forced tool; choose another model or server"
    )
    assert len(provider.seen) == 2


def test_parameters_that_a_server_refuses_by_name_are_left_out(provider: Any) -> None:
    """Reasoning models take neither max_tokens, temperature nor seed."""
    provider.will(
        refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"), status=400
    )
    provider.will(refused("Unsupported value: 'temperature' does not support 0", "temperature"), status=400)
    provider.will(refused("Unsupported parameter: 'seed'", "seed"), status=400)
    provider.will(said())
    assert model(provider).complete(REQUEST).text == "hello"
    assert provider.seen[3] == {
        "model": "tiny",
        "messages": provider.seen[0]["messages"],
        "max_completion_tokens": 50,
    }


def test_a_text_with_lone_surrogates_can_be_sent(provider: Any) -> None:
    """Broken mail does not break the call."""
    provider.will(said())
    model(provider).complete(replace(REQUEST, turns=(Turn("user", "a\udce4b"),)))
    assert provider.seen[0]["messages"][1]["content"] == "a?b"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base_url": "ftp://x/v1"}, f"model: base_url must be {WHOLE_ADDRESS}"),
        ({"base_url": "http://[::1"}, f"model: base_url must be {WHOLE_ADDRESS}"),
        ({"base_url": ""}, f"model: base_url must be {WHOLE_ADDRESS}"),
        ({"model": ""}, "test: no model is named; set model"),
    ],
)
def test_an_endpoint_that_can_never_be_asked_is_refused(provider: Any, changes: dict[str, Any], message: str) -> None:
    """The constructor says so, and asks nobody."""
    with pytest.raises(ConfigError) as caught:
        model(provider, **changes)
    assert str(caught.value) == message
    assert provider.paths == []


@pytest.mark.parametrize(
    ("changes", "at_once"), [({}, 32), ({"is_local": True}, 4), ({"is_local": True, "at_once": 9}, 9)]
)
def test_how_many_calls_go_beside_each_other(changes: dict[str, Any], at_once: int) -> None:
    """As configured, else many, and few where a server on this machine computes them."""
    assert Endpoint("http://127.0.0.1:1/v1", "m", **changes).processor().at_once == at_once


LONG = 60.0
"""Seconds that nobody waits unless a connection is missing, however busy the machine."""


def test_no_call_waits_for_the_connection_of_another(provider: Any) -> None:
    """More conversations wait for a model than a client keeps connections by default."""
    provider.will(said("late"), seconds=LONG)
    shared = model(provider, timeout=LONG)
    asking = [threading.Thread(target=shared.complete, args=(REQUEST,)) for _ in range(110)]
    for thread in asking:
        thread.start()
    pause = threading.Event()
    for _ in range(int(LONG * 25)):
        if len(provider.seen) == len(asking) or pause.wait(0.02):
            break
    inside = len(provider.seen)
    provider.stopped.set()
    for thread in asking:
        thread.join()
    assert inside == len(asking)


def test_the_key_and_a_password_in_the_address_are_never_shown() -> None:
    """Neither the repr nor the label has them."""
    made = Endpoint("https://me:hunter2@example.com/v1", "m", api_key="sk-1")
    assert (made.label(), "sk-1" in repr(made)) == ("example.com", False)


def test_tokens_are_never_undercounted() -> None:
    """Without the tokeniser, the bound is the bytes."""
    assert ChatModel(Endpoint("https://example.com/v1", "m")).count_tokens("aé€") == 6


def test_importing_and_making_a_model_loads_no_package_and_asks_nobody() -> None:
    """`--help` stays quick, and a mailbox is offered to no port."""
    script = (
        "import sys, socket\n"
        "def refuse(*a, **k): raise SystemExit('network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from armslength.models.chat import ChatModel\n"
        "from armslength.models.anthropic import AnthropicModel\n"
        "from armslength.models.wire import Endpoint\n"
        "import armslength.models.embedded, armslength.models.fetch\n"
        "ChatModel(Endpoint('https://example.com/v1', 'm')); AnthropicModel(Endpoint('https://example.com', 'm'))\n"
        "print(sorted({'openai', 'anthropic', 'httpx2', 'xllamacpp'} & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
