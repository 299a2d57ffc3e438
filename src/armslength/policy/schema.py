"""The schema of the rules, made of the tools in use: each tool an action, each parameter an attribute, each group a constant.

Cedar checks the rules against it when they are loaded, so that a rule about a tool or a group that is not there is no rule in waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cedarpy import Schema

from armslength.policy.action import SHOW_TO_MODEL, RoleName
from armslength.policy.facts import EVERY_EFFECT, NO_STORE, ROLES, UNKNOWN_ROLE
from armslength.policy.settings import THIS_MACHINE_ONLY

OF_A_LABEL: Mapping[str, str] = {
    "sources": "Set<Source>", "choice": "Set<Source>", "bits": "Long", "trusted": "Bool", "chosen": "Bool",
    "public": "Bool", "readers": "Set<Receiver>", "steer_public": "Bool", "steer": "Set<Receiver>",
    "groups": "Set<Group>", "only_groups": "Set<Group>",
}  # fmt: skip
OF_AN_ARGUMENT: Mapping[str, str] = {
    "name": "String", "role": "Role", "whole": "Bool", "exact": "Bool", "named": "Bool", "mixed": "Bool", "by_model": "Bool", "quoted": "Bool", "links": "Bool",
    "acts": "Bool", "own": "Bool", "receivers_chose": "Bool", **OF_A_LABEL,
}  # fmt: skip
OF_A_CALL: Mapping[str, str] = {
    "argument": "Argument", "control": "Label", "receivers": "Set<Receiver>", "receivers_known": "Bool", "has_receivers": "Bool",
    "vouched": "Bool", "known": "Bool", "alike": "Bool", "named": "Bool", "said": "Bool", "private": "Bool", "at_once": "Bool", "told": "Long", "may_be_told": "Long",
    "undoable": "Bool", "takes_back": "Bool", "groups": "Set<Group>", "only_groups": "Set<Group>", "small_planner": "Bool", "strict": "Bool",
}  # fmt: skip
"""And `arguments`, which each tool has of its own."""
OF_THE_USER: Mapping[str, str] = {"name": "String", "addresses": "Set<Receiver>"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a tool. `is_optional`: a call may leave it out."""

    name: str
    role: RoleName
    is_optional: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """A tool as its declaration says. One that is no effect is never decided on."""

    name: str
    parameters: tuple[Parameter, ...]
    store: str | None
    is_undoable: bool
    has_receivers: bool
    is_effect: bool
    takes_back: bool = False


MODEL_CALL = Declared(SHOW_TO_MODEL, (Parameter("words", "content", False),), None, False, True, True)
"""Data that goes to a model's provider, declared like a tool."""


@dataclass(frozen=True)
class Vocabulary:
    """All that a rule can name. `kinds` and `single`: how the names of sources begin, and those that are whole."""

    tools: tuple[Declared, ...]
    groups: tuple[str, ...]
    kinds: tuple[str, ...]
    single: tuple[str, ...]

    @cached_property
    def actions(self) -> dict[str, Declared]:
        """What is decided on, by name: effects, the inverses that they have, and showing data to a model."""
        effects = [each for each in self.tools if each.is_effect]
        inverses = [_inverse(each) for each in effects if each.is_undoable]
        return {each.name: each for each in (*effects, *inverses, MODEL_CALL)}

    @cached_property
    def constants(self) -> dict[str, tuple[str, ...]]:
        """The names of the entities of each type whose entities are known."""
        stores = {each.store for each in self.tools if each.store is not None} | {NO_STORE}
        return {
            "Action": (*self.actions, EVERY_EFFECT),
            "Group": (*self.groups, THIS_MACHINE_ONLY),
            "Role": (*ROLES, UNKNOWN_ROLE),
            "Store": tuple(sorted(stores)),
            "User": ("you",),
        }

    @property
    def text(self) -> str:
        """The schema in Cedar's language."""
        return self._text(self.actions.values())

    def _text(self, actions: Iterable[Declared]) -> str:
        constants = self.constants
        lines = [
            f"entity User in [Group] = {_record(OF_THE_USER)};",
            "entity Receiver, Source;",
            *(
                f"entity {kind} enum [{', '.join(map(quoted, constants[kind]))}];"
                for kind in ("Group", "Role", "Store")
            ),
            f"type Label = {_record(OF_A_LABEL)};",
            f"type Argument = {_record(OF_AN_ARGUMENT)};",
            f"action {quoted(EVERY_EFFECT)};",
            *(_action(each) for each in actions),
        ]
        return "\n".join(lines) + "\n"

    @cached_property
    def schema(self) -> Schema:
        """The same, parsed."""
        return Schema.from_str(self.text)

    @cached_property
    def schema_of_effects(self) -> Schema:
        """The same for a rule whose head names no action: it is about effects."""
        return Schema.from_str(self._text(self.effects))

    @property
    def effects(self) -> list[Declared]:
        """What a rule is about whose head names no action."""
        return [each for each in self.actions.values() if each is not MODEL_CALL]


def _inverse(effect: Declared) -> Declared:
    return Declared(f"undo_{effect.name}", effect.parameters, effect.store, False, False, True, takes_back=True)


def _action(declared: Declared) -> str:
    above = "" if declared.name == SHOW_TO_MODEL else f" in [{quoted(EVERY_EFFECT)}]"
    parameters = {
        f"@role({quoted(each.role)}) {quoted(each.name)}{'?' if each.is_optional else ''}": "Argument"
        for each in declared.parameters
    }
    context = _record({**OF_A_CALL, "arguments": _record(parameters)})
    return (
        f"action {quoted(declared.name)}{above} appliesTo {{ principal: User, resource: Store, context: {context} }};"
    )


def _record(attributes: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{name}: {kind}" for name, kind in attributes.items()) + "}"


def quoted(name: str) -> str:
    """A name as a text of Cedar."""
    return (
        '"'
        + "".join(each if each.isprintable() and each not in '"\\' else f"\\u{{{ord(each):x}}}" for each in name)
        + '"'
    )


def is_a_source(name: str, vocabulary: Vocabulary) -> bool:
    """Whether there can be a source of this name. A pattern is none, apart from the sources that stand for many themselves."""
    kind, colon, rest = name.partition(":")
    if not colon:
        return kind in vocabulary.single
    return kind in vocabulary.kinds and bool(rest) and (rest == "*" or not set(rest) & set("*?["))
