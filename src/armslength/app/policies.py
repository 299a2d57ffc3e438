"""The policy's files, read: the shipped default and the user's own, which is checked against the tools in use."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

from armslength.agent.runs.trust import trust_of
from armslength.app.settings import Settings
from armslength.app.table import KINDS, SINGLE
from armslength.errors import ConfigError
from armslength.policy.cases import Case, read_cases
from armslength.policy.naming import check_names
from armslength.policy.rules import Rules, read_rules, together
from armslength.policy.schema import Declared, Parameter, Vocabulary
from armslength.tools.base import Tool, nobody

DEFAULT = "default.cedar"


@cache
def default_text() -> str:
    """The text of the policy that is shipped."""
    return (files("armslength.policy") / DEFAULT).read_text("utf-8")


@cache
def default_rules() -> Rules:
    """The rules that are shipped."""
    return Rules(read_rules(default_text(), DEFAULT, is_default=True))


def rules_of(settings: Settings, tools: Iterable[Tool]) -> Rules:
    """All rules in force: those that are shipped, then the user's.

    Raises:
        ConfigError: the user's file is not there, or says what is not understood or of no effect; then nothing runs.
    """
    if settings.policy is None:
        return default_rules()
    own = read_rules(policy_text(settings.policy), str(settings.policy))
    rules = together(default_rules(), own)
    check_names(own, vocabulary_of(settings, tools))
    return rules


def cases_of(path: Path, settings: Settings, tools: Iterable[Tool]) -> tuple[Case, ...]:
    """The cases of a file.

    Raises:
        ConfigError: it cannot be read, or says what is not understood.
    """
    try:
        loaded = tomllib.loads(policy_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: this is not TOML: {error}") from error
    return read_cases(loaded, str(path), vocabulary_of(settings, tools), trust_of(settings.trusted))


def vocabulary_of(settings: Settings, tools: Iterable[Tool]) -> Vocabulary:
    """All that a rule can name."""
    return Vocabulary(
        tuple(declared_of(tool) for tool in tools),
        tuple(group.name for group in settings.groups),
        (*KINDS, "mailbox"),
        SINGLE,
    )


def declared_of(tool: Tool) -> Declared:
    """What the policy is told of a tool."""
    parameters = tuple(
        Parameter(each.name, tool.roles[each.name].value, each.has_default) for each in tool.signature.parameters
    )
    if tool.carries is not None:
        parameters = (*parameters, Parameter(tool.carries[0], "content", True))
    return Declared(
        name=tool.name,
        parameters=parameters,
        store=tool.changes,
        is_undoable=tool.undo is not None,
        has_receivers=tool.receivers is not nobody,
        is_effect=tool.is_effect,
    )


def policy_text(path: Path) -> str:
    """The text of a file of rules, or of cases.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
