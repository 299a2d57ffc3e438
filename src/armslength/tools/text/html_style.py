"""How an element of a message is shown, as far as it can hide text: a small reading of inline style and `<style>` rules.

Looked at: display, visibility, opacity, font-size, color against background-color, mso-hide, zero width or height,
off-screen position, clipping, the `hidden` attribute. Selectors: tag, `.class`, `#id`, their compounds and descendants.
Where rules compete, the hiding one counts, so that text is marked rather than missed. Source: CSS 2.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

Declarations = Mapping[str, str]

_MOST_CSS = 200_000
_MOST_RULES = 2_000
_TINY = 4.0  # px
_FAR = -500.0  # px
_SAME_COLOUR = 24  # sum of the differences of the three channels


class Concealment(Enum):
    """Why an element's text is marked; the value is the word in the mark."""

    NONE = ""
    TINY = "tiny"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Change:
    """What one set of declarations changes: values in lower case, empty where nothing is declared."""

    hides: bool
    font_size: str
    colour: str
    ground: Declarations


@dataclass(frozen=True, slots=True)
class Computed:
    """What an element is shown with. Colours are RGB; None where they cannot be told (an image, a gradient)."""

    is_hidden: bool = False
    font_px: float = 16.0
    colour: tuple[int, int, int] | None = (0, 0, 0)
    background: tuple[int, int, int] | None = (255, 255, 255)

    def under(self, tag: str, attributes: Mapping[str, str], rules: Iterable[Change]) -> Computed:
        """The style of a child element with these attributes and matching rules."""
        inner = self
        if attributes:
            is_hidden = self.is_hidden or "hidden" in attributes or _is_zero_sized(tag, attributes)
            inner = _with_legacy_colours(replace(self, is_hidden=is_hidden), attributes)
            rules = (*rules, read_change(attributes.get("style", "")))
        for change in rules:
            inner = replace(
                inner,
                is_hidden=inner.is_hidden or change.hides,
                font_px=_font_px(change.font_size, self.font_px, inner.font_px),
                colour=_colour(change.colour, inner.colour),
                background=_background(change.ground, inner.background) if change.ground else inner.background,
            )
        return inner


def concealment(style: Computed) -> Concealment:
    """How text directly in an element of this style is concealed; hidden is inherited, size and colour may change."""
    if style.is_hidden or style.font_px < 0.5:
        return Concealment.HIDDEN
    if style.colour is not None and style.background is not None:
        distance = sum(abs(a - b) for a, b in zip(style.colour, style.background, strict=True))
        if distance <= _SAME_COLOUR:
            return Concealment.HIDDEN
    return Concealment.TINY if style.font_px < _TINY else Concealment.NONE


# --- declarations -----------------------------------------------------------------------------------------------------


def read_change(css: str) -> Change:
    """What `a: b; c: d` changes; comments, letter case and `!important` do not matter. Never raises."""
    declared: dict[str, str] = {}
    for part in re.sub(r"/\*.*?(?:\*/|\Z)", "", css[:_MOST_CSS], flags=re.DOTALL).lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            declared[name.strip()] = value.replace("!important", "").strip()
    ground = {name: value for name, value in declared.items() if name.startswith("background")}
    return Change(_hides(declared), declared.get("font-size", ""), declared.get("color", ""), ground)


def _hides(style: Declarations) -> bool:
    shows = style.get
    if shows("display") == "none" or shows("visibility") in ("hidden", "collapse") or shows("mso-hide") == "all":
        return True
    if shows("content-visibility") == "hidden" or _is_at_most(shows("opacity", ""), 0.1):
        return True
    if re.search(r"opacity\(\s*0*\.?0*%?\s*\)", shows("filter", "")) or _is_clipped(style):
        return True
    if any(_is_at_most(shows(name, ""), 0) for name in ("width", "height", "max-width", "max-height")):
        return True
    if re.search(r"scale[xy]?\(\s*0(?:\.0*)?\s*[,)]", shows("transform", "")):
        return True
    places = ["text-indent", "margin", "margin-left", "margin-top", "transform"]
    if shows("position") in ("absolute", "fixed", "relative"):
        places += ["left", "right", "top", "bottom", "inset"]
    return any(px <= _FAR for name in places for px in _lengths(shows(name, "")))


def _is_clipped(style: Declarations) -> bool:
    clip, path = style.get("clip", ""), style.get("clip-path", "")
    if clip.startswith("rect") and all(px <= 1 for px in _lengths(clip) or [1.0]) and "auto" not in clip:
        return True
    return bool(
        re.match(r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0|polygon\(\s*0[a-z]*(?:\s+0[a-z]*)?\s*\)", path)
    )


def _is_zero_sized(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag in ("td", "th", "table", "tr", "col", "img", "hr"):  # there `width=0` is a layout habit that clips nothing
        return False
    return any(_is_at_most(attributes.get(name, ""), 0) for name in ("width", "height"))


_NUMBER = r"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})"
_LENGTH = re.compile(rf"({_NUMBER})\s*(px|pt|pc|em|rem|ex|ch|vw|vh|vmin|vmax|in|cm|mm|q|%)?(?![a-z0-9])")
_PX = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "vw": 10.0, "vh": 8.0,
    "vmin": 8.0, "vmax": 10.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "%": 10.0,
}  # fmt: skip


def _lengths(value: str) -> list[float]:
    """The lengths in a value in px, relative units taken at a usual window and font."""
    return [float(number) * _PX.get(unit or "px", 1.0) for number, unit in _LENGTH.findall(value[:200])]


def _is_at_most(value: str, most: float) -> bool:
    number = re.fullmatch(rf"({_NUMBER})\s*([a-z]*|%)", value)
    return number is not None and float(number.group(1)) * (0.01 if number.group(2) == "%" else 1.0) <= most


_FONT_WORDS = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0}


def _font_px(value: str, parent: float, otherwise: float) -> float:
    if value in _FONT_WORDS:
        return _FONT_WORDS[value]
    match = _LENGTH.match(value)
    if match is None:
        return otherwise
    number, unit = float(match.group(1)), match.group(2) or "px"
    match unit:
        case "em":
            return number * parent
        case "%":
            return number * parent / 100
        case "ex" | "ch":
            return number * parent / 2
        case _:
            return number * _PX[unit]


# --- colours ----------------------------------------------------------------------------------------------------------

_NAMED = {
    "white": (255, 255, 255), "black": (0, 0, 0), "red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255),
    "yellow": (255, 255, 0), "gray": (128, 128, 128), "grey": (128, 128, 128), "silver": (192, 192, 192),
    "lightgray": (211, 211, 211), "lightgrey": (211, 211, 211), "whitesmoke": (245, 245, 245),
    "snow": (255, 250, 250), "ivory": (255, 255, 240), "navy": (0, 0, 128), "orange": (255, 165, 0),
    "ghostwhite": (248, 248, 255), "floralwhite": (255, 250, 240), "azure": (240, 255, 255),
    "mintcream": (245, 255, 250), "aliceblue": (240, 248, 255), "gainsboro": (220, 220, 220),
}  # fmt: skip


def _rgb(value: str) -> tuple[int, int, int] | None:
    if value in _NAMED:
        return _NAMED[value]
    if short := re.fullmatch(r"#?([0-9a-f]{3,4})", value):
        return _from_hex("".join(digit * 2 for digit in short.group(1)))
    if long := re.fullmatch(r"#?([0-9a-f]{6}(?:[0-9a-f]{2})?)", value):
        return _from_hex(long.group(1))
    parts = re.findall(rf"({_NUMBER})(%?)", value[:100]) if value.startswith("rgb") else []
    if len(parts) < 3:
        return None
    red, green, blue = (min(255, max(0, round(float(n) * (2.55 if unit else 1)))) for n, unit in parts[:3])
    return red, green, blue


def _from_hex(digits: str) -> tuple[int, int, int]:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _is_transparent(value: str) -> bool:
    if value == "transparent" or re.fullmatch(r"#[0-9a-f]{3}0|#[0-9a-f]{6}0[0-9a-f]", value):
        return True
    alpha = re.match(rf"(?:rgb|hsl)a?\([^)]*[,/]\s*({_NUMBER})%?\s*\)", value[:100])
    is_four = alpha is not None and (value.count(",") == 3 or "/" in value)
    return alpha is not None and is_four and float(alpha.group(1)) <= 0.1


def _colour(value: str, otherwise: tuple[int, int, int] | None) -> tuple[int, int, int] | None:
    if not value or value in ("inherit", "currentcolor", "unset", "initial"):
        return otherwise
    return _rgb(value)


def _background(style: Declarations, otherwise: tuple[int, int, int] | None) -> tuple[int, int, int] | None:
    whole = style.get("background", "")
    if "(" in whole.replace("rgb(", "").replace("rgba(", "") or style.get("background-image", "none") != "none":
        return None
    for value in (style.get("background-color", ""), whole.partition(")")[0] + ")" if "(" in whole else whole):
        if not value or value in ("none", "inherit", "initial", "unset", "0") or _is_transparent(value):
            continue
        return _rgb(value) if value.startswith("rgb") else _rgb(value.split()[0])
    return otherwise


def _with_legacy_colours(style: Computed, attributes: Mapping[str, str]) -> Computed:
    colour = attributes.get("color") or attributes.get("text") or ""
    ground = attributes.get("bgcolor", "")
    return replace(
        style,
        colour=_colour(colour.strip().lower(), style.colour),
        background=None if attributes.get("background") else _colour(ground.strip().lower(), style.background),
    )


# --- rules ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Element:
    """What selectors look at."""

    tag: str
    id: str
    classes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Compound:
    """One step of a selector: all of tag, id and classes have to match."""

    tag: str
    id: str
    classes: frozenset[str]

    def matches(self, element: Element) -> bool:
        """Whether an element has all of them."""
        return self.tag in ("", element.tag) and self.id in ("", element.id) and self.classes <= element.classes


@dataclass(frozen=True, slots=True)
class Rule:
    """A selector, outermost step first, and what it changes."""

    steps: tuple[_Compound, ...]
    change: Change


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of a page, by what their last step asks for (`#id`, `.class`, `tag` or `*`)."""

    rules: Mapping[str, list[Rule]] = field(default_factory=dict)

    def candidates(self, element: Element) -> list[Rule]:
        """The rules whose last step may match; at most all of them."""
        keys = ("*", element.tag, f"#{element.id}", *(f".{name}" for name in sorted(element.classes)[:50]))
        return [rule for key in keys for rule in self.rules.get(key, ())]


def matching(rules: list[Rule], element: Element, ancestors: tuple[Element, ...]) -> list[Change]:
    """What the rules that match change; `ancestors` are the nearest ones, outermost first."""
    return [rule.change for rule in rules if rule.steps[-1].matches(element) and _descends(rule.steps[:-1], ancestors)]


def _descends(steps: tuple[_Compound, ...], ancestors: tuple[Element, ...]) -> bool:
    left = list(steps)
    for ancestor in reversed(ancestors):
        if left and left[-1].matches(ancestor):
            left.pop()
    return not left


_COMPOUND = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_SMALL_SCREEN = re.compile(r"max-(?:device-)?width\s*:\s*(\d+)")
_INTERESTING = re.compile(
    r"display|visib|opacity|font-size|color|background|mso-hide|width|height|indent|margin|clip|left|top|right|bottom|"
    r"inset|transform|filter"
)


def read_sheet(css: str) -> Sheet:
    """The rules that can hide; those for print or for small screens only are left out. Never raises."""
    css = re.sub(r"/\*.*?(?:\*/|\Z)|<!--|-->", "", css[:_MOST_CSS], flags=re.DOTALL)
    rules: dict[str, list[Rule]] = {}
    selectors, count, skipping = "", 0, 0  # `skipping`: braces open since an at-rule that does not apply
    parts = re.split(r"([{}])", css)
    for text, brace in zip(parts[::2], parts[1::2], strict=False):
        if skipping:
            skipping += 1 if brace == "{" else -1
        elif brace == "{" and text.strip().startswith("@"):
            skipping = 0 if _applies(text) else 1
        elif brace == "{":
            selectors = text.rpartition(";")[2]
        elif selectors:
            if _INTERESTING.search(text.lower()) and count < _MOST_RULES:
                count += _add(rules, selectors, read_change(text))
            selectors = ""
    return Sheet(rules)


def _applies(at_rule: str) -> bool:
    query = at_rule.lower()
    if "@media" not in query:
        return "@supports" in query or "@layer" in query
    widths = [int(px[:9]) for px in _SMALL_SCREEN.findall(query)]
    return not (re.search(r"@media\s+(?:only\s+)?print|prefers-", query) or (widths and min(widths) < 1000))


def _add(rules: dict[str, list[Rule]], selectors: str, change: Change) -> int:
    count = 0
    for selector in selectors.split(",")[:50]:
        steps = [_COMPOUND.fullmatch(step) for step in re.split(r"[\s>]+", selector.strip())[:20]]
        if not steps or any(step is None or not step.group() for step in steps):
            continue
        compounds = tuple(_compound(step) for step in steps if step is not None)
        last = compounds[-1]
        key = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag or "*"
        rules.setdefault(key, []).append(Rule(compounds, change))
        count += 1
    return count


def _compound(step: re.Match[str]) -> _Compound:
    names = re.findall(r"([.#])([\w-]+)", step.group(2))
    return _Compound(
        tag="" if step.group(1) in (None, "*") else step.group(1).lower(),
        id=next((name for kind, name in names if kind == "#"), ""),
        classes=frozenset(name for kind, name in names if kind == "."),
    )
