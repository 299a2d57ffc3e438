"""Any OpenAI-compatible endpoint (OpenAI, Ollama, vLLM, llama.cpp's server, OpenRouter), by its Chat Completions.

A schema is sent as `response_format` `json_schema`. A server that refuses this is asked once more with the schema as the only tool,
which it must call; a server that refuses both is an error. `json_object` is never used: it constrains nothing but the braces.
A server that ignores the schema in silence is not noticed here: whoever asks with a schema validates the answer. Other parameters
that a server refuses by name are left out from then on. Nothing is sent before the first `complete`.
"""

from __future__ import annotations

import importlib
import logging
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Literal

from armslength.models.base import ModelReply, ModelRequest, Processor, Usage
from armslength.models.schema import ProviderSchema, open_answer, provider_schema
from armslength.models.text import most_tokens, whole_text
from armslength.models.wire import (
    Endpoint,
    check_endpoint,
    count_at,
    declined,
    empty,
    model_error,
    object_at,
    objects_at,
    open_connection,
    read_body,
    text_at,
    unconstrained,
    usage_of,
)

_TOOL = "give_answer"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What this server was found to accept. Learnt from refusals only, never by probing."""

    tokens_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    sends_temperature: bool = True
    sends_seed: bool = True
    schema_by: Literal["response_format", "tool", "nothing"] = "response_format"


class ChatModel:
    """A model behind an OpenAI-compatible endpoint. One `complete` at a time or many: it may be shared between threads.

    The environment (`OPENAI_BASE_URL`, `OPENAI_API_KEY`, proxies, extra headers) has no effect; without `api_key` none is sent.

    Raises:
        ConfigError: the endpoint cannot be asked as configured, or the package `openai` is not installed.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        check_endpoint(endpoint, "openai")
        self._endpoint = endpoint
        self._processor = endpoint.processor()
        self._dialect = _Dialect()
        self._client: Any = None
        self._lock = threading.Lock()

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self._processor

    def count_tokens(self, text: str) -> int:
        """The bytes of the text: byte-level tokenisers never make more tokens."""
        return most_tokens(text)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once and wait. `keep_prefix` changes nothing: these servers cache prompts by themselves or not at all.

        Raises:
            ModelError: one of its subclasses, with a message of one line.
        """
        started = time.monotonic()
        sdk = importlib.import_module("openai")
        sent = None if request.schema is None else provider_schema(request.schema)
        try:
            body = self._ask(sdk, request, sent)
            return self._read(body, sent, time.monotonic() - started)
        except Exception as error:  # noqa: BLE001 - the boundary: whatever the package raises becomes one of ours
            raise model_error(self._endpoint, sdk, error) from None

    def _ask(self, sdk: ModuleType, request: ModelRequest, sent: ProviderSchema | None) -> dict[str, Any]:
        client = self._connect(sdk)
        while True:
            dialect = self._dialect
            if sent is not None and dialect.schema_by == "nothing":
                raise unconstrained(self._endpoint)
            try:
                raw = client.chat.completions.with_raw_response.create(**self._arguments(request, sent, dialect))
            except (sdk.BadRequestError, sdk.UnprocessableEntityError) as error:
                learnt = _learn(dialect, error, has_schema=sent is not None)
                if learnt == dialect:  # each refusal takes one thing away, so this loop ends
                    raise
                self._dialect = learnt
            else:
                return read_body(self._endpoint, raw.http_response.content)

    def _arguments(self, request: ModelRequest, sent: ProviderSchema | None, dialect: _Dialect) -> dict[str, Any]:
        messages = [{"role": "system", "content": whole_text(request.system)}]
        messages += [{"role": turn.role, "content": whole_text(turn.text)} for turn in request.turns]
        arguments: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": messages,
            dialect.tokens_key: request.max_tokens,
        }
        if dialect.sends_temperature:
            arguments["temperature"] = request.temperature
        if dialect.sends_seed:
            arguments["seed"] = request.seed
        if sent is not None and dialect.schema_by == "response_format":
            shape = {"name": "answer", "schema": sent.schema, "strict": sent.is_strict}
            arguments["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif sent is not None:
            function = {"name": _TOOL, "description": "Gives the answer.", "parameters": sent.schema}
            arguments["tools"] = [{"type": "function", "function": function}]
            arguments["tool_choice"] = {"type": "function", "function": {"name": _TOOL}}
        return arguments

    def _connect(self, sdk: ModuleType) -> Any:
        with self._lock:
            if self._client is None:
                for name in ("openai", "httpx2"):  # OPENAI_LOG=debug would write what is sent
                    logging.getLogger(name).setLevel(logging.WARNING)
                client = sdk.OpenAI(
                    api_key=self._endpoint.api_key or "none",
                    base_url=self._endpoint.base_url,
                    max_retries=self._endpoint.retries,
                    timeout=self._endpoint.timeout,
                    http_client=open_connection(self._endpoint),
                )
                # What the constructor took from the environment.
                client.organization = client.project = client.admin_api_key = None
                client._custom_headers = {}  # noqa: SLF001
                self._client = client
            return self._client

    def _read(self, body: Mapping[str, Any], sent: ProviderSchema | None, seconds: float) -> ModelReply:
        choices = objects_at(body, "choices")
        if not choices:
            raise empty(self._endpoint)
        message = object_at(choices[0], "message")
        reason = text_at(choices[0], "finish_reason")
        if text_at(message, "refusal") or reason == "content_filter":
            raise declined(self._endpoint)
        calls = objects_at(message, "tool_calls")
        by_tool = sent is not None and bool(calls)
        text = text_at(object_at(calls[0], "function"), "arguments") if by_tool else text_at(message, "content")
        if not text.strip():
            raise empty(self._endpoint)
        return ModelReply(
            text=text if sent is None else open_answer(sent, text),
            usage=_usage(object_at(body, "usage"), seconds),
            cut=reason == "length",
        )


def _usage(usage: Mapping[str, Any], seconds: float) -> Usage:
    prompt, completion = count_at(usage, "prompt_tokens"), count_at(usage, "completion_tokens")
    cached = count_at(object_at(usage, "prompt_tokens_details"), "cached_tokens") or 0
    return usage_of(prompt, cached, completion, seconds)


def _learn(dialect: _Dialect, refusal: Any, *, has_schema: bool) -> _Dialect:
    """The dialect without what the server named in its refusal; the same one if it named nothing that can go."""
    named = f"{getattr(refusal, 'param', None) or ''} {refusal}".lower()
    if dialect.tokens_key == "max_tokens" and "max_completion_tokens" in named:
        return replace(dialect, tokens_key="max_completion_tokens")
    if dialect.sends_temperature and "temperature" in named:
        return replace(dialect, sends_temperature=False)
    if dialect.sends_seed and re.search(r"\bseed\b", named):
        return replace(dialect, sends_seed=False)
    if has_schema and dialect.schema_by == "response_format" and ("response_format" in named or "schema" in named):
        return replace(dialect, schema_by="tool")
    if has_schema and dialect.schema_by == "tool" and ("tool" in named or "function" in named):
        return replace(dialect, schema_by="nothing")
    return dialect
