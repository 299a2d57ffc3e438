"""A conversation's budget: how many bits about data its planner may learn, all together.

What is charged is a price known before a program runs, a function of its text alone; so how much is left tells nothing. A price covers
everything that can come of it: the answers there may be, and that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from armslength.labels import bits_for

DEFAULT_BITS = 8
"""Of a conversation, unless the configuration says otherwise; `--strict` has none."""


@dataclass(slots=True)
class Budget:
    """`bits` in all, of them `spent`. Nothing is ever given back."""

    bits: int = DEFAULT_BITS
    spent: int = 0

    @property
    def left(self) -> int:
        """What can still be charged."""
        return self.bits - self.spent

    def charge(self, price: int) -> bool:
        """Whether the price is covered; then it is paid."""
        if not 0 <= price <= self.left:
            return False
        self.spent += price
        return True


def price_of(count: int) -> int:
    """The bits of one thing out of `count`, or of none of them."""
    return bits_for(count + 1)
