"""The table `smtp` of an account: the server by which its mail leaves."""

from __future__ import annotations

from collections.abc import Callable

from armslength.app.table import Table
from armslength.hosts import is_here, is_host
from armslength.tools.mail.settings import Submission, Tls

_PORTS: dict[Tls, int] = {"implicit": 465, "starttls": 587, "none": 25}


def sending_table(account: str) -> str:
    """What that table is called, of the account of this name or the one without."""
    return f"mail.{account}.smtp" if account else "mail.smtp"


def submission_in(table: Table, user: str, tokens: Callable[[], str] | None = None) -> Submission | None:
    """The server, None where the table is not given. `user`: who logs in, unless it says another. `tokens`: of the table `oauth`.

    Nobody logs in where there is neither secret nor user: on this machine and without TLS also where there are tokens.

    Raises:
        ConfigError: something is not what it must be, or a secret would leave this machine as it is.
    """
    if not table.is_given:
        return None
    host, tls, named = table.text("host"), table.one_of("tls", tuple(_PORTS)), table.text("user")
    if not is_host(host):
        raise table.wrong("host", "the name of the server by which mail leaves")
    password, token = table.secret("password"), table.secret("token")
    secrets: list[Callable[[], str]] = [each for each in (password, token) if each is not None]
    if not secrets and tokens is not None and (named or tls != "none"):
        secrets = [tokens]
    user = named or (user if secrets else "")
    if not user.isprintable() or not user.isascii():
        raise table.wrong("user", "a name of plain letters")
    if len(secrets) != bool(user):
        raise table.wrong("user", "given with one of password and token, or none of the three")
    if user and tls == "none" and not is_here(host):
        raise table.wrong("tls", "implicit or starttls, where a password or token goes to another machine")
    return Submission(
        host,
        table.between("port", _PORTS[tls], 1, 65_535),
        tls,
        user,
        secrets[0] if secrets else None,
        "password" if password is not None else "oauth",
        authorities=table.path("authorities"),
        setting=table.called("authorities"),
        keeps_copy=table.switch("keep_copy", default=True),
    )
