"""Any number of random policies: no rule more, whether it asks or denies, lets anything happen that was not let before.

    python -m tests.policy.campaign N [SEED] [--write]

Each policy is a part of the shipped rules, or all of them, with rules of a user's; one or two more are added at any place, and random
calls are decided by both. Prints what of the decisions changed, and what became wider with the rules and the call. Ends with 1 if
something did, or if not each change to something stricter came about.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.commit import Taken
from tests.policy.making import FILE, STRICTNESS, VOCABULARY
from tests.policy.random_rules import RandomRules, random_action, random_settings

from armslength.app.policies import default_rules
from armslength.errors import ConfigError
from armslength.policy.engine import Action, Decision, Policy, PolicySettings, Rules
from armslength.policy.naming import check_names
from armslength.policy.rules import Rule, read_rules

ACTIONS = 25
"""Calls that are decided by each pair of policies."""
STRICTER = frozenset({"allow -> ask", "allow -> deny", "ask -> deny"})


@dataclass
class Tally:
    """What came of it so far."""

    policies: int = 0
    decisions: int = 0
    refused: int = 0
    """Rules that were not taken when they were read."""
    changes: Counter[str] = field(default_factory=Counter)
    spoke: Counter[str] = field(default_factory=Counter)
    """How often a rule of this name was among the reasons; those that were drawn are `own`."""
    wider: list[str] = field(default_factory=list)

    def check(self, number: int) -> None:
        """One pair of policies, whose draw depends on its number alone."""
        drawn = random.Random(number)
        rules = RandomRules(drawn)
        before = self._base(drawn, rules)
        more = self._read(rules.rule(f"more{at}") for at in range(drawn.randint(1, 2)))
        place = drawn.randint(0, len(before))
        settings = random_settings(drawn)
        fewer = Policy(Rules(tuple(before)), settings)
        stricter = Policy(Rules((*before[:place], *more, *before[place:])), settings)
        self.policies += 1
        for _ in range(ACTIONS):
            self._compare(number, fewer, stricter, random_action(drawn))

    def _base(self, drawn: random.Random, rules: RandomRules) -> list[Rule]:
        shipped = default_rules().listed
        left_out = drawn.choice([0.0, 0.0, 0.3, 0.7, 1.0])
        kept = [rule for rule in shipped if rule.verdict == "allow" or drawn.random() >= left_out]
        return [*kept, *self._read(rules.rule(f"own{at}") for at in range(drawn.randint(0, 4)))]

    def _read(self, texts: Iterable[str]) -> list[Rule]:
        found: list[Rule] = []
        for text in texts:
            try:
                read = read_rules(text, FILE)
                check_names(read, VOCABULARY)
            except ConfigError:
                self.refused += 1
            else:
                found += read
        return found

    def _compare(self, number: int, fewer: Policy, stricter: Policy, action: Action) -> None:
        before, after = fewer.decide(action), stricter.decide(action)
        self.decisions += 1
        self.changes[f"{before.verdict} -> {after.verdict}"] += 1
        self.spoke.update({_kind(reason.rule) for reason in after.reasons})
        fault = widened(before, after)
        if fault:
            added = [rule for rule in stricter.rules.listed if rule not in fewer.rules.listed]
            self.wider.append(_told(number, fault, added, fewer.settings, action))


def widened(before: Decision, after: Decision) -> str:
    """What is wrong with a decision by more rules, or nothing: it is looser, or keeps quiet about a rule that spoke."""
    if STRICTNESS[after.verdict] < STRICTNESS[before.verdict]:
        return f"{before.verdict} -> {after.verdict}"
    said = {reason.rule for reason in after.reasons}
    if after.verdict == before.verdict != "allow" and "policy-error" not in said:
        lost = {reason.rule for reason in before.reasons} - said
        return f"no word of {', '.join(sorted(lost))}" if lost else ""
    return ""


def _kind(rule: str) -> str:
    return "own" if rule.startswith(("own", "more")) else rule


def _told(number: int, fault: str, added: Sequence[Rule], settings: PolicySettings, action: Action) -> str:
    rules = "".join(rule.statement.text for rule in added)
    return f"--- seed {number}: {fault}\n{rules}\n{settings}\n{action}"


def main(arguments: list[str]) -> int:
    """Run, print, and say by the exit code whether nothing became wider."""
    parser = argparse.ArgumentParser(prog="python -m tests.policy.campaign")
    parser.add_argument("policies", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--write", action="store_true", help="write the counts into bench/results")
    options = parser.parse_args(arguments)
    taken = Taken("policies") if options.write else None
    tally, started = Tally(), time.monotonic()
    for number in range(options.seed, options.seed + options.policies):
        tally.check(number)
    lines = [*tally.wider[:10], *(f"{count:8} {change}" for change, count in sorted(tally.changes.items()))]
    lines += [f"{count:8} decisions of which {rule} was a reason" for rule, count in tally.spoke.most_common()]
    lines.append(f"{tally.refused} rules were refused; {len(tally.wider)} of {tally.decisions} decisions became wider")
    if taken is not None:
        lines.append(f"written to {taken.write(_found(tally, options.seed, time.monotonic() - started))}")
    sys.stdout.write("\n".join([*lines, ""]))
    return 1 if tally.wider or not tally.changes.keys() >= STRICTER else 0


def _found(tally: Tally, seed: int, seconds: float) -> dict[str, object]:
    return {
        "seed": seed,
        "policies": tally.policies,
        "decisions": tally.decisions,
        "changes": dict(sorted(tally.changes.items())),
        "rules_that_spoke": dict(tally.spoke.most_common()),
        "refused_rules": tally.refused,
        "seconds": round(seconds),
        "problems": len(tally.wider),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
