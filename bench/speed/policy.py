"""What a decision of the policy costs: `python -m bench.speed.policy`.

Each call is decided by the shipped rules, and by them with a hundred of a user's, as a ratio to the smallest thing that Cedar can be
asked: one `permit`, a request without context, both parsed before. The best processor time of each counts, taken in turn. The first
decision about a shape of call parses its rules, and is measured by itself. Ends with 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from cedarpy import Entities, PolicySet, is_authorized

from armslength.app.policies import default_rules
from armslength.labels import LITERAL, NOTHING, PRIVATE, Readers, Source, label, steering
from armslength.policy.compiled import compiled_for
from armslength.policy.engine import Action, Argument, Policy, PolicySettings, Rules
from armslength.policy.rules import read_rules, together
from bench.commit import Taken, offer_place

MOST_RATIO = 25.0
"""The bound for a call of up to four arguments by the shipped rules. In microseconds a decision stays below a few hundred."""
_STORE = Source("store:mail", is_trusted=True)
_WORDS = label([Source("mail:kim@b.example")], choice=[Source("mail:*")], bits=4, readers=Readers(frozenset({"kim@b.example"})), steer=PRIVATE)  # fmt: skip
_CROWD = tuple(f"person{number}@b.example" for number in range(100))


def _act(*arguments: Argument, receivers: tuple[str, ...] = (), is_undoable: bool = False) -> Action:
    return Action(
        "tool", arguments, steering(_WORDS, 1) if receivers else NOTHING, receivers, True, "place", is_undoable
    )


CALLS = {
    "a change, two arguments": _act(Argument("place", "target", LITERAL), Argument("text", "content", _WORDS), is_undoable=True),
    "a mail, three arguments": _act(Argument("to", "target", LITERAL), Argument("subject", "content", LITERAL), Argument("body", "content", LITERAL), receivers=("kim@b.example",)),
    "words of others, four arguments": _act(*(Argument(f"part{number}", "content", _WORDS) for number in range(4)), receivers=("kim@b.example", "eve@c.example")),
    "to a hundred receivers": _act(Argument("body", "content", label([_STORE], readers=Readers(frozenset(_CROWD)))), receivers=_CROWD),
}  # fmt: skip
BOUND = tuple(CALLS)[:3]


@dataclass(frozen=True, slots=True)
class Row:
    """One call: microseconds of a decision, of the bare answer, of the first decision, and with a hundred rules more."""

    name: str
    verdict: str
    microseconds: float
    bare: float
    first: float
    with_a_hundred: float

    @property
    def ratio(self) -> float:
        """A decision by a bare answer."""
        return self.microseconds / self.bare


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if a bound is broken."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.policy", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=15, help="how often each is measured; the best counts")
    offer_place(parser)
    arguments = parser.parse_args(argv)
    taken = Taken("policy")
    rows = [measured(name, arguments.runs) for name in CALLS]
    broken = [row.name for row in rows if row.name in BOUND and row.ratio > MOST_RATIO]
    for row in rows:
        print(
            f"{row.name:32} {row.verdict:6} {row.microseconds:7.0f} µs  {row.ratio:5.1f} bare answers ({row.bare:.0f} µs)  "
            f"first {row.first / 1000:.1f} ms  with 100 rules more {row.with_a_hundred:.0f} µs"
        )
    print(f"above {MOST_RATIO:g} bare answers: {', '.join(broken) or 'none'}")
    if not arguments.dry:
        shown = [{**asdict(row), "ratio": row.ratio} for row in rows]
        taken.write({"runs": arguments.runs, "rows": shown}, arguments.json)
    return 1 if broken else 0


def measured(name: str, runs: int) -> Row:
    """One call, in turn with the bare answer."""
    action = CALLS[name]
    shipped, more = Policy(default_rules(), PolicySettings()), Policy(_a_hundred_more(), PolicySettings())
    first = _once(lambda: compiled_for(Rules(default_rules().listed), action))
    verdict = shipped.decide(action).verdict
    best = [float("inf")] * 3
    asked: list[Callable[[], object]] = [lambda: shipped.decide(action), bare(), lambda: more.decide(action)]
    for _ in range(runs):
        for place, each in enumerate(asked):
            best[place] = min(best[place], _each(each))
    return Row(name, verdict, best[0], best[1], first, best[2])


def bare() -> Callable[[], object]:
    """The smallest question."""
    policies, entities = PolicySet.from_str("permit(principal, action, resource);"), Entities.from_json_str("[]")
    request = {"principal": 'User::"you"', "action": 'Action::"x"', "resource": 'Store::"x"', "context": {}}
    return lambda: is_authorized(request, policies, entities)


def _a_hundred_more() -> Rules:
    text = "\n".join(
        f'@id("own{number}") @ask("why")\nforbid (principal, action, resource)\n'
        f'when {{ context.argument.sources.contains(Source::"mail:p{number}@c.example") }};'
        for number in range(100)
    )
    return together(default_rules(), read_rules(text, "own.cedar"))


def _each(work: Callable[[], object], times: int = 50) -> float:
    work()
    begun = time.process_time_ns()
    for _ in range(times):
        work()
    return (time.process_time_ns() - begun) / times / 1000


def _once(work: Callable[[], object]) -> float:
    begun = time.process_time_ns()
    work()
    return (time.process_time_ns() - begun) / 1000


if __name__ == "__main__":
    sys.exit(main())
