"""HTML from outside as plain text: lines for blocks, `text (URL)` for links, and marks where text was hidden.

Text that a mail program would not show, or not legibly, is kept inside `[hidden text: …]` or `[tiny text: …]`. Comments,
scripts, styles and templates are dropped: no mail program renders them as text. Pages whose parse would be too costly
are read without their structure, and say so. The parser is written in C, so this is for processes that hold nothing else
(`documents.pages` is what all others call). What is looked at in the style is listed in `html_style`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from armslength.tools.text.html_bare import MOST_CHARACTERS, MOST_OUTPUT, note_of_cut, without_structure
from armslength.tools.text.html_style import (
    Change,
    Computed,
    Concealment,
    Element,
    Sheet,
    concealment,
    matching,
    read_sheet,
)

_MOST_DEPTH = 400  # lexbor needs time quadratic in the depth of the tree
_MOST_WORK = (
    4_000_000  # sum of depths over all start tags: bounds the nodes that misnested formatting can multiply into
)
_MOST_ATTRIBUTES = 500  # on one element; lexbor compares each with each
_MOST_CHECKS = 300_000  # rules compared with elements
_MOST_ANCESTORS = 50  # looked at for `a b {…}`
_MOST_QUOTE_DEPTH = 5
_MOST_URL = 2_000

_DROPPED = frozenset({"script", "style", "head", "template", "iframe", "noembed", "noframes", "title", "-comment"})
_BLOCKS = frozenset(
    "address article aside body center dd details dialog div dl dt fieldset figcaption figure footer form header html "
    "legend li main nav ol optgroup option section select summary table tbody tfoot thead tr ul".split()
)
_PARAGRAPHS = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre hr".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_SINGLE = frozenset({"br", "img", "input", "wbr"})
_CELL, _QUOTE, _UNQUOTE = "\x1c", "\x1d", "\x1e"  # taken out of the input first
_NO_MARKS = str.maketrans("", "", _CELL + _QUOTE + _UNQUOTE)
_ROUND = str.maketrans("[]", "()")  # inside a mark, so that its text cannot end it
_SHOWN_SCHEMES = ("http:", "https:", "mailto:", "tel:")


def html_to_text(html: str, leads: Callable[[str], str] = str) -> str:
    """The text of a page or message body, bounded in time and size, for any string. `leads`: where a link of it leads, for its address."""
    html = html.encode("utf-8", "replace").decode("utf-8")
    readable = re.sub("[\x00\x1c-\x1f]", "\ufffd", html[:MOST_CHARACTERS])
    if not _is_affordable(readable):
        return without_structure(html, "too deeply nested to be read as a page: text may have been hidden")
    return _read_tree(readable, leads) + note_of_cut(html)


# --- before parsing ---------------------------------------------------------------------------------------------------

_TAG = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*+>?|</[^a-zA-Z][^>]*+>?"""
    r"""|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?P<attributes>(?:[\s/]++|[^\s/>][^\s/>=]*+"""
    r"""(?:\s*+=\s*+(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*+))?)*+)""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*"|'[^']*'|[^\s>]++))?""")
_CLOSED_BY_NEXT = frozenset("p li td th tr dd dt tbody thead tfoot option optgroup colgroup rt rp".split())
_BARRIERS = frozenset("object applet marquee table caption template svg math select".split())
_RAW = frozenset("script style title textarea xmp iframe noembed noframes plaintext".split())


def _is_affordable(html: str) -> bool:
    """Whether parsing stays cheap: a scan that closes an element only where the parser would too."""
    open_tags: list[str] = []
    work = 0
    for tag in _TAG.finditer(html):
        name = (tag["name"] or "").lower()
        if not name:
            if len(open_tags) > 1 and tag.group().startswith("<![CDATA[") and {"svg", "math"} & set(open_tags):
                return False
            continue
        if tag["end"]:
            _close(open_tags, name)
            continue
        work += len(open_tags)
        attributes = tag["attributes"]
        if len(attributes) > 2 * _MOST_ATTRIBUTES and _has_too_many(attributes):
            return False
        if name not in _VOID and name not in _CLOSED_BY_NEXT:
            open_tags.append(name)
        if len(open_tags) > _MOST_DEPTH or work > _MOST_WORK:
            return False
    return True


def _close(open_tags: list[str], name: str) -> None:
    for at in range(len(open_tags) - 1, -1, -1):
        if open_tags[at] == name:
            del open_tags[at]
            return
        if open_tags[at] in _BARRIERS or open_tags[at] in _RAW:
            return


def _has_too_many(attributes: str) -> bool:
    return sum(1 for _ in islice(_ATTRIBUTE.finditer(attributes), _MOST_ATTRIBUTES + 1)) > _MOST_ATTRIBUTES


# --- the walk ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Writer:
    """The output so far. `size` and `checks` (rules looked at) bound the work."""

    sheet: Sheet
    leads: Callable[[str], str] = str
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    newlines: int = 2
    checks: int = 0
    mark: Concealment = Concealment.NONE

    def block(self, lines: int) -> None:
        """At least this many newlines before what follows."""
        if self.newlines < lines:
            self.line(lines - self.newlines)
            self.newlines = lines

    def line(self, lines: int = 1) -> None:
        """Ends the line, and the mark that is open on it."""
        self._switch(Concealment.NONE)
        self._put("\n" * lines)
        self.newlines += lines

    def text(self, text: str, why: Concealment = Concealment.NONE) -> None:
        """Text that stands on the current line, in a mark if it is concealed."""
        if text.strip(" "):
            self._switch(why)
            self.newlines = 0
        self._put(text.translate(_ROUND) if self.mark is not Concealment.NONE else text)

    def sign(self, sign: str) -> None:
        """A sign of this module's own, not part of the text."""
        self._switch(Concealment.NONE)
        self._put(sign)

    def _switch(self, why: Concealment) -> None:
        if why is self.mark:
            return
        if self.mark is not Concealment.NONE:
            blank = self.pieces and not self.pieces[-1].strip(" ")
            trailing = self.pieces.pop() if blank else ""
            self._put("]" + trailing)
        if why is not Concealment.NONE:
            self._put(f"[{why.value} text: ")
        self.mark = why

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self.size += len(text)


@dataclass(frozen=True, slots=True)
class _Context:
    """What an element inherits: its style and ancestors, whether it stands in `pre`, how deep in quotes."""

    style: Computed
    ancestors: tuple[Element, ...] = ()
    is_pre: bool = False
    quotes: int = 0


@dataclass(frozen=True, slots=True)
class _End:
    """What is written when an element's children are done, in this order."""

    why: Concealment
    link: str = ""
    lines: int = 0
    is_quote: bool = False


_Todo = tuple[LexborNode, _Context] | _End


def _read_tree(html: str, leads: Callable[[str], str]) -> str:
    tree = LexborHTMLParser(html)
    if tree.body is None:
        return ""
    writer = _Writer(read_sheet("\n".join(node.text() for node in tree.css("style"))), leads)
    todo: list[_Todo] = [(tree.body, _Context(Computed()))]
    while todo and writer.size < MOST_OUTPUT:
        match todo.pop():
            case _End() as end:
                _leave(writer, end)
            case (node, context):
                todo += _enter(writer, node, context)
    notes = "\n[cut here: more text follows]" if todo else ""
    notes += "\n[styles were not read to the end: text may have been hidden]" if writer.checks > _MOST_CHECKS else ""
    return _lines("".join(writer.pieces)) + notes


def _enter(writer: _Writer, node: LexborNode, context: _Context) -> list[_Todo]:
    """Writes what stands before the children; returns what is to be done next, last first."""
    if node.is_text_node:
        _write_text(writer, node.text_content or "", context)
        return []
    tag = node.tag or ""
    if tag in _DROPPED or not node.is_element_node:
        return []
    attributes = {name: value or "" for name, value in node.attributes.items()}
    element = Element(tag, attributes.get("id", ""), frozenset(attributes.get("class", "").split()))
    style = context.style.under(tag, attributes, _rules(writer, element, context))
    if tag in _SINGLE:
        _write_single(writer, tag, attributes, concealment(style))
        return []
    inner = _Context(
        style=style,
        ancestors=(*context.ancestors, element)[-_MOST_ANCESTORS:],
        is_pre=context.is_pre or tag == "pre",
        quotes=context.quotes + (tag == "blockquote"),
    )
    end = _open(writer, tag, inner, _target(attributes.get("href", ""), writer.leads) if tag == "a" else "")
    return [end, *((child, inner) for child in _children_backwards(node))]


def _rules(writer: _Writer, element: Element, context: _Context) -> list[Change]:
    if writer.checks > _MOST_CHECKS:
        return []
    rules = writer.sheet.candidates(element)
    writer.checks += len(rules)
    return matching(rules, element, context.ancestors)


def _open(writer: _Writer, tag: str, inner: _Context, link: str) -> _End:
    lines = 2 if tag in _PARAGRAPHS else 1 if tag in _BLOCKS else 0
    writer.block(lines)
    why = concealment(inner.style)
    is_quote = tag == "blockquote" and inner.quotes <= _MOST_QUOTE_DEPTH
    if is_quote:
        writer.sign(_QUOTE)
    elif tag == "li":
        writer.text("- ", why)
        writer.newlines = 2  # a block inside the item starts on its line
    elif tag in ("td", "th"):
        writer.sign(_CELL)
    elif tag == "hr":
        writer.text("---", why)
    return _End(why, link, lines, is_quote)


def _leave(writer: _Writer, end: _End) -> None:
    if end.link:
        writer.text(f" ({end.link})", end.why)
    if end.is_quote:
        writer.sign(_UNQUOTE)
    writer.block(end.lines)


def _write_text(writer: _Writer, text: str, context: _Context) -> None:
    why = concealment(context.style) if text.strip() else Concealment.NONE
    if not context.is_pre:
        text = re.sub(r"[ \t\n\r\f]+", " ", text)
        writer.text(text.lstrip(" ") if writer.newlines else text, why)
        return
    for number, line in enumerate(text.split("\n")):
        if number:
            writer.line()
        writer.text(line, why)


def _write_single(writer: _Writer, tag: str, attributes: dict[str, str], why: Concealment) -> None:
    if tag == "br":
        writer.line()
        return
    alt = " ".join(attributes.get("alt", "").split()).translate(_ROUND)[:_MOST_URL]
    is_pixel = not alt and {attributes.get("width", ""), attributes.get("height", "")} & {"0", "1", "0px", "1px"}
    if tag == "img" and not is_pixel and (alt or why is Concealment.NONE):
        writer.text(f"[image: {alt}]" if alt else "[image]", why)


def _target(href: str, leads: Callable[[str], str]) -> str:
    """Where a link leads: the address of a page or mailbox, or the name of another scheme only."""
    href = re.sub(r"[\x00-\x20]+", "", href)
    if not href or href.startswith("#"):
        return ""
    scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", href)
    if scheme is not None and scheme.group().lower() not in _SHOWN_SCHEMES:
        return f"{scheme.group(1)[:30].lower()} link"
    href = leads(href)
    rest = len(href) - _MOST_URL
    return href[:_MOST_URL] + (f"… {rest} more characters" if rest > 0 else "")


def _children_backwards(node: LexborNode) -> list[LexborNode]:
    children, child = [], node.last_child
    while child is not None:
        children.append(child)
        child = child.prev
    return children


def _lines(text: str) -> str:
    """The lines of the output: cells joined, quotes marked, no more than one empty line in a row."""
    lines: list[str] = []
    depth = 0
    for line in text.split("\n"):
        ended_before = len(line) - len(line.lstrip(_UNQUOTE))
        depth += line.count(_QUOTE) - ended_before
        cells = [cell.strip(" ") for cell in line.replace(_QUOTE, "").replace(_UNQUOTE, "").rstrip().split(_CELL)]
        while cells and not cells[-1]:
            cells.pop()
        while len(cells) > 1 and not cells[0]:
            cells.pop(0)
        shown = line.translate(_NO_MARKS).rstrip() if _CELL not in line else " | ".join(cells)
        if shown or (lines and lines[-1].strip("> ")):
            lines.append(("> " * depth + shown).rstrip(" "))
        depth -= line.count(_UNQUOTE) - ended_before
    return "\n".join(lines).strip("\n")
