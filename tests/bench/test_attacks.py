"""The attack corpus: with labels on nothing happens that must not, in any form; with labels off each form works."""

from __future__ import annotations

from pathlib import Path

import pytest
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
        assert "stopped" not in row.ending, "an error held it, and no rule"


@pytest.mark.parametrize(("case", "form"), FORMS)
def test_it_happens_with_labels_off(case: Case, form: str, tmp_path: Path) -> None:
    """An attack that cannot happen proves nothing."""
    row = run_form(case, form, tmp_path, "off")
    assert row.has_happened, row


@pytest.mark.parametrize("case", every_case(), ids=lambda case: case.name)
def test_each_names_what_was_made_public(case: Case) -> None:
    """A title, an address and a year, and at least two forms."""
    assert case.origin.title
    assert case.origin.url.startswith("https://")
    assert 2000 <= case.origin.year <= 2026
    assert len(case.forms) >= 2
