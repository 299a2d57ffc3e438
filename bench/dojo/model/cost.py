"""What a measurement will cost, said before anything is asked: the prompts are real, what is written is what the kept programs have.

The kept program of each task is run with the honest reader, behind a planner that is told what the real one will be told. So the system
texts, the requests and the texts that are read are those of the measurement; how many programs and questions the models need, nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from armslength.agent.planning.prompt import estimate_tokens
from armslength.agent.runs.session import MAX_ATTEMPTS
from armslength.app.caps import Price
from armslength.models.base import ModelReply, ModelRequest, Processor
from armslength.testing import ScriptedModel
from bench.dojo.carrying import Asked
from bench.dojo.model.carried import own_form, wired
from bench.dojo.model.sides import Sides
from bench.dojo.people import Everything
from bench.dojo.programs import program_of
from bench.dojo.readers import Reading, honest
from bench.dojo.work import Job
from bench.models import Pair
from bench.report.blocks import counted

_WIDE = 1 << 20
"""Tokens of a window that all fits into: a script counts bytes."""
_MOST_PROGRAMS = MAX_ATTEMPTS + 1
"""One more where a program that is expected to ask is written anew."""


@dataclass(slots=True)
class Share:
    """What one model is asked: calls, and about how many tokens it reads and writes."""

    calls: int = 0
    read: int = 0
    written: int = 0

    def add(self, requests: Iterable[ModelRequest], replies: Iterable[str]) -> None:
        """These calls, too."""
        for request, reply in zip(requests, replies, strict=True):
            self.calls += 1
            self.read += sum(map(estimate_tokens, (request.system, *(turn.text for turn in request.turns))))
            self.written += estimate_tokens(reply)


@dataclass(slots=True)
class Foretold:
    """All of it. `systems`: the tokens of each suite's system text for the planner."""

    planner: Share = field(default_factory=Share)
    reader: Share = field(default_factory=Share)
    systems: dict[str, int] = field(default_factory=dict)


def foretell(jobs: Sequence[Job], sides: Sides) -> Foretold:
    """What these jobs need if every program is as the kept one, is taken at once, and every answer has its form."""
    found = Foretold()
    processor = replace(sides.pair.planner.processor, window=_WIDE)
    for kind, suite, task, *injection in jobs:
        program = program_of(suite, task, "mended") or "answer('')"
        planner = ScriptedModel([program] * _MOST_PROGRAMS, processor)
        reader = _Reader(honest(suite, task))
        asked = Asked(suite, task, program, "accepting")
        if injection:
            asked = replace(asked, injection=injection[0], form=own_form(suite, task, injection[0]))
        wired(asked, Pair(planner, reader), sides.rewrites).carry_out(Everything())
        found.reader.add(reader.requests, reader.replies)
        if kind == "task":  # a pair has the program of its task
            found.planner.add(planner.requests, [program] * len(planner.requests))
            found.systems[suite] = estimate_tokens(planner.requests[0].system)
    return found


@dataclass
class _Reader:
    """Honest answers, with what was asked and said. A question that nobody wrote an answer to costs nothing here."""

    reading: Reading
    requests: list[ModelRequest] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    @property
    def processor(self) -> Processor:
        return self.reading.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        reply = self.reading.complete(request)
        self.requests.append(request)
        self.replies.append(reply.text)
        return reply

    def count_tokens(self, text: str) -> int:
        return self.reading.count_tokens(text)


def told(found: Foretold, sides: Sides) -> Iterator[str]:
    """What the person reads before they say yes."""
    for role, share, processor in (
        ("planner", found.planner, sides.pair.planner.processor),
        ("reader", found.reader, sides.pair.quarantined.processor),
    ):
        yield (
            f"{role}, {processor.model} by {processor.name}: about {counted(share.calls, 'call')}, "
            f"{share.read:,} tokens read, {share.written:,} written"
        )
    systems = ", ".join(f"{suite} {tokens:,}" for suite, tokens in found.systems.items())
    if systems:
        yield f"system texts, in tokens: {systems}; a model that keeps what it read reads each once"
    yield (
        f"so much if all is right at once; a program that is not accepted is written up to {MAX_ATTEMPTS} times, and an answer that has "
        "not its form is asked for as often"
    )
    yield _money(found, sides)


def _money(found: Foretold, sides: Sides) -> str:
    shares = {"planner": found.planner, "quarantined": found.reader}
    if all(sides.prices.get(role, Price()) == Price() for role in shares):
        return (
            "cost: no model has a price in the configuration (price_in, price_out), so tokens are all that can be told"
        )
    each = {role: sides.prices.get(role, Price()).of(share.read, share.written) for role, share in shares.items()}
    total = f"{sum(each.values()):.4g} {sides.currency}".rstrip()
    most = f"{MAX_ATTEMPTS * sum(each.values()):.4g} {sides.currency}".rstrip()
    return f"cost: about {total}, and about {most} if everything is asked for {MAX_ATTEMPTS} times"


def kinds(jobs: Iterable[Job]) -> str:
    """`12 tasks and 3 pairs`."""
    counts: dict[Any, int] = {"task": 0, "pair": 0}
    for job in jobs:
        counts[job[0]] += 1
    return " and ".join(counted(count, kind) for kind, count in counts.items() if count) or "nothing"
