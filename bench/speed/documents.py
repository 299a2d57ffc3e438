"""What a document costs in a process of its own: `python -m bench.speed.documents`.

Processor time of this process and those it started, within limits and seccomp. A start is that of a text of one word, by an empty program under the same Python; pages
are those of a PDF of forty lines each, by the same reader in this process, and of a DOCX of as many paragraphs. What bubblewrap adds is told on the wall, since the
system counts what it started for nobody. Done in turn, the best of each counts.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from time import perf_counter

from armslength.tools.documents.confinement import USUAL
from armslength.tools.documents.document import Kind
from armslength.tools.documents.process import Job, Walls, carried_out, walls
from armslength.tools.documents.wire import Output
from bench.commit import Taken, offer_place

PAGES = 100
_LINES = 40
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@dataclass(frozen=True, slots=True)
class Row:
    """One document, one way: seconds of processor time, or on the wall, and those by what it is compared with, `base`."""

    name: str
    seconds: float
    ratio: float
    base: str
    is_wall: bool = False


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.documents", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=7, help="how often each is read; the best counts")
    offer_place(parser)
    given = parser.parse_args(argv)
    taken = Taken("documents")
    rows = measured(given.runs)
    for row in rows:
        how = "on the wall" if row.is_wall else ""
        print(f"{row.name:46} {row.seconds:7.3f} s {row.ratio:6.2f} of {row.base} {how}")
    if not given.dry:
        found = {"runs": given.runs, "pages": PAGES, "rows": [asdict(row) for row in rows]}
        print(f"written to {taken.write(found, given.json)}")
    return 0


def measured(runs: int) -> list[Row]:
    """All rows: starts by the empty program, documents by the same reader in this process."""
    both = walls()
    alone = Walls(both.program)
    pdf, docx = pdf_of(PAGES), docx_of(PAGES)
    actions: dict[str, tuple[Callable[[], object], str]] = {
        _EMPTY: (lambda: subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True), _EMPTY),
        _WORD_ALONE: (lambda: _read("text", b"word", alone), _EMPTY),
        "a PDF of one line": (lambda: _read("pdf", pdf_of(1, 1), alone), _EMPTY),
        "a DOCX of one page": (lambda: _read("docx", docx_of(1), alone), _EMPTY),
        _PDF_HERE: (lambda: _read_here("pdf", pdf), _PDF_HERE),
        f"a PDF of {PAGES} pages": (lambda: _read("pdf", pdf, alone), _PDF_HERE),
        _DOCX_HERE: (lambda: _read_here("docx", docx), _DOCX_HERE),
        f"a DOCX of {PAGES} pages": (lambda: _read("docx", docx, alone), _DOCX_HERE),
        _WORD_WRAPPED: (lambda: _read("text", b"word", both), _WORD_ALONE),
    }
    best = {name: (float("inf"), float("inf")) for name in actions}
    for at in range(runs + 1):
        for name, (action, _) in actions.items():
            processor, wall = _seconds(action)
            if at:  # the first time all is compiled and loaded
                best[name] = min(best[name][0], processor), min(best[name][1], wall)
    rows = []
    for name, (_, base) in actions.items():
        is_wall = name == _WORD_WRAPPED
        seconds = best[name][is_wall]
        rows.append(Row(name, round(seconds, 4), round(seconds / best[base][is_wall], 2), base, is_wall))
    return rows


_EMPTY = "an empty program"
_WORD_ALONE = "a text of one word"
_WORD_WRAPPED = "the same within bubblewrap"
_PDF_HERE = f"a PDF of {PAGES} pages, in this process"
_DOCX_HERE = f"a DOCX of {PAGES} pages, in this process"


def _read(kind: Kind, content: bytes, around: Walls) -> None:
    ended = carried_out(Job(content, kind, "", USUAL), around)
    if not ended.received.is_whole:
        raise RuntimeError(f"the {kind} of this measurement was not read")


def _read_here(kind: Kind, content: bytes) -> None:
    from armslength.tools.documents import docx, pdf

    readers = {**pdf.READERS, **docx.READERS}
    readers[kind](content, "", Output(lambda _frame: None))


def _seconds(action: Callable[[], object]) -> tuple[float, float]:
    before, started = _processor(), perf_counter()
    action()
    return _processor() - before, perf_counter() - started


def _processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def pdf_of(pages: int, lines: int = _LINES) -> bytes:
    """A PDF of so many pages of text."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(pages))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at in range(pages):
        text = " ".join(f"({_line(at, line)}) '" for line in range(lines))
        stream = f"BT /F1 10 Tf 12 TL 50 750 Td {text} ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    body, places = "%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(places) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode("ascii")


def docx_of(pages: int) -> bytes:
    """A DOCX of so many pages of paragraphs."""
    body = "".join(
        f"<w:p><w:r><w:t>{_line(page, line)}</w:t></w:r></w:p>" for page in range(pages) for line in range(_LINES)
    )
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>')
    return made.getvalue()


def _line(page: int, line: int) -> str:
    return f"Line {line} of page {page}, with as many words on it as a letter has"


if __name__ == "__main__":
    sys.exit(main())
