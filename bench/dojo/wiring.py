"""What a suite's declarations give to an assistant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType
from typing import Any

from armslength.events import Trust
from armslength.policy.engine import PolicySettings
from armslength.tools.base import Tool


@dataclass(frozen=True, slots=True)
class Wiring:
    """`declared`: the tools over a `Held` environment. The rest is what a person of that suite would have configured, and the moment of the run."""

    declared: Callable[[Any, Trust], list[Tool]]
    settings: PolicySettings
    trusted: frozenset[str]
    now: datetime

    @classmethod
    def of(cls, module: ModuleType) -> Wiring:
        """What a module of `bench/dojo/tools` says."""
        return cls(module.declared, module.SETTINGS, module.TRUSTED, module.NOW)
