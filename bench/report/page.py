"""The page: one file that loads nothing and runs nothing. Its only style is the one below, which its policy names by a hash."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape

from bench.report import plots
from bench.report.blocks import Bars, Block, Lines, Table, shown
from bench.report.whole import PARTS, STATES, Report, Told, overview, source_of, unmeasured
from bench.report.whole import plots as histories
from bench.stale import age

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --faint: #666; --rule: #ddd; --paper: #fff; --bar: #4a7a9c; --over: #b5472f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --faint: #a0a0a0; --rule: #3a3a3a; --paper: #16181a; --bar: #6ba3c8; --over: #e0785f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--rule); } h3 { margin-top: 2rem; }
p.source, p.old { color: var(--faint); font-size: .85rem; } p.old { color: var(--over); }
table { border-collapse: collapse; margin: .8rem 0; font-size: .9rem; } th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid var(--ink); } td { border-bottom: 1px solid var(--rule); } .number { text-align: right; font-variant-numeric: tabular-nums; }
.short { white-space: nowrap; } .wide { overflow-x: auto; } svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; } text { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 3; }
.bar { fill: var(--bar); } .over { fill: var(--over); } .bound { stroke: var(--ink); stroke-dasharray: 4 3; } .level { stroke: var(--rule); }
.lead { stroke: var(--rule); } polyline { fill: none; stroke-width: 1.5; } code { font-size: .9em; }
.line0 { stroke: #4a7a9c; fill: #4a7a9c; } .line1 { stroke: #b5472f; fill: #b5472f; } .line2 { stroke: #5a8a3c; fill: #5a8a3c; }
.line3 { stroke: #8a5aa8; fill: #8a5aa8; } .line4 { stroke: #b08a2e; fill: #b08a2e; } .line5 { stroke: #3c8a80; fill: #3c8a80; }
.line6 { stroke: #a85a7a; fill: #a85a7a; } .line7 { stroke: #777; fill: #777; } polyline.line0, polyline.line1, polyline.line2,
polyline.line3, polyline.line4, polyline.line5, polyline.line6, polyline.line7 { fill: none; }
"""
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
_MARKS = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


def page(whole: Report) -> str:
    """The whole page."""
    parts = [
        f"<h1>Armslength {escape(whole.version)}: results</h1>",
        f"<p>The newest result is of {escape(whole.day)}. Each section says of which commit it is, and on what machine it was measured.</p>",
        drawn(overview(whole)),
        drawn(STATES.replace("*", "")),
        "<h2>What was not measured</h2>",
        "<ul>" + "".join(f"<li>{_prose(each)}</li>" for each in unmeasured(whole)) + "</ul>",
    ]
    for kind, title in PARTS.items():
        parts.append(f"<h2>{escape(title)}</h2>")
        parts += map(_section, whole.of(kind))
    parts.append(
        "<h2>How the figures went</h2><p>Each figure at each measurement that was kept, the oldest on the left, by powers of ten.</p>"
    )
    for title, plot in histories(whole):
        parts += [f"<h3>{escape(title)}</h3>", drawn(plot)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY, quote=True)}">'
        f"<title>Armslength: results</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _section(told: Told) -> str:
    if told.section is None:
        return f"<h3>{escape(told.subject.title)}</h3><p>{escape(told.why_not.capitalize())}.</p>"
    old = [(result, age(told.subject, result)) for result in told.results]
    lines = [
        f'<p class="old"><code>{escape(result.path.name)}</code>: {escape(said)}.</p>' for result, said in old if said
    ]
    return "\n".join(
        [
            f"<h3>{escape(told.section.title)}</h3>",
            f'<p class="source">{_prose(source_of(told))}</p>',
            *lines,
            *map(drawn, told.section.blocks),
        ]
    )


def drawn(block: Block) -> str:
    """A block as HTML."""
    match block:
        case str():
            return f"<p>{_prose(block)}</p>"
        case Table():
            return _table(block)
        case Bars():
            return f'<p class="source">{escape(block.title)}</p>{plots.bars(block)}'
        case Lines():
            return plots.lines(block)


def _table(table: Table) -> str:
    numbers = [
        at > 0 and any(isinstance(each[at], int | float) for each in table.rows) for at in range(len(table.head))
    ]
    lines = [
        _row(table.head, numbers, "th"),
        *(_row([shown(cell) for cell in each], numbers, "td") for each in table.rows),
    ]
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def _row(cells: Sequence[str], numbers: Sequence[bool], tag: str) -> str:
    kinds = [
        "number" if is_number else "short" if len(cell) < 12 else "text"
        for cell, is_number in zip(cells, numbers, strict=True)
    ]
    drawn_cells = (f'<{tag} class="{kind}">{_prose(cell)}</{tag}>' for cell, kind in zip(cells, kinds, strict=True))
    return f"<tr>{''.join(drawn_cells)}</tr>"


def _prose(text: str) -> str:
    """Text with its code and what is bold in it; nothing else is a mark."""
    return _MARKS.sub(
        lambda found: f"<code>{found[1]}</code>" if found[1] else f"<strong>{found[2]}</strong>", escape(text)
    )
