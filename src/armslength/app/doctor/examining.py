"""A check, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from armslength.errors import ArmslengthError

State = Literal["works", "could be better", "does not work"]


@dataclass(frozen=True, slots=True)
class Good:
    """It works. `said`: what was seen. `better`: what could be done, if something could."""

    said: str
    better: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is tried: `look` says what it saw, or raises an error whose message says what to do.

    `what`: as it is printed. `name`: by which `named` picks it; empty where nothing does.
    """

    what: str
    look: Callable[[], Good]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a check, in one line; `do`: what could be done, beside what that line says."""

    what: str
    state: State
    said: str
    do: str = ""


def named(checks: Iterable[Check], name: str) -> Iterator[Check]:
    """Those of that name."""
    return (each for each in checks if each.name == name)


def examined(checks: Iterable[Check]) -> Iterator[Finding]:
    """What each finds, one after the other; one that fails keeps no other from being made."""
    for check in checks:
        try:
            good = check.look()
        except ArmslengthError as error:
            yield Finding(check.what, "does not work", str(error))
        else:
            yield Finding(check.what, "could be better" if good.better else "works", good.said, good.better)
