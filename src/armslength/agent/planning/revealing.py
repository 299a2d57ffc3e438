"""`reveal(x)`: what of a program's values its planner may see, and what that costs.

Only what is one of a few literals that the program's text names can be revealed, and only by a statement of its own at the top of the
program. So its price is known before the run: the literals that it can be, and that nothing is shown. Whatever keeps it from being shown
(the program stopped before, a label, a branch that others decided) is that one further case, and tells nothing that was not paid for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from armslength.agent.planning.budget import price_of
from armslength.errors import ProgramRefused
from armslength.events import Json, Site
from armslength.labels import Label
from armslength.language import Showing
from armslength.language.foreseeing.menus import MOST_CHOICES, Choice, Menus
from armslength.models.base import Processor
from armslength.policy.engine import Policy
from armslength.values import Permit, release

REVEAL = "reveal"
_LONGEST = 200  # characters of a literal


@dataclass(frozen=True, slots=True)
class Offer:
    """One `reveal` of a program: its expression as written, what it can be, and its price in bits."""

    line: int
    column: int
    text: str
    choices: tuple[Choice, ...]

    @property
    def price(self) -> int:
        """Of one of the choices, or of none."""
        return price_of(len(self.choices))


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of an offer. `choice` counts only if it `is_shown`."""

    offer: Offer
    is_shown: bool = False
    choice: Choice = None

    def to_json(self) -> Json:
        """For the journal."""
        offer = self.offer
        made = {"line": offer.line, "text": offer.text, "bits": offer.price, "is_shown": self.is_shown}
        return {**made, "choice": self.choice} if self.is_shown else made


def offers_of(body: Sequence[ast.stmt], menus: Menus, left: int) -> tuple[Offer, ...]:
    """Every `reveal` of a program, if all together cost no more than is `left`.

    Raises:
        ProgramRefused: one stands elsewhere, shows something else, or costs too much. A function of text and budget alone.
    """
    offers = []
    for call in _calls(body):
        if (
            call not in _statements(body)
            or len(call.args) != 1
            or call.keywords
            or isinstance(call.args[0], ast.Starred)
        ):
            raise ProgramRefused(
                call.lineno,
                "reveal(x) stands by itself at the top of the program",
                "assign the value to a name first, and reveal the name after all loops and branches",
            )
        choices = menus.of(call.args[0])
        if choices is None or any(isinstance(choice, str) and len(choice) > _LONGEST for choice in choices):
            raise ProgramRefused(
                call.lineno,
                f"reveal shows only what is one of at most {MOST_CHOICES} short literals, such as a bool or a Literal",
                "ask quarantined with returns=bool or a Literal, or leave reveal out",
            )
        offers.append(Offer(call.lineno, call.col_offset, ast.unparse(call.args[0]), choices))
        price = sum(offer.price for offer in offers)
        if price > left:
            raise ProgramRefused(
                call.lineno,
                f"reveal would cost {price} bits, and {max(left, 0)} of this conversation's are left",
                "leave it out; the user sees what answer(...) says",
            )
    return tuple(offers)


def refuse_reveal(body: Sequence[ast.stmt]) -> None:
    """Outside a conversation nothing is revealed.

    Raises:
        ProgramRefused: the program does.
    """
    for call in _calls(body):
        raise ProgramRefused(
            call.lineno,
            "reveal is for conversations, and this is one request",
            "leave it out; the user sees what answer(...) says",
        )


def _calls(body: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == REVEAL:
                yield node


def _statements(body: Sequence[ast.stmt]) -> list[ast.expr]:
    return [statement.value for statement in body if isinstance(statement, ast.Expr)]


@dataclass(frozen=True, slots=True)
class Window:
    """What decides at the run whether an offer's value is shown: the planner's processor, and the policy on what it may be sent."""

    processor: Processor
    policy: Policy

    def look(self, offer: Offer, showing: Showing) -> Shown:
        """The value, if others neither wrote it nor decided that it is shown, it is what the text says, and the planner may be sent it."""
        try:
            found = release(showing.value, Permit("reveal: counted against the conversation's budget", "policy"))
        except TypeError:  # a function, or what holds itself
            return Shown(offer)
        is_offered = any(type(found.data) is type(choice) and found.data == choice for choice in offer.choices)
        control = showing.control
        is_steered = not control.is_clear
        sent = (found.label, control, showing.halt)
        is_cleared = all(self._is_cleared_for(each) for each in sent)
        if not is_offered or is_steered or not found.label.is_chosen or not is_cleared:
            return Shown(offer)
        return Shown(offer, is_shown=True, choice=found.data)  # type: ignore[arg-type]  # one of the choices, by the line above

    def _is_cleared_for(self, label: Label) -> bool:
        decision = self.policy.decide_showing(label, self.processor.name, is_local=self.processor.is_local)
        return decision.verdict == "allow"


def offer_at(offers: Sequence[Offer], site: Site) -> Offer | None:
    """The offer that stands at this place of the program."""
    return next((offer for offer in offers if (offer.line, offer.column) == (site.line, site.column)), None)
