"""Accepted declarations as tools of ours. What no configuration and no honest server says is read in the strictest way."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from armslength.errors import ConfigError
from armslength.events import Trust
from armslength.labels import Label
from armslength.schema import NONE, Field, ListOf, OptionalOf, Origin, RecordType, Signature, Type
from armslength.tools.base import (
    UNKNOWN,
    ByArguments,
    Receivers,
    Role,
    Tool,
    ToolCall,
    anybody,
    nobody,
    receivers_in,
    version_of,
)
from armslength.tools.mcp import ifc, results, schemas
from armslength.tools.mcp.declaration import Declaration
from armslength.tools.mcp.naming import program_names
from armslength.tools.mcp.results import Answered, Whose, labelled
from armslength.tools.mcp.schemas import Given, Taken, given_of, taken_of, to_send
from armslength.tools.mcp.settings import SERVER, Child, Server, ToolChoices
from armslength.tools.text.unseen import is_unseen
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain

_AT_ONCE = 4
_STYLE = re.compile("(?<=[\u2190-\u2bff\U0001f000-\U0001faff])[\ufe0e\ufe0f]")
"""Behind a sign: whether it is drawn in colours. The planner is told the sign alone."""


class Spoken(Protocol):
    """A server that can be asked."""

    def call(self, declaration: Declaration, arguments: Mapping[str, Plain], told: Mapping[str, object]) -> Answered:
        """What it answers, if it still declares that tool so.

        Raises:
            ToolError: it does not, or does not answer as it must.
        """
        ...


@dataclass(frozen=True, slots=True)
class Refused:
    """A tool of a server that is none of ours, and why."""

    server: str
    tool: str
    why: str


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools of a server, and those of its own that are none."""

    tools: tuple[Tool, ...] = ()
    refused: tuple[Refused, ...] = ()


def offered_by(
    server: Server, declarations: Iterable[Declaration], spoken: Spoken, trust: Trust, taken: frozenset[str]
) -> Offered:
    """The accepted declarations of a server as tools. `taken`: names that other tools and functions have.

    Raises:
        ConfigError: the configuration names a tool's parameter or field that it does not have.
    """
    listed = list(declarations)
    names = program_names(server.name, [each.name for each in listed])
    tools, refused = list[Tool](), list[Refused]()
    for each in listed:
        choices = server.tools.get(each.name, ToolChoices())
        name = names.get(each.name)
        why = _why_none(name, taken, choices)
        if name is None or why:
            refused.append(Refused(server.name, each.name, why))
            continue
        made = _Made(server, each, name, choices, trust).tool(spoken)
        if isinstance(made, str):
            refused.append(Refused(server.name, each.name, made))
        else:
            tools.append(made)
    return Offered(tuple(tools), tuple(refused))


def _why_none(name: str | None, taken: frozenset[str], choices: ToolChoices) -> str:
    if choices.is_left_out:
        return "the configuration leaves it out"
    if name is None:
        return "its name is none that a program can write, or another's too"
    return f"{name} is the name of something else" if name in taken else ""


@dataclass(frozen=True, slots=True)
class _Made:
    """One tool while it is made."""

    server: Server
    declaration: Declaration
    name: str
    choices: ToolChoices
    trust: Trust

    def tool(self, spoken: Spoken) -> Tool | str:
        """The tool, or why it is none."""
        content = self.declaration.content
        taken, given = taken_of(content["inputSchema"], self.name), given_of(content.get("outputSchema"), self.name)
        if isinstance(taken, str):
            return taken
        given = Given(NONE) if self.choices.is_silent else given
        own = self.name.removeprefix(f"{self.server.name}_")
        whose = Whose(self.server.store, own, self.choices, self.trust, self.server.is_honest)
        signature = Signature(self.name, taken.parameters, given.type, self._told(), origin=Origin("mcp"))
        self._check(taken, given)
        return Tool(
            signature=signature,
            run=self._run(spoken, taken, given, whose),
            roles={each.name: self.choices.roles.get(each.name, Role.UNDECLARED) for each in taken.parameters},
            reads=self.server.store if self._reads else None,
            changes=self.server.store if self._changes else None,
            receivers=self._receivers(taken),
            undo=None,
            picks=self.choices.picks,
            version=self._version(signature),
            summary=lambda _args: f"{self.name}: ask the server {self.server.name} to do it",
            at_once=_AT_ONCE,
            happened=(lambda _call, _args: False) if self._is_repeatable else None,
            usually=lambda _args, _where: _usual(whose, given.type),
            fails_by=(self.trust(f"{self.server.store}/{own}"),),
            may_be_granted=self._may_be_granted,
        )

    # What it does: the configuration, else an honest server's word, else the strictest reading

    def _says(self, configured: bool | None, hint: str, wanted: bool, strict: bool) -> bool:  # noqa: FBT001
        """`strict` unless the configuration or an honest server (its hint is exactly `wanted`) says otherwise."""
        if configured is not None:
            return configured
        return (not strict) if self.server.is_honest and self.declaration.hints.get(hint) is wanted else strict

    @property
    def _changes(self) -> bool:
        return self._says(self.choices.changes, "readOnlyHint", wanted=True, strict=True)

    @property
    def _reads(self) -> bool:
        return self.choices.reads is not False

    @property
    def _is_repeatable(self) -> bool:
        return self._says(self.choices.is_repeatable, "idempotentHint", wanted=True, strict=False)

    @property
    def _may_be_granted(self) -> bool:
        return self._says(self.choices.may_be_granted, "destructiveHint", wanted=False, strict=False)

    def _receivers(self, taken: Taken) -> Callable[[dict[str, Plain]], Receivers]:
        """Who learns of a call. An honest server's closed world is itself; where it runs here, that is nobody."""
        listed = self.choices.receivers
        if listed is None:
            is_closed = self.server.is_honest and self.declaration.hints.get("openWorldHint") is False
            if not is_closed:
                return anybody
            listed = () if isinstance(self.server.place, Child) else (SERVER,)
        if not listed:
            return nobody
        fixed = tuple(
            self.server.store if each == SERVER else each.lower() for each in listed if not each.startswith("{")
        )
        named = [each[1:-1] for each in listed if each.startswith("{")]
        return _receivers(fixed, named)

    def _told(self) -> str:
        """What the planner is told of it: the person's own words for it, else the first line of the server's.

        Nothing where its words hold a character that a screen does not show as it is: they were written for no person.
        """
        if self.choices.description is not None:
            return self.choices.description
        said = _STYLE.sub("", self.declaration.description.strip())
        first = said.splitlines()[0] if said else ""
        return "" if any(map(is_unseen, said)) else first

    def _version(self, signature: Signature) -> str:
        """It changes with the declaration, with what is configured of the tool, and with our code."""
        ours = version_of(signature, results, schemas, ifc)
        choices = repr([getattr(self.choices, each) for each in self.choices.__slots__])
        parts = [self.server.whereabouts, str(self.server.is_honest), self.declaration.digest, choices, ours]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _check(self, taken: Taken, given: Given) -> None:
        """What the configuration says is about something that there is."""
        where = f"mcp.{self.server.name}.tools.{self.declaration.name}"
        parameters = {each.name for each in taken.parameters}
        named = {each[1:-1] for each in self.choices.receivers or () if each.startswith("{")}
        if unknown := sorted((set(self.choices.roles) | named) - parameters):
            raise ConfigError(
                f"{where}: {self.name} has no parameter {unknown[0]}; it has: {', '.join(sorted(parameters)) or 'none'}"
            )
        if self.choices.known and not self.choices.picks:
            raise ConfigError(f"{where}: known needs picks = true; else the arguments may be part of every field")
        fields = _paths(given.type)
        if unknown := sorted((set(self.choices.known) | set(self.choices.public or ())) - fields - {"*"}):
            raise ConfigError(
                f"{where}: its result has no field {unknown[0]}; it has: {', '.join(sorted(fields)) or 'none'}"
            )

    def _run(
        self, spoken: Spoken, taken: Taken, given: Given, whose: Whose
    ) -> Callable[[ToolCall, dict[str, Plain]], Labelled]:
        def run(call: ToolCall, args: dict[str, Plain]) -> Labelled:
            told = ifc.told(call.labels.values()) if self.server.is_honest else {}
            return labelled(spoken.call(self.declaration, to_send(args, taken), told), given, whose)

        return run


def _receivers(fixed: tuple[str, ...], named: list[str]) -> ByArguments:
    by_arguments = receivers_in(*named)

    def resolve(args: dict[str, Plain]) -> Receivers:
        found = by_arguments(args) if named else Receivers(())
        return UNKNOWN if found.names is None else Receivers((*fixed, *found.names))

    return ByArguments(tuple(named), resolve)


def _usual(whose: Whose, declared: Type) -> Usual:
    whole: Label = whose.label_of("")
    fields = {path.rpartition(".")[2]: whose.label_of(path) for path in _paths(declared)}
    return Usual(whole, fields, whole)


def _paths(declared: Type, before: str = "") -> frozenset[str]:
    """The dotted names of all fields."""
    match declared:
        case ListOf(inner) | OptionalOf(inner):
            return _paths(inner, before)
        case RecordType(_, fields):
            return frozenset().union(*(_of_field(each, before) for each in fields))
        case _:
            return frozenset()


def _of_field(each: Field, before: str) -> frozenset[str]:
    path = f"{before}.{each.name}".strip(".")
    return frozenset({path}) | _paths(each.type, path)
