"""What models may cost, as the configuration says it."""

from __future__ import annotations

from dataclasses import dataclass

from armslength.app.table import Table

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in the currency that the person counts in."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt: int, completion: int) -> float:
        """The cost of so many tokens."""
        return (prompt * self.prompt + completion * self.completion) / _MILLION


@dataclass(frozen=True, slots=True)
class Caps:
    """What a run and a day may cost, and how many tokens they may have; None where there is no cap. `currency`: its name, for messages."""

    run_cost: float | None = None
    day_cost: float | None = None
    run_tokens: int | None = None
    day_tokens: int | None = None
    currency: str = ""

    @property
    def has_cost(self) -> bool:
        """Whether money is capped."""
        return self.run_cost is not None or self.day_cost is not None

    @property
    def are_any(self) -> bool:
        """Whether anything is capped."""
        return self.has_cost or self.run_tokens is not None or self.day_tokens is not None


def caps_in(table: Table) -> Caps:
    """The table `[spending]`.

    Raises:
        ConfigError: an amount is negative.
    """
    return Caps(
        run_cost=table.amount("run_cost"),
        day_cost=table.amount("day_cost"),
        run_tokens=table.count("run_tokens"),
        day_tokens=table.count("day_tokens"),
        currency=table.text("currency"),
    )
