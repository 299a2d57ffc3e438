"""What the user logs in with, at the server where mail lies and the one by which it leaves: had in one way, before either is contacted.

Whoever has it may ask the person, or a provider of tokens, for longer than a server waits.
"""

from __future__ import annotations

from collections.abc import Callable

from armslength.errors import ConfigError, OperatorError, ToolError


def login_secret(place: str, user: str, secret: Callable[[], str]) -> str:
    """Password or token. `place`: the server, for messages, in which nothing of the secret stands.

    Raises:
        ConfigError: user or secret cannot be sent, or the secret is not where the configuration says.
        OperatorError: whoever has it does not give it.
        ToolError: it cannot be had now.
    """
    try:
        found = secret()
    except (ToolError, OperatorError):
        raise
    except Exception as error:  # noqa: BLE001  # the last branch: what it says could hold the secret
        raise ToolError(
            f"{place}: password or token cannot be had ({type(error).__name__}); try again, or name another place for it"
        ) from None
    if not found or not all(each.isascii() and each.isprintable() for each in (user, found)):
        raise ConfigError(f"{place}: user or password are empty, or hold letters that cannot be sent; correct them")
    return found
