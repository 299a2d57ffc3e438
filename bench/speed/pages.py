"""What the HTML of a mail costs in a process of its own: `python -m bench.speed.pages`.

Processor time for one text: read in this process; by a process that a program kept ready makes for it (its start counted among so many texts); and by a program
started anew. Within limits and seccomp, since the system counts what bubblewrap started for nobody. Done in turn, the best of each counts.
"""

from __future__ import annotations

import argparse
import json
import resource
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from armslength.tools.documents.confinement import USUAL
from armslength.tools.documents.process import Job, Walls, carried_out, walls
from armslength.tools.documents.ready import Ready
from armslength.tools.text.html_text import html_to_text
from bench.commit import Taken, offer_place

TEXTS = 50
_ROW = "<tr><td style='font-size:14px;color:#333'><p>twelve words of a letter that somebody sent <a href='https://x.example/a'>go</a></p></td></tr>"
_SIZES = {"a line": 0, "a newsletter of 6 kB": 45, "one of 60 kB": 450}


@dataclass(frozen=True, slots=True)
class Row:
    """One size of text: milliseconds for each in this process, by one kept ready, and by a program started anew."""

    name: str
    here: float
    ready: float
    anew: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.pages", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="how often each is done; the best counts")
    offer_place(parser)
    given = parser.parse_args(argv)
    taken = Taken("pages")
    rows = [_row(name, count, given.runs) for name, count in _SIZES.items()]
    for row in rows:
        print(f"{row.name:24} here {row.here:7.2f} ms   kept ready {row.ready:7.2f} ms   anew {row.anew:7.2f} ms")
    if not given.dry:
        print(f"written to {taken.write({'texts': TEXTS, 'rows': [asdict(row) for row in rows]}, given.json)}")
    return 0


def _row(name: str, count: int, runs: int) -> Row:
    html = f"<style>p{{margin:0}}.h{{display:none}}</style><table>{_ROW * count}</table>the end"
    around = Walls(walls().program)
    job = Job(json.dumps({"address": "", "pages": [html]}).encode(), "page", "utf-8", USUAL)

    def by_ready() -> None:
        ready = Ready(around)
        for _ in range(TEXTS):
            if not ready.read(job).received.is_whole:
                raise RuntimeError("a text was not read")
        ready.end()

    def here() -> None:
        for _ in range(TEXTS):
            html_to_text(html)

    def anew() -> None:
        carried_out(job, around)

    ways: list[tuple[Callable[[], None], int]] = [(here, TEXTS), (by_ready, TEXTS), (anew, 1)]
    best = [float("inf")] * len(ways)
    for _ in range(runs):
        best = [min(known, _seconds(way) / texts) for known, (way, texts) in zip(best, ways, strict=True)]
    return Row(name, *(round(seconds * 1_000, 2) for seconds in best))


def _seconds(way: Callable[[], None]) -> float:
    """Of processor time, of this process and all that it started and waited for."""

    def used() -> float:
        both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(each.ru_utime + each.ru_stime for each in both)

    before = used()
    way()
    return used() - before


if __name__ == "__main__":
    raise SystemExit(main())
