"""A run as one page: everything that its story has, in HTML that does nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from armslength.labels import SATURATED
from armslength.policy.action import in_line
from armslength.surfaces.markup import Markup, drawn, element, joined, page
from armslength.surfaces.picture import draw_flow
from armslength.surfaces.reports import NOT_ALL_DONE
from armslength.surfaces.run_style import STYLE
from armslength.surfaces.steps import Step
from armslength.surfaces.story import OWN, Decided, Reading, Story, ToolRead, Words

_WIDE = ("words", "said", "asked for")
"""Columns that need most room."""
_ASKED = {
    "planner": "the planner was asked",
    "quarantined": "the quarantined model was asked",
    "confined": "the quarantined model for what stays here was asked",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page is made of. `unverified`: why its journal is not known to be as it was written, nothing if it is."""

    story: Story
    state: str
    unverified: str
    is_trusted: Callable[[str], bool]
    has_content: bool
    made: str


def draw_page(shown: Shown) -> str:
    """The whole page."""
    story = shown.story
    sections = [
        _answer(story),
        _flow(shown),
        _program(story),
        _decisions(story),
        _screens(story),
        _releases(story),
        _reads(story),
        _readings(story),
        _steps(story.steps),
    ]
    body = [_header(shown), element("main", *sections), _footer(shown)]
    return page(f"Run {story.run}", STYLE, joined(body))


def _header(shown: Shown) -> Markup:
    story = shown.story
    if shown.unverified:
        verified = element("p", f"Not verified: {shown.unverified}. Do not rely on this page.", class_="unverified")
    else:
        verified = element("p", "The journal that this was made from is as it was written.", class_="verified")
    kind = "undone" if story.undone else "done" if story.ending == "done" else "stopped"
    parts = [
        element("h1", f"Run {story.run}", element("span", story.undone or story.ending, class_=f"badge {kind}")),
        element("p", _summary(story), class_="soft"),
        verified,
        element("dl", *(_fact(name, value) for name, value in _facts(shown))),
        *_dropped(story),
        element("h2", "You asked"),
        element("div", element("pre", story.request), class_="said"),
    ]
    return element("header", *parts)


def _summary(story: Story) -> str:
    done = sum(effect.status == "done" for effect in story.decided)
    return f"{done} of {len(story.decided)} effects done · {_count(story.screens, 'screen')} · {_count(story.reads, 'call')} of tools"


def _dropped(story: Story) -> Iterator[Markup]:
    if story.dropped:
        yield element("p", f"{story.dropped} more effects waited and were dropped, because the program stopped.")


def _count(things: Sequence[object], what: str) -> str:
    return f"{len(things)} {what}{'s' * (len(things) != 1)}"


def _facts(shown: Shown) -> Iterator[tuple[str, str]]:
    story = shown.story
    yield "began", _moment(story.started)
    yield "ended", story.ending if shown.state in {"done", "failed", "cancelled"} else f"not yet: {shown.state}"
    if story.undone:
        yield (
            "since then",
            "all that it did was taken back" if story.undone == "undone" else "a part of what it did was taken back",
        )
    if story.is_strict:
        yield "asked about", "every effect (strict)"
    for role in _ASKED:
        steps = [step for step in story.steps if (step.kind, step.name) == ("model", role)]
        if steps:
            given, out = sum(step.tokens_in for step in steps), sum(step.tokens_out for step in steps)
            yield role, f"{_count(steps, 'call')}, {given:,} tokens in, {out:,} out"
    timed = sum(step.took for step in story.steps)
    if timed:
        yield "time in calls", _seconds(timed)


def _fact(name: str, value: str) -> Markup:
    return element("div", element("dt", name), element("dd", value))


def _section(title: str, *children: str) -> Markup:
    return element("section", element("h2", title), *children)


def _answer(story: Story) -> Markup:
    """Each `answer(...)` of the program, one after the other."""
    said = [words for answer in story.answers for words in answer if words.text.strip()]
    if not said:
        return Markup()
    warned = [] if story.is_all_done else [element("p", f"{NOT_ALL_DONE.capitalize()}.", class_="unverified")]
    return _section("The answer", *warned, _words_table(said))


def _flow(shown: Shown) -> Markup:
    picture = draw_flow(shown.story, shown.is_trusted)
    if not picture:
        return Markup()
    caption = (
        "From who wrote something, through what was made of it, to where it went. Whole lines: whose words these are. Dashed lines: who could "
        "decide which of several it is. Orange: words or choices of others."
    )
    return _section(
        "From sources to effects",
        element("figure", element("div", picture, class_="wide"), element("figcaption", caption)),
    )


def _program(story: Story) -> Markup:
    made = []
    for number, text in enumerate(story.programs, 1):
        is_last = number == len(story.programs)
        title = "The program" if is_last else f"Program {number}, which did not get through"
        lines = (element("li", element("pre", drawn(line))) for line in text.split("\n"))
        made.append(_section(title, element("div", element("ol", *lines), class_="program")))
    return joined(made)


def _decisions(story: Story) -> Markup:
    if not story.decided:
        return _section("Decisions", element("p", "Nothing was to be done that needed one.", class_="soft"))
    return _section("Decisions", *map(_decision, story.decided))


def _decision(effect: Decided) -> Markup:
    kind = "done" if effect.status == "done" else "stopped"
    head = element("h3", f"{effect.tool}, line {effect.line}", element("span", effect.status, class_=f"badge {kind}"))
    parts = [head, element("p", f"Decided: {effect.verdict}")]
    parts += [element("p", f"Reason: {reason}") for reason in effect.reasons]
    parts += [element("p", f"Rules: {', '.join(effect.rules)}", class_="soft")] if effect.rules else []
    if effect.note:
        parts.append(element("p", f"Note: {effect.note}"))
    parts.append(element("p", f"Goes to: {_receivers(effect)}"))
    parts.append(
        element("p", f"That it happens was steered by: {_sources(effect.steered_by) or 'nobody but the program'}")
    )
    if effect.arguments:
        parts.append(_words_table(effect.arguments))
    return element("div", *parts, class_="card")


def _receivers(effect: Decided) -> str:
    if effect.receivers is None:
        return "unknown"
    return ", ".join(effect.receivers) or "nobody"


def _screens(story: Story) -> Markup:
    made = [
        element(
            "div",
            element("h3", f"Screen {number}; the answer was {screen.answer}"),
            element("pre", drawn(screen.text)),
            class_="card screen",
        )
        for number, screen in enumerate(story.screens, 1)
    ]
    return _section("What you were asked", *made) if made else Markup()


def _releases(story: Story) -> Markup:
    """What went where its label alone did not let it go, or to whom it was shown."""
    rows = [*_released_effects(story), *_released_readings(story)]
    for each in story.revealed:
        shown = f"{each.text} is {each.choice}" if each.is_shown else f"{each.text}, which was not shown"
        rows.append((shown, "the planner", f"paid for: {each.bits} bits of the conversation's budget"))
    rows += [(f"words of {_of(answer)}", "you", "the answer is yours") for answer in story.answers]
    counted = [
        (f"{what} ({count} times)" if count > 1 else what, *more) for (what, *more), count in Counter(rows).items()
    ]
    table = _table(("what", "who learned of it", "by"), counted)
    return _section("What was released", table) if rows else Markup()


def _released_effects(story: Story) -> Iterator[tuple[str, str, str]]:
    for effect in story.decided:
        if effect.status == "done" and effect.receivers != ():
            by = "your yes" if effect.verdict == "ask" else f"rule {', '.join(effect.rules) or 'of the default'}"
            yield f"{effect.tool}, line {effect.line}: words of {_of(effect.arguments)}", _receivers(effect), by


def _released_readings(story: Story) -> Iterator[tuple[str, str, str]]:
    for reading in story.readings:
        if reading.inputs:
            yield (
                f"words of {_sources(reading.inputs)}",
                "the quarantined model",
                f"line {reading.line or '?'} of the program",
            )


def _of(words: Iterable[Words]) -> str:
    found = dict.fromkeys(source for each in words for source in (*each.came_from, *each.steered_by))
    return _sources(found) or "nobody"


def _reads(story: Story) -> Markup:
    if not story.reads:
        return Markup()
    heads = ("tool", "asked for", "results", "words of")
    return _section("What tools gave", _table(heads, map(_read, story.reads)))


def _read(read: ToolRead) -> tuple[str, str, str, str]:
    given = ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in read.asked.items())
    return read.tool, given, f"failed: {read.failed}" if read.failed else str(read.count), _sources(read.came_from)


def _readings(story: Story) -> Markup:
    if not story.readings:
        return Markup()
    return _section(
        "What the quarantined model said", _table(("line", "given words of", "said"), map(_reading, story.readings))
    )


def _reading(reading: Reading) -> tuple[str, str, Markup]:
    said = [_theirs(answer) for answer in reading.answers]
    if reading.failed:
        said.insert(0, element("p", f"failed: {reading.failed}"))
    if reading.calls > 1:
        said.append(element("small", f"the last of {reading.calls} calls"))
    return str(reading.line or "?"), _sources(reading.inputs) or "nobody", joined(said)


def _steps(steps: Sequence[Step]) -> Markup:
    if not steps:
        return Markup()
    first = next((_time(step.at) for step in steps if step.at), None)
    heads = ("step", "after", "took", "tokens in", "of them cached", "tokens out")
    note = (
        "" if first is not None else "This journal was written by an earlier version, which did not write down times."
    )
    table = _table(heads, (_step(step, first) for step in steps), numbers=5)
    return _section("Steps", *([element("p", note)] if note else []), table)


def _step(step: Step, first: datetime | None) -> tuple[str, ...]:
    at = _time(step.at)
    after = _seconds((at - first).total_seconds()) if at is not None and first is not None else ""
    tokens = (
        f"{count:,}" if step.kind == "model" else "" for count in (step.tokens_in, step.tokens_cached, step.tokens_out)
    )
    what = _step_name(step) + (", which failed" if step.failed else "")
    return what, after, _seconds(step.took) if step.at else "", *tokens


def _step_name(step: Step) -> str:
    match step.kind:
        case "model":
            return _ASKED.get(step.name, step.name)
        case "approval":
            return "you were asked"
        case "resolve":
            return f"looked up before it happens: {step.name}"
        case _:
            return step.name


def _words_table(words: Sequence[Words]) -> Markup:
    has_places = any(each.where for each in words)
    heads = ("argument", "words", "came from", "steered by") if has_places else ("words", "came from", "steered by")
    return _table(heads, (_words_row(each, has_place=has_places) for each in words))


def _words_row(words: Words, *, has_place: bool) -> tuple[str, ...]:
    text = _theirs(words.text) if words.is_untrusted else element("div", element("pre", words.text), class_="ours")
    bits = "over 8" if words.bits >= SATURATED else str(words.bits)
    steered = f"{_sources(words.steered_by)} ({bits} bits)" if words.steered_by and words.bits else "–"
    row = (text, _origin(words), steered)
    return (words.where, *row) if has_place else row


def _origin(words: Words) -> str:
    """Whose words they are, and below that on which pages of documents they stand, whose names are theirs, too."""
    sources = _sources(words.came_from) or "only chosen, see right"
    if not words.stands_on:
        return sources
    pages = (
        element("div", f"on page {each.page} of ", drawn("⟦"), each.document, drawn("⟧")) for each in words.stands_on
    )
    return element("div", sources, *pages)


def _theirs(text: str) -> Markup:
    """Words of others, between the marks that no text of theirs has."""
    return element("div", element("pre", drawn("⟦"), text, drawn("⟧")), class_="theirs")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> Markup:
    """`numbers`: so many of the last columns are."""
    first = len(heads) - numbers

    def classed(place: int) -> dict[str, str]:
        if place >= first:
            return {"class_": "number"}
        return {"class_": "words"} if heads[place] in _WIDE else {}

    head = element("tr", *(element("th", name, scope="col", **classed(place)) for place, name in enumerate(heads)))
    body = (element("tr", *(element("td", cell, **classed(place)) for place, cell in enumerate(row))) for row in rows)
    return element("div", element("table", element("thead", head), element("tbody", *body)), class_="wide")


def _footer(shown: Shown) -> Markup:
    content = (
        ""
        if shown.has_content
        else " Content was left out of it: labels, times and decisions are there, texts are not."
    )
    note = "Between ⟦ and ⟧ stand words that others wrote. Invisible and acting characters are shown as ⟨U+…⟩, and addresses of pages are broken."
    return element("footer", element("p", drawn(note)), element("p", f"Made by armslength at {shown.made}.{content}"))


def _sources(names: Iterable[str]) -> str:
    return ", ".join(OWN.get(name, in_line(name)) for name in names)


def _moment(stored: str) -> str:
    at = _time(stored)
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S %z") if at is not None else stored


def _time(stored: str) -> datetime | None:
    """None where it is none, or has no zone and so cannot be compared."""
    try:
        found = datetime.fromisoformat(stored)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def _seconds(seconds: float) -> str:
    return f"{seconds:,.1f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"
