"""Anthropic's Messages, through the `anthropic` package.

A schema is sent as `output_config` `json_schema`. A model that refuses this is asked once more with the schema as the only tool, which
it must call. The system text carries a cache mark if the request keeps its prefix. The installed package takes neither temperature nor
seed, so both are ignored. Nothing is sent before the first `complete`.
"""

from __future__ import annotations

import importlib
import json
import logging
import threading
import time
from collections.abc import Mapping
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
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicModel:
    """A model of Anthropic's, or behind an endpoint that speaks the same protocol. May be shared between threads.

    The environment (`ANTHROPIC_BASE_URL`, keys, profiles, proxies, extra headers) has no effect.

    Raises:
        ConfigError: the endpoint cannot be asked as configured, or the package `anthropic` is not installed.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        check_endpoint(endpoint, "anthropic")
        self._endpoint = endpoint
        self._processor = endpoint.processor()
        self._schema_by: Literal["output_config", "tool", "nothing"] = "output_config"
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
        """Ask once and wait.

        Raises:
            ModelError: one of its subclasses, with a message of one line.
        """
        started = time.monotonic()
        sdk = importlib.import_module("anthropic")
        sent = None if request.schema is None else provider_schema(request.schema)
        try:
            body = self._ask(sdk, request, sent)
            return self._read(body, sent, time.monotonic() - started)
        except Exception as error:  # noqa: BLE001 - the boundary: whatever the package raises becomes one of ours
            raise model_error(self._endpoint, sdk, error) from None

    def _ask(self, sdk: ModuleType, request: ModelRequest, sent: ProviderSchema | None) -> dict[str, Any]:
        client = self._connect(sdk)
        while True:
            if sent is not None and self._schema_by == "nothing":
                raise unconstrained(self._endpoint)
            schema_by = self._schema_by
            try:
                raw = client.messages.with_raw_response.create(**self._arguments(request, sent, schema_by))
            except (sdk.BadRequestError, sdk.UnprocessableEntityError) as error:
                named = str(error).lower()
                if sent is None or schema_by == "nothing" or not any(word in named for word in _NAMES[schema_by]):
                    raise
                self._schema_by = "tool" if schema_by == "output_config" else "nothing"
            else:
                return read_body(self._endpoint, raw.http_response.content)

    def _arguments(self, request: ModelRequest, sent: ProviderSchema | None, schema_by: str) -> dict[str, Any]:
        lasting = len(request.system) - request.changing
        texts = [request.system[:lasting], request.system[lasting:]]
        system: list[dict[str, Any]] = [{"type": "text", "text": whole_text(text)} for text in texts if text]
        if request.keep_prefix and system:
            system[0]["cache_control"] = {"type": "ephemeral"}
        arguments: dict[str, Any] = {
            "model": self._endpoint.model,
            "max_tokens": request.max_tokens,
            "system": system,
            "messages": [{"role": turn.role, "content": whole_text(turn.text)} for turn in request.turns],
            "timeout": self._endpoint.timeout,
        }
        if sent is not None and schema_by == "output_config":
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": sent.schema}}
        elif sent is not None:
            arguments["tools"] = [{"name": _TOOL, "description": "Gives the answer.", "input_schema": sent.schema}]
            arguments["tool_choice"] = {"type": "tool", "name": _TOOL}
        return arguments

    def _connect(self, sdk: ModuleType) -> Any:
        with self._lock:
            if self._client is None:
                for name in ("anthropic", "httpx2"):  # ANTHROPIC_LOG=debug would write what is sent
                    logging.getLogger(name).setLevel(logging.WARNING)
                client = sdk.Anthropic(
                    api_key=self._endpoint.api_key or "none",
                    base_url=self._endpoint.base_url,
                    max_retries=self._endpoint.retries,
                    timeout=self._endpoint.timeout,
                    open_telemetry=False,
                    http_client=open_connection(self._endpoint),
                )
                client._custom_headers = {}  # noqa: SLF001 - taken from the environment by the constructor
                self._client = client
            return self._client

    def _read(self, body: Mapping[str, Any], sent: ProviderSchema | None, seconds: float) -> ModelReply:
        reason = text_at(body, "stop_reason")
        if reason == "refusal":
            raise declined(self._endpoint)
        blocks = objects_at(body, "content")
        text = "".join(text_at(block, "text") for block in blocks if block.get("type") == "text")
        calls = [block for block in blocks if block.get("type") == "tool_use" and block.get("name") == _TOOL]
        if sent is not None and calls:
            text = json.dumps(object_at(calls[0], "input"), ensure_ascii=False)
        if not text.strip():
            raise empty(self._endpoint)
        return ModelReply(
            text=text if sent is None else open_answer(sent, text),
            usage=_usage(object_at(body, "usage"), seconds),
            cut=reason in _CUT,
        )


_NAMES = {"output_config": ("output_config", "schema", "format"), "tool": ("tool",)}


def _usage(usage: Mapping[str, Any], seconds: float) -> Usage:
    """Anthropic counts cached tokens beside `input_tokens`; here `prompt` holds all of them."""
    cached = count_at(usage, "cache_read_input_tokens") or 0
    made = count_at(usage, "cache_creation_input_tokens") or 0
    prompt, completion = count_at(usage, "input_tokens"), count_at(usage, "output_tokens")
    return usage_of(None if prompt is None else prompt + made + cached, cached, completion, seconds)
