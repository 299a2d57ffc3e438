"""What the models behind an HTTP endpoint share: the endpoint, the connection, and the mapping of every failure.

The connection ignores the environment (proxies, `.netrc`, certificate variables) and follows no redirect: what is sent goes to the
configured address or nowhere. A proxy is a setting of the endpoint.
"""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from armslength.errors import (
    ConfigError,
    ModelDeclined,
    ModelError,
    ModelKeyRejected,
    ModelNonsense,
    ModelTimedOut,
    ModelUnreachable,
)
from armslength.installing import install_command
from armslength.models.base import Processor, Usage

MOST_TOKENS = 1_000_000_000
"""That a provider can say of one call; whoever says more has said nothing."""


WHOLE_ADDRESS = "a whole address: http or https, a colon, two slashes, then the host, its port if it is not the usual one, and the path, such as /v1"
"""What is said that a URL must be: in words, since an address in a message is broken visibly."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked. `base_url` as the provider documents it (`https://api.openai.com/v1`); `name` is for messages and labels.

    `window` in tokens, `timeout` in seconds for a whole answer, `retries` after a failed connection, a 429 or a 5xx.
    `is_local` is a declaration of the person's: it clears the endpoint for "this machine only". `at_once`: so many calls of one run
    go beside each other; 0 is 32, and 4 where it is on this machine, whose servers compute few at once while the others' time runs out.
    """

    base_url: str
    model: str
    name: str = ""
    api_key: str | None = field(default=None, repr=False)
    window: int = 32_768
    is_local: bool = False
    is_small: bool = False
    at_once: int = 0
    timeout: float = 120.0
    retries: int = 1
    proxy: str | None = field(default=None, repr=False)

    def processor(self) -> Processor:
        """Who computes the answers of this endpoint."""
        at_once = self.at_once or (4 if self.is_local else 32)
        return Processor(self.label(), self.model, self.is_local, self.is_small, self.window, at_once)

    def label(self) -> str:
        """What messages call it: the configured name, else the host."""
        return self.name or self.host()

    def host(self) -> str:
        """Host and port, without any user or password that stood in the address."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]


def is_web_address(url: str) -> bool:
    """Whether it is a URL of http or https that names a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def check_endpoint(endpoint: Endpoint, package: str) -> None:
    """Refuses what could never be asked, without touching the network.

    Raises:
        ConfigError: no such address, no model name, or the provider's package is not installed.
    """
    if not is_web_address(endpoint.base_url):
        raise ConfigError(f"model: base_url must be {WHOLE_ADDRESS}")
    if not endpoint.model:
        raise ConfigError(f"{endpoint.label()}: no model is named; set model")
    if importlib.util.find_spec(package) is None:
        raise ConfigError(f"models: the package {package} is not installed; run {install_command(package)}")


def open_connection(endpoint: Endpoint) -> Any:
    """The only HTTP client given to a provider's package: no environment, no redirect, the endpoint's proxy, time-out and bounds."""
    import httpx2

    from armslength.models.bounded import Bounded

    timeout = httpx2.Timeout(endpoint.timeout, connect=min(endpoint.timeout, 10.0))
    limits = httpx2.Limits(
        max_keepalive_connections=0
    )  # and any number at once, else one waits for another conversation's
    inner = httpx2.HTTPTransport(trust_env=False, limits=limits, proxy=endpoint.proxy)
    transport = Bounded(inner, endpoint.timeout, endpoint.label())
    return httpx2.Client(trust_env=False, follow_redirects=False, timeout=timeout, transport=transport)


def read_body(endpoint: Endpoint, body: bytes) -> dict[str, Any]:
    """The JSON object in a response.

    Raises:
        ModelNonsense: it is something else, such as a web page.
    """
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise ModelNonsense(
            f"{endpoint.label()}: the response is not JSON; check that base_url is the address of its API"
        )
    return parsed


def object_at(value: object, key: str) -> dict[str, Any]:
    """The object under a key of an object, or an empty one: responses are read without trusting their shape."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def objects_at(value: object, key: str) -> list[dict[str, Any]]:
    """The objects in the list under a key, or none."""
    inner = value.get(key) if isinstance(value, dict) else None
    return [item for item in inner if isinstance(item, dict)] if isinstance(inner, list) else []


def text_at(value: object, key: str) -> str:
    """The string under a key, or an empty one."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, str) else ""


def count_at(value: object, key: str) -> int | None:
    """The number of tokens under a key. None where nothing is said, or what no call can have taken: that is not zero."""
    inner = value.get(key) if isinstance(value, dict) else None
    is_count = isinstance(inner, int) and not isinstance(inner, bool) and 0 <= inner <= MOST_TOKENS
    return inner if is_count else None


def usage_of(prompt: int | None, cached: int, completion: int | None, seconds: float) -> Usage:
    """What a provider says of a call that was answered. Each has a request and an answer, so a count of nothing says nothing."""
    is_said = bool(prompt) and bool(completion)
    return Usage(prompt or 0, cached, completion or 0, seconds, is_said)


def declined(endpoint: Endpoint) -> ModelDeclined:
    """The model refused; its words are not repeated, they may quote the data."""
    return ModelDeclined(
        f"{endpoint.label()}: the model refused to answer; rephrase the request or choose another model"
    )


def empty(endpoint: Endpoint) -> ModelNonsense:
    """Nothing usable in a well-formed response."""
    return ModelNonsense(f"{endpoint.label()}: the model sent no answer; try again or choose another model")


def unconstrained(endpoint: Endpoint) -> ModelUnreachable:
    """Neither way of asking for a schema is accepted."""
    return ModelUnreachable(
        f"{endpoint.label()}: {endpoint.model} accepts neither a JSON schema nor a forced tool; choose another model or server"
    )


def model_error(endpoint: Endpoint, sdk: ModuleType, error: Exception) -> ModelError:
    """The only mapping of what a provider's package raises. No text of the server is repeated: it may quote the data."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error.__cause__, ModelError):  # of our transport, which the package takes for a broken connection
        return error.__cause__
    where = endpoint.label()
    if isinstance(error, sdk.APITimeoutError):
        return ModelTimedOut(f"{where}: no answer within {endpoint.timeout:g} s; try again or raise timeout")
    if isinstance(error, sdk.APIStatusError):
        return _status_error(endpoint, int(error.status_code))
    if isinstance(error, sdk.APIConnectionError):
        return ModelUnreachable(
            f"{where}: no connection to {endpoint.host()}; check that it runs and that base_url is right"
        )
    if isinstance(error, sdk.APIResponseValidationError):
        return ModelNonsense(f"{where}: the response cannot be read; check that base_url is the address of its API")
    return ModelUnreachable(f"{where}: the call failed ({type(error).__name__}); check the configuration of this model")


def _status_error(endpoint: Endpoint, status: int) -> ModelError:
    where = f"{endpoint.label()}: "
    if status in {401, 403}:
        return ModelKeyRejected(f"{where}the key was rejected (HTTP {status}); check the key for {endpoint.host()}")
    if status in {408, 504}:
        return ModelTimedOut(f"{where}the provider ran out of time (HTTP {status}); try again")
    if status == 404:
        return ModelUnreachable(f"{where}no model {endpoint.model} there (HTTP 404); check model and base_url")
    if status == 402:
        return ModelUnreachable(f"{where}the account has no credit (HTTP 402); check the account")
    if status == 429:
        return ModelUnreachable(f"{where}too many requests, or no credit left (HTTP 429); wait, or check the account")
    if 300 <= status < 400:
        return ModelUnreachable(
            f"{where}redirects elsewhere (HTTP {status}), which is not followed; set base_url to the final address"
        )
    if status >= 500:
        return ModelUnreachable(f"{where}the provider has a fault of its own (HTTP {status}); try again later")
    return ModelUnreachable(f"{where}the request was refused (HTTP {status}); it may be too long for {endpoint.model}")
