"""What the tests of honest answers share: the questions that programs ask, and runs that hear each question with its answer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bench.dojo import running
from bench.dojo.forms import Form, forms
from bench.dojo.programs import program_of
from bench.dojo.readers import Answers, Reading
from bench.dojo.running import Asked, run_one
from bench.dojo.suites import injection_tasks, user_tasks

Heard = list[tuple[str, str, Any]]
"""Question, text and answer, in order."""


def questions(suite: str) -> Iterator[tuple[int, str]]:
    """Task and question of each call of the quarantined model in the suite's programs."""
    for task in user_tasks(suite):
        for node in ast.walk(ast.parse(program_of(suite, task, "first") or "")):
            match node:
                case ast.Call(func=ast.Name("quarantined"), args=[ast.Constant(str(question)), *_]):
                    yield task, question


def answering(answers: Answers, task: int, question: str) -> list[str]:
    """The entries that answer a question."""
    return [words for number, words in answers if number == task and words in question]


@dataclass
class Hearing:
    """Runs with an honest reader, and hears it. `failed`: what a run said of a question without an answer, or one of another type."""

    suite: str
    patch: pytest.MonkeyPatch

    def run(self, task: int, injections: dict[str, str] | None = None) -> tuple[Heard, str]:
        """With labels off, so that no question is left out because of what was refused before it."""
        heard: Heard = []
        honest = running.honest

        def listening(suite: str, number: int) -> Reading:
            reading = honest(suite, number)

            def answer(request: Any, question: str, data: str) -> Any:
                said = reading.answer(request, question, data)
                heard.append((question, data, said))
                return said

            return Reading(answer)

        form = None if injections is None else Form("attacked", injections, None)
        with self.patch.context() as patched:
            patched.setattr(running, "honest", listening)
            program = program_of(self.suite, task, "first") or ""
            row = run_one(
                replace(Asked(self.suite, task, program, "absent"), form=form, labels="off", is_checked=False)
            )
        return heard, row.message


def texts(suite: str, task: int) -> Sequence[dict[str, str]]:
    """What an attacker writes, of each goal: the benchmark's own text, and each other form's."""
    found = [form.injections for injection in injection_tasks(suite) for form in forms(suite, task, injection, 1)]
    return [dict(each) for each in {tuple(sorted(each.items())) for each in found}]
