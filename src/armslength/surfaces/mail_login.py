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

    found = [each.tokens for each in load_settings(config).accounts if each.account == account]
    tokens = found[0] if found else None
    if tokens is None:
        raise ConfigError(f"mail login: {tame_line(account) or 'the account'} has no table oauth in the configuration")
    code = begin(tokens.provider)
    write_text(f"open {code.url} and type in {code.user_code}")
    tokens.granted(finish(tokens.provider, code))
    write_text("access was granted, and the grant is kept in the keyring")
    return Exit.DONE
