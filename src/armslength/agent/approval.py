"""The approval screen as a record, and who answers it. Anything but a clear yes is a no."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from armslength.agent.boundary import Boundary
from armslength.agent.display import draw_screen
from armslength.agent.effects import Pending


@dataclass(frozen=True, slots=True)
class Screen:
    """What a person is asked: the whole text, drawn from the bytes that will be used, and the digest of what a yes covers."""

    text: str
    digest: str
    count: int


class Approver(Protocol):
    """Whoever answers a screen."""

    def approve(self, screen: Screen) -> bool:
        """Show the whole screen and give the answer; True only for a clear yes."""
        ...


class NobodyThere:
    """No terminal, end of input: nobody can say yes."""

    def approve(self, screen: Screen) -> bool:
        """No."""
        return False


def screen_of(run: str, asked: Sequence[Pending]) -> Screen:
    """The one screen for these effects, in the order in which they would happen."""
    digests = "\n".join(pending.effect.digest(run) for pending in asked)
    return Screen(draw_screen(asked), hashlib.sha256(digests.encode()).hexdigest(), len(asked))


def ask_person(boundary: Boundary, approver: Approver, screen: Screen) -> bool:
    """Ask once. The yes counts only for this digest."""
    answered = boundary.cross(
        "approval",
        screen.digest,
        {"screen": screen.text},
        lambda: {"digest": screen.digest, "yes": _answer(approver, screen)},
    )
    return isinstance(answered, dict) and answered.get("digest") == screen.digest and answered.get("yes") is True


def _answer(approver: Approver, screen: Screen) -> bool:
    try:
        return approver.approve(screen) is True
    except Exception:  # noqa: BLE001  # whoever cannot be asked has not said yes
        return False
