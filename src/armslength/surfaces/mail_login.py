"""`mail login`: the person gives access to an account of mail, in a browser on any machine (RFC 8628)."""

from __future__ import annotations

from pathlib import Path

from armslength.app.settings import load_settings
from armslength.errors import ConfigError
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import tame_line, write_text


def log_in(account: str, config: Path | None) -> Exit:
    """Show the code, and wait until it was used. The grant goes into the keyring.

    Raises:
        ConfigError: there is no such account, or it has no table `oauth`, or no keyring that keeps secrets is running.
        ToolError: the provider cannot be reached, or the person said no there.
    """
    from armslength.tools.mail.oauth import begin, finish

    accounts = {each.account: each.tokens for each in load_settings(config).accounts}
    if account not in accounts:
        raise ConfigError(f"mail login: {_unknown(account, sorted(accounts))}")
    tokens = accounts[account]
    if tokens is None:
        table = f"mail.{account}.oauth" if account else "mail.oauth"
        others = sorted(name for name, known in accounts.items() if known is not None)
        instead = f"; {', '.join(others)} can be logged in to" if others else ""
        raise ConfigError(f"mail login: there is no table [{table}], so access is not by a provider's grant{instead}")
    code = begin(tokens.provider)
    write_text(f"open {code.url} and type in {code.user_code}")
    tokens.granted(finish(tokens.provider, code))
    write_text("access was granted, and the grant is kept in the keyring")
    return Exit.DONE


def _unknown(account: str, known: list[str]) -> str:
    """What to say of a name that no account has."""
    if not known:
        return "no mail is configured; [mail] in the configuration says where it lies"
    if known == [""]:
        return "the one account has no name; leave it out"
    asked = f"there is no account {tame_line(account)}" if account else "there are several accounts"
    return f"{asked}; name one of {', '.join(known)}"
