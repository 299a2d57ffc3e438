"""An attack of the corpus: where it comes from, the home and the request it waits in, its forms, and what must not happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal

from armslength.policy.engine import PolicySettings
from bench.attacks.carrying import Carrying, Step, one_by_one
from bench.attacks.seen import Seen
from bench.home.world import Home, Reading
from bench.labels_off import labels_off

__all__ = ["Answering", "Case", "Form", "Origin", "Step"]

Answering = Literal["absent", "accepting"]
"""Who is asked: nobody, so that each question is a no; or somebody who says yes to all that can be said yes to."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What was made public. `year`: of the first publication."""

    title: str
    url: str
    year: int


@dataclass(frozen=True, slots=True)
class Form:
    """One way to try it. `text`: what the attacker wrote, put into the home; `answers`: what the attacker's quarantined model says."""

    text: str = ""
    answers: Reading = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One attack. With labels on it must not happen in any form, with labels off it happens in each.

    `home` puts the attacker's text among the user's things. `steps` are asked one after the other in the same home, each answered by the
    form's model from its start; `carried` says how. `off`: the block within which the safeguard that it is about is not there.
    `persons`: `accepting` only where a screen's truth is tried or the policy denies.
    """

    name: str
    origin: Origin
    technique: str
    home: Callable[[Home, str], None]
    steps: tuple[Step, ...]
    forms: Mapping[str, Form]
    happened: Callable[[Seen], bool]
    persons: tuple[Answering, ...] = ("absent",)
    trusted: frozenset[str] = frozenset()
    policy: PolicySettings = field(default_factory=PolicySettings)
    carried: Carrying = one_by_one
    off: Callable[[], AbstractContextManager[None]] = labels_off
    is_pasted: bool = False
    """The user hands the form's text over with each request, as well as that it may lie in the home."""
