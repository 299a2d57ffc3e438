"""What a person is told of the taking back of a run, before the question and after it."""

from __future__ import annotations

from armslength.agent.runs.undoing import Done, Undone
from armslength.errors import Declined
from armslength.surfaces.exits import Exit, exit_of
from armslength.surfaces.output import complain, tame_line, write_text
from armslength.surfaces.reports import change_lines, undone_lines


def say_stays(done: Done, why: str) -> None:
    """It cannot be taken back."""
    write_text(f"stays: {done.said} ({tame_line(why)})")


def tell_undone(undone: Undone, refusal: str) -> Exit:
    """What became of each inverse. `refusal`: why the person's answer was a no, if it was."""
    if lines := [*change_lines(undone.settled, refusal), *undone_lines(undone)]:
        write_text("\n".join(lines))
    if undone.error is not None:
        why = refusal if isinstance(undone.error, Declined) and refusal else str(undone.error)
        complain(f"{'not all' if undone.count else 'nothing'} was taken back: {why}")
    return exit_of(undone.error)
