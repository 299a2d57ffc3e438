"""The full screen without a terminal: keys go in one by one, what stands on it after each comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from armslength.agent.approving.approval import Answer, Item, Offer, Screen
from armslength.surfaces.fullscreen import application_of, is_within_loop

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "pagedown": "\x1b[6~", "pageup": "\x1b[5~", "home": "\x1b[H", "end": "\x1b[F", "tab": "\t",
    "back": "\x1b[Z", "enter": "\r", "escape": "\x1b", "ctrl-c": "\x03", "ctrl-d": "\x04",
}  # fmt: skip


class Sized(DummyOutput):
    """An output of a size that can change."""

    def __init__(self, columns: int, rows: int) -> None:
        self.size = Size(rows=rows, columns=columns)

    def get_size(self) -> Size:
        return self.size


@dataclass
class Driven:
    """What came of it: the answer, or what ended it, and what stood there after each key."""

    answer: Answer | None
    error: BaseException | None
    shown: list[str] = field(default_factory=list)

    def accepted(self) -> list[str]:
        """The digests, in order."""
        assert self.answer is not None, self.error
        return sorted(self.answer.accepted)


def drive(
    screen: Screen, keys: Sequence[str | Size], columns: int = 80, rows: int = 24, *, quiet: float = 0.0
) -> Driven:
    """Press these keys, each once the one before was drawn; a size is another size of the terminal. At last `q`."""
    with create_pipe_input() as given:
        shown = Sized(columns, rows)
        application = application_of(screen, given, shown, quiet=quiet)
        driven, waiting = Driven(None, None), iter([*keys, "q"])

        def go_on(app: Application[Answer]) -> None:
            if app.is_done:
                return
            driven.shown.append(_text(app, shown))
            _press(next(waiting, None), app, shown, given.send_text)

        application.after_render += go_on
        application.key_processor.after_key_press += lambda _processor: application.invalidate()
        try:
            driven.answer = application.run(handle_sigint=False, in_thread=is_within_loop())
        except (EOFError, KeyboardInterrupt) as error:
            driven.error = error
    return driven


def _press(key: str | Size | None, app: Application[Answer], shown: Sized, send: object) -> None:
    match key:
        case None:
            return
        case Size():
            shown.size = key
            app.invalidate()
        case _:
            send(KEYS.get(key, key))  # type: ignore[operator]  # a function


def _text(app: Application[Answer], shown: Sized) -> str:
    """What stands on the screen, row by row."""
    drawn = app.renderer.last_rendered_screen
    assert drawn is not None
    rows = []
    for number in range(shown.size.rows):
        cells = drawn.data_buffer[number]
        rows.append("".join(cells[column].char for column in range(shown.size.columns)).rstrip())
    return "\n".join(rows)


def screen_with(
    *texts: str, offers: dict[int, Sequence[Offer]] | None = None, needs: dict[int, str] | None = None
) -> Screen:
    """A screen with items of these texts, whose digests are `1`, `2` and so on. `needs`: the one without which an item does not happen."""
    needed = needs or {}
    items = tuple(
        replace(item, needs=frozenset(needed.get(number, "")))
        for number, item in enumerate(_items(texts, offers or {}), 1)
    )
    return Screen("run", items, "all")


def _items(texts: Sequence[str], offers: dict[int, Sequence[Offer]]) -> Iterator[Item]:
    for number, text in enumerate(texts, 1):
        yield Item(str(number), f"{number}. {text}\n", tuple(offers.get(number, ())))
