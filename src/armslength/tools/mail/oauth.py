"""Access tokens of a mail provider: granted once by the person in a browser (RFC 8628), renewed when they are needed (RFC 6749, section 6).

The grant is kept by whoever made this, the token in this process alone. Nothing that the provider says goes into a message.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from armslength.asking import Question, asked_once
from armslength.errors import ConfigError, ToolError
from armslength.hosts import is_here

_TELLING = (200, 400, 401, 403, 428)
"""Statuses whose answer says something (RFC 6749, section 5)."""
_EARLY = 60.0
"""Seconds before its end from which a token is renewed."""
_LONGEST_WAIT = 1_800.0
_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_TOKEN = re.compile(r"[\x21-\x7e]{1,16384}")


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider gives codes and tokens, for what, and to which client. `client_secret`: some want one; it is called late.

    `authorities`: a file of certificates that are trusted instead of the system's; `setting`: where the configuration names it.
    """

    device_url: str
    token_url: str
    scope: str
    client_id: str
    client_secret: Callable[[], str] | None = field(default=None, repr=False, compare=False)
    authorities: Path | None = None
    setting: str = field(default="mail.oauth.authorities", compare=False)

    def __post_init__(self) -> None:
        """Codes and tokens go over TLS, or stay on this machine.

        Raises:
            ConfigError: an address is none, or of another kind.
        """
        for url in (self.device_url, self.token_url):
            try:
                parts = urlsplit(url)
            except ValueError:
                parts = urlsplit("")
            if parts.scheme != "https" and not (parts.scheme == "http" and is_here(parts.hostname)):
                raise ConfigError("mail: the addresses of an oauth provider begin with https://; correct them")


@dataclass(frozen=True, slots=True)
class Code:
    """What the person types in at an address, within so many `seconds`. `url` is plain http(s) and printable."""

    url: str
    user_code: str
    seconds: float
    interval: float
    device_code: str = field(repr=False)


def begin(provider: Provider) -> Code:
    """Ask for a code.

    Raises:
        ConfigError: the provider does not know the client.
        ToolError: it cannot be reached, or answers nonsense.
    """
    answer = _asked(provider, provider.device_url, {"scope": provider.scope})
    if "error" in answer:
        raise ConfigError(f"{_host(provider.device_url)}: it gives this client no code; look at client_id and scope")
    url = str(answer.get("verification_uri") or answer.get("verification_url") or "")
    code, device = str(answer.get("user_code", "")), str(answer.get("device_code", ""))
    try:
        is_shown = is_here(urlsplit(url).hostname) or url.startswith("https://")
    except ValueError:
        is_shown = False
    if (
        not is_shown
        or not re.fullmatch(r"https?://[\x21-\x7e]{1,500}", url)
        or not re.fullmatch(r"[A-Za-z0-9 -]{1,40}", code)
        or not device
    ):
        raise _nonsense(provider.device_url)
    seconds = min(_number(answer, "expires_in", 900.0), _LONGEST_WAIT)
    return Code(url, code, seconds, max(1.0, min(_number(answer, "interval", 5.0), 60.0)), device)


def finish(provider: Provider, code: Code, wait: Callable[[float], None] = time.sleep) -> str:
    """Ask until the person has said yes. Gives the grant: a refresh token.

    Raises:
        ToolError: the person said no, the code ran out, or the provider gives nothing that can be renewed.
    """
    interval, left = code.interval, code.seconds
    host = _host(provider.token_url)
    while left > 0:
        wait(interval)
        left -= interval
        answer = _asked(provider, provider.token_url, {"grant_type": _GRANT, "device_code": code.device_code})
        match answer.get("error"):
            case None:
                return _token(provider.token_url, answer, "refresh_token")
            case "authorization_pending":
                continue
            case "slow_down":
                interval += 5.0
            case "access_denied":
                raise ToolError(f"{host}: access was denied; begin again if that was not meant")
            case "expired_token":
                break
            case _:
                raise ToolError(f"{host}: it gives no token; begin again, or look at client_id and scope")
    raise ToolError(f"{host}: the code ran out before it was used; begin again")


class Tokens:
    """The access token of one account, `Callable[[], str]`: renewed when it is about to end.

    `grant` reads the refresh token; `keep` is given another one where the provider changes it.
    """

    def __init__(self, provider: Provider, grant: Callable[[], str], keep: Callable[[str], None]) -> None:
        self.provider, self._grant, self._keep = provider, grant, keep
        self._token, self._until = "", float("-inf")

    def __call__(self) -> str:
        """The token.

        Raises:
            ConfigError: the provider does not accept the grant any more.
            ToolError: it cannot be reached, or answers nonsense.
        """
        if time.monotonic() < self._until:
            return self._token
        provider, grant = self.provider, self._grant()
        answer = _asked(provider, provider.token_url, {"grant_type": "refresh_token", "refresh_token": grant})
        if "error" in answer:
            raise ConfigError(
                f"{_host(provider.token_url)}: the grant holds no longer; run armslength mail login again"
            )
        self._token = _token(provider.token_url, answer, "access_token")
        self._until = time.monotonic() + max(_number(answer, "expires_in", 300.0) - _EARLY, 0.0)
        renewed = answer.get("refresh_token")
        if isinstance(renewed, str) and renewed != grant:
            self._keep(_token(provider.token_url, answer, "refresh_token"))
        return self._token

    def granted(self, grant: str) -> None:
        """Keep a grant that the person gave; the next token is by that one."""
        self._keep(grant)
        self._token, self._until = "", float("-inf")

    def __repr__(self) -> str:
        """Nothing of the token."""
        return f"Tokens({_host(self.provider.token_url)})"


def _asked(provider: Provider, url: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """The provider's answer, also one with an error in it."""
    secret = {} if provider.client_secret is None else {"client_secret": provider.client_secret()}
    body = urlencode({"client_id": provider.client_id, **secret, **fields}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    trusted, setting = provider.authorities, provider.setting
    answered = asked_once(Question(_host(url), url, body, headers, authorities=trusted, setting=setting))
    content = answered.body if answered.status in _TELLING else b""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise _nonsense(url) from None
    if not isinstance(found, dict):
        raise _nonsense(url)
    return found


def _token(url: str, answer: Mapping[str, Any], name: str) -> str:
    found = answer.get(name)
    if not isinstance(found, str) or not _TOKEN.fullmatch(found):
        raise _nonsense(url)
    return found


def _number(answer: Mapping[str, Any], name: str, default: float) -> float:
    found = answer.get(name, default)
    return float(found) if isinstance(found, int | float) and 0 <= found < 1e9 else default


def _host(url: str) -> str:
    return f"provider {urlsplit(url).hostname}"


def _nonsense(url: str) -> ToolError:
    return ToolError(f"{_host(url)}: it answers what is no answer to this; look at the addresses in the configuration")
