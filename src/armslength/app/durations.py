"""How long something lasts, as the configuration and the command line write it: `10m`, `12h`, `90d`, `8w`."""

from __future__ import annotations

import re
from datetime import timedelta

LIKE = "like 10m, 12h, 90d or 8w"
_UNITS = {"w": timedelta(weeks=1), "d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
_LONGEST = timedelta(days=36_500)


def duration_of(text: str) -> timedelta | None:
    """What is written so, at most a hundred years; None if it is none."""
    found = re.fullmatch(r"([0-9]{1,8})([mhdw])", text)
    made = None if found is None else int(found[1]) * _UNITS[found[2]]
    return None if made is None or made > _LONGEST else made


def written_duration(duration: timedelta) -> str:
    """So written, in the largest unit that it is whole in; seconds are none."""
    unit, one = next((each for each in _UNITS.items() if not duration % each[1]), ("m", _UNITS["m"]))
    return f"{duration // one}{unit}"
