"""A finished run as lines for a person and as one JSON object for a program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from armslength.agent.approving.display import draw_answer, draw_named, draw_words
from armslength.agent.effects.effects import Pending
from armslength.agent.runs.undoing import Undone
from armslength.app import Result
from armslength.labels import Label, Source
from armslength.models.base import Model, Usage
from armslength.policy.patterns import spoken
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import tame_line
from armslength.values import Labelled

Models = Mapping[str, Model]
"""The two models by role."""


NOT_ALL_DONE = "not everything was done; what follows was written before that was known"
"""Stands above an answer whose program, or an effect of it, did not come to its end: what it says may not have happened."""


def is_all_done(ending: str, statuses: Iterable[str]) -> bool:
    """Whether the program came to its end, and each effect did."""
    return ending == "done" and all(status == "done" for status in statuses)


def change_lines(effects: Sequence[Pending], refusal: str) -> list[str]:
    """One line for each effect: how it ended, what it was, and why if it was not done or not asked about. `refusal`: why the person's answer was a no."""
    names, before = _names(effects), _why_dropped(effects)
    return [
        f"{each.status}: {name}{_in_brackets(_why_not(each, refusal, before))}"
        for each, name in zip(effects, names, strict=True)
    ]


def _names(effects: Sequence[Pending]) -> list[str]:
    """Each in one line; where some would read alike, with its line in the program, and with first words of it where that is the same."""
    names = [draw_named(pending.effect) for pending in effects]
    for places in _alike(names):
        for place in places:
            names[place] += f", line {effects[place].effect.site.line}"
    for parameter in dict.fromkeys(name for pending in effects for name in pending.effect.shown):
        for places in _alike(names):
            words = [draw_words(effects[place].effect, parameter) for place in places]
            for place, said in zip(places, words, strict=True):
                names[place] += f", {said}" if said and len(set(words)) > 1 else ""
    return names


def _alike(names: Sequence[str]) -> list[list[int]]:
    """The places of those that read the same."""
    places = dict[str, list[int]]()
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return [each for each in places.values() if len(each) > 1]


def _in_brackets(why: str) -> str:
    return f" ({why})" if why else ""


def undone_lines(undone: Undone) -> list[str]:
    """What a person has to know beside what was taken back."""
    lines = [
        f"not sure: {what} was begun to be taken back by a process that was killed, and is not as the run left it; look for yourself"
        for what in undone.unsure
    ]
    if undone.left:
        lines.append(
            f"{undone.left:,} earlier effects are left, since nobody reads more at once; the same again offers them"
        )
    return lines


def _why_dropped(effects: Sequence[Pending]) -> str:
    """What kept those from happening that wait for all before them."""
    statuses = {pending.status for pending in effects}
    if "denied" in statuses:
        return "not begun, since something of the same program is not allowed"
    if "declined" in statuses:
        return "not begun, since something that was asked about was not accepted"
    if "failed" in statuses:
        return "not begun, since something before it failed"
    return "not begun, since the program stopped before its end"


def _why_not(pending: Pending, refusal: str, dropped: str) -> str:
    match pending.status:
        case "done":
            granted = ", ".join(pending.decision.granted)
            return f"not asked about, by {granted}" if granted else ""
        case "failed":
            return tame_line(pending.note)
        case "declined":
            return refusal or "nobody said yes"
        case "denied":
            return tame_line(pending.note or "; ".join(reason.text for reason in pending.decision.reasons))
        case "dropped":
            return tame_line(pending.note) or dropped
        case "waiting":
            return "not reached"


def usage_line(spent: Mapping[str, Sequence[Usage]], models: Models) -> str:
    """Who computed, tokens in (of them cached) and out, and seconds, for each role that was asked."""
    parts = []
    for role, usages in spent.items():
        if usages:
            cost = _total(usages)
            calls = "1 call" if len(usages) == 1 else f"{len(usages)} calls"
            parts.append(
                f"{role} {tame_line(models[role].processor.model)}: {calls}, {cost.prompt:,} tokens in "
                f"({cost.cached:,} cached), {cost.completion:,} out, {cost.seconds:.1f} s"
            )
    return " · ".join(parts)


def _total(usages: Sequence[Usage]) -> Usage:
    return Usage(
        sum(usage.prompt for usage in usages),
        sum(usage.cached for usage in usages),
        sum(usage.completion for usage in usages),
        sum(usage.seconds for usage in usages),
    )


def models_json(spent: Mapping[str, Sequence[Usage]], models: Models) -> dict[str, Any]:
    """What each role used and spent."""
    found: dict[str, Any] = {}
    for role, model in models.items():
        usages, processor = spent.get(role, ()), model.processor
        cost = _total(usages)
        found[role] = {
            "provider": processor.name,
            "model": processor.model,
            "calls": len(usages),
            "tokens_in": cost.prompt,
            "tokens_cached": cost.cached,
            "tokens_out": cost.completion,
            "seconds": round(cost.seconds, 3),
        }
    return found


def result_json(result: Result, models: Models, code: Exit, refusal: str = "") -> dict[str, Any]:
    """The whole result. Without `is_all_done`, `answer` may say what did not happen. `refusal`: why the person's answer was a no. `answer` is drawn and inert; `pieces`, `arguments` and `raised` hold the words as they are."""
    outcome = result.outcome
    return {
        "run": result.run,
        "ending": outcome.ending,
        "exit": int(code),
        "message": outcome.message,
        "refusal": refusal,
        "is_all_done": is_all_done(outcome.ending, (pending.status for pending in outcome.effects)),
        "raised": None if outcome.payload is None else [piece_json(piece) for piece in leaves(outcome.payload)],
        "answer": result.text,
        "pieces": [[piece_json(piece) for piece in answer] for answer in outcome.answers],
        "effects": [_effect_json(pending) for pending in outcome.effects],
        "taken": [
            {"name": each.name, "scope": each.scope, "until": None if each.until is None else each.until.isoformat()}
            for each in outcome.taken
        ],
        "screens": outcome.screens,
        "program": outcome.program,
        "attempts": outcome.attempts,
        "models": models_json(result.spent, models),
    }


def _effect_json(pending: Pending) -> dict[str, Any]:
    effect = pending.effect
    return {
        "tool": effect.tool.name,
        "line": effect.site.line,
        "status": pending.status,
        "note": pending.note,
        "verdict": pending.decision.verdict,
        "reasons": [{"rule": reason.rule, "text": reason.text} for reason in pending.decision.reasons],
        "granted": list(pending.decision.granted),
        "receivers": None if effect.receivers.names is None else list(effect.receivers.names),
        "arguments": {name: [piece_json(leaf) for leaf in leaves(shown)] for name, shown in effect.shown.items()},
        "steered_by": source_names(effect.control.choice | effect.control.data),
    }


def piece_json(piece: Labelled) -> dict[str, Any]:
    """Words, whose they are, who could choose them, and whether they count as the user's own."""
    return {"text": str(piece.data), **label_facts(piece.label)}


def label_facts(label: Label) -> dict[str, Any]:
    """The label for people: whose words, steered by whom in how many bits, and whether that is trusted."""
    return {
        "came_from": source_names(label.data),
        "steered_by": source_names(label.choice),
        "bits": label.bits,
        "is_untrusted": not label.is_chosen,
    }


def source_names(sources: Iterable[Source]) -> list[str]:
    """The names in order, those that are not trusted first. Whose a mail only claims to be is not among them."""
    return [source.name for source in sorted(spoken(sources), key=lambda source: (source.is_trusted, source.name))]


def leaves(labelled: Labelled) -> list[Labelled]:
    """The scalars of a tree in order; an empty container is shown as itself."""
    match labelled.data:
        case tuple() as items if items:
            return [leaf for item in items for leaf in leaves(item)]
        case dict() as parts if parts:
            return [leaf for part in parts.values() for leaf in leaves(part)]
        case tuple() | dict():
            return [Labelled("(nothing)", labelled.label)]
        case _:
            return [labelled]


def raised_text(payload: Labelled) -> str:
    """What a `raise` carried, drawn like an answer."""
    return draw_answer(leaves(payload))
