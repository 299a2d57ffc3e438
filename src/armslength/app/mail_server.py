"""Where an account's mail lies on a server: the tables `[mail.imap]` and `[mail.oauth]`, of an account or of the only one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from armslength.app.secrets import SecretPlace, keep_secret
from armslength.app.table import Table
from armslength.hosts import is_here, is_host
from armslength.tools.mail.settings import ImapServer, Tls
from armslength.tools.mail.stranded import UNNAMED

if TYPE_CHECKING:
    from armslength.tools.mail.oauth import Provider, Tokens

_PORTS: dict[Tls, int] = {"implicit": 993, "starttls": 143, "none": 143}
_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_KNOWN = {
    "other": ("", "", ""),
    "microsoft": (
        f"{_MICROSOFT}/devicecode",
        f"{_MICROSOFT}/token",
        "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    ),
}
"""Addresses and scope of providers that give grants for mail by RFC 8628. Google's was not tried, so it is not here."""


def server_in(table: Table, user: str, tokens: Callable[[], str] | None, index: Path) -> ImapServer | None:
    """The server in the table `imap`, if there is one. `user`: who logs in, unless it says another. `tokens`: of the table `oauth`.

    Raises:
        ConfigError: something is not what it must be, or a secret would go unencrypted to another machine.
    """
    if not table.is_given:
        return None
    host, tls = table.text("host"), table.one_of("tls", tuple(_PORTS))
    user = table.text("user") or user
    password, token = table.secret("password"), table.secret("token")
    if not is_host(host):
        raise table.wrong("host", "the name of the server on which the mail lies")
    if not user or not user.isprintable() or not user.isascii():
        raise table.wrong("user", "a name of plain letters")
    if sum(each is not None for each in (password, token, tokens)) != 1:
        raise table.wrong("password", "given, or token instead, or a table oauth beside this one")
    if tls == "none" and not is_here(host):
        raise table.wrong("tls", "implicit or starttls, where a password or token goes to another machine")
    place = password or token
    return ImapServer(
        host=host,
        user=user,
        secret=place or tokens or _nothing,
        index=index,
        port=table.between("port", _PORTS[tls], 1, 65_535),
        tls=tls,
        login="password" if password is not None else "oauth",
        authorities=table.path("authorities"),
        setting=table.called("authorities"),
    )


def provider_in(table: Table) -> Provider | None:
    """The provider in the table `oauth`, if there is one.

    Raises:
        ConfigError: something is not what it must be.
    """
    if not table.is_given:
        return None
    device, token, scope = _KNOWN[table.one_of("provider", tuple(_KNOWN))]
    device, token = table.text("device_url") or device, table.text("token_url") or token
    scope, client = table.text("scope") or scope, table.text("client_id")
    secret = table.secret("client_secret")
    for name, given in (("device_url", device), ("token_url", token), ("scope", scope), ("client_id", client)):
        if not given or not given.isprintable():
            raise table.wrong(name, "given")
    from armslength.tools.mail.oauth import Provider

    return Provider(device, token, scope, client, secret, table.path("authorities"), table.called("authorities"))


def provider_name(provider: Provider) -> str:
    """What the setting `provider` calls it: one whose addresses and scope are known here, else `other`."""
    said = (provider.device_url, provider.token_url, provider.scope)
    return next((name for name, known in _KNOWN.items() if known == said), "other")


def grant_of(account: str, table: Table) -> SecretPlace:
    """Where the grant of an account is kept: in the keyring, under a name that no setting chooses."""
    return table.kept_secret(f"mail-grant-{account or UNNAMED}")


def tokens_of(provider: Provider, grant: SecretPlace) -> Tokens:
    """The tokens by that grant."""
    from armslength.tools.mail.oauth import Tokens

    return Tokens(provider, grant, lambda renewed: keep_secret(grant.words[0], renewed, grant.keyring))


def _nothing() -> str:
    return ""
