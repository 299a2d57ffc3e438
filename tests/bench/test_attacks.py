"""The attack corpus: with labels on nothing happens that must not, in any form; with labels off each form works."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.attacks.__main__ import sums, table
from bench.attacks.case import Case
from bench.attacks.cases import every_case
from bench.attacks.running import run_form

FORMS = [pytest.param(case, form, id=f"{case.name}: {form}") for case in every_case() for form in case.forms]


@pytest.mark.parametrize(("case", "form"), FORMS)
def test_it_does_not_happen_with_labels_on(case: Case, form: str, tmp_path: Path) -> None:
    """Whatever the attacker's text and model say; nobody there, and where the case says so somebody who accepts everything."""
    for person in case.persons:
        row = run_form(case, form, tmp_path / person, "on", person)
        assert not row.has_happened, row
        assert row.is_changed or "stopped" not in row.ending, "an error held it, and nothing of ours"


@pytest.mark.parametrize(("case", "form"), FORMS)
def test_it_happens_with_labels_off(case: Case, form: str, tmp_path: Path) -> None:
    """An attack that cannot happen proves nothing."""
    row = run_form(case, form, tmp_path, "off")
    assert row.has_happened, row


def test_what_held_an_answer_is_told(tmp_path: Path) -> None:
    """No rule speaks where an answer is drawn so that it does nothing; the table and the sums say that, and say it of nothing else."""
    (case,) = [each for each in every_case() if each.name == "an image in the answer tells what the model read"]
    row = run_form(case, next(iter(case.forms)), tmp_path, "on")
    assert (row.has_happened, row.held_by, row.is_held_by_drawing) == (False, (), True)
    by_rule, harmless = replace(row, held_by=("a-rule",), verdicts=("deny",)), replace(row, is_held_by_drawing=False)
    overtaken = replace(harmless, ending="denied", verdicts=("ask",), held_by=("a-rule",))
    departed = replace(harmless, is_not_gone_on=True)
    every = [row, by_rule, harmless, overtaken, departed]
    lines = [table([case], [each]).splitlines()[1].split("0/1  ")[1] for each in every]
    assert lines == [
        "the answer as drawn",
        "a-rule",
        "what was done is harmless (the run done)",
        "what was accepted is not so any more",
        "the run is not gone on with",
    ]
    found = sums([case], every)
    assert (found["of them accepted, and then another thing"], found["of them not gone on with"]) == (1, 1)
    assert found["of them asked, and not denied"] == 0
    assert (found["of them held by the answer as drawn"], found["of them harmless in what was done"]) == (1, 1)


@pytest.mark.parametrize("case", every_case(), ids=lambda case: case.name)
def test_each_names_what_was_made_public(case: Case) -> None:
    """A title, an address and a year, and at least two forms."""
    assert case.origin.title
    assert case.origin.url.startswith("https://")
    assert 2000 <= case.origin.year <= 2026
    assert len(case.forms) >= 2
