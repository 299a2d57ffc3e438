"""What stands in no file of the configuration: keys and passwords, from the environment variables that it names."""

from __future__ import annotations

import os

from armslength.errors import ConfigError


def secret_in(variable: str, setting: str, of: str = "") -> str | None:
    """The secret in this variable; None where the setting names none. `of`: whose it is, as it stands behind the variable's name.

    Raises:
        ConfigError: the variable is not set, or empty.
    """
    if not variable:
        return None
    found = os.environ.get(variable)
    if not found:
        raise ConfigError(f"{setting}: the environment variable {variable}{of} is not set")
    return found
