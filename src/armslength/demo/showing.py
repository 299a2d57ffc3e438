"""A run of the demo, drawn: request, program, what was read where, questions, changes on disk, the answer. All of it tamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.text import Text

from armslength.agent.approving.approval import Answer, Screen, in_words
from armslength.agent.approving.display import tame
from armslength.agent.showing.cleaning import clean, clean_line
from armslength.demo.traces import Change, Ran, diff_lines
from armslength.events import Trust
from armslength.models.base import Usage
from armslength.surfaces.output import PLAIN_WIDTH
from armslength.surfaces.story import Reading, Story, ToolRead, tell
from armslength.surfaces.wrapping import wrap

_LONGEST = 200  # characters of one answer of the quarantined model in a line
_MOST_READINGS = 12  # lines


@dataclass(frozen=True, slots=True)
class Page:
    """Where the demo is shown. Texts are cleaned before they come here; broken with marks where the console is a terminal."""

    console: Console

    def say(self, text: str) -> None:
        """Lines."""
        lines = wrap(text, self.console.width) if self.console.is_terminal else text.split("\n")
        for line in lines:
            self.console.print(Text(line), soft_wrap=True)

    def heading(self, text: str) -> None:
        """A line that begins a part."""
        self.console.print(Text(f"\n{text}", style="bold"), soft_wrap=True)

    def draw(self, drawn: RenderableType) -> None:
        """A table, not narrower than a page where there is no terminal."""
        if not self.console.is_terminal:
            self.console.width = max(self.console.width, PLAIN_WIDTH)
        self.console.print(drawn)


def show_run(page: Page, ran: Ran, trust: Trust, screens: Sequence[tuple[Screen, Answer]], recorded: str) -> None:
    """Everything about one run, from its journal and the disk."""
    page.heading(f"━━ Request {ran.number}{' (recorded models)' if recorded else ''} ━━ {clean_line(ran.request)}")
    story = tell("", ran.entries, trust)
    if story.programs:
        page.heading("The program, written by the planner, which has seen the request, the tools and the date")
        page.say("\n".join(f"  {line}" for line in clean(story.programs[-1]).split("\n")))
    page.heading("What was read, and by whom")
    page.say("\n".join(_read_lines(story)) or "  nothing")
    if screens:
        page.heading("What needed a yes")
        page.say("\n".join(line for screen, answer in screens for line in _screen_lines(screen, answer)))
    page.heading("What changed on disk")
    page.say("\n".join(line for change in ran.changes for line in _change_lines(change)) or "  nothing")
    if ran.result is not None and ran.result.text:
        page.heading("The answer")
        page.say(ran.result.text)
    if ran.message:
        page.heading("How it ended")
        page.say(f"  {tame(clean_line(ran.message))}")
    _show_cost(page, ran)


def _read_lines(story: Story) -> Iterator[str]:
    for read in story.reads:
        yield _tool_line(read)
    for reading in story.readings[:_MOST_READINGS]:
        yield from _reading_lines(reading)
    if len(story.readings) > _MOST_READINGS:
        yield f"  … and {len(story.readings) - _MOST_READINGS} more such readings"


def _tool_line(read: ToolRead) -> str:
    asked = ", ".join(f"{name}={value!r}" for name, value in read.asked.items() if value not in ("", False))
    how = f"failed: {read.failed}" if read.failed else f"{read.count} result{'s' * (read.count != 1)}"
    return f"  tool         {_line(f'{read.tool}({asked})')}: {_line(how)}"


def _reading_lines(reading: Reading) -> Iterator[str]:
    whose = _line(", ".join(reading.inputs) or "nobody")
    if reading.failed:
        yield f"  quarantined  read words of {whose}; it failed: {_line(reading.failed)}"
        return
    said = _line(" ".join(reading.answers))
    kept = said if len(said) <= _LONGEST else f"{said[:_LONGEST]} … {len(said) - _LONGEST} more characters"
    yield f"  quarantined  line {reading.line}, read words of {whose}, said ⟦{kept}⟧"


def _screen_lines(screen: Screen, answer: Answer) -> Iterator[str]:
    yield from (f"  ┃ {line}" for line in clean(screen.text).rstrip().split("\n"))
    yield f"  The answer was {in_words(screen, answer)}."


def _change_lines(change: Change) -> Iterator[str]:
    what = "new" if change.before is None else "gone" if change.after is None else "changed"
    yield f"  {_line(change.path)} ({what})"
    for line in diff_lines(change):
        yield f"    {_line(line)}"


def _show_cost(page: Page, ran: Ran) -> None:
    spent = ran.result.spent if ran.result is not None else {}
    parts = [_cost(role, usages) for role, usages in spent.items() if usages]
    if parts:
        page.heading("What it cost")
        page.say("\n".join(f"  {part}" for part in parts))


def _cost(role: str, usages: Sequence[Usage]) -> str:
    calls = "1 call" if len(usages) == 1 else f"{len(usages)} calls"
    tokens_in, cached = sum(each.prompt for each in usages), sum(each.cached for each in usages)
    tokens_out, seconds = sum(each.completion for each in usages), sum(each.seconds for each in usages)
    return (
        f"{role}: {calls}, {tokens_in:,} tokens in ({cached:,} kept from before), {tokens_out:,} out, {seconds:.1f} s"
    )


def _line(text: str) -> str:
    return tame(clean_line(text))
