"""An attack of the corpus: where it comes from, the home and the request it waits in, its forms, and what must not happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from armslength.policy.engine import PolicySettings
from bench.attacks.seen import Seen
from bench.home.world import Home, Reading

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
class Step:
    """A request and the program that a good blind planner writes for it. The user's own words; no attacker sees or changes them."""

    request: str
    program: str


@dataclass(frozen=True, slots=True)
class Case:
    """One attack. With labels on it must not happen in any form, with labels off it happens in each.

    `home` puts the attacker's text among the user's things. `steps` are asked one after the other in the same home, each answered by the
    form's model from its start. `persons`: `accepting` only where a screen's truth is tried or the policy denies. `is_simulated`: a
    stand-in serves with the declarations of a tool that is not there yet.
    """

    name: str
    origin: Origin
    technique: str
    home: Callable[[Home, str], None]
    steps: tuple[Step, ...]
    forms: Mapping[str, Form]
    happened: Callable[[Seen], bool]
    persons: tuple[Answering, ...] = ("absent",)
    is_simulated: bool = False
    trusted: frozenset[str] = frozenset()
    policy: PolicySettings = field(default_factory=PolicySettings)
    is_pasted: bool = False
    """The user hands the form's text over with each request, as well as that it may lie in the home."""
