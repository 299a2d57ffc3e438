"""The approval screen over the whole terminal, with prompt_toolkit: a bar, the items to scroll through, what the keys do.

Rows are cut to the terminal's width before they get to the library, so that none is cut by it. What counts as in view is what was
rendered: rows that were scrolled past between two renderings, or that stood below the edge, were not. A key that is bound to nothing
does nothing; whatever ends the screen but `y` is a no.

Whoever was typing something else when the screen came up answers nothing by it: no key accepts anything until nobody typed for a
moment. And `y` is for what was drawn as accepted: of keys that come in one go, as where something is pasted, it is no yes.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_bindings import KeyBindingsBase
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import get_cwidth

from armslength.agent.approving.approval import REFUSED, Answer, Screen
from armslength.agent.showing.cleaning import clean
from armslength.surfaces.choosing import Choices, item_lines, styled_lines
from armslength.surfaces.wrapping import wrap

_NARROWEST = 26  # what `wrap` breaks to, and the gutter
_GUTTER = 6
_AROUND = 3  # rows that are neither head nor items: bar, message, keys
_FEWEST = 3  # rows for the items
QUIET = 0.6
"""Seconds without a key after the screen came up, before any accepts something: longer than between the letters of a word."""
TOO_EARLY = "nothing is accepted while you are still typing; wait a moment"
_DIGITS = 9  # keys for choices
KEYS = ("y yes", "q no", "x accept", "a all", "n none", "Tab next", "↑↓ PgUp PgDn scroll")
"""What the keys do, what is needed most first: as many stand there as there is room for."""
_STYLE = Style.from_dict(
    {
        "bar": "reverse bold",
        "head": "bold",
        "mine": "",
        "theirs": "ansiyellow",
        "goes": "ansired",
        "comes": "ansigreen",
        "warning": "bold ansired",
        "title": "bold",
        "here": "bold ansicyan",
        "marked": "bold ansigreen",
        "said": "bold",
        "keys": "reverse",
    }
)


def ask_in_full(terminal: int, screen: Screen) -> Answer:
    """Show it on this terminal and take the answer.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        EOFError: the input ended.
        OSError: the terminal is gone.
    """
    with (
        os.fdopen(os.dup(terminal), encoding="utf-8", errors="replace") as given,
        os.fdopen(os.dup(terminal), "w", encoding="utf-8", errors="backslashreplace") as shown,
    ):
        return answered(screen, Vt100Input(given), Vt100_Output.from_pty(shown, os.environ.get("TERM")))


def answered(screen: Screen, given: Input, shown: Output) -> Answer:
    """The same with any input and output of the library."""
    clear_typeahead(given)
    answer = application_of(screen, given, shown).run(in_thread=is_within_loop())
    clear_typeahead(given)
    return answer


def is_within_loop() -> bool:
    """Whether this thread runs an event loop already, so that the library needs another thread for its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def application_of(screen: Screen, given: Input, shown: Output, *, quiet: float = QUIET) -> Application[Answer]:
    """What is run. `quiet`: seconds without a key before one accepts anything."""
    view = View(Choices(screen), screen.head, shown.get_size, quiet)
    return Application(
        layout=Layout(_layout(view)),
        key_bindings=_keys(view),
        style=_STYLE,
        full_screen=True,
        mouse_support=False,
        input=given,
        output=shown,
    )


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the items: whose it is (None between them), its style, its text as wide as there is room."""

    place: int | None
    style: str
    text: str
    offer: int | None = None


class View:
    """What stands on the terminal now: the rows for its width, the first that is shown, the item that the keys are about."""

    def __init__(self, choices: Choices, head: str, size: Callable[[], Size], quiet: float) -> None:
        self.choices, self.said = choices, ""
        self._quiet, self._hears_from = quiet, float("inf")
        self._drawn_choice: tuple[set[int], set[int]] = (set(), set())
        self._head, self.size = head, size
        self._columns, self._rows = 0, list[Row]()
        self._seen = set[int]()
        self._heads = list[str]()
        self.top = self.focus = 0

    @property
    def is_too_small(self) -> bool:
        """Nothing can be read here."""
        size = self.size()
        return size.columns < _NARROWEST or size.rows - _AROUND - len(self._heads) < _FEWEST

    @property
    def height(self) -> int:
        """Rows for the items."""
        return max(self.size().rows - _AROUND - len(self._heads), 1)

    @property
    def is_heard(self) -> bool:
        """Whether a key may accept something. One that comes too early may be part of what somebody was typing, and so is the next."""
        now = time.monotonic()
        is_heard = now >= self._hears_from
        if not is_heard:
            self._hears_from = now + self._quiet
        return is_heard

    @property
    def is_choice_drawn(self) -> bool:
        """Whether what is accepted and taken stands there so."""
        return self._drawn_choice == (self.choices.accepted, self.choices.taken)

    def rows(self) -> list[Row]:
        """All rows of the items. Where the width is another, what was in view only in part has to be read again."""
        columns = self.size().columns
        if columns != self._columns:
            self._columns, self._seen = columns, set()
            width = max(columns - _GUTTER, 1)
            self._heads = [piece for line in self._head.split("\n") for piece in _fitted(line, columns)]
            self._rows = list(_drawn(self.choices, width))
            self.top = next((number for number, row in enumerate(self._rows) if row.place == self.focus), 0)
        return self._rows

    def body(self) -> StyleAndTextTuples:
        """The rows that are in view now; they count as such."""
        rows = self.rows()
        if self.is_too_small:
            return [("class:warning", "make this window larger to read; q: no")]
        if self._hears_from == float("inf"):
            self._hears_from = time.monotonic() + self._quiet
        self._drawn_choice = (set(self.choices.accepted), set(self.choices.taken))
        self.top = max(min(self.top, len(rows) - self.height), 0)
        shown = range(self.top, min(self.top + self.height, len(rows)))
        self._seen.update(shown)
        for place in self.choices.unread:
            if all(number in self._seen for number, row in enumerate(rows) if row.place == place):
                self.choices.read.add(place)
        if not any(rows[number].place == self.focus for number in shown):
            self.focus = next((row.place for row in map(rows.__getitem__, shown) if row.place is not None), self.focus)
        return [part for number in shown for part in self._row(rows, number)]

    def _row(self, rows: list[Row], number: int) -> StyleAndTextTuples:
        row = rows[number]
        is_first = row.place is not None and (number == 0 or rows[number - 1].place != row.place)
        bar = "▌" if row.place is not None and row.place == self.focus else " "
        mark = self._mark(row.place) if is_first and row.place is not None else "    "
        if row.offer is not None:
            is_begin = rows[number - 1].offer != row.offer
            mark = f"{'[x]' if row.offer in self.choices.taken else '[ ]'} " if is_begin else "    "
        style = "marked" if "x" in mark else "mine"
        return [("class:here", bar), (f"class:{style}", f"{mark} "), (f"class:{row.style}", row.text), ("", "\n")]

    def _mark(self, place: int) -> str:
        if place in self.choices.accepted:
            return "[x] "
        return "[ ] " if place in self.choices.read else "[…] "

    def bar(self) -> StyleAndTextTuples:
        """How far it is read and chosen."""
        choices = self.choices
        left = f"{len(choices.unread)} not read to the end" if choices.unread else "all was in view"
        text = f" armslength · {len(choices.accepted)} of {len(choices.items)} accepted · {left} "
        return [("class:bar", _cut(text, self.size().columns))]

    def head(self) -> StyleAndTextTuples:
        """What stands above the items."""
        self.rows()
        return [("class:head", "\n".join(self._heads))]

    def head_height(self) -> int:
        """Its rows."""
        self.rows()
        return 1 if self.is_too_small else len(self._heads)

    def message(self) -> StyleAndTextTuples:
        """What the last key could not do, what falls with what is not accepted, or where this is."""
        rows = self.rows()
        last = min(self.top + self.height, len(rows))
        below = f"{len(rows) - last} more lines below" if last < len(rows) else "this is the end"
        return [("class:said", _cut(f" {self.said or self.choices.falling or below}", self.size().columns))]

    def take(self, own: int) -> str:
        """Take this choice of the item that the keys are about, or not any more."""
        numbers = [number for number, _ in self.choices.offers_of(self.focus)]
        return self.choices.toggle_offer(numbers[own - 1]) if own <= len(numbers) else f"there is no choice {own} here"

    def keys(self) -> StyleAndTextTuples:
        """What the keys do here, with the digits where the item at the bar has choices."""
        own = len(self.choices.offers_of(self.focus))
        digits = [f"{'1' if own == 1 else f'1-{min(own, _DIGITS)}'} choice"] if own else []
        return [("class:keys", _as_many([*KEYS[:3], *digits, *KEYS[3:]], self.size().columns))]

    def scroll(self, by: int) -> None:
        """Move the rows."""
        self.top = max(min(self.top + by, len(self.rows()) - self.height), 0)

    def go_to(self, by: int) -> None:
        """Move to another item."""
        self.focus = max(min(self.focus + by, len(self.choices.items) - 1), 0)
        self.top = next(number for number, row in enumerate(self.rows()) if row.place == self.focus)


def _drawn(choices: Choices, width: int) -> Iterator[Row]:
    for place, item in enumerate(choices.items):
        if place:
            yield Row(None, "mine", "")
        for style, line in styled_lines(item_lines(item, width)):
            for piece in _fitted(line, width):
                yield Row(place, style, piece)
        for own, (number, offer) in enumerate(choices.offers_of(place), 1):
            lead = f"{own}: "
            for line in wrap(clean(offer.line), width - len(lead)):
                for piece in _fitted(line, width - len(lead)):
                    yield Row(place, "mine", lead + piece, number)
                    lead = " " * len(lead)


def _fitted(line: str, width: int) -> Iterator[str]:
    """The line in pieces as the library measures them: it counts each character alone, and leaves out what is beyond the edge."""
    piece, used = "", 0
    for char in line:
        taken = get_cwidth(char)
        if piece and used + taken > width:
            yield piece
            piece, used = "┆ " if width > 4 else "", 2 if width > 4 else 0
        piece, used = piece + char, used + taken
    yield piece


def _cut(text: str, width: int) -> str:
    """Our own words, as far as there is room."""
    return text if get_cwidth(text) <= width else f"{text[: max(width - 2, 0)]}…"


def _as_many(parts: Sequence[str], width: int) -> str:
    """These, as far as they fit whole."""
    text = f" {parts[0]}"
    for part in parts[1:]:
        if get_cwidth(f"{text} · {part}") > width:
            break
        text = f"{text} · {part}"
    return text


def _layout(view: View) -> HSplit:
    return HSplit(
        [
            Window(FormattedTextControl(view.bar), height=1, style="class:bar"),
            Window(FormattedTextControl(view.head), height=view.head_height),
            Window(FormattedTextControl(view.body, focusable=True, show_cursor=False), wrap_lines=False),
            Window(FormattedTextControl(view.message), height=1),
            Window(FormattedTextControl(view.keys), height=1, style="class:keys"),
        ]
    )


def _keys(view: View) -> KeyBindingsBase:
    bound, choices = KeyBindings(), view.choices

    def on(*names: str, do: Callable[[], str | None]) -> None:
        def handle(_event: KeyPressEvent) -> None:
            view.said = do() or ""

        for name in names:
            bound.add(name)(handle)

    on("up", "k", do=lambda: view.scroll(-1))
    on("down", "j", do=lambda: view.scroll(1))
    on("pageup", do=lambda: view.scroll(-view.height))
    on("pagedown", "space", do=lambda: view.scroll(view.height))
    on("home", do=lambda: view.scroll(-len(view.rows())))
    on("end", do=lambda: view.scroll(len(view.rows())))
    on("tab", do=lambda: view.go_to(1))
    on("s-tab", do=lambda: view.go_to(-1))
    on("n", do=choices.refuse_all)
    on(Keys.Any, do=lambda: "" if view.is_heard else TOO_EARLY)

    def accepting(*names: str, do: Callable[[], str | None]) -> None:
        on(*names, do=lambda: do() if view.is_heard else TOO_EARLY)

    accepting("x", "enter", do=lambda: choices.toggle(view.focus))
    accepting("a", do=choices.accept_all)
    for digit in range(1, _DIGITS + 1):
        accepting(str(digit), do=lambda own=digit: view.take(own))  # type: ignore[misc]  # bound now
    _bind_ends(bound, view)
    return bound


def _bind_ends(bound: KeyBindings, view: View) -> None:
    @bound.add("y")
    def _yes(event: KeyPressEvent) -> None:
        if view.is_too_small:
            return
        if not view.is_heard:
            view.said = TOO_EARLY
            return
        if not view.choices.accepted:
            view.said = "nothing is accepted yet: x accepts the item at the bar, a accepts all"
            return
        if not view.is_choice_drawn:
            view.said = "y came in one go with what it would have accepted; look, and press it again"
            return
        event.app.exit(result=view.choices.answer())

    @bound.add("q")
    @bound.add("escape", eager=True)
    def _no(event: KeyPressEvent) -> None:
        event.app.exit(result=REFUSED)

    @bound.add("c-d")
    @bound.add("<sigint>")
    @bound.add("c-c")
    def _leave(event: KeyPressEvent) -> None:
        is_end = event.key_sequence[0].key == "c-d"
        event.app.exit(exception=EOFError if is_end else KeyboardInterrupt)
