"""Marks around text that is there and not shown, as they stand in the text of mails: `[hidden text: …]`, `[tiny text: …]`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["", "hidden", "tiny", "deleted"]
_ROUND = str.maketrans("[]", "()")  # so that what stands in a mark cannot end it


@dataclass(slots=True)
class Marked:
    """A line in the making: pieces of text, each with the mark that it stands in."""

    _pieces: list[tuple[Mark, list[str]]] = field(default_factory=list)

    def add(self, text: str, mark: Mark = "") -> None:
        """What comes next. Blanks alone go on in the mark before."""
        if not text:
            return
        if self._pieces and (self._pieces[-1][0] == mark or not text.strip()):
            self._pieces[-1][1].append(text)
        else:
            self._pieces.append((mark, [text]))

    def take(self) -> str:
        """The line, which begins anew."""
        pieces, self._pieces = self._pieces, []
        return "".join(map(_written, pieces))


def _written(piece: tuple[Mark, list[str]]) -> str:
    mark, texts = piece
    text = "".join(texts)
    if not mark or not text.strip():
        return text
    kept = text.rstrip()
    return f"[{mark} text: {kept.translate(_ROUND)}]{text[len(kept) :]}"
