"""Each name that a rule uses is one that there is: tools, parameters, attributes, groups, stores, sources. A misspelt one is an error here.

Cedar's validator finds most of that, without a line and without `has`; this finds the rest, and says what it should be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from cedarpy import validate_policies

from armslength.errors import ConfigError
from armslength.policy.facts import EVERY_EFFECT
from armslength.policy.rules import Rule
from armslength.policy.schema import (
    OF_A_CALL,
    OF_A_LABEL,
    OF_AN_ARGUMENT,
    OF_THE_USER,
    Declared,
    Vocabulary,
    is_a_source,
)
from armslength.policy.trees import Tree, nodes, path_of, reads

_TYPES = ("Action", "Group", "Receiver", "Role", "Source", "Store", "User")
_SAID_BEFORE = re.compile(r"^for policy `[^`]*`[,:] ")
_NOT_THERE = re.compile(r"attribute `arguments\.(\w+)` in context for Action::\"([^\"]+)\" not found")
_MAY_BE_MISSING = re.compile(r"optional attribute `arguments\.(\w+)` in context for Action::\"([^\"]+)\"")


def check_names(rules: Iterable[Rule], vocabulary: Vocabulary) -> None:
    """Refuse rules that name what is not there, or that compare what cannot be compared.

    Raises:
        ConfigError: with file and line, and what it should be.
    """
    for rule in rules:
        _check_entities(rule, vocabulary)
        _check_attributes(rule, vocabulary)
        schema = vocabulary.schema if rule.names_an_action else vocabulary.schema_of_effects
        errors = sorted(error.error for error in validate_policies(rule.statement.text, schema).errors)
        if errors:
            raise _invalid(rule, _SAID_BEFORE.sub("", errors[0]))


def _invalid(rule: Rule, said: str) -> ConfigError:
    line = rule.statement.line
    missing = _NOT_THERE.search(said)
    if missing is not None:
        line = rule.statement.line_of(missing[1])
        said = (
            f"{missing[2]} has no parameter {missing[1]}; name the tools that have it in the rule's head, or write "
            f"context.arguments has {missing[1]} && before"
        )
    optional = _MAY_BE_MISSING.search(said)
    if optional is not None:
        line = rule.statement.line_of(optional[1])
        said = f"{optional[2]} can be called without {optional[1]}; write context.arguments has {optional[1]} && before"
    return rule.statement.error(line, f"{rule.name}: {said}")


def _check_entities(rule: Rule, vocabulary: Vocabulary) -> None:
    for kind, name in _entities(rule.tree):
        known = vocabulary.constants.get(kind)
        if kind not in _TYPES:
            raise _misspelt(rule, kind, f"{kind} is no type", _TYPES)
        if kind == "Source" and not is_a_source(name, vocabulary):
            raise _no_source(rule, name, vocabulary)
        if kind == "Receiver" and (_is_pattern(name) or name != name.lower()):
            raise _no_receiver(rule, name)
        if any(each.name == name and not each.is_effect for each in vocabulary.tools) and kind == "Action":
            line = rule.statement.line_of(name)
            raise rule.statement.error(
                line, f"{rule.name}: {name} only reads, so nothing is decided about it; name an effect"
            )
        if known is not None and name not in known:
            is_tool = kind == "Action"
            raise _misspelt(
                rule, name, f"no tool in use is named {name}" if is_tool else f'there is no {kind}::"{name}"', known
            )


def _is_pattern(name: str) -> bool:
    return bool(set(name) & set("*?["))


def _no_pattern(rule: Rule, kind: str, name: str) -> ConfigError:
    return rule.statement.error(
        rule.statement.line_of(name),
        f'{rule.name}: {kind}::"{name}" is one name, not a pattern; make a group of it in [groups], and write Group::"..."',
    )


def _no_receiver(rule: Rule, name: str) -> ConfigError:
    if _is_pattern(name):
        return _no_pattern(rule, "Receiver", name)
    return _misspelt(rule, name, f'Receiver::"{name}" never occurs, receivers are in lower case', [name.lower()])


def _no_source(rule: Rule, name: str, vocabulary: Vocabulary) -> ConfigError:
    if _is_pattern(name):
        return _no_pattern(rule, "Source", name)
    there_are = (*(f"{kind}:…" for kind in vocabulary.kinds), *vocabulary.single)
    return _misspelt(rule, name, f'Source::"{name}" names no source', there_are)


def _entities(tree: Tree) -> Iterator[tuple[str, str]]:
    """Every entity that is named, and every type that is asked for, with a name that any may have."""
    for node in nodes(tree):
        match node:
            case {"type": str(kind), "id": str(name)}:
                yield kind, name
            case {"is": {"entity_type": str(kind)}} | {"op": "is", "entity_type": str(kind)} if kind not in _TYPES:
                yield kind, ""
            case _:
                pass


def _check_attributes(rule: Rule, vocabulary: Vocabulary) -> None:
    for left, attribute in reads(rule.tree):
        named = path_of(left) or ()
        if attribute == "role" and named[:2] == ("context", "arguments"):
            raise rule.statement.error(
                rule.statement.line_of(attribute),
                f"{rule.name}: a rule is put to each argument by its role, so ask for context.argument.role",
            )
        known = _attributes_at(named, rule, vocabulary)
        if known is not None and attribute not in known:
            is_parameter = named[-1] == "arguments"
            of_what = (
                "parameter of a tool that the rule is about" if is_parameter else f"attribute of {'.'.join(named)}"
            )
            raise _misspelt(rule, attribute, f"{attribute} is no {of_what}", known)


def _attributes_at(named: tuple[str, ...], rule: Rule, vocabulary: Vocabulary) -> list[str] | None:
    """What there is to name in a record of the request; None where Cedar's validator knows."""
    match named:
        case ("context",):
            return [*OF_A_CALL, "arguments"]
        case ("context", "arguments"):
            concerned = _tools_of(rule, vocabulary)
            return sorted({parameter.name for each in concerned for parameter in each.parameters})
        case ("context", "argument") | ("context", "arguments", _):
            return [*OF_AN_ARGUMENT]
        case ("context", "control"):
            return [*OF_A_LABEL]
        case ("principal",):
            return [*OF_THE_USER]
        case _:
            return None


def _tools_of(rule: Rule, vocabulary: Vocabulary) -> list[Declared]:
    """The actions that the rule's head names; those of a rule without are all of them."""
    names = {name for kind, name in _entities({"head": rule.tree["action"]}) if kind == "Action"}
    if not names or EVERY_EFFECT in names:
        return vocabulary.effects
    return [each for each in vocabulary.actions.values() if each.name in names]


def _misspelt(rule: Rule, name: str, said: str, known: Iterable[str]) -> ConfigError:
    there_are = list(known)
    close = get_close_matches(name, there_are, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(there_are)}"
    return rule.statement.error(rule.statement.line_of(name), f"{rule.name}: {said}; {hint}")
