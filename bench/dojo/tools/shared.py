"""What the declarations of all suites share: the environment of a run, an AgentDojo function as a tool, records, labels per field.

What the provider itself records has the source `store:SUITE`, which the suite's configuration trusts; everything else has whoever wrote
it. All of it is private to the user but where a declaration says who else has it already.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from enum import Enum
from threading import RLock
from types import MappingProxyType
from typing import Any

from agentdojo.functions_runtime import Function, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suite
from pydantic import BaseModel, EmailStr

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import PRIVATE, Label, Readers, Source, construct, join, label
from armslength.schema import STR, Field, ListOf, Menu, OptionalOf, Origin, Parameter, RecordType, Signature, Type
from armslength.tools.annotations import declared_type, label_plain
from armslength.tools.base import Receivers, Role, Tool, ToolCall, nobody, one_at_a_time, version_of
from armslength.tools.ledger import read_back
from armslength.tools.usual import Usual, Usually
from armslength.values import Labelled, Plain

VERSION = "v1.2.2"
"""AgentDojo's benchmark version."""

Args = dict[str, Plain]
Labelling = Callable[[ToolCall, Args, Any], Labelled]
"""From a call, its arguments and what AgentDojo's function returned to the labelled result."""


@dataclass(slots=True)
class Held:
    """The environment of one run, which the tools change; the calls of its functions that were made; who wrote what this run wrote."""

    environment: Any
    calls: list[tuple[str, Args]] = field(default_factory=list)
    written: dict[str, Label] = field(default_factory=dict)
    alone: Any = field(default_factory=RLock)

    def note(self, what: str, call: ToolCall) -> None:
        """This call writes `what`: the labels of its arguments stay with it, beside those of whatever was written there before."""
        made = construct(*call.labels.values())
        self.written[what] = join(self.written.get(what, made), made)

    def read(self, what: str, default: Label, store: Source) -> Label:
        """The label of `what` as it is read again: the default, joined with the labels of what this run wrote there."""
        written = self.written.get(what)
        return default if written is None else join(read_back(written, store), default)


class Provider:
    """The service behind one suite's tools, as their declarations speak of it."""

    def __init__(self, suite: str, world: Held, trust: Trust) -> None:
        """`suite`: its name in AgentDojo. `trust`: which sources the run's configuration trusts."""
        self.suite, self.world, self.trust = suite, world, trust
        self.store = trust(f"store:{suite}")
        self.known = label([self.store], readers=PRIVATE)
        """What the provider itself records."""
        functions: Iterable[Function[Any, Any]] = get_suite(VERSION, suite).tools
        self._functions = {each.name: each for each in functions}
        self._runtime = FunctionsRuntime(list(self._functions.values()))

    def by(self, *names: str, readers: Readers = PRIVATE) -> Label:
        """The label of what the sources of these names wrote."""
        return label(map(self.trust, names), readers=readers)

    def tool(  # noqa: PLR0913  # one declaration, all by name
        self,
        name: str,
        returns: Type,
        labelled: Labelling,
        *,
        origin: Origin,
        roles: Mapping[str, Role] = MappingProxyType({}),
        reads: str | None = None,
        changes: str | None = None,
        receivers: Callable[[Args], Receivers] = nobody,
        picks: bool = False,
        fails_by: tuple[Source, ...] | None = None,
        usually: Usually | None = None,
        summary: Callable[[Args], str] | None = None,
        parameters: Mapping[str, Type] = MappingProxyType({}),
    ) -> Tool:
        """AgentDojo's function of that name as a tool. What is not given is read in the strictest way, as everywhere.

        `parameters`: declared types of parameters whose annotation is no type of the language. Rarer parts are put in by `replace`.
        """
        function = self._functions[name]
        signature = _signature(function, returns, origin, parameters)

        def run(call: ToolCall, args: Args) -> Labelled:
            return labelled(call, args, self._do(name, args))

        made = Tool(
            signature=signature,
            run=run,
            roles={each.name: roles.get(each.name, Role.TARGET) for each in signature.parameters},
            reads=reads,
            changes=changes,
            receivers=receivers,
            undo=None,
            picks=picks,
            version=version_of(signature, function.run, labelled),
            summary=summary,
            fails_by=fails_by,
            usually=usually,
        )
        return one_at_a_time(made, self.world.alone)

    def known_tool(self, name: str, returns: Type, *, reads: str) -> Tool:
        """A read without arguments of what the provider itself records, all of it: it never fails."""
        return self.tool(
            name,
            returns,
            lambda _call, _args, result: plainly(result, returns, self.known),
            origin=Origin("tool", is_trusted=True),
            reads=reads,
            picks=True,
            fails_by=(),
            usually=lambda _args, _where: Usual(self.known),
        )

    def _do(self, name: str, args: Args) -> Any:
        """Call AgentDojo's function as its own runtime does.

        Raises:
            ToolError: it says that this cannot be.
        """
        self.world.calls.append((name, args))
        try:
            result, _none = self._runtime.run_function(self.world.environment, name, args, raise_on_error=True)
        except ValueError as error:
            raise ToolError(f"{name}: {' '.join(str(error).split())}") from error
        return result

    def tried(self, name: str, args: Args) -> Any:
        """A copy of the environment as the function would leave it, None where it says that this cannot be. For what a person is shown."""
        copied = self.world.environment.model_copy(deep=True)
        _result, error = self._runtime.run_function(copied, name, args)
        return copied if error is None else None


DONE = Labelled(None, label())
"""The result of a function that returns nothing."""


def done(_call: ToolCall, _args: Args, _result: Any) -> Labelled:
    """`labelled` of a function that returns nothing."""
    return DONE


def _signature(function: Function[Any, Any], returns: Type, origin: Origin, given: Mapping[str, Type]) -> Signature:
    """Names, types, defaults and the description's first line as AgentDojo has them."""
    hints = typing.get_type_hints(function.run)
    parameters = []
    for each in inspect.signature(function.run).parameters.values():
        if each.name in function.dependencies:
            continue
        has_default = each.default is not each.empty
        declared = given.get(each.name) or _type_of(hints[each.name], function.name)
        parameters.append(Parameter(each.name, declared, has_default, each.default if has_default else None))
    doc = function.description.split("\n", 1)[0]
    return Signature(function.name, tuple(parameters), returns, doc, origin=origin)


def record_of(model: type[BaseModel], **types: Type) -> RecordType:
    """The record type of one of AgentDojo's models: moments are texts, enumerations menus. `types`: of fields that are something else."""
    hints = typing.get_type_hints(model)
    return RecordType(
        model.__name__,
        tuple(Field(name, types.get(name) or _type_of(hints[name], model.__name__)) for name in model.model_fields),
    )


def described(declared: RecordType, **docs: str) -> RecordType:
    """The record type with a few words for the planner about some of its fields."""
    return replace(declared, fields=tuple(replace(each, doc=docs.get(each.name, each.doc)) for each in declared.fields))


def _type_of(hint: Any, where: str) -> Type:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return record_of(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Menu(tuple(member.value for member in hint))
    if hint in (date, datetime, time, EmailStr):
        return STR
    if isinstance(hint, typing.NewType):
        return _type_of(hint.__supertype__, where)
    inner = typing.get_args(hint)
    if typing.get_origin(hint) is list and len(inner) == 1:
        return ListOf(_type_of(inner[0], where))
    if len(inner) == 2 and type(None) in inner:
        return OptionalOf(_type_of(next(part for part in inner if part is not type(None)), where))
    return declared_type(hint, where)


def plain(data: Any) -> Any:
    """AgentDojo's data as plain data: models as dicts, enumerations as values, moments as "YYYY-MM-DD HH:MM", days as "YYYY-MM-DD"."""
    match data:
        case BaseModel():
            return {name: plain(getattr(data, name)) for name in type(data).model_fields}
        case Mapping():
            return {plain(key): plain(part) for key, part in data.items()}
        case list() | tuple():
            return [plain(item) for item in data]
        case Enum():
            return data.value
        case datetime():
            return data.strftime("%Y-%m-%d %H:%M")
        case date() | time():
            return data.isoformat()
        case _:
            return data


def plainly(data: Any, declared: Type, one_label: Label) -> Labelled:
    """AgentDojo's data of a declared type, with one label at every node."""
    return label_plain(plain(data), declared, one_label)


def record(data: Any, declared: RecordType, whole: Label, fields: Mapping[str, Label]) -> Labelled:
    """One of AgentDojo's records with a label for each field; `whole` is that of the reference. Each field must have been given one.

    Raises:
        KeyError: one was not.
    """
    parts = plain(data)
    named = {each.name: label_plain(parts[each.name], each.type, fields[each.name]) for each in declared.fields}
    return Labelled(named, whole, declared)


def listed(items: Iterable[Labelled], shape: Label) -> Labelled:
    """A list; `shape` is the label of which they are, how many and in what order."""
    return Labelled(tuple(items), shape)
