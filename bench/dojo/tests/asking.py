"""What the tests of honest answers share: the questions that programs ask, and runs that hear each question with its answer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from armslength.models.base import ModelRequest
from bench.dojo.carrying import Asked, begin
from bench.dojo.forms import Form, forms
from bench.dojo.programs import Column, is_mended, program_of
from bench.dojo.readers import Answers, Reading, honest
from bench.dojo.suites import injection_tasks, user_tasks

Heard = list[tuple[str, str, Any]]
"""Question, text and answer, in order."""


def programs(suite: str) -> list[tuple[int, Column]]:
    """Each program: the first shots, and those that were mended."""
    mended: list[tuple[int, Column]] = [(task, "mended") for task in user_tasks(suite) if is_mended(suite, task)]
    return [*((task, "first") for task in user_tasks(suite)), *mended]


def questions(suite: str) -> Iterator[tuple[int, str]]:
    """Task and question of each call of the quarantined model in the suite's programs."""
    for task, column in programs(suite):
        for node in ast.walk(ast.parse(program_of(suite, task, column) or "")):
            match node:
                case ast.Call(func=ast.Name("quarantined"), args=[ast.Constant(str(question)), *_]):
                    yield task, question


def answering(answers: Answers, task: int, question: str) -> list[str]:
    """The entries that answer a question."""
    return [words for number, words in answers if number == task and words in question]


def hear(
    suite: str, task: int, injections: dict[str, str] | None = None, column: Column = "first"
) -> tuple[Heard, str]:
    """What an honest reader is asked in a run, and why the run stopped, if it did: at a question without an answer of its type, too.

    With labels off, so that no question is left out because of what was refused before it.
    """
    heard: Heard = []
    reading = honest(suite, task)

    def answer(request: ModelRequest, question: str, data: str) -> Any:
        said = reading.answer(request, question, data)
        heard.append((question, data, said))
        return said

    form = None if injections is None else Form("attacked", injections, None)
    asked = Asked(suite, task, program_of(suite, task, column) or "", "absent", form=form, labels="off")
    ran = begin(asked, Reading(answer)).carry_out(None)
    return heard, ran.failure if ran.result is None else ran.result.outcome.message


def texts(suite: str, task: int) -> Sequence[dict[str, str]]:
    """What an attacker writes, of each goal: the benchmark's own text, and each other form's."""
    found = [form.injections for injection in injection_tasks(suite) for form in forms(suite, task, injection, 1)]
    return [dict(each) for each in {tuple(sorted(each.items())) for each in found}]
