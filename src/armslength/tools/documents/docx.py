"""DOCX as lines: paragraphs and rows of tables, with what is hidden, deleted, noted and commented, each marked.

Pages are those that the program which saved it last broke, if it said so. What lies outside the document is named and never loaded.
Source: ISO/IEC 29500-1, 17 (WordprocessingML); the names of elements are its.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from armslength.tools.documents.archive import Attributes, Handlers, Package, parse
from armslength.tools.documents.marks import Mark, Marked
from armslength.tools.documents.wire import Failed, Output, Reader

_BODY = "word/document.xml"
_ASIDE = re.compile(r"word/(header|footer|footnotes|endnotes|comments)\d*\.xml")
_OFF = frozenset({"0", "false", "off"})
_WHITE, _NO_FILL = frozenset({"ffffff", "fefefe"}), frozenset({"", "auto", "ffffff"})
_TINY = 8  # half points
_FIELDS = re.compile(r"\b(DDE|DDEAUTO|INCLUDETEXT|INCLUDEPICTURE|LINK|IMPORT)\b")
_MOST_STYLES, _MOST_LINKS, _LONGEST_LINK = 5_000, 20_000, 2_000
_MOST_BASES = 20
_DEFAULTS = "\0defaults"


@dataclass(frozen=True, slots=True)
class _Look:
    """How text is shown, as far as it hides it; None: as what it stands in says."""

    is_hidden: bool | None = None
    is_white: bool | None = None
    is_tiny: bool | None = None
    has_ground: bool | None = None

    def over(self, below: _Look) -> _Look:
        """This, and where it says nothing what is below."""
        return _Look(
            below.is_hidden if self.is_hidden is None else self.is_hidden,
            below.is_white if self.is_white is None else self.is_white,
            below.is_tiny if self.is_tiny is None else self.is_tiny,
            below.has_ground if self.has_ground is None else self.has_ground,
        )

    @property
    def mark(self) -> Mark:
        """What text that looks so is marked with."""
        if self.is_hidden or (self.is_white and not self.has_ground):
            return "hidden"
        return "tiny" if self.is_tiny else ""


def _with(look: _Look, name: str, attributes: Attributes) -> _Look:
    """The look, with what a property of a run, paragraph or cell says."""
    value = attributes.get("main val", "").lower()
    match name:
        case "main vanish" | "main specVanish":
            return replace(look, is_hidden=value not in _OFF)
        case "main color":
            return replace(look, is_white=value in _WHITE)
        case "main sz":
            return replace(look, is_tiny=value.isdecimal() and int(value[:6]) < _TINY)
        case "main shd":
            return replace(look, has_ground=attributes.get("main fill", "").lower() not in _NO_FILL)
        case "main highlight":
            return replace(look, has_ground=value not in ("none", "white", ""))
        case _:
            return look


class _Styles:
    """The looks of the styles, by their ids."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[_Look, str]] = {}
        self._now = ""
        self._usual = ""

    def begin(self, name: str, attributes: Attributes) -> None:
        """An element of word/styles.xml."""
        match name:
            case "main docDefaults":
                self._now = _DEFAULTS
                self._found[self._now] = (_Look(), "")
            case "main style":
                self._now = attributes.get("main styleId", "") if len(self._found) < _MOST_STYLES else ""
                self._found[self._now] = (_Look(), "")
                if attributes.get("main type") == "paragraph" and attributes.get("main default", "0") not in _OFF:
                    self._usual = self._now
            case "main basedOn" if self._now:
                self._found[self._now] = (self._found[self._now][0], attributes.get("main val", ""))
            case _ if self._now:
                look, base = self._found[self._now]
                self._found[self._now] = (_with(look, name, attributes), base)
            case _:
                pass

    def end(self, name: str) -> None:
        """The end of one."""
        if name in ("main style", "main docDefaults"):
            self._now = ""

    @property
    def usual(self) -> _Look:
        """How text looks of which nothing is said."""
        return self.look(self._usual).over(self.look(_DEFAULTS))

    def look(self, style: str) -> _Look:
        """That of a style, with those that it is based on."""
        look = _Look()
        for _ in range(_MOST_BASES):
            if style not in self._found:
                break
            own, style = self._found[style]
            look = look.over(own)
        return look


@dataclass(slots=True)
class _Links:
    """Where references lead that leave the document, by their ids. `loads`: something other than a link is among them."""

    targets: dict[str, str] = field(default_factory=dict)
    loads: bool = False

    def begin(self, name: str, attributes: Attributes) -> None:
        """An element of a part of relationships."""
        if name.endswith(" Relationship") and attributes.get("TargetMode") == "External":
            if attributes.get("Type", "").endswith("/hyperlink"):
                if len(self.targets) < _MOST_LINKS:
                    self.targets[attributes.get("Id", "")] = attributes.get("Target", "")[:_LONGEST_LINK]
            else:
                self.loads = True


class _Body:
    """Reads one part with text: elements come in, lines go out."""

    def __init__(self, output: Output, styles: _Styles, links: _Links, kind: str = "") -> None:
        """`kind`: `header`, `footnotes` and so on; nothing for the body, which alone has pages."""
        self._output, self._styles, self._links, self._kind = output, styles, links, kind
        self._line, self._page = Marked(), 1
        self._usual = styles.usual
        self._paragraphs, self._runs, self._grounds = [_Look()], [_Look()], [_Look()]  # those that are open
        self._cells: list[list[str]] = []  # of the rows that are open
        self._deletions = self._fallbacks = 0
        self._is_text = self._is_code = self._is_fresh = False
        self._hrefs: list[str] = []
        self._label = ""
        self._code = Marked()
        self.has_changes = self.has_fields = self.has_chunks = False

    def begin(self, name: str, attributes: Attributes) -> None:
        """An element begins."""
        if name.endswith(" Fallback"):
            self._fallbacks += 1
        if self._fallbacks:
            return
        match name:
            case "main p":
                self._paragraphs.append(_Look())
            case "main r":
                self._runs.append(_Look())
            case "main pStyle":
                self._paragraphs[-1] = self._paragraphs[-1].over(self._styles.look(attributes.get("main val", "")))
            case "main rStyle":
                self._runs[-1] = self._runs[-1].over(self._styles.look(attributes.get("main val", "")))
            case "main t" | "main delText" | "math t":
                self._is_text = True
            case "main instrText":
                self._is_code = True
            case "main tr":
                self._cells.append([])
            case "main tc":
                self._grounds.append(_Look())
                if self._cells:
                    self._cells[-1].append("")
            case "main altChunk":
                self.has_chunks = True
            case _:
                self._begin_other(name, attributes)

    def _begin_other(self, name: str, attributes: Attributes) -> None:
        match name:
            case "main del" | "main moveFrom":
                self._deletions, self.has_changes = self._deletions + 1, True
            case "main ins" | "main moveTo":
                self.has_changes = True
            case "main tab" if len(self._runs) > 1:
                self._put("\t")
            case "main br" if attributes.get("main type") == "page":
                self._break_page()
            case "main lastRenderedPageBreak":
                self._break_page()
            case "main br" | "main cr":
                self._end_line()
            case "main noBreakHyphen":
                self._put("-")
            case "main sym":
                self._put("\ufffd")
            case "main hyperlink":
                self._hrefs.append(self._links.targets.get(attributes.get("relationships id", ""), ""))
            case "main fldSimple":
                self._hear_code(attributes.get("main instr", ""))
            case "main comment":
                self._label = f"comment by {attributes.get('main author', '')[:100] or 'nobody'}"
            case "main footnote" | "main endnote":
                self._label = f"{name.removeprefix('main ')} {attributes.get('main id', '')[:10]}"
            case _ if len(self._runs) > 1:
                self._runs[-1] = _with(self._runs[-1], name, attributes)
            case "main shd":
                within = self._paragraphs if len(self._paragraphs) > 1 else self._grounds
                within[-1] = _with(within[-1], name, attributes)
            case _:
                pass

    def end(self, name: str) -> None:
        """An element ends."""
        if name.endswith(" Fallback"):
            self._fallbacks = max(self._fallbacks - 1, 0)
        if self._fallbacks:
            return
        match name:
            case "main t" | "main delText" | "math t":
                self._is_text = False
            case "main instrText":
                self._is_code = False
                self._hear_code(self._code.take())
            case "main r":
                self._runs[1:] = self._runs[1:-1]
            case "main p":
                self._end_line()
                self._paragraphs[1:] = self._paragraphs[1:-1]
            case "main del" | "main moveFrom":
                self._deletions = max(self._deletions - 1, 0)
            case "main hyperlink" if self._hrefs:
                if href := self._hrefs.pop():
                    self._line.add(f" ({href})")
            case "main tc":
                self._grounds[1:] = self._grounds[1:-1]
            case "main tr" if self._cells:
                self._end_row(" | ".join(self._cells.pop()))
            case _:
                pass

    def text(self, text: str) -> None:
        """Characters."""
        if self._fallbacks:
            return
        if self._is_text:
            self._put(text)
        elif self._is_code:
            self._code.add(text)

    def _put(self, text: str) -> None:
        look = self._runs[-1].over(self._paragraphs[-1]).over(self._grounds[-1]).over(self._usual)
        self._is_fresh = False
        self._line.add(text, "deleted" if self._deletions else look.mark)

    def _hear_code(self, code: str) -> None:
        self.has_fields = self.has_fields or _FIELDS.search(code.upper()) is not None

    def _end_line(self) -> None:
        text = self._line.take()
        if self._cells and self._cells[-1]:
            before = self._cells[-1][-1]
            self._cells[-1][-1] = f"{before} {text}".strip()
        else:
            self._put_line(text)

    def _end_row(self, row: str) -> None:
        if self._cells and self._cells[-1]:  # a table in a cell
            self._cells[-1][-1] = f"{self._cells[-1][-1]} {row}".strip()
        else:
            self._put_line(row)

    def _put_line(self, text: str) -> None:
        if not self._kind:
            self._output.line(text)
        elif text.strip():
            self._output.line(f"[{self._label or self._kind}: {text}]")

    def _break_page(self) -> None:
        """A break that is followed at once by the place where it was last broken is one."""
        if self._kind or self._is_fresh:
            return
        if not self._cells:
            text = self._line.take()
            if text:
                self._output.line(text)
        self._page, self._is_fresh = self._page + 1, True
        self._output.page(self._page)


def read_docx(content: bytes, charset: str, output: Output) -> None:
    """The body, page by page, and after it headers, footers, notes and comments, each line in a mark."""
    package = Package(content)
    if _BODY not in package.names or "[content_types].xml" not in package.names:
        raise Failed("other archive")
    styles, links = _Styles(), _Links()
    parse_if_there(package, "word/styles.xml", Handlers(styles.begin, styles.end, _nothing))
    for name in (each for each in package.names if each.startswith("word/_rels/")):
        parse_if_there(package, name, Handlers(links.begin, _nothing, _nothing))
    body = _Body(output, styles, links)
    parse(package.unpacked(_BODY), Handlers(body.begin, body.end, body.text))
    asides = [body]
    for name in package.names:
        if (found := _ASIDE.fullmatch(name)) is not None:
            aside = _Body(output, styles, links, found[1])
            parse(package.unpacked(name), Handlers(aside.begin, aside.end, aside.text))
            asides.append(aside)
    for note in _notes(package, links, asides):
        output.note(note)


def parse_if_there(package: Package, name: str, handlers: Handlers) -> None:
    """Read a part that a document may do without."""
    if name in package.names:
        parse(package.unpacked(name), handlers)


def _nothing(*_heard: object) -> None:
    pass


def _notes(package: Package, links: _Links, bodies: list[_Body]) -> Iterator[str]:
    if any(each.has_changes for each in bodies):
        yield "it has changes that were not accepted: what was put in stands in the text, what was taken out is marked"
    if any(each.has_fields for each in bodies):
        yield "it has fields that would load something; nothing was loaded"
    if links.loads:
        yield "it refers to files outside it, which were not loaded"
    if any(each.has_chunks for each in bodies):
        yield "it holds a document of another kind in its text, which was not read"
    if any(name.endswith("vbaproject.bin") for name in package.names):
        yield "it holds macros, which were not run"
    embedded = [name.rpartition("/")[2] for name in package.names if name.startswith("word/embeddings/")]
    if embedded:
        yield f"it holds other files, which were not read: {', '.join(embedded[:10])}"


READERS: dict[str, Reader] = {"docx": read_docx}
