"""Pages made of text: the one place where text becomes markup.

Tags and attributes come from an allow-list, every text is cleaned and escaped, and a page has no script, no link, no image, nothing that is
loaded and no style but the one whose hash its own policy names. Whatever is no `Markup` is taken for text.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable
from typing import final

from armslength.agent.approving.display import tame
from armslength.agent.showing.cleaning import clean

_HTML = frozenset(
    "h1 h2 h3 p div span section header footer main table thead tbody tr th td pre ol li b small dl dt dd figure figcaption".split()
)
_SVG = frozenset("svg g rect path text".split())
_ATTRIBUTES = frozenset(
    "class scope colspan role aria-label viewBox x y width height rx d overflow text-anchor".split()
)


@final
class Markup(str):
    """Text that was made into markup here. Nothing else makes one."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | float) -> Markup:
    """An element. Children that are text are tamed; `class_` is `class`, `aria_label` is `aria-label`.

    Raises:
        ValueError: tag or attribute is not in the list.
    """
    if tag not in _HTML | _SVG:
        raise ValueError(f"{tag} is not among the tags of a page")
    written = "".join(_attribute(name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items())
    return Markup(f"<{tag}{written}>{''.join(map(_child, children))}</{tag}>")


def _attribute(name: str, value: str | float) -> str:
    if name not in _ATTRIBUTES:
        raise ValueError(f"{name} is not among the attributes of a page")
    text = tame(value).replace("\n", " ") if isinstance(value, str) else f"{value:g}"
    return f' {name}="{html.escape(text, quote=True)}"'


def _child(child: str) -> str:
    return child if isinstance(child, Markup) else html.escape(tame(child), quote=True)


def joined(children: Iterable[str]) -> Markup:
    """Several as one."""
    return Markup("".join(map(_child, children)))


def drawn(text: str) -> Markup:
    """What the controller drew, with its marks, or what the user or the planner wrote: cleaned and escaped, else as it is."""
    return Markup(html.escape(clean(text), quote=True))


def page(title: str, style: str, body: Markup) -> str:
    """A whole page. Its policy lets nothing be loaded or run, and no style be used but this one."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">\n'
        '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no"><meta name="robots" content="noindex">\n'
        f"<title>{_child(title)}</title>\n<style>{style}</style></head>\n<body>{_child(body)}</body></html>\n"
    )
