"""Drawing for people: the approval screen, and the answer. One drawer for both, so that both mark and tame text alike.

Text that is not trusted is cleaned of controls and invisible characters, its links are broken, and it stands between marks that it cannot
write itself: ⟦…⟧ within a line, a `│` before each line of a block. A line says whose words they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from armslength.agent.effects.effects import Effect, Pending
from armslength.agent.effects.following import falling_with, follows
from armslength.agent.showing.cleaning import clean, clean_line, inert_links, lookalike
from armslength.agent.showing.differing import difference
from armslength.agent.showing.urging import urges
from armslength.labels import SATURATED, Label
from armslength.policy.engine import in_line, name_sources
from armslength.tools.base import Prospect, Role, Tool
from armslength.values import Labelled

_WIDE = 100
_MOST_NUMBERS = 6
_MARKS = str.maketrans("⟦〚⟬⦋⦍⦏❲⟧〛⟭⦌⦎⦐❳│┆⚠", "[" * 7 + "]" * 7 + "||!")
"""Ours and brackets that look like them become others; what others write between them ends nothing, also to the eye."""


def draw_head(count: int) -> str:
    """What stands above the items of a screen."""
    head = "1 thing needs your yes." if count == 1 else f"{count} things need your yes: all of them, some or none."
    return f"{head}\nBetween ⟦ and ⟧, and after │, stand words that others wrote."


def by_danger(asked: Sequence[Pending]) -> list[int]:
    """The places of these effects, the most dangerous first; between equals the program's order stays.

    What cannot be undone comes first; among that what goes to nobody knows whom, then to somebody; among that what others aim.
    """

    def harmless(place: int) -> tuple[bool, int, bool, int]:
        effect = asked[place].effect
        names = effect.receivers.names
        reach = 2 if names is None else 1 if names else 0
        return effect.tool.undo is not None, -reach, not _is_claimed(effect), place

    return sorted(range(len(asked)), key=harmless)


def draw_item(number: int, asked: Sequence[Pending], order: Sequence[int]) -> str:
    """One effect with its receivers, its arguments in full, and why it is asked about. `order`: the places as the screen numbers them."""
    place = order[number - 1]
    effect = asked[place].effect
    lines = [f"{number}. {_draw_summary(effect)}"]
    lines.extend(_draw_receivers(asked[place]))
    held = _held(asked[place])
    for name, shown in effect.shown.items():
        drawn = (
            [f"{name}: {_whose_argument(shown.label)}; it stands below"]
            if name in held
            else _draw_argument(name, shown)
        )
        lines.extend(f"   {line}" for line in drawn)
        for part, described in effect.described.get(name, {}).items():
            lines.extend(f"     {line}" for line in _draw_argument(part, described))
    lines.extend(f"   {line}" for line in _draw_prospect(effect, asked[place].look.prospect))
    lines.extend(f"   {line}" for line in _draw_neighbours(place, asked, order))
    lines.append(f"   can be undone: {undoable_in_words(effect.tool)}")
    lines.extend(f"   why you are asked: {_draw_line(effect, reason.text)}" for reason in asked[place].decision.reasons)
    return "\n".join([*lines, ""])


def undoable_in_words(tool: Tool) -> str:
    """Whether, and for how long."""
    if tool.undo is None:
        return "no"
    return f"yes, {tool.undoable_for}" if tool.undoable_for else "yes"


def _draw_neighbours(place: int, asked: Sequence[Pending], order: Sequence[int]) -> Iterator[str]:
    """Which others change the same place before it, if that matters to it, and which do not happen without it."""
    effects = [pending.effect for pending in asked]
    effect, prospect = effects[place], asked[place].look.prospect
    numbers = {at: number for number, at in enumerate(order, 1)}
    is_drawn = prospect is not None and (prospect.before is not None or prospect.after is not None)
    before = [
        numbers[at]
        for at, earlier in enumerate(effects[:place])
        if earlier.tool.changes == effect.tool.changes and (is_drawn or follows(effect, earlier))
    ]
    if effect.tool.changes is None:
        return
    if before:
        when = "after" if effect.takes_back else "before"
        yield f"comes after {_listed(sorted(before))}, at the same place; what is said here is how things are {when} that"
    if after := falling_with(effects, {place}):
        yield f"without it {_listed(sorted(numbers[at] for at in after))} will not happen either"
    for other in asked[place].takes_along:
        yield f"without it this will not happen either: {_draw_summary(other)} (line {other.site.line})"


def _listed(numbers: Sequence[int]) -> str:
    if len(numbers) > _MOST_NUMBERS:
        return f"{', '.join(map(str, numbers[:_MOST_NUMBERS]))} and {len(numbers) - _MOST_NUMBERS} more"
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def _draw_line(effect: Effect, line: str) -> str:
    """A line of ours; receivers that words of others decide are marked in it too."""
    said = _tame_line(line)
    named = sorted({_tame_line(name) for name in effect.receivers.names or ()} - {""}, key=len, reverse=True)
    if not named or not _is_claimed(effect):
        return said
    return re.sub("|".join(map(re.escape, named)), lambda found: f"⟦{found[0]}⟧", said)


def _draw_summary(effect: Effect) -> str:
    """The tool's line for it. Where words of others decide what it is about, or stand in it, it stands between marks."""
    said = _tame_line(effect.resolved.summary)
    return f"{effect.tool.name}: ⟦{said}⟧" if _is_theirs(effect, effect.resolved.summary) else said


def _is_theirs(effect: Effect, line: str) -> bool:
    """Whether words of others decide what a line of the tool's is about, or stand in it."""
    theirs = (text for shown in effect.shown.values() for text in _texts_of_others(shown))
    return _is_claimed(effect) or any(text in line for text in theirs)


def draw_named(effect: Effect) -> str:
    """The effect in one line, where it is told what became of it: the tool's line and to whom, marked as on a screen."""
    names, said = effect.receivers.names, _draw_summary(effect)
    if names is None:
        return f"{said} (the tool cannot say who learns of it)"
    drawn = [f"⟦{_tame_line(name)}⟧" if _is_claimed(effect) else _tame_line(name) for name in names[:_MOST_NUMBERS]]
    more = [f"{len(names) - _MOST_NUMBERS} more"] if len(names) > _MOST_NUMBERS else []
    to = ", ".join([*drawn, *more])
    if not to:
        return said
    return f"{said} to {to}" if effect.resolved.summary.endswith(_GOES) else f"{said} (may be seen by {to})"


_GOES = " mail"
"""At the end of the line for what goes to somebody. Whoever else learns of an effect is no part of the sentence."""


def draw_words(effect: Effect, name: str) -> str:
    """The first words of an argument, with its name, where it is told which effect of several it is. Nothing where it has none of its own."""
    shown = effect.shown.get(name)
    if shown is None or isinstance(shown.data, tuple | dict) or not str(shown.data).strip():
        return ""
    text = clean_line(str(shown.data).strip())
    cut = text if len(text) <= _FEW else f"{text[:_FEW].rstrip()} …"
    return f"{name} {cut.translate(_MARKS)}" if shown.label.is_chosen else f"{name} ⟦{_tame_line(cut)}⟧"


_FEW = 40
"""Characters that tell one effect from another."""


def _texts_of_others(shown: Labelled) -> Iterator[str]:
    match shown.data:
        case tuple() as items:
            for item in items:
                yield from _texts_of_others(item)
        case dict() as parts:
            for part in parts.values():
                yield from _texts_of_others(part)
        case scalar if not shown.label.is_chosen and str(scalar).strip():
            yield str(scalar)
        case _:
            return


def _is_claimed(effect: Effect) -> bool:
    """Whether words of others decide whom or what it affects."""
    decisive = (label for name, label in effect.labels.items() if effect.tool.roles[name] is not Role.CONTENT)
    return not effect.receivers.are_vouched or any(not label.is_chosen for label in decisive)


def _draw_receivers(pending: Pending) -> list[str]:
    effect, look = pending.effect, pending.look
    if effect.receivers.names is None:
        return ["   goes to: unknown; the tool cannot say"]
    lines = []
    if effect.receivers.names and look.prospect is not None and look.prospect.account:
        lines.append(f"   goes out from: {_tame_line(look.prospect.account)}")
    known = _known_addresses(effect)
    for name in effect.receivers.names:
        lines.append(f"   goes to: {f'⟦{_tame_line(name)}⟧' if _is_claimed(effect) else _tame_line(name)}")
        warning = lookalike(name, [each for each in known if each != name]) or look.alike.get(name)
        if warning is not None:
            lines.append(f"   ⚠ {_draw_line(effect, warning)}")
        if name in look.strangers:
            lines.append("   ⚠ new: you never wrote to this address; it is not in your address book")
    return lines


def _held(pending: Pending) -> frozenset[str]:
    """The arguments that stand whole in what the call would leave; what a tool says of that is looked at."""
    prospect = pending.look.prospect
    if prospect is None or prospect.after is None:
        return frozenset()
    texts = {name: shown.data for name, shown in pending.effect.shown.items() if name in prospect.holds}
    return frozenset(name for name, text in texts.items() if isinstance(text, str) and text and text in prospect.after)


def _whose_argument(label: Label) -> str:
    return (
        "yours or the program's"
        if label.is_trusted
        else f"words of {_tame_line(name_sources(label.data | label.choice))}"
    )


def _draw_prospect(effect: Effect, prospect: Prospect | None) -> Iterator[str]:
    """What goes and what comes, behind the mark of a block: words of others may stand in both."""
    if prospect is None or (prospect.before is None and prospect.after is None):
        return
    whose = (
        f" (what was there: words of {_tame_line(', '.join(map(in_line, prospect.whose)))})" if prospect.whose else ""
    )
    place = _tame_line(prospect.place)
    yield f"what changes in {f'⟦{place}⟧' if _is_theirs(effect, prospect.place) else place}{whose}:"
    for line in difference(prospect.before, prospect.after):
        if line.sign == "…":
            yield f"  │ … {'1 line that stays' if line.text == '1' else f'{int(line.text):,} lines that stay'} …"
        else:
            yield from (f"  │ {line.sign} {piece}" for piece in tame(line.text).split("\n"))


def _known_addresses(effect: Effect) -> list[str]:
    """Whom the effect's data came from or was readable by so far: an address that only looks like one of these is named."""
    found: set[str] = set()
    for label in effect.labels.values():
        found |= label.readers.names or frozenset()
        found |= {
            each.name.removeprefix("mail:") for each in label.data | label.choice if not each.name.startswith("store:")
        }
    return sorted(name for name in found if "@" in name)


def _draw_argument(name: str, shown: Labelled) -> list[str]:
    match shown.data:
        case tuple() as items if items:
            return [f"{name}:", *(f"  {line}" for item in items for line in _draw_argument("-", item))]
        case tuple():
            return [f"{name}: (none)"]
        case dict() as parts:
            is_theirs = shown.record is None and not shown.label.is_chosen
            keys = {key: f"⟦{_tame_line(key)}⟧" if is_theirs else _tame_line(key) for key in parts}
            below = (line for key, part in parts.items() for line in _draw_argument(keys[key], part))
            return [f"{name}:", *(f"  {line}" for line in below)]
        case scalar:
            return _draw_text(f"{name}: ", str(scalar), shown.label)


def _draw_text(head: str, text: str, label: Label) -> list[str]:
    """One text with its mark; trusted text of one line stands as it is."""
    if label.is_chosen:
        lines = clean(text).translate(_MARKS).split("\n")
        return [head + lines[0]] if len(lines) == 1 else [head.rstrip(), *(f"  {line}" for line in lines)]
    whose = _tame_line(name_sources(label.data))
    if "\n" not in text and "\r" not in text and len(text) <= _WIDE:
        return [f"{head}⟦{_tame_line(text)}⟧ {whose}"]
    return [f"{head}(words of {whose})", *(f"  │ {line}" for line in tame(text).split("\n"))]


def tame(text: str) -> str:
    """Text from outside, made inert: cleaned, its links broken, without our marks."""
    return inert_links(clean(text)).translate(_MARKS)


def _tame_line(text: str) -> str:
    return inert_links(clean_line(text)).translate(_MARKS)


def draw_answer(pieces: Sequence[Labelled]) -> str:
    """One answer: trusted pieces as they are, others between marks, and below whose words those were, with a warning where they urge.

    No link is live in either: a trusted piece may end where another's words begin. Pieces that were each picked whole can together
    spell something: where others had more than 8 bits over them all, each of them is marked.
    """
    is_spelled = _is_spelled(pieces)
    body = ""
    sources: list[str] = []
    theirs: list[str] = []
    for text, label in _merged(pieces):
        if label.is_trusted or (label.is_chosen and not is_spelled):
            body += clean(text).translate(_MARKS)
            continue
        whose = _whose(label)
        if whose not in sources:
            sources.append(whose)
        mark = f"⟧{_number(sources.index(whose) + 1)}"
        body += _block(body, text, mark) if "\n" in text or len(text) > _WIDE else f"⟦{_tame_line(text)}{mark}"
        theirs.append(text)
    urging = urges(" ".join(theirs))
    lines = [inert_links(body)]
    lines.extend(f"  {_number(place)} {whose}" for place, whose in enumerate(sources, 1))
    lines.extend(f"  ⚠ {warning}" for warning in urging)
    return "\n".join(lines)


def _whose(label: Label) -> str:
    """Whose words a marked piece is; or who decided, many times over, that it stands here."""
    if label.is_chosen:
        return f"picked by {_tame_line(name_sources(label.choice))}, one after the other; nobody checked what they say together"
    return f"words of {_tame_line(name_sources(label.data))}; nobody checked them"


def _is_spelled(pieces: Sequence[Labelled]) -> bool:
    picked = [piece.label.bits for piece in pieces if piece.label.is_chosen and not piece.label.is_trusted]
    return len(picked) > 1 and sum(picked) >= SATURATED


def _block(before: str, text: str, mark: str) -> str:
    opening = "" if not before or before.endswith("\n") else "\n"
    wrapped = [piece for line in tame(text).split("\n") for piece in _wrapped(line)]
    return opening + "".join(f"│ {line}\n" for line in wrapped) + f"└{mark[1:]}\n"


def _wrapped(line: str) -> Iterator[str]:
    """The line in pieces, after a blank where there is one; nothing is left out. Linear, as `textwrap` is not for long words."""
    start = 0
    while len(line) - start > _WIDE:
        end = line.rfind(" ", start, start + _WIDE) + 1 or start + _WIDE
        yield line[start:end]
        start = end
    yield line[start:]


def _number(place: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(place))


def _merged(pieces: Iterable[Labelled]) -> list[tuple[str, Label]]:
    """Neighbours with one label stand together."""
    merged: list[tuple[str, Label]] = []
    for piece in pieces:
        text = str(piece.data)
        if merged and merged[-1][1] is piece.label:
            merged[-1] = (merged[-1][0] + text, piece.label)
        elif text:
            merged.append((text, piece.label))
    return merged
