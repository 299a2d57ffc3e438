"""Which rules the corpus misses: each rule of the shipped policy is taken out alone, and every run that it had a part in is run again.

A denial names no question that would have been asked as well, so a rule that asks had no part in a run that is denied.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from armslength.app.policies import default_rules
from armslength.policy.action import Action, Decision
from armslength.policy.engine import Policy, Rules
from armslength.policy.rules import Rule
from bench.attacks.case import Case
from bench.attacks.running import Row, run_form


@dataclass(frozen=True, slots=True)
class Cut:
    """What is taken out: a rule, or of a rule that is several statements the one with this number, counted from 1."""

    rule: str
    statement: int = 0

    @property
    def name(self) -> str:
        """As tables say it."""
        return f"{self.rule}, statement {self.statement}" if self.statement else self.rule


@dataclass(frozen=True, slots=True)
class Missed:
    """What comes of the runs that a rule had a part in once it is gone.

    `runs`: how many these are. In `happened` what must not happen does, in `unasked` it does not and nothing objects any more, in
    `loosened` what was denied is asked about. In the rest other rules object as strictly. `by`: the attacks that happen.
    """

    cut: Cut
    verdict: str
    runs: int
    happened: int
    unasked: int
    loosened: int
    by: tuple[str, ...]

    @property
    def is_missed(self) -> bool:
        """Something of the corpus gets further without it."""
        return bool(self.happened or self.unasked or self.loosened)

    def to_json(self) -> dict[str, Any]:
        """For the result's file."""
        told = asdict(self)
        return {"rule": self.cut.rule, "statement": self.cut.statement, **{k: v for k, v in told.items() if k != "cut"}}


def cuts() -> list[Cut]:
    """Each shipped rule that objects; after one that is several statements each of these."""
    found = []
    for name in dict.fromkeys(rule.name for rule in _objecting()):
        found.append(Cut(name))
        count = sum(rule.name == name for rule in _objecting())
        found += [Cut(name, number) for number in range(1, count + 1) if count > 1]
    return found


def _objecting() -> list[Rule]:
    return [rule for rule in default_rules().listed if rule.verdict != "allow"]


@contextmanager
def cut_out(cut: Cut) -> Iterator[None]:
    """Within it every policy of this process decides without the rule. Only measurements do this."""
    decide = Policy.decide

    def without(policy: Policy, action: Action) -> Decision:
        return decide(replace(policy, rules=_left(policy.rules, cut)), action)

    with patch.object(Policy, "decide", without):
        yield


@lru_cache(maxsize=64)
def _left(rules: Rules, cut: Cut) -> Rules:
    """Kept, since what Cedar makes of rules is kept by rules."""
    named = [rule for rule in rules.listed if rule.name == cut.rule]
    out = named if not cut.statement else named[cut.statement - 1 : cut.statement]
    return Rules(tuple(rule for rule in rules.listed if rule not in out))


def missed(chosen: Sequence[Case], rows: Sequence[Row], cut: Cut) -> Missed:
    """Run again, without the rule, all of these runs with labels on in which it was a reason."""
    cases = {case.name: case for case in chosen}
    held = [row for row in rows if row.labels == "on" and cut.rule in row.held_by]
    pairs = [(row, _again(cases, row, cut)) for row in held]
    return Missed(
        cut,
        next(rule.verdict for rule in _objecting() if rule.name == cut.rule),
        len(pairs),
        sum(after.has_happened for _, after in pairs),
        sum(not (after.has_happened or after.verdicts) for _, after in pairs),
        sum(not after.has_happened and "deny" in row.verdicts and after.verdicts == ("ask",) for row, after in pairs),
        tuple(dict.fromkeys(row.case for row, after in pairs if after.has_happened)),
    )


def _again(cases: Mapping[str, Case], row: Row, cut: Cut) -> Row:
    with tempfile.TemporaryDirectory() as folder, cut_out(cut):
        return run_form(cases[row.case], row.form, Path(folder) / "home", "on", row.person)


def missed_by(chosen: Sequence[Case], rows: Sequence[Row]) -> list[Missed]:
    """For each rule, and each statement of one that is several."""
    return [missed(chosen, rows, cut) for cut in cuts()]


def drawn(found: Sequence[Missed]) -> str:
    """A line for each; one that nobody misses says so."""
    head = f"{'rule':40} {'spoke in':>8} {'happens':>8} {'unasked':>8} {'asked':>6}   without it"
    return "\n".join([head, *map(_line, found)])


def _line(each: Missed) -> str:
    counts = f"{each.cut.name:40} {each.runs:>8} {each.happened:>8} {each.unasked:>8} {each.loosened:>6}"
    return counts if each.is_missed else f"{counts}   nothing in the corpus misses it"
