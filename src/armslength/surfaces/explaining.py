"""`policy explain`: which rules decide a call of a run or of a file of cases, and what would change it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armslength.agent.runs.trust import trust_of
from armslength.agent.showing.cleaning import clean_line
from armslength.app import Settings, load_settings, tools_of
from armslength.app.kept import Kept
from armslength.app.policies import cases_of
from armslength.errors import OperatorError
from armslength.policy.action import Action, Decision, action_from_json, name_sources
from armslength.policy.engine import Policy
from armslength.policy.explaining import Changed, what_would_change
from armslength.store.journal import of_the_run
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import tame_line, write_json, write_text
from armslength.surfaces.policies import policy_of_configuration, with_strict

_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class _Call:
    """A call to explain. `then`: what was decided about it when it ran."""

    title: str
    action: Action
    is_strict: bool
    then: str = ""


def explain(what: str | None, number: int, config: Path | None, *, is_json: bool) -> Exit:
    """Decide the call by today's policy, and try what would change that.

    Raises:
        OperatorError: there is no such run, case or effect, or the policy is not understood.
    """
    settings = load_settings(config)
    policy = policy_of_configuration(settings)
    call = (
        _call_of_case(what, number, settings)
        if what and what.endswith(".toml")
        else _call_of_run(what, number, settings)
    )
    policy = with_strict(policy, is_strict=call.is_strict)
    decision, changed = policy.decide(call.action), what_would_change(policy, call.action)
    if is_json:
        write_json(_json(call, decision, changed))
    else:
        write_text("\n".join(_lines(call, decision, changed, policy)))
    return Exit.DONE


def _call_of_case(what: str, number: int, settings: Settings) -> _Call:
    cases = cases_of(Path(what), settings, tools_of(settings))
    if not 1 <= number <= len(cases):
        raise OperatorError(f"explain: {what} has {len(cases)} cases; there is no case {number}")
    case = cases[number - 1]
    return _Call(f"{case.name} ({case.action.tool})", case.action, case.is_strict)


def _call_of_run(what: str | None, number: int, settings: Settings) -> _Call:
    kept = Kept(settings)
    runs = kept.names()
    if not runs:
        raise OperatorError(f"explain: there is no run in {kept.place}; ask something first, or give a file of cases")
    run = what or runs[-1]
    if run not in runs:
        raise OperatorError(f"explain: there is no run {run}; the last is {runs[-1]}. A file of cases ends with .toml")
    try:
        return _decided(run, number, settings)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise OperatorError(
            f"explain: the journal of {run} does not hold what its rules saw; an older version wrote it"
        ) from error


def _decided(run: str, number: int, settings: Settings) -> _Call:
    entries = of_the_run(Kept(settings).entries(run))
    is_strict = any(entry.get("kind") == "begun" and entry.get("is_strict") is True for entry in entries)
    decided = [entry for entry in entries if entry.get("kind") == "decision"]
    if not 1 <= number <= len(decided):
        raise OperatorError(
            f"explain: {len(decided)} effects were decided on in run {run}; there is no effect {number}"
        )
    noted = decided[number - 1]
    action = action_from_json(noted["effect"]["decided_on"], trust_of(settings.trusted))
    spoke = dict.fromkeys(str(reason["rule"]) for reason in noted["reasons"])
    title = f"{action.tool} (line {noted['effect']['line']}), effect {number} of {len(decided)} in run {run}"
    return _Call(title, action, is_strict, f"{noted['verdict']} by {', '.join(spoke)}")


def _lines(call: _Call, decision: Decision, changed: tuple[Changed, ...], policy: Policy) -> Iterator[str]:
    yield f"{tame_line(call.title)}: {decision.verdict}"
    if call.then:
        yield f"  when it ran: {tame_line(call.then)}"
    yield from _fact_lines(call.action)
    places = {rule.name: rule.place for rule in policy.rules.listed}
    yield "rules that decide it:"
    for reason in decision.reasons:
        yield f"  {tame_line(reason.rule)} ({tame_line(places.get(reason.rule, 'no rule'))}): {tame_line(reason.text)}"
    yield "what would change it:" if changed else "nothing that was tried would change it"
    for each in changed[:_MOST_SHOWN]:
        spoke = ", ".join(dict.fromkeys(reason.rule for reason in each.decision.reasons))
        by = "" if each.decision.verdict == "allow" else f" by {tame_line(spoke)}"
        yield f"  {each.decision.verdict}{by}, if {' and '.join(map(clean_line, each.said))}"
    if len(changed) > _MOST_SHOWN:
        yield f"  … {len(changed) - _MOST_SHOWN} more; --json has them"


def _fact_lines(action: Action) -> Iterator[str]:
    receivers = "unknown" if action.receivers is None else ", ".join(action.receivers) or "nobody"
    yield f"  goes to: {tame_line(receivers)}; changes: {tame_line(action.changes or 'nothing')}"
    for argument in action.arguments:
        label = argument.label
        readers = "everybody" if label.readers.names is None else ", ".join(("you", *sorted(label.readers.names)))
        words = name_sources(label.data)
        yield f"  {tame_line(argument.name)} ({argument.role}): words of {tame_line(words)}; may be read by {tame_line(readers)}"


def _json(call: _Call, decision: Decision, changed: tuple[Changed, ...]) -> dict[str, Any]:
    return {
        "call": call.title,
        "then": call.then,
        **_decision_json(decision),
        "changes": [{"if": list(each.said), **_decision_json(each.decision)} for each in changed],
    }


def _decision_json(decision: Decision) -> dict[str, Any]:
    reasons = [{"rule": reason.rule, "text": reason.text} for reason in decision.reasons]
    return {"verdict": decision.verdict, "reasons": reasons}
