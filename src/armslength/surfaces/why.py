"""`why`: the last run, or a named one, with every word traced to whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from armslength.agent.runs.trust import trust_of
from armslength.agent.showing.cleaning import clean
from armslength.app import Settings
from armslength.app.kept import Kept
from armslength.errors import OperatorError
from armslength.labels import SATURATED
from armslength.policy.action import in_line
from armslength.surfaces.exits import Exit
from armslength.surfaces.held import opened
from armslength.surfaces.output import PLAIN_WIDTH, local, tame_line, terminal_width, write_json, write_text
from armslength.surfaces.reports import NOT_ALL_DONE
from armslength.surfaces.states import now_of
from armslength.surfaces.story import OWN, Decided, Reading, Story, TakenBack, ToolRead, Words, tell

_LONGEST = 240
"""Characters of a text in a table; how many more there are is said. `--json` has all."""
_MOST_ROWS = 40


def why(run: str | None, config: Path | None, *, is_json: bool) -> Exit:
    """Show where the words of a run came from.

    Raises:
        OperatorError: there is no such run, or its journal is damaged.
    """
    settings = opened(config)
    kept = Kept(settings)
    runs = kept.names()
    if not runs:
        raise OperatorError(f"why: there is no run in {kept.place}; ask something first")
    chosen = run or runs[-1]
    if chosen not in runs:
        raise OperatorError(f"why: there is no run {chosen}; the last is {runs[-1]}")
    story = read_story(settings, chosen)
    if is_json:
        write_json({**asdict(story), "is_all_done": story.is_all_done})
    else:
        draw_story(story)
    return exit_of_story(story, kept)


def read_story(settings: Settings, run: str) -> Story:
    """The story of a run, whose journal is verified first; if it is not as it was written, the story says so.

    Raises:
        OperatorError: its journal is not there, or is damaged.
    """
    kept = Kept(settings)
    try:
        story = tell(run, kept.entries(run), trust_of(settings.trusted))
    except (ValueError, AttributeError, TypeError) as error:
        raise OperatorError(f"the journal of {run} holds what this version does not write") from error
    story.unverified, story.undone = why_unverified(kept, run), undone_of(kept, run)
    return story


def undone_of(kept: Kept, run: str) -> TakenBack:
    """Whether what a run did was taken back, as the list of runs says it."""
    listed = next((each for each in kept.listed() if each.name == run), None)
    match None if listed is None else now_of(listed, kept).state:
        case "undone" | "undone in part" as undone:
            return undone
        case _:
            return ""


def why_unverified(kept: Kept, run: str) -> str:
    """Why a journal is not known to be as it was written; nothing if it is."""
    try:
        faults = kept.verify(run)
    except OperatorError as error:
        return str(error)
    return "; ".join(fault.what for fault in faults)


def exit_of_story(story: Story, kept: Kept) -> Exit:
    """The code after a story. Runs of earlier versions have nothing to verify them by, which is said and is no damage."""
    return Exit.DAMAGED if story.unverified and story.run in kept.database.names() else Exit.DONE


def draw_story(story: Story) -> None:
    """The whole run, on standard output."""
    if story.unverified:
        write_text(f"not verified: {tame_line(story.unverified)}. Do not rely on what follows")
    write_text(
        f"run {tame_line(story.run)}, {local(story.started)}{', strict' if story.is_strict else ''}: {story.undone or story.ending}"
    )
    _heading("You asked")
    write_text(clean(story.request))
    if story.programs:
        earlier = len(story.programs) - 1
        _heading("The program" + (f", after {earlier} that did not get through" if earlier else ""))
        write_text(
            "\n".join(f"{number:3}  {line}" for number, line in enumerate(clean(story.programs[-1]).split("\n"), 1))
        )
    if story.reads:
        _heading("What was read")
        print_drawn(table(("call", "results", "words of"), map(_read_row, story.reads)))
    if story.readings:
        _heading("What the quarantined model read")
        print_drawn(table(("line", "given words of", "said"), map(_reading_row, story.readings)))
    for effect in story.decided:
        _draw_effect(effect)
    if story.dropped:
        write_text(f"\n{story.dropped} more waited and were dropped, because the program stopped")
    for number, screen in enumerate(story.screens, 1):
        _heading(f"Screen {number}; the answer was {screen.answer}")
        write_text(clean(screen.text))
    for answer in story.answers:
        _heading("The answer" if story.is_all_done else f"The answer; {NOT_ALL_DONE}")
        print_drawn(words_table(tuple(words for words in answer if words.text.strip())))


def _draw_effect(effect: Decided) -> None:
    _heading(f"{tame_line(effect.tool)} (line {effect.line}): {effect.status}")
    if effect.note:
        write_text(f"  {tame_line(effect.note)}")
    by = f", by {', '.join(map(tame_line, effect.granted))}" if effect.granted else ""
    write_text(f"  decision: {effect.verdict}{by}; {'; '.join(map(tame_line, effect.reasons))}")
    if effect.receivers is None:
        write_text("  goes to: unknown")
    elif effect.receivers:
        write_text(f"  goes to: {', '.join(map(tame_line, effect.receivers))}")
    write_text(f"  that it happens was steered by: {source_words(effect.steered_by) or 'nobody but the program'}")
    if effect.arguments:
        print_drawn(words_table(effect.arguments))


def _read_row(read: ToolRead) -> tuple[str, str, str]:
    given = ", ".join(f"{tame_line(name)}={_shortened(json.dumps(value))}" for name, value in read.asked.items())
    result = f"failed: {_shortened(read.failed)}" if read.failed else str(read.count)
    return f"{tame_line(read.tool)}({given})", result, source_words(read.came_from)


def _reading_row(reading: Reading) -> tuple[str, str, str]:
    said = " ".join(map(_marked, reading.answers))
    if reading.failed:
        said = f"failed: {_shortened(reading.failed)} {said}"
    parts = f" (the last of {reading.calls} calls)" if reading.calls > 1 and not reading.failed else ""
    return str(reading.line or "?"), source_words(reading.inputs) or "nobody", said + parts


def words_table(words: tuple[Words, ...], place: str = "argument") -> Table:
    """Texts with whose they are and who steered them. `place`: what they stand under."""
    has_places = any(each.where for each in words)
    heads = (place, "words", "came from", "steered by") if has_places else ("words", "came from", "steered by")
    rows = [_words_row(each, has_place=has_places) for each in words[:_MOST_ROWS]]
    if len(words) > _MOST_ROWS:
        rows.append((f"… {len(words) - _MOST_ROWS} more; --json has them", *("",) * (len(heads) - 1)))
    return table(heads, rows)


def _words_row(words: Words, *, has_place: bool) -> tuple[str, ...]:
    text = _marked(words.text) if words.is_untrusted else _shortened(words.text)
    bits = "over 8" if words.bits >= SATURATED else str(words.bits)
    steered = f"{source_words(words.steered_by)} ({bits} bits)" if words.steered_by and words.bits else "-"
    row = (text, _origin_row(words) or "only chosen, see right", steered)
    return (tame_line(words.where), *row) if has_place else row


def _origin_row(words: Words) -> str:
    pages = [f"on page {each.page} of {_marked(each.document)}" for each in words.stands_on]
    return ", ".join(filter(None, (source_words(words.came_from), *pages)))


def source_words(sources: Iterable[str]) -> str:
    """Names of sources as a person reads them."""
    return ", ".join(OWN.get(name, tame_line(in_line(name))) for name in sources)


def _marked(text: str) -> str:
    return f"⟦{_shortened(text)}⟧"


def _shortened(text: str) -> str:
    kept = tame_line(text[:_LONGEST])
    return kept if len(text) <= _LONGEST else f"{kept} … {len(text) - _LONGEST:,} more characters"


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    """Cells under these heads. Which words are whose was marked before; nothing in them acts."""
    drawn = Table(box=box.SIMPLE, pad_edge=False, show_edge=False)
    for head in heads:
        drawn.add_column(Text(head), overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(clean(cell)) for cell in row))
    return drawn


def _heading(text: str) -> None:
    print_drawn(Text(f"\n{text}", style="bold"))


def print_drawn(drawn: RenderableType) -> None:
    """On standard output, as wide as it is."""
    width = terminal_width() or PLAIN_WIDTH
    Console(width=width, markup=False, emoji=False, highlight=False).print(drawn)
