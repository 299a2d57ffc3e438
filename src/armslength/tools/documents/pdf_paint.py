"""What lies under and over the text of a PDF's page, as far as that hides it: filled shapes, pictures, clips.

Shapes are taken for the rectangles around them. What is not looked at: layers that can be switched off, patterns, blending, fonts whose
glyphs show something else than the characters they stand for. In a document's process alone. Source: ISO 32000-2, 8 and 9; pdfium's fpdf_edit.h.
"""

from __future__ import annotations

import ctypes
from ctypes import addressof, byref, c_float, c_int, c_uint
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pypdfium2_raw as pdfium

from armslength.tools.documents.marks import Mark

_MOST_OBJECTS = 200_000
_MOST_PAINTS = 500
_DEEPEST = 8
_LEAST_ALPHA = 25
_LEAST_CONTRAST = 24  # of 255, in the colour that differs most
_SOLID = 255
_MOST_SEGMENTS = 64
_WHITE = (255, 255, 255)
_INVISIBLE = frozenset({pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP})

Colour = tuple[int, int, int]
Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1, 0, 0, 1, 0, 0)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points, y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def under(self, matrix: Matrix) -> Box:
        """The rectangle around it where the matrix puts it."""
        a, b, c, d, e, f = matrix
        xs = [a * x + c * y + e for x in (self.left, self.right) for y in (self.bottom, self.top)]
        ys = [b * x + d * y + f for x in (self.left, self.right) for y in (self.bottom, self.top)]
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class _Paint:
    """Something painted. `colour`: None of what has many. `is_cover`: nothing is seen through it."""

    order: int
    box: Box
    colour: Colour | None
    is_cover: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """A text object: its place in the order, its colour, and where it is clipped to."""

    order: int
    is_invisible: bool
    colour: Colour | None
    clip: Box | None


@dataclass(slots=True)
class Painting:
    """A page's objects in the order in which they are painted."""

    crop: Box
    _texts: dict[int, _Text] = field(default_factory=dict)
    _paints: list[_Paint] = field(default_factory=list)
    _count: int = 0
    is_partial: bool = False
    """There were more objects than are looked at."""

    def mark(self, address: int, x: float, y: float) -> Mark:
        """The mark of text of the object at this address, where its middle is there."""
        if not self.crop.holds(x, y):
            return "hidden"
        text = self._texts.get(address)
        if text is None:
            return ""
        if text.is_invisible or (text.clip is not None and not text.clip.holds(x, y)):
            return "hidden"
        ground: Colour | None = _WHITE
        for paint in self._paints:
            if paint.box.holds(x, y):
                if paint.order > text.order:
                    if paint.is_cover:
                        return "hidden"
                else:
                    ground = paint.colour
        return "hidden" if _is_alike(text.colour, ground) else ""

    def read(self, page: Any) -> None:
        """Take in the page's objects."""
        for at in range(pdfium.FPDFPage_CountObjects(page)):
            self._add(pdfium.FPDFPage_GetObject(page, at), _SAME, 0)

    def _add(self, thing: Any, matrix: Matrix, depth: int) -> None:
        self._count += 1
        if self._count > _MOST_OBJECTS or not thing:
            self.is_partial = True
            return
        match pdfium.FPDFPageObj_GetType(thing):
            case pdfium.FPDF_PAGEOBJ_TEXT:
                self._texts[addressof(thing.contents)] = _text(thing, self._count, has_clip=depth == 0)
            case pdfium.FPDF_PAGEOBJ_FORM if depth < _DEEPEST:
                below = _times(_matrix(thing), matrix)
                for at in range(pdfium.FPDFFormObj_CountObjects(thing)):
                    self._add(pdfium.FPDFFormObj_GetObject(thing, at), below, depth + 1)
            case pdfium.FPDF_PAGEOBJ_PATH if (colour := _filled(thing)) is not None:
                self._paint(thing, matrix, colour, is_cover=_is_rectangle(thing))
            case pdfium.FPDF_PAGEOBJ_IMAGE:
                self._paint(thing, matrix, None, is_cover=not pdfium.FPDFPageObj_HasTransparency(thing))
            case pdfium.FPDF_PAGEOBJ_SHADING:
                self._paint(thing, matrix, None, is_cover=False)
            case _:
                pass

    def _paint(self, thing: Any, matrix: Matrix, colour: Colour | None, *, is_cover: bool) -> None:
        edges = [c_float() for _ in range(4)]
        if len(self._paints) >= _MOST_PAINTS:
            self.is_partial = True
        elif pdfium.FPDFPageObj_GetBounds(thing, *map(byref, edges)):
            box = Box(*(edge.value for edge in edges)).under(matrix)
            self._paints.append(_Paint(self._count, box, colour, is_cover))


def _is_alike(one: Colour | None, other: Colour | None) -> bool:
    if one is None or other is None:
        return False
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < _LEAST_CONTRAST


def _text(thing: Any, order: int, *, has_clip: bool) -> _Text:
    mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
    is_stroked = mode in (pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP)
    found = _colour(thing, pdfium.FPDFPageObj_GetStrokeColor if is_stroked else pdfium.FPDFPageObj_GetFillColor)
    is_clear = found is not None and found[1] < _LEAST_ALPHA
    clip = _clip(thing) if has_clip else None
    return _Text(order, mode in _INVISIBLE or is_clear, None if found is None else found[0], clip)


def _colour(thing: Any, get: Any) -> tuple[Colour, int] | None:
    """Its colour and how solid it is, of 255."""
    parts = [c_uint() for _ in range(4)]
    if not get(thing, *map(byref, parts)):
        return None
    red, green, blue, alpha = (part.value for part in parts)
    return (red, green, blue), alpha


def _filled(path: Any) -> Colour | None:
    """The colour of a path that is filled, and nothing shines through."""
    mode, is_stroked = c_int(), c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, byref(mode), byref(is_stroked)) or not mode.value:
        return None
    found = _colour(path, pdfium.FPDFPageObj_GetFillColor)
    return found[0] if found is not None and found[1] == _SOLID else None


def _is_rectangle(path: Any) -> bool:
    """Four or five corners, each beside or above the one before."""
    points = [
        _point(pdfium.FPDFPath_GetPathSegment(path, at)) for at in range(min(pdfium.FPDFPath_CountSegments(path), 6))
    ]
    return len(points) in (4, 5) and all(
        abs(one[0] - other[0]) < 1 or abs(one[1] - other[1]) < 1 for one, other in pairwise(points)
    )


def _clip(thing: Any) -> Box | None:
    """The rectangle within which an object is seen at most."""
    clip = pdfium.FPDFPageObj_GetClipPath(thing)
    count = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
    box: Box | None = None
    for path in range(min(max(count, 0), _DEEPEST)):
        segments = pdfium.FPDFClipPath_CountPathSegments(clip, path)
        if not 0 < segments <= _MOST_SEGMENTS:
            continue
        points = [_point(pdfium.FPDFClipPath_GetPathSegment(clip, path, at)) for at in range(segments)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        one = Box(min(xs), min(ys), max(xs), max(ys))
        box = one if box is None else _both(box, one)
    return box


def _both(one: Box, other: Box) -> Box:
    return Box(
        max(one.left, other.left),
        max(one.bottom, other.bottom),
        min(one.right, other.right),
        min(one.top, other.top),
    )


def _point(segment: Any) -> tuple[float, float]:
    x, y = c_float(), c_float()
    pdfium.FPDFPathSegment_GetPoint(segment, byref(x), byref(y))
    return x.value, y.value


def _matrix(form: Any) -> Matrix:
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(form, ctypes.pointer(found)):
        return _SAME
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(one: Matrix, other: Matrix) -> Matrix:
    """First `one`, then `other`."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)
