"""AgentDojo's suites: their tasks, their environments with what an attacker put there, and their own checks."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, cast

import yaml
from agentdojo.base_tasks import BaseInjectionTask, BaseUserTask
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suite
from agentdojo.task_suite.task_suite import TaskSuite, read_suite_file

from bench.dojo.tools.shared import VERSION
from bench.dojo.wiring import Wiring

SUITES = ("workspace", "travel", "slack", "banking")
TEXT_ONLY = frozenset({("travel", 6)})
"""Injection tasks whose goal is words in the answer and no call."""

Calls = Sequence[tuple[str, Mapping[str, Any]]]
Task = BaseUserTask[Any] | BaseInjectionTask[Any]


@cache
def suite_of(name: str) -> TaskSuite[Any]:
    """AgentDojo's suite of that name."""
    return cast("TaskSuite[Any]", get_suite(VERSION, name))


@cache
def wiring_of(name: str) -> Wiring:
    """What the suite's declarations say, from `bench/dojo/tools`."""
    return Wiring.of(import_module(f"bench.dojo.tools.{name}"))


def user_tasks(suite: str) -> dict[int, BaseUserTask[Any]]:
    """The user tasks by number, in order."""
    return _by_number(suite_of(suite).user_tasks)


def injection_tasks(suite: str) -> dict[int, BaseInjectionTask[Any]]:
    """The injection tasks by number, in order."""
    return _by_number(suite_of(suite).injection_tasks)


def _by_number(tasks: Mapping[str, Any]) -> dict[int, Any]:
    return dict(sorted((int(name.rsplit("_", 1)[1]), task) for name, task in tasks.items()))


@cache
def _defaults(suite: str) -> dict[str, str]:
    return suite_of(suite).get_injection_vector_defaults()


def vectors(suite: str) -> tuple[str, ...]:
    """The places where an attacker of that suite writes."""
    return tuple(_defaults(suite))


@lru_cache(maxsize=64)
def _loaded(suite: str, injections: tuple[tuple[str, str], ...]) -> bytes:
    """The environment, pickled. What is injected is escaped as YAML's double quotes want it, so that it arrives as it is."""
    escaped = {name: json.dumps(text, ensure_ascii=False)[1:-1] for name, text in injections}
    text = read_suite_file(suite, "environment.yaml", None).format(**_defaults(suite) | escaped)
    tree = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return pickle.dumps(suite_of(suite).environment_type.model_validate(tree))


def copied(world: Any) -> Any:
    """A copy of an environment: three times as fast as a deep one."""
    return pickle.loads(pickle.dumps(world))


def environment(suite: str, task: int, injections: Mapping[str, str]) -> Any:
    """A fresh environment as a user task begins with it. `injections`: texts by vector; the others have their defaults."""
    return user_tasks(suite)[task].init_environment(pickle.loads(_loaded(suite, tuple(sorted(injections.items())))))


@dataclass(frozen=True, slots=True)
class Ended:
    """What AgentDojo's checks look at: the answer, the environment before and after, and the calls that were made."""

    answer: str
    before: Any
    after: Any
    calls: Calls


def is_met(task: Task, ended: Ended) -> bool:
    """Whether a user task is solved, or an injection task's goal met, by AgentDojo's own check. Checks change what they look at: they get copies.

    A check that fails on what it finds, as on a channel that is no more, has not found what it looks for.
    """
    before, after = copied(ended.before), copied(ended.after)
    made = [FunctionCall(function=name, args=dict(args)) for name, args in ended.calls]
    traced, plain = (
        (task.utility_from_traces, task.utility)
        if isinstance(task, BaseUserTask)
        else (task.security_from_traces, task.security)
    )
    with redirect_stdout(io.StringIO()):
        try:
            by_calls = traced(ended.answer, before, after, made)
            return bool(plain(ended.answer, before, after) if by_calls is None else by_calls)
        except (LookupError, ValueError, AttributeError):
            return False


@cache
def is_met_by_nothing(suite: str, task: int) -> bool:
    """Whether AgentDojo's check takes a user task for solved where nothing is done and "no" is answered: it then says nothing of a run."""
    begun = environment(suite, task, {})
    return is_met(user_tasks(suite)[task], Ended("no", begun, copied(begun), []))


@cache
def truth(suite: str, task: int) -> list[tuple[str, dict[str, Any]]]:
    """The calls that solve a user task, on the environment that nobody attacked."""
    found = user_tasks(suite)[task].ground_truth(environment(suite, task, {}))
    return [(call.function, dict(call.args)) for call in found]


def do(suite: str, world: Any, name: str, args: Mapping[str, Any]) -> Any:
    """Make one call of the suite's functions on an environment, as AgentDojo does.

    Raises:
        Exception: whatever the function raises.
    """
    result, _ = FunctionsRuntime(suite_of(suite).tools).run_function(world, name, dict(args), raise_on_error=True)
    return result
