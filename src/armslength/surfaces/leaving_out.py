"""A story without its content: labels, times and decisions stay. For whoever has to judge a run and may not read it."""

from __future__ import annotations

import re
from dataclasses import replace

from armslength.surfaces.story import Asked, Decided, Reading, Revealed, Story, ToolRead, Words

LEFT_OUT = "(left out)"
_ARGUMENT = re.compile(r"\w*(?:\[\d+\])?")


def without_content(story: Story) -> Story:
    """What is named here stays, whatever a story comes to hold: names of tools and rules, sources, lines, counts, times, endings.

    Names of sources are labels and stay; they hold addresses and names of files.
    """
    return Story(
        run=story.run,
        is_strict=story.is_strict,
        started=story.started,
        request=LEFT_OUT,
        programs=[LEFT_OUT for _ in story.programs],
        reads=[ToolRead(read.tool, {}, read.count, read.came_from, _left_out(read.failed)) for read in story.reads],
        readings=[
            Reading(each.line, each.calls, each.inputs, tuple(LEFT_OUT for _ in each.answers), _left_out(each.failed))
            for each in story.readings
        ],
        decided=[_decided(effect) for effect in story.decided],
        screens=[Asked(LEFT_OUT, screen.is_yes, screen.accepted) for screen in story.screens],
        answers=[tuple(map(_words, answer)) for answer in story.answers],
        ending=story.ending,
        dropped=story.dropped,
        undone=story.undone,
        revealed=[Revealed(each.line, LEFT_OUT, each.bits, each.is_shown, LEFT_OUT) for each in story.revealed],
        steps=list(story.steps),
    )


def _decided(effect: Decided) -> Decided:
    return Decided(
        tool=effect.tool,
        line=effect.line,
        verdict=effect.verdict,
        reasons=(),
        receivers=None if effect.receivers is None else tuple(LEFT_OUT for _ in effect.receivers),
        arguments=tuple(map(_words, effect.arguments)),
        steered_by=effect.steered_by,
        rules=effect.rules,
        status=effect.status,
        note=_left_out(effect.note),
    )


def _words(words: Words) -> Words:
    """Where it stands is told as far as the tool's own declaration goes: below that, names may be others' words."""
    found = _ARGUMENT.match(words.where)
    return replace(words, where=found[0] if found else "", text=LEFT_OUT, stands_on=())


def _left_out(text: str) -> str:
    return LEFT_OUT if text else ""
