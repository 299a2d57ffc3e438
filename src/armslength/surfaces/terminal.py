"""The person at the terminal: an approval screen shown whole, and one line read for it. Anything but `yes` is a no."""

from __future__ import annotations

import contextlib
import locale
import os
import sys
from collections.abc import Iterator

from armslength.agent.approval import REFUSED, Answer, Screen, all_of
from armslength.agent.cleaning import clean
from armslength.surfaces.wrapping import wrap

_MOST_ANSWER = 1000  # bytes of a line; longer is no yes
_RULE = "─" * 20
NO_TERMINAL = "there is no terminal to ask on"


class TerminalApprover:
    """Asks on the controlling terminal, whatever standard input and output are. `refusal` says why the last answer was a no."""

    def __init__(self) -> None:
        self.refusal = ""

    def approve(self, screen: Screen) -> Answer:
        """Show the whole screen, drop what was typed before, read one line.

        Raises:
            KeyboardInterrupt: Ctrl-C, which ends the run.
        """
        try:
            with _open_terminal() as terminal:
                answer = _ask(terminal, screen)
        except OSError:
            self.refusal = NO_TERMINAL
            return REFUSED
        if answer is None:
            self.refusal = "the input ended without a yes"
            return REFUSED
        if answer.strip().lower() != "yes":
            self.refusal = "you did not say yes"
            return REFUSED
        self.refusal = ""
        return all_of(screen)


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


def _ask(terminal: int, screen: Screen) -> str | None:
    size = os.get_terminal_size(terminal)
    lines = list(wrap(clean(screen.text), size.columns or 80))
    long = [f"({len(lines)} lines above; scroll up to read them all)"] if len(lines) + 4 > (size.lines or 24) else []
    _write(terminal, "\n".join(["", f"{_RULE} your yes is needed {_RULE}", *lines, *long, ""]))
    _forget_typed(terminal)
    _write(terminal, "Type yes to allow all of this, anything else to refuse: ")
    return _read_line(terminal)


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


def _read_line(terminal: int) -> str | None:
    """One line, or None where the input ended before its end, or it is too long to be an answer."""
    line = b""
    while not line.endswith(b"\n"):
        read = os.read(terminal, _MOST_ANSWER)
        line += read
        if not read or len(line) > _MOST_ANSWER:
            return None
    return line.decode("utf-8", "replace")
