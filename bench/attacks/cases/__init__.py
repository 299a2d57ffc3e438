"""One module for each group of attacks; each has its own in `CASES`."""

from __future__ import annotations

import pkgutil
from collections import Counter
from importlib import import_module

from bench.attacks.case import Case


def every_case() -> list[Case]:
    """All attacks, group by group.

    Raises:
        ValueError: two have one name.
    """
    groups = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [case for group in groups for case in import_module(f"{__name__}.{group}").CASES]
    twice = [name for name, count in Counter(case.name for case in found).items() if count > 1]
    if twice:
        raise ValueError(f"two attacks have the name {twice[0]}")
    return found
