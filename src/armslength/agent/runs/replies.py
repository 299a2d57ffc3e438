"""What the program says to the user: in its order, each part once all its pieces are there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from armslength.agent.outside.boundary import Boundary
from armslength.errors import ArmslengthError
from armslength.events import labelled_to_json
from armslength.labels import Label, steered
from armslength.language import Reply
from armslength.values import Labelled, Permit, Value, is_pending, release, sink_label

TO_THE_USER = Permit("the user is a reader of everything", "policy")
"""Why the user may be shown any value."""


class Replies:
    """The answers of one program. What was said is appended to `said` and noted; the rest waits for what is pending in it."""

    def __init__(self, boundary: Boundary, said: list[tuple[Labelled, ...]]) -> None:
        self._boundary, self._said = boundary, said
        self._unsaid: deque[_Unsaid] = deque()

    def add(self, reply: Reply) -> None:
        """Say it as soon as everything before it is said; nothing is waited for. What is there already is copied now."""
        pieces = tuple(each if is_pending(each) else _piece(each, reply.control) for each in reply.pieces)
        self._unsaid.append(_Unsaid(pieces, reply.control))
        while self._unsaid and self._unsaid[0].is_whole:
            self._say()

    def say_all(self) -> None:
        """Say the rest, and wait for it.

        Raises:
            ArmslengthError: what a piece waited for failed; this part and what follows is still unsaid.
        """
        while self._unsaid:
            self._say()

    def say_what_is_left(self) -> None:
        """The program has failed: say the rest, but for the parts that cannot be said."""
        while self._unsaid:
            try:
                self._say()
            except ArmslengthError:
                self._unsaid.popleft()

    def _say(self) -> None:
        first = self._unsaid[0]
        pieces = tuple(each if isinstance(each, Labelled) else _piece(each, first.control) for each in first.pieces)
        self._unsaid.popleft()
        self._said.append(pieces)
        self._boundary.note("answer", {"pieces": [labelled_to_json(piece) for piece in pieces]})


@dataclass(frozen=True, slots=True, eq=False)
class _Unsaid:
    """A part of the answer: pieces that were there at the call, and those that were pending. `control` steered that it is said."""

    pieces: tuple[Labelled | Value, ...]
    control: Label

    @property
    def is_whole(self) -> bool:
        """Whether saying it would not wait."""
        return not any(isinstance(each, Value) and is_pending(each) for each in self.pieces)


def _piece(value: Value, control: Label) -> Labelled:
    text = str(release(value, TO_THE_USER).plain())
    return Labelled(text, steered(sink_label(value), control))
