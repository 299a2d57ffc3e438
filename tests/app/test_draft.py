"""A configuration that is being made: written once, whole, for the person alone, and read back as it was meant."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.agent.showing.cleaning import clean
from armslength.app.draft import Draft, check_free, toml_of, write_draft
from armslength.errors import ConfigError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.one_of(st.booleans(), st.integers(-(2**60), 2**60), TEXTS, st.lists(TEXTS, max_size=3))
TABLES = st.dictionaries(TEXTS, st.one_of(VALUES, st.dictionaries(TEXTS, VALUES, max_size=3)), max_size=4)


@given(st.dictionaries(TEXTS, TABLES, max_size=4))
def test_what_is_written_is_read_back(tables: dict[str, Any]) -> None:
    """Whatever names and texts there are: no answer ends a string, or begins a table."""
    assert tomllib.loads(Draft(Path("c.toml"), tables).text()) == tables


@given(TABLES)
def test_what_is_printed_of_it_is_what_was_written(table: dict[str, Any]) -> None:
    """What a screen would not show as it is stands escaped, so cleaning changes nothing."""
    text = toml_of({"t": table}, {})
    assert clean(text) == text


@pytest.mark.parametrize("table", [{"a": "\ud800"}, {"\udfff": "a"}])
def test_half_a_character_is_not_written(table: dict[str, Any]) -> None:
    """TOML has no form for it."""
    with pytest.raises(ConfigError, match=r"^what it says cannot be written as TOML; nothing was written$"):
        toml_of({"t": table}, {})


def test_it_is_for_the_person_alone(tmp_path: Path) -> None:
    """The file has mode 600, the folder that was made 700, and nothing else lies there."""
    file = tmp_path / "new" / "config.toml"
    assert write_draft(Draft(file, {"user": {"name": "Ada"}}), is_forced=False) is None
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Not over a file, nor by a link that leads elsewhere; unless it was said, and then each earlier one is kept."""
    file = tmp_path / "config.toml"
    file.write_text("# mine\n")
    draft = Draft(file, {"user": {"name": "Ada"}})
    with pytest.raises(ConfigError, match=r"config\.toml is there already; --force replaces it"):
        check_free(file, is_forced=False)
    with pytest.raises(ConfigError, match="is there already"):
        write_draft(draft, is_forced=False)
    assert write_draft(draft, is_forced=True) == tmp_path / "config.toml.bak"
    assert write_draft(draft, is_forced=True) == tmp_path / "config.toml.bak1"
    assert (tmp_path / "config.toml.bak").read_text() == "# mine\n"
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "link.toml"
    link.symlink_to(elsewhere)
    with pytest.raises(ConfigError, match="is there already"):
        write_draft(Draft(link, draft.tables), is_forced=False)
    assert not elsewhere.exists()


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """With what to do."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"cannot be written \(.*\); name another place with --config"):
        write_draft(Draft(tmp_path / "file" / "config.toml", {}), is_forced=False)
