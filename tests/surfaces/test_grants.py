"""Grants on the command line: listed with what they cover, shown with their uses, revoked; and who may forbid them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from armslength.app import load_settings, system
from armslength.app.kept import grants_of
from armslength.app.system import allows_lasting_grants
from armslength.errors import ConfigError
from armslength.store.grants import Given, Use

NOW = datetime.now(UTC)
COVERS = {"parameter": "filename", "value": '"todo.txt"'}
LINE = 'until you revoke it, do not ask whether filename of append_to_file may be exactly ⟦"todo.txt"⟧; who may read what is asked about all the same'


def give(home: Any, key: str, scope: Any = "always", *, until: datetime | None = None) -> str:
    """A grant that a person took earlier; its name."""
    given = Given("", "append_to_file", "1", COVERS, scope, "20260101-000000-1", NOW, until)
    return grants_of(load_settings(home.config)).give(key, given)


def test_without_any_there_is_one_line(home: Any) -> None:
    """And no file of them."""
    assert home.run("grants").out == "no grant counts now\n"
    assert home.run("grants", "--json").json() == {"grants": [], "lasting_grants": True}
    assert not (home.path / "state" / "grants.sqlite").exists()


def test_they_are_listed_with_exactly_what_they_cover(home: Any) -> None:
    """Those that do not count any more by name."""
    give(home, "a")
    give(home, "b", "week", until=NOW - timedelta(days=1))
    give(home, "c", "run")
    ended = home.run("grants")
    assert (ended.code, ended.out.replace("\n", " ")) == (
        0,
        f"grant-1: {LINE}; used 0 times over: grant-2, grant-3; armslength grants show NAME says why ",
    )
    assert [each["state"] for each in home.run("grants", "--json").json()["grants"]] == [
        "live",
        "expired",
        "over with its run",
    ]


def test_one_is_shown_with_the_runs_that_used_it(home: Any) -> None:
    """When they were taken up, too."""
    give(home, "a")
    grants_of(load_settings(home.config)).use(["grant-1"], Use("20260202-000000-1", "d", NOW), lambda _given: True)
    shown = home.run("grants", "show", "grant-1").out
    assert (
        "given in the run 20260101-000000-1, for version 1 of append_to_file\nstate: live\nused in the run 20260202-000000-1, at work since"
        in shown
    )
    assert home.run("grants", "show", "grant-1", "--json").json()["uses"][0]["run"] == "20260202-000000-1"
    assert home.run("grants", "show", "grant-9").err.endswith(
        "there is no grant-9; armslength grants lists what there is\n"
    )


def test_one_or_all_are_revoked(home: Any) -> None:
    """Those that were over stay as they were."""
    for key in "abc":
        give(home, key)
    assert home.run("grants", "revoke", "grant-2").out == "revoked: grant-2. What was done by it stays done\n"
    assert home.run("grants", "revoke", "--all").out == "revoked: grant-1, grant-3. What was done by them stays done\n"
    assert home.run("grants", "revoke", "--all").out == "no grant counted, so none was revoked\n"
    assert home.run("grants").out.startswith("no grant counts now\nover: grant-1, grant-2, grant-3;")


@pytest.mark.parametrize("words", [(), ("grant-1", "--all")])
def test_which_one_is_revoked_must_be_said(home: Any, words: tuple[str, ...]) -> None:
    """Neither nothing nor both."""
    ended = home.run("grants", "revoke", *words)
    assert (ended.code, ended.err) == (
        2,
        "armslength: grants revoke: name one, as armslength grants lists it, or write --all\n",
    )


def test_a_forged_file_is_said_to_be_one(home: Any) -> None:
    """With what to do about it."""
    give(home, "a")
    with closing(sqlite3.connect(home.path / "state" / "grants.sqlite")) as database, database:
        database.execute("UPDATE entries SET hash = zeroblob(32)")
    ended = home.run("grants")
    assert (ended.code, ended.out) == (2, "")
    assert (
        "are not as they were written: entry 1 was edited or moved; none of them counts. Move the file and its .heads away"
        in ended.err
    )


def test_what_was_not_asked_about_is_said_with_what_allowed_it(home: Any) -> None:
    """In the result, in its JSON and in the run's story."""
    (home.path / "Notes" / "name.txt").write_text("todo.md")
    program = 'append_to_file(filename=read_file("name.txt").content, text="milk")'
    assistant_tools = home.run("tools", "--json").json()["tools"]
    assert "append_to_file" in {each["name"] for each in assistant_tools}
    version = next(each.version for each in tools_of_home(home) if each.name == "append_to_file")
    covers = {"parameter": "filename", "value": '"todo.md"'}
    given = Given("", "append_to_file", version, covers, "always", "20260101-000000-1", NOW, None)
    grants_of(load_settings(home.config)).give("k", given)
    home.will(program)
    assert (
        home.run("ask", "note milk", "--quiet").out
        == "done: append_to_file: ⟦append to the file todo.md⟧ (not asked about, by grant-1)\n"
    )
    assert "decision: allow, by grant-1; filename, which decides" in home.run("why").out
    home.will(program)
    assert home.run("ask", "note milk", "--quiet", "--json").json()["effects"][0]["granted"] == ["grant-1"]


def test_an_offer_that_is_taken_at_the_terminal_spares_the_next_question(home: Any) -> None:
    """By its number; a plain yes takes none."""
    (home.path / "Notes" / "name.txt").write_text("todo.md")
    program = 'append_to_file(filename=read_file("name.txt").content, text="milk")'
    done = "done: append_to_file: ⟦append to the file todo.md⟧"
    taken = "by your choice grant-1 spares you questions until 20"
    for keys, listed in (("yes\n", "no grant counts now"), ("1 +2\n", "grant-1: until 20")):
        home.will(program)
        ended = home.at_terminal("ask", "note milk", say=typing(keys))
        assert (ended.code, done in ended.screen, taken in ended.screen) == (0, True, keys != "yes\n")
        assert ("armslength grants revoke grant-1 ends it" in re.sub(r"\s*┆\s*", " ", ended.screen)) == (
            keys != "yes\n"
        )
        assert home.run("grants").out.startswith(listed)
    home.will(program)
    again = home.run("ask", "note milk", "--quiet")
    assert (again.code, again.out) == (0, f"{done} (not asked about, by grant-1)\n")


def typing(keys: str) -> Callable[[str], str | None]:
    """Turns the pages, and types the keys once the question stands there."""
    left, pages = [keys], [0]

    def say(screen: str) -> str | None:
        if screen.count("Enter shows more") > pages[0]:
            pages[0] += 1
            return "\n"
        return left.pop() if left and "anything else to refuse: " in screen else None

    return say


def tools_of_home(home: Any) -> Any:
    """The tools of this configuration."""
    from armslength.app import tools_of

    return tools_of(load_settings(home.config))


def test_where_lasting_ones_are_forbidden_they_do_not_count(home: Any) -> None:
    """They are kept, and it is said why."""
    give(home, "a")
    home.config.write_text(home.config.read_text() + "[approvals]\nlasting_grants = false\n")
    assert home.run("grants").out.startswith("no grant counts now\nover: grant-1;")
    assert "state: does not count, since lasting_grants is false" in home.run("grants", "show", "grant-1").out


def test_an_administrator_forbids_them_for_everybody(
    home: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a person's own file says."""
    file = tmp_path / "system.toml"
    file.write_text("[approvals]\nlasting_grants = false\n")
    monkeypatch.setattr(system, "FILE", file)
    home.config.write_text(home.config.read_text() + "[approvals]\nlasting_grants = true\n")
    assert load_settings(home.config).lasting_grants is False
    file.write_text("[approvals]\nlasting_grants = true\n")
    assert load_settings(home.config).lasting_grants is True


@pytest.mark.parametrize("text", ["lasting_grants = false", "[approvals]\nlasting = false", "[approvals]\nlasting_grants = 0", "[approvals]\nlasting_grants = true\n[user]\nname = 'x'", "]"])  # fmt: skip
def test_a_file_of_the_administrators_that_is_not_understood_lets_nothing_run(tmp_path: Path, text: str) -> None:
    """What it was to forbid is not known."""
    file = tmp_path / "system.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"system\.toml: (cannot be read|only lasting_grants = true or false)"):
        allows_lasting_grants(file)
