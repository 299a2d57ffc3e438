"""The pages as HTML. Text is escaped here, all of it, and there is no script: a plain form works everywhere.

Every line of every item lies in the flow of the page, wrapped where it is too wide; what accepts something stands behind the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from armslength.agent.approving.approval import Item, Screen
from armslength.agent.showing.cleaning import clean, clean_line
from armslength.surfaces.choosing import styled_lines

STYLE = """\
:root { color-scheme: light dark; --ink: #1c2330; --paper: #fbfaf7; --line: #c9c4b8; --theirs: #7a4a00; --goes: #a31515; --comes: #136c2e;
  --warn: #b00020; --soft: #f1eee6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #14171c; --line: #3b414b; --theirs: #e0b060; --goes: #ff8080;
  --comes: #7fd090; --warn: #ff6b7d; --soft: #1c2129; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
p { margin: .3rem 0 1.2rem; }
section, fieldset { border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); margin: 0 0 1.2rem; padding: .9rem 1rem; }
.line { display: block; font: 14px/1.55 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.55em;
  direction: ltr; unicode-bidi: isolate; text-align: left; padding-left: 2ch; text-indent: -2ch; }
.title { font-weight: 700; font-size: 15px; }
.theirs { color: var(--theirs); }
.goes { color: var(--goes); }
.comes { color: var(--comes); }
.warning { color: var(--warn); font-weight: 700; }
label { display: block; padding: .25rem 0 .25rem 1.8rem; text-indent: -1.8rem; overflow-wrap: anywhere; }
label.offer { margin-left: 1.8rem; }
legend { font-weight: 700; padding: 0 .4rem; }
button { font: inherit; padding: .5rem 1.1rem; margin: .6rem .6rem 0 0; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--paper); color: var(--ink); cursor: pointer; }
button.yes { border-color: var(--comes); color: var(--comes); font-weight: 700; }
"""


def draw_page(screen: Screen, path: str, mark: str) -> str:
    """The screen with its form. `mark` goes back with the answer, to `path`."""
    first, *rest = screen.head.split("\n")
    sections = "".join(f"<section>{_lines(item)}</section>\n" for item in screen.items)
    choices = "".join(_choice(number, item, _needed(screen, item)) for number, item in enumerate(screen.items, 1))
    return _whole(
        first,
        f"<p>{'<br>'.join(map(_text, rest))}</p>\n{sections}"
        f'<form method="post" action="{escape(path)}" autocomplete="off"><input type="hidden" name="mark" value="{escape(mark)}">\n'
        f"<fieldset><legend>This is the end of what is asked. What do you allow?</legend>\n{choices}</fieldset>\n"
        '<button name="say" value="none">Refuse all</button>\n'
        '<button name="say" value="some">Allow what is ticked</button>\n'
        '<button class="yes" name="say" value="all">Allow all</button>\n</form>',
    )


def draw_notice(title: str, text: str) -> str:
    """A page that says one thing."""
    return _whole(title, f"<p>{_text(text)}</p>")


def draw_entrance(path: str) -> str:
    """What the link gives: it sets the cookie, and goes on from this page itself to `path`, so that browsers send the cookie."""
    there = escape(path)
    return _whole(
        "Your yes is needed",
        f'<p><a href="{there}">Show what is asked</a></p>',
        f'<meta http-equiv="refresh" content="0;url={there}">',
    )


def _whole(title: str, body: str, head: str = "") -> str:
    return (
        '<!doctype html>\n<html lang="en" dir="ltr" translate="no"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">{head}<title>armslength</title>'
        f'<link rel="stylesheet" href="/style.css"></head>\n<body><h1>{_text(title)}</h1>\n{body}\n</body></html>\n'
    )


def _lines(item: Item) -> str:
    return "".join(f'<span class="line {style}">{_text(line)}</span>' for style, line in _drawn(item))


def _drawn(item: Item) -> Iterator[tuple[str, str]]:
    yield from styled_lines(clean(item.text).rstrip("\n").split("\n"))


def _needed(screen: Screen, item: Item) -> str:
    """The numbers of the items that this one needs, in words."""
    numbers = [str(number) for number, other in enumerate(screen.items, 1) if other.digest in item.needs]
    return f" (not without {', '.join(numbers)})" if numbers else ""


def _choice(number: int, item: Item, needed: str) -> str:
    title = _text(item.text.split("\n", 1)[0]) + needed
    whole = f'<label><input type="checkbox" name="accept" value="{number}"> {title}</label>\n'
    for place, offer in enumerate(item.offers, 1):
        line = _text(offer.line)
        whole += (
            f'<label class="offer"><input type="checkbox" name="take" value="{number}.{place}"> and {line}</label>\n'
        )
    return whole


def _text(text: str) -> str:
    return escape(clean_line(text), quote=True)
