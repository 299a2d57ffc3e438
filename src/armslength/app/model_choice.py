"""Which model computes one side: a table of the configuration file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from armslength.app.caps import Price
from armslength.app.secrets import SecretPlace
from armslength.app.table import Table
from armslength.models.wire import WHOLE_ADDRESS, is_web_address

Provider = Literal["embedded", "openai", "anthropic"]
_PROVIDERS: tuple[Provider, ...] = ("embedded", "openai", "anthropic")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model computes one side. `key` is where its key is; keys do not stand in files.

    `is_local` declares that `base_url` is on this machine, which clears it for "this machine only". `timeout` in seconds.
    """

    provider: Provider = "embedded"
    model: str = ""
    base_url: str = ""
    key: SecretPlace | None = None
    window: int = 32_768
    is_local: bool = False
    is_small: bool = False
    timeout: float = 120.0
    threads: int = 0
    at_once: int = 0
    price: Price = field(default_factory=Price)


def model_choice(table: Table) -> ModelChoice:
    """What one table says.

    Raises:
        ConfigError: the address is none, or holds a user name or a password; or the embedded model is given what only others have.
    """
    provider, model, url = table.one_of("provider", _PROVIDERS), table.text("model"), table.text("base_url")
    if "@" in url:
        raise table.wrong("base_url", "an address without a user name or password; say in key where the key is")
    if url and not is_web_address(url):
        raise table.wrong("base_url", WHOLE_ADDRESS)
    key = table.secret("key", "key_variable")
    for name, said in {"model": model, "base_url": url, "key": key}.items() if provider == "embedded" else ():
        if said:
            others = " or ".join(_PROVIDERS[1:])
            raise table.wrong("provider", f"{others} where there is {name}; the embedded model has none")
    return ModelChoice(
        provider=provider,
        model=model,
        base_url=url,
        key=key,
        window=table.number("window", 32_768),
        is_local=table.switch("is_local"),
        is_small=table.switch("is_small"),
        timeout=float(table.number("timeout", 120)),
        threads=table.number("threads", 0),
        at_once=table.number("at_once", 0),
        price=Price(table.amount("price_in") or 0.0, table.amount("price_out") or 0.0),
    )
