"""What an administrator forbids for everybody on this machine, in a file that only root can write.

Its place is fixed: no environment variable and no option names another, as they do for a user's own file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from armslength.errors import ConfigError

FILE = Path("/etc/armslength/config.toml")


def allows_lasting_grants(file: Path | None = None) -> bool:
    """Whether grants may outlive their run, as far as the administrator's file says (`file`: another, for a test); yes where there is none.

    Raises:
        ConfigError: it cannot be read, or says anything but that. Then nothing runs: what it was to forbid is not known.
    """
    file = file or FILE
    try:
        loaded = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return True
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{file}: cannot be read ({error}); whoever looks after this machine must repair it"
        ) from error
    match loaded:
        case {"approvals": {"lasting_grants": bool(is_allowed), **others}, **more} if not others and not more:
            return is_allowed
        case _:
            raise ConfigError(f"{file}: only lasting_grants = true or false under [approvals] can stand there")
