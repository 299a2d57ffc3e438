"""The host of one program of a conversation: the controller, with what decided over the names that are there, and `reveal`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from armslength.agent.planning.revealing import Offer, Shown, Window, offer_at
from armslength.agent.runs.controller import Controller
from armslength.labels import NOTHING, Label, steered
from armslength.language import Call, Question, Reply, Showing
from armslength.schema import Slot
from armslength.values import Value


@dataclass(slots=True)
class Stage:
    """What a program reaches. `entry` is what decided that it runs at all: it steers whatever halt does. `halt` is set at its end."""

    controller: Controller
    window: Window
    entry: Label
    offers: tuple[Offer, ...]
    halt: Label = NOTHING
    _shown: dict[Offer, Shown] = field(default_factory=dict)

    @property
    def shown(self) -> tuple[Shown, ...]:
        """What came of each offer, reached or not."""
        return tuple(self._shown.get(offer, Shown(offer)) for offer in self.offers)

    @property
    def is_trusted(self) -> bool:
        """Whether nobody else, and nothing private, decided that the program runs."""
        return self.entry.is_clear

    def call(self, call: Call) -> Value:
        """Call a tool."""
        return self.controller.call(replace(call, halt=steered(call.halt, self.entry)))

    def ask_quarantined(self, question: Question) -> Value:
        """Ask the quarantined model."""
        return self.controller.ask_quarantined(replace(question, halt=steered(question.halt, self.entry)))

    def answer(self, reply: Reply) -> None:
        """Say something to the user."""
        self.controller.answer(reply)

    def ended(self, halt: Label) -> None:
        """The program came to its end."""
        self.halt = halt
        self.controller.ended(steered(halt, self.entry))

    def steers(self, slots: Mapping[Slot, Label]) -> None:
        """What decided over all that the program may have set under keys: also over the names that are there."""
        self.controller.steers({slot: steered(label, self.entry) for slot, label in slots.items()})

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """What decides whether a call fails."""
        return self.controller.doubt(name, arguments)

    def now(self) -> Value:
        """When the run began."""
        return self.controller.now()

    def reveal(self, showing: Showing) -> None:
        """Show it to the planner before the next request, if it may be shown. What stands where nothing was offered is not."""
        offer = offer_at(self.offers, showing.site)
        if offer is not None:
            entered = replace(showing, halt=steered(showing.halt, self.entry))
            self._shown[offer] = self.window.look(offer, entered)
