"""The picture of a run: from the sources, through the values that were made of them, to the effects and the answer. Drawn as SVG.

Only labels decide where a line goes: a whole one from whoever wrote a value's words, a dashed one from whoever could decide which of several
it is. It is laid out here, by counting columns of text, so that a page needs no script to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from wcwidth import wcwidth

from armslength.agent.approving.display import tame
from armslength.policy.action import as_no_link
from armslength.surfaces.markup import Markup, element
from armslength.surfaces.story import OWN, Story, Words

MOST_SOURCES = 50
"""So many are drawn one by one; of more, those of one kind become one."""
MOST_VALUES = 12
"""Of one effect or answer; the rest become one."""
MOST_ENDS = 40
_WIDTH = 1080
_LEFT, _MIDDLE, _RIGHT = (0, 250), (350, 380), (830, 250)
"""The columns: where each begins and how wide it is."""
_STEP, _BOX = 44, 36
_CHARACTER = 6.4


@dataclass(slots=True)
class _Box:
    head: str
    line: str
    kind: str
    top: float = 0.0

    @property
    def middle(self) -> float:
        return self.top + _BOX / 2


@dataclass(slots=True)
class _Value:
    box: _Box
    wrote: frozenset[str]
    chose: frozenset[str]


@dataclass(slots=True)
class _End:
    box: _Box
    values: list[_Value]
    steered: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Flow:
    sources: dict[str, _Box] = field(default_factory=dict)
    ends: list[_End] = field(default_factory=list)


def draw_flow(story: Story, is_trusted: Callable[[str], bool]) -> Markup:
    """The picture; empty where nothing went anywhere."""
    flow = _Flow(ends=_ends(story))
    named = _names(story, flow.ends)
    if not named:
        return Markup()
    grouped = _grouped(named)
    for name in named:
        group = grouped[name]
        if group not in flow.sources:
            flow.sources[group] = _Box(_shown_source(group), "", "mine" if is_trusted(name) else "others")
        elif not is_trusted(name):
            flow.sources[group].kind = "others"
    height = _place(flow, grouped)
    drawn = [*_lines(flow, grouped), *_boxes(flow)]
    label = f"{len(named)} sources, {sum(len(end.values) for end in flow.ends)} values, {len(flow.ends)} effects and answers"
    return element(
        "svg", *drawn, viewBox=f"0 0 {_WIDTH} {height:g}", width=_WIDTH, height=height, role="img", aria_label=label
    )


def _ends(story: Story) -> list[_End]:
    ends = []
    for effect in story.decided:
        to = "unknown receivers" if effect.receivers is None else ", ".join(effect.receivers)
        status = f"{effect.status}{f' → {to}' if to else ''}"
        box = _Box(f"{effect.tool}, line {effect.line}", status, "done" if effect.status == "done" else "stopped")
        ends.append(_End(box, _values(effect.arguments), frozenset(effect.steered_by)))
    for number, answer in enumerate(story.answers, 1):
        box = _Box("the answer" if len(story.answers) == 1 else f"answer {number}", "to you", "done")
        ends.append(_End(box, _values([words for words in answer if words.text.strip()])))
    if len(ends) <= MOST_ENDS:
        return ends
    more = ends[MOST_ENDS - 1 :]
    rest = _End(
        _Box(f"{len(more)} more", "see the tables below", "stopped"),
        [_together([each for end in more for each in end.values])],
    )
    return [*ends[: MOST_ENDS - 1], rest]


def _values(words: Sequence[Words]) -> list[_Value]:
    made = [
        _Value(
            _Box(each.where or "words", each.text, "others" if each.is_untrusted else "mine"),
            frozenset(each.came_from),
            frozenset(each.steered_by),
        )
        for each in words
    ]
    return made if len(made) <= MOST_VALUES else [*made[: MOST_VALUES - 1], _together(made[MOST_VALUES - 1 :])]


def _together(values: Sequence[_Value]) -> _Value:
    kind = "others" if any(value.box.kind == "others" for value in values) else "mine"
    wrote = frozenset[str]().union(*(value.wrote for value in values))
    chose = frozenset[str]().union(*(value.chose for value in values))
    return _Value(_Box(f"{len(values)} more", "see the tables below", kind), wrote, chose)


def _names(story: Story, ends: Iterable[_End]) -> list[str]:
    """Every source, in the order in which something went from it; what was read and went nowhere comes last."""
    found: dict[str, None] = {}
    for end in ends:
        for value in end.values:
            found |= dict.fromkeys(sorted(value.wrote) + sorted(value.chose))
        found |= dict.fromkeys(sorted(end.steered))
    for read in story.reads:
        found |= dict.fromkeys(read.came_from)
    for reading in story.readings:
        found |= dict.fromkeys(reading.inputs)
    return list(found)


def _grouped(names: Sequence[str]) -> dict[str, str]:
    """Each name with that of its box."""
    if len(names) <= MOST_SOURCES:
        return {name: name for name in names}
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name.partition(":")[0], []).append(name)
    return {
        name: f"{kind}: {len(listed)} sources" if len(listed) > 1 else name
        for kind, listed in kinds.items()
        for name in listed
    }


def _shown_source(name: str) -> str:
    return OWN.get(name) or as_no_link(name)


def _place(flow: _Flow, grouped: dict[str, str]) -> float:
    """Each box gets its height, sources near what came of them; gives that of the whole."""
    at = 30.0
    for end in flow.ends:
        top = at
        for value in end.values:
            value.box.top = at
            at += _STEP
        end.box.top = top + max(len(end.values) - 1, 0) * _STEP / 2
        at = max(at, top + _STEP) + 10
    room = max(at, 30.0 + len(flow.sources) * _STEP)
    gap = max((room - 30.0) / max(len(flow.sources), 1), _STEP)
    for number, box in enumerate(_near_what_came(flow, grouped)):
        box.top = 30.0 + number * gap + (gap - _STEP) / 2
    return room + 6


def _near_what_came(flow: _Flow, grouped: dict[str, str]) -> list[_Box]:
    """By the middle of the values that a source has lines to, so that few lines cross; those that went nowhere last."""
    places: dict[str, list[float]] = {group: [] for group in flow.sources}
    for value in (value for end in flow.ends for value in end.values):
        for name in value.wrote | value.chose:
            places[grouped[name]].append(value.box.top)
    middles = {group: sum(tops) / len(tops) if tops else inf for group, tops in places.items()}
    return [box for _, box in sorted(flow.sources.items(), key=lambda each: middles[each[0]])]


def _lines(flow: _Flow, grouped: dict[str, str]) -> Iterable[Markup]:
    for end in flow.ends:
        for value in end.values:
            for kind, names in (("chose", value.chose - value.wrote), ("wrote", value.wrote)):
                for group in sorted({grouped[name] for name in names}):
                    yield _line(flow.sources[group], _LEFT, value.box, _MIDDLE, f"{kind} {flow.sources[group].kind}")
            yield _line(value.box, _MIDDLE, end.box, _RIGHT, f"wrote {value.box.kind}")


def _line(start: _Box, left: tuple[int, int], end: _Box, right: tuple[int, int], kind: str) -> Markup:
    begin, stop = sum(left), right[0]
    half = (begin + stop) / 2
    path = f"M{begin:g} {start.middle:.1f} C{half:g} {start.middle:.1f} {half:g} {end.middle:.1f} {stop:g} {end.middle:.1f}"
    return element("path", d=path, class_=kind)


def _boxes(flow: _Flow) -> Iterable[Markup]:
    for title, column in (("who", _LEFT), ("what", _MIDDLE), ("to what end", _RIGHT)):
        yield element("text", title, x=column[0], y=14, class_="column")
    for box in flow.sources.values():
        yield _draw(box, _LEFT)
    for end in flow.ends:
        for value in end.values:
            yield _draw(value.box, _MIDDLE)
        yield _draw(end.box, _RIGHT)


def _draw(box: _Box, column: tuple[int, int]) -> Markup:
    left, width = column
    fits = int((width - 20) / _CHARACTER)
    second = [element("text", _cut(box.line, fits), x=10, y=29)] if box.line else []
    return element(
        "svg",
        element("rect", width=width, height=_BOX, rx=6),
        element("text", _cut(box.head, fits), x=10, y=15 if box.line else 22, class_="head"),
        *second,
        x=left,
        y=box.top,
        width=width,
        height=_BOX,
        overflow="hidden",
        class_=f"box {box.kind}",
    )


def _cut(text: str, columns: int) -> str:
    """As much of the first line as fits. It is cleaned here, so that what a mark takes is counted."""
    line = tame(text[: columns * 4]).replace("\n", " ⏎ ")
    taken = 0
    for place, character in enumerate(line):
        taken += max(wcwidth(character), 0)
        if taken > columns:
            return f"{line[: max(place - 1, 0)]}…"
    return line if len(text) <= columns * 4 else f"{line}…"
