"""What those who get something in a run learn of what steered it: counted over the run's effects, before each is decided on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from armslength.agent.effects.program_text import ProgramText
from armslength.events import Site
from armslength.policy.action import UNCOUNTED, Action
from armslength.policy.releasing import argument_bits, is_steer_hidden


@dataclass(slots=True)
class Telling:
    """The count of one program. `bits`: what was told so far without a person's yes.

    Which of the program's sends happen is counted at once, when the first is decided on that a private thing had a say in: a send that
    does not happen tells as well.
    """

    text: ProgramText = field(default_factory=ProgramText)
    bits: int = 0
    _has_chances: bool = False

    def counted(self, action: Action, site: Site) -> Action:
        """The action with what would be told by its end."""
        return replace(action, told=self.bits + argument_bits(action) + self._chances(action, site))

    def let_go(self, action: Action) -> None:
        """The policy lets it happen."""
        self.bits = action.told
        self._has_chances = self._has_chances or is_steer_hidden(action.control, action)

    def _chances(self, action: Action, site: Site) -> int:
        if not is_steer_hidden(action.control, action):
            return 0
        chances = self.text.chances(site.line, site.column)
        if chances is None:
            return UNCOUNTED
        return 0 if self._has_chances else chances
