"""`secret set` and `secret remove`: what a person puts into the keyring for a setting that names an entry there."""

from __future__ import annotations

import sys
from getpass import getpass
from pathlib import Path

from armslength.app.secrets import forget_secret, keep_secret
from armslength.app.settings import load_settings
from armslength.errors import ConfigError
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import tame_line, write_text


def set_secret(entry: str, config: Path | None) -> Exit:
    """Asked for at the terminal without an echo, or one line of standard input.

    Raises:
        ConfigError: it is empty or no line of text, or no keyring that keeps secrets is running.
        OperatorError: the keyring is locked, or does not keep it.
    """
    keyring = load_settings(config).keeping.keyring
    asked = getpass(f"{tame_line(entry)}: ") if sys.stdin.isatty() else sys.stdin.readline()
    secret = asked.removesuffix("\n")
    if not secret or not secret.isprintable():
        raise ConfigError(f"secret set: what was given for {tame_line(entry)} is no line of text; nothing was kept")
    keep_secret(entry, secret, keyring)
    write_text(f'kept in the keyring; a setting uses it by {{ keyring = "{tame_line(entry)}" }}')
    return Exit.DONE


def remove_secret(entry: str, config: Path | None) -> Exit:
    """It is there no more.

    Raises:
        ConfigError: it was not there, or no keyring that keeps secrets is running.
        OperatorError: the keyring is locked.
    """
    forget_secret(entry, load_settings(config).keeping.keyring)
    write_text(f"{tame_line(entry)} is in the keyring no more")
    return Exit.DONE
