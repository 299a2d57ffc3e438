"""`policy show` and `policy test`: all that is enforced, and the user's own cases against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from armslength.agent.showing.cleaning import clean, clean_line
from armslength.app import Settings, load_settings, tools_of
from armslength.app.policies import cases_of, default_text, policy_text, rules_of, vocabulary_of
from armslength.app.wiring import policy_without_models
from armslength.policy.engine import Policy, PolicySettings
from armslength.policy.rules import Rule
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import write_json, write_text


def show_policy(config: Path | None, *, is_json: bool) -> Exit:
    """All rules in force as they are written, and what the configuration says to them.

    Raises:
        ConfigError: a rule, a setting or a place is not understood.
    """
    settings = load_settings(config)
    policy = policy_of_configuration(settings)
    if is_json:
        write_json(
            {
                "rules": [_rule_json(rule) for rule in policy.rules.listed],
                "settings": _settings_json(settings, policy.settings),
            }
        )
        return Exit.DONE
    own = (
        [] if settings.policy is None else [f"// {settings.policy}: yours", clean(policy_text(settings.policy)).strip()]
    )
    parts = [
        "// default.cedar: shipped",
        default_text().strip(),
        *own,
        "\n".join(_settings_lines(settings, policy.settings)),
    ]
    write_text("\n\n".join(parts))
    return Exit.DONE


def show_schema(config: Path | None) -> Exit:
    """What a rule can name, in Cedar's language for it.

    Raises:
        ConfigError: a setting or a place is not understood.
    """
    settings = load_settings(config)
    write_text(vocabulary_of(settings, tools_of(settings)).text.strip())
    return Exit.DONE


def decide_cases(file: Path, config: Path | None, *, is_json: bool) -> Exit:
    """Decide each case. The code is that of a refusal if one comes out otherwise.

    Raises:
        ConfigError: the file or the policy is not understood; then nothing is decided.
    """
    settings = load_settings(config)
    policy = policy_of_configuration(settings)
    found = []
    for case in cases_of(file, settings, tools_of(settings)):
        decision = with_strict(policy, is_strict=case.is_strict).decide(case.action)
        found.append((case.name, decision.verdict, case.misses(decision)))
    missed = sum(bool(misses) for *_, misses in found)
    if is_json:
        write_json(
            {
                "cases": [{"name": name, "verdict": verdict, "misses": misses} for name, verdict, misses in found],
                "missed": missed,
            }
        )
    else:
        lines = [
            f"{'FAILED' if misses else 'ok':8}{clean_line(name)}: {misses or verdict}"
            for name, verdict, misses in found
        ]
        write_text("\n".join([*lines, f"{len(found)} cases, {missed} failed"]))
    return Exit.REFUSED if missed else Exit.DONE


def policy_of_configuration(settings: Settings) -> Policy:
    """The policy as a run under this configuration has it.

    Raises:
        ConfigError: the user's rules, or a place, are not understood.
    """
    return Policy(rules_of(settings, tools_of(settings)), policy_without_models(settings, is_strict=False))


def with_strict(policy: Policy, *, is_strict: bool) -> Policy:
    """The same for a run that was asked with `--strict`."""
    return replace(policy, settings=replace(policy.settings, asks_always=is_strict))


def _settings_lines(settings: Settings, said: PolicySettings) -> Iterator[str]:
    yield f"// {settings.file or 'no configuration file'}: what the settings say to these rules"
    yield f"// trusted, their words count as yours: {_listed(sorted(settings.trusted)) or 'no source beside you'}"
    yield f'// Group::"this-machine-only": {_listed(said.this_machine_only) or "nothing"}'
    for group in said.groups:
        yield f'// Group::"{group.name}": {_listed(group.members) or "nobody"}'
    for each in said.may_learn:
        yield f"// {_listed(each.who)} may learn what comes of {_listed(each.what) or 'nothing'}"
    yield f'// User::"you": {_listed((said.user_name, *said.addresses)) or "no name and no address"}'
    yield f"// context.small_planner: {'true' if said.asks_before_sending else 'false'}"
    yield "// context.strict: true with --strict, else false"


def _listed(names: Any) -> str:
    return ", ".join(clean_line(name) for name in names if name)


def _rule_json(rule: Rule) -> dict[str, Any]:
    statement = rule.statement
    return {
        "name": rule.name,
        "verdict": rule.verdict,
        "reason": rule.reason,
        "file": statement.file,
        "line": statement.line,
        "text": statement.text,
    }


def _settings_json(settings: Settings, said: PolicySettings) -> dict[str, Any]:
    return {
        "trusted": sorted(settings.trusted),
        "this_machine_only": list(said.this_machine_only),
        "groups": {group.name: list(group.members) for group in said.groups},
        "may_learn": [{"who": list(each.who), "what": list(each.what)} for each in said.may_learn],
        "user_name": said.user_name,
        "addresses": list(said.addresses),
        "small_planner": said.asks_before_sending,
    }
