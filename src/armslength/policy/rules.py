"""Rules: what a policy file's text becomes. Cedar parses each, and what is ours in it is checked: its name, its verdict, its reason.

`@id` names a rule. A `forbid` says what it leads to and why, in one line for the screen: `@ask("...")` or `@deny("...")`. What no rule
forbids is let through by the one `permit` of default.cedar, which says `@allow("...")`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from cedarpy import policies_to_json_str

from armslength.errors import ConfigError
from armslength.policy.action import Verdict
from armslength.policy.text import Statement, statements
from armslength.policy.trees import Tree, is_about_each_argument, policy_set, put_to, whole_records

_VERDICTS: tuple[Verdict, ...] = ("deny", "ask", "allow")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
OF_THE_ARGUMENT = frozenset({"argument", "sources", "strangers"})
PLACEHOLDERS = OF_THE_ARGUMENT | {"tool", "store", "receivers", "deciders"}
"""What stands between braces in a reason; docs/policy.md says what each becomes."""
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

_IN_GENERAL = {
    "argument": "an argument",
    "sources": "others",
    "strangers": "somebody",
    "tool": "this tool",
    "store": "its store",
    "receivers": "who learns of it",
    "deciders": "others",
}
"""What stands for each where nothing has happened yet."""


def in_general(reason: str) -> str:
    """A rule's reason before there is a call that it is about."""
    return PLACEHOLDER.sub(lambda found: _IN_GENERAL.get(found[1], found[0]), reason)


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule. `tree` is what Cedar's parser made of it, in Cedar's JSON form. `is_per_argument`: it names `context.argument`."""

    name: str
    verdict: Verdict
    reason: str
    statement: Statement
    tree: Tree = field(repr=False)
    is_per_argument: bool

    @property
    def names_an_action(self) -> bool:
        """A rule whose head says only `action` is about effects; that data goes to a model is no effect, and nobody is asked there."""
        return bool(self.tree["action"]["op"] != "All")

    @property
    def place(self) -> str:
        """The file and the line where it begins."""
        return f"{self.statement.file} line {self.statement.line}"


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """All rules that are in force, those of default.cedar first. Whoever adds one makes decisions stricter, never looser."""

    listed: tuple[Rule, ...]


def together(default: Rules, own: tuple[Rule, ...]) -> Rules:
    """The shipped rules and then the user's.

    Raises:
        ConfigError: one of the user's has the name of a shipped rule, or of what is said where no rule decides.
    """
    taken = {rule.name for rule in default.listed} | {"policy-error", "nothing-permits"}
    for rule in own:
        if rule.name in taken:
            raise rule.statement.error(
                rule.statement.line_of(rule.name), f"{rule.name} is the name of a shipped rule; give another"
            )
    return Rules((*default.listed, *own))


def read_rules(text: str, file: str, *, is_default: bool = False) -> tuple[Rule, ...]:
    """The rules of a policy file. Only default.cedar, where everything is permitted that nothing forbids, has a `permit`.

    Raises:
        ConfigError: with the line, what is wrong there and what it should be.
    """
    found = tuple(_rule(statement, is_default=is_default) for statement in statements(text, file))
    try:
        counted = len(_parsed(text)["staticPolicies"])
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from error
    if counted != len(found):
        raise ConfigError(f"{file}: Cedar finds {counted} rules here and not {len(found)}; take out unusual characters")
    return found


def _parsed(text: str) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(policies_to_json_str(text)))


def _rule(statement: Statement, *, is_default: bool) -> Rule:
    tree = _tree(statement)
    notes = cast("dict[str, str | None]", tree.pop("annotations", {}))
    name = notes.get("id") or ""
    if not _NAME.fullmatch(name):
        raise statement.error(statement.line, 'a rule begins with its name, such as @id("no-files-to-slack")')
    verdict = _verdict(statement, name, tree["effect"], notes)
    if verdict == "allow" and not is_default:
        raise statement.error(
            statement.line,
            f"{name}: what nothing forbids is permitted already, so a permit has no effect; write forbid, or to loosen something use "
            "[trust] or [privacy.may_learn] in the configuration",
        )
    for whole in whole_records(tree):
        raise statement.error(
            statement.line,
            f"{name}: {whole} cannot be used as a whole; name one of its attributes, such as context.argument.sources",
        )
    reason = notes[verdict] or ""
    is_per_argument = is_about_each_argument(tree)
    _check_reason(statement, name, reason, is_per_argument=is_per_argument)
    return Rule(name, verdict, reason, statement, tree, is_per_argument)


def _tree(statement: Statement) -> Tree:
    try:
        parsed = _parsed(statement.text)
    except ValueError as error:
        if "from JSON" in str(error):
            raise _too_long(statement) from error
        raise statement.misread(policies_to_json_str, error) from error
    if parsed["templates"]:
        raise statement.error(statement.line, "?principal and ?resource stand for nothing here; leave them out")
    (tree,) = cast("list[Tree]", list(parsed["staticPolicies"].values()))
    try:  # a rule that is put to an argument is a little deeper
        policy_set({"x": put_to(tree, "x", "target")})
    except ValueError as error:
        raise _too_long(statement) from error
    return tree


def _too_long(statement: Statement) -> ConfigError:
    return statement.error(statement.line, "this rule is too long a chain of && or ||; write several rules")


def _verdict(statement: Statement, name: str, effect: str, notes: dict[str, str | None]) -> Verdict:
    for note in notes:
        if note != "id" and note not in _VERDICTS:
            raise statement.error(
                statement.line_of(note), f"{name}: @{note} says nothing here; there are: @id, @ask, @deny"
            )
    said = [verdict for verdict in _VERDICTS if verdict in notes]
    if len(said) != 1 or (effect == "permit") != (said == ["allow"]):
        raise statement.error(
            statement.line, f'{name}: a forbid says what it leads to and why, with either @ask("why") or @deny("why")'
        )
    return said[0]


def _check_reason(statement: Statement, name: str, reason: str, *, is_per_argument: bool) -> None:
    if not reason.strip() or not reason.isprintable():
        raise statement.error(statement.line, f"{name}: its reason is one line of text that a person reads")
    for placeholder in _placeholders(reason):
        if placeholder not in PLACEHOLDERS:
            raise statement.error(
                statement.line,
                f"{name}: {{{placeholder}}} in its reason stands for nothing; there are: {', '.join(sorted(PLACEHOLDERS))}",
            )
        if placeholder in OF_THE_ARGUMENT and not is_per_argument:
            raise statement.error(
                statement.line,
                f"{name}: {{{placeholder}}} is of one argument, and the rule does not name context.argument",
            )


def _placeholders(reason: str) -> Iterator[str]:
    return (found[1] for found in PLACEHOLDER.finditer(reason))
