"""The person at the terminal: an approval screen over all of it where it can, a pager and one line where it cannot.

The full screen needs the extra `fullscreen` and a terminal that places its cursor; `ARMSLENGTH_SCREEN=plain` turns it off. Both show the
same lines. Anything but a clear yes is a no.
"""

from __future__ import annotations

import contextlib
import importlib.util
import locale
import os
import re
import sys
from collections.abc import Iterator

from armslength.agent.approving.approval import REFUSED, Answer, Screen
from armslength.agent.showing.cleaning import clean
from armslength.surfaces.choosing import Choices, item_lines
from armslength.surfaces.wrapping import wrap

_MOST_ANSWER = 1000  # bytes of a line; longer is no yes
_RULE = "─" * 20
_SMALLEST = (40, 10)  # columns, lines
_NARROWEST, _FEWEST = 20, 3  # columns, and lines of a screenful, of the plain text
MORE = "Enter shows more, anything else refuses: "
NO_TERMINAL = "there is no terminal to ask on"
TOO_SMALL = "the window is too small to show what is asked; make it larger"
ENDED = "the input ended without a yes"
NOT_YES = "you did not say yes"


class TerminalApprover:
    """Asks on the controlling terminal, whatever standard input and output are. `refusal` says why the last answer was a no."""

    def __init__(self) -> None:
        self.refusal = ""

    def approve(self, screen: Screen) -> Answer:
        """Show the whole screen, drop what was typed before, take the answer.

        Raises:
            KeyboardInterrupt: Ctrl-C, which ends the run.
        """
        try:
            with _open_terminal() as terminal:
                answer = _asked_in_full(terminal, screen) if _is_able(terminal) else _ask(terminal, screen)
        except OSError:
            self.refusal = NO_TERMINAL
            return REFUSED
        except _TooSmall:
            self.refusal = TOO_SMALL
            return REFUSED
        except EOFError:
            self.refusal = ENDED
            return REFUSED
        self.refusal = "" if len(answer.accepted) == screen.count else NOT_YES
        return answer


@contextlib.contextmanager
def _open_terminal() -> Iterator[int]:
    """The controlling terminal, else the one that standard input is.

    Raises:
        OSError: there is none.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        terminal = os.open(os.ttyname(sys.__stdin__.fileno() if sys.__stdin__ else -1), os.O_RDWR | os.O_NOCTTY)
    try:
        yield terminal
    finally:
        os.close(terminal)


def _is_able(terminal: int) -> bool:
    """Whether the screen can be drawn over the whole terminal."""
    size = os.get_terminal_size(terminal)
    return (
        os.environ.get("TERM", "") not in {"", "dumb", "unknown"}
        and os.environ.get("ARMSLENGTH_SCREEN") != "plain"
        and size.columns >= _SMALLEST[0]
        and size.lines >= _SMALLEST[1]
        and "utf" in locale.getpreferredencoding(do_setlocale=False).lower()
        and importlib.util.find_spec("prompt_toolkit") is not None
    )


def _asked_in_full(terminal: int, screen: Screen) -> Answer:
    from armslength.surfaces.fullscreen import ask_in_full

    _forget_typed(terminal)
    return ask_in_full(terminal, screen)


# Plain text


def _ask(terminal: int, screen: Screen) -> Answer:
    """All lines, a screenful at a time, then one line for the answer.

    Raises:
        EOFError: the input ended.
        OSError: the terminal is gone.
    """
    choices = Choices(screen)
    if not _page(terminal, choices, screen.head):
        return REFUSED
    choices.read = set(range(len(choices.items)))
    _forget_typed(terminal)
    _write(terminal, _question(choices))
    return chosen(choices, _read_line(terminal))


def _page(terminal: int, choices: Choices, head: str) -> bool:
    """Show all lines by screenfuls; False where the person does not want to see more.

    Where the window is another size after one, they are shown again from the first: a screenful of before is none of this one.
    """
    start, size, lines, height = 0, _size(terminal), list[str](), 0
    while start < len(lines) or not lines:
        if not start:
            lines, height = _lines(choices, head, size.columns), _room(choices, size)
        else:
            _forget_typed(terminal)
            _write(terminal, f"({start:,} of {len(lines):,} lines) {MORE}")
            if _read_line(terminal).strip():
                return False
        if (now := _size(terminal)) != size:
            start, size, lines = 0, now, []
            continue
        _write(terminal, "\n".join([*lines[start : start + height], ""]))
        start += height
    return True


def _lines(choices: Choices, head: str, width: int) -> list[str]:
    lines = ["", f"{_RULE} your yes is needed {_RULE}", *wrap(head, width), ""]
    for place, item in enumerate(choices.items):
        lines += item_lines(item, width)
        for number, offer in choices.offers_of(place):
            lines += wrap(clean(f"   +{number + 1} you may also choose: {offer.line}"), width)
        lines.append("")
    return lines[:-1]


def _size(terminal: int) -> os.terminal_size:
    """The window's, as common where it is not known."""
    size = os.get_terminal_size(terminal)
    return os.terminal_size((size.columns or 80, size.lines or 24))


def _room(choices: Choices, size: os.terminal_size) -> int:
    """Lines of a screenful, which stand there still when the question stands below them.

    Raises:
        _TooSmall: hardly one; what scrolls by was not in view.
    """
    below = max(
        2, *(len(list(wrap(line, size.columns))) for line in (_question(choices), f"(100,000 of 100,000 lines) {MORE}"))
    )
    if size.columns < _NARROWEST or size.lines - below < _FEWEST:
        raise _TooSmall
    return size.lines - below


class _TooSmall(Exception):
    """Nothing can be read in this window."""


def _question(choices: Choices) -> str:
    some = ", numbers (as in 1 3) to allow those alone" if len(choices.items) > 1 else ""
    also = ", with +1 behind it for a choice" if choices.offers else ""
    return f"Type yes to allow all of this{some}{also}, anything else to refuse: "


def chosen(choices: Choices, line: str) -> Answer:
    """The answer in a typed line: `yes` or numbers of items, then numbers of offers with a plus. Anything else is a no to all."""
    first, *_ = words = line.strip().lower().replace(",", " ").split() or [""]
    offers = [word for word in words if word.startswith("+")]
    items = words[: len(words) - len(offers)]
    if words[len(items) :] != offers or (first == "yes") != (items == ["yes"]):
        return REFUSED
    told = [choices.accept_all()] if first == "yes" else [_accepted(choices, word) for word in items]
    told += [_taken(choices, word) for word in offers]
    return REFUSED if any(told) or not items else choices.answer()


def _accepted(choices: Choices, word: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", word, re.ASCII) or int(word) > len(choices.items):
        return "no such item"
    return "twice" if int(word) - 1 in choices.accepted else choices.toggle(int(word) - 1)


def _taken(choices: Choices, word: str) -> str:
    if not re.fullmatch(r"\+[1-9][0-9]{0,3}", word, re.ASCII):
        return "no such choice"
    return "twice" if int(word) - 1 in choices.taken else choices.toggle_offer(int(word) - 1)


def _forget_typed(terminal: int) -> None:
    """What was typed before the question is no answer to it.

    Raises:
        OSError: the terminal cannot do that, so no line of it would be a clear yes.
    """
    import termios

    try:
        termios.tcdrain(terminal)
        termios.tcflush(terminal, termios.TCIFLUSH)
    except termios.error as error:
        raise OSError(*error.args) from error


def _write(terminal: int, text: str) -> None:
    view = memoryview(text.encode(locale.getpreferredencoding(do_setlocale=False), "backslashreplace"))
    while view:
        view = view[os.write(terminal, view) :]


def _read_line(terminal: int) -> str:
    """One line.

    Raises:
        EOFError: the input ended before its end, or it is too long to be an answer.
    """
    line = b""
    while not line.endswith(b"\n"):
        read = os.read(terminal, _MOST_ANSWER)
        line += read
        if not read or len(line) > _MOST_ANSWER:
            raise EOFError
    return line.decode("utf-8", "replace")
