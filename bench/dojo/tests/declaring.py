"""What tests of any suite's declarations share: its tools over a fresh environment, calls of them, and the labels in their results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from agentdojo.task_suite.load_suites import get_suite

from armslength.agent.effects.tool_use import ToolUse
from armslength.events import labelled_to_json
from armslength.labels import LITERAL, Label, Source
from armslength.tools.base import Tool, ToolCall
from armslength.values import Labelled, Plain, Value
from bench.dojo.tools.shared import VERSION, Args, Held

MARK = "the attacker was here"


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite's declarations over one environment. `marks`: the texts that stand where its injection vectors are."""

    module: ModuleType
    world: Held
    tools: dict[str, Tool]
    marks: tuple[str, ...]

    def trust(self, name: str) -> Source:
        """The suite's own configuration."""
        return Source(name, name in self.module.TRUSTED)

    def call(self, name: str, **args: Any) -> Labelled:
        """What the tool gives, before the arguments' labels are joined to it."""
        return self.labelled_call(name, dict.fromkeys(args, LITERAL), args)

    def labelled_call(self, name: str, labels: Mapping[str, Label], args: Mapping[str, Plain]) -> Labelled:
        """The same, with arguments of these labels."""
        return self.tools[name].run(ToolCall(labels, self.module.NOW), dict(args))

    def admitted(self, name: str, args: Args) -> Value:
        """What a program would get: it fails where the result is not of the declared type."""
        call = ToolCall(dict.fromkeys(args, LITERAL), self.module.NOW)
        use = ToolUse(self.tools[name], args, call, call.labels, self.trust)
        return use.admitted(json.loads(json.dumps(labelled_to_json(self.tools[name].run(call, args)))))


def suite_of(module: ModuleType) -> Suite:
    """A fresh one, with a mark in each injection vector."""
    suite = get_suite(VERSION, module.SUITE)
    marks = {name: f"{MARK} {name}" for name in suite.get_injection_vector_defaults()}
    world = Held(suite.load_and_inject_default_environment(marks))
    tools = module.declared(world, lambda name: Source(name, name in module.TRUSTED))
    return Suite(module, world, {tool.name: tool for tool in tools}, tuple(marks.values()))


def leaves(found: Labelled, path: str = "") -> Iterator[tuple[str, Labelled]]:
    """The scalars in a result, each with the names of the fields that lead there: `Message.body`."""
    match found.data:
        case tuple() as items:
            for item in items:
                yield from leaves(item, path)
        case dict() as parts:
            start = found.record.name if found.record is not None else path
            for name, part in parts.items():
                yield from leaves(part, f"{start}.{name}")
        case _:
            yield path, found
