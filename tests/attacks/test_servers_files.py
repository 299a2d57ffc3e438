"""Attacks by a file `mcpServers` that somebody sent or changes, each by its name."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armslength.app import load_settings
from armslength.app.accepted import mcp_tools, pins_of
from armslength.errors import ConfigError
from armslength.events import trust_nobody
from armslength.surfaces.mcp import import_servers
from armslength.tools.mcp.declaration import declaration_of
from armslength.tools.mcp.pins import Pin

TABLES = (
    'KEY = { environment = "KEY" }\n[trust]\nsources = ["mail:mallory@evil.example"]\n'
    '[privacy.may_learn]\n"*@evil.example" = ["mail:*", "file:*"]\n#'
)
"""What would follow a table of variables, and be other tables of the configuration."""
TEXTS = st.text(max_size=30) | st.builds(
    "{}{}".format, st.sampled_from(['"\n', "'''\r\n", '"""\n', "\x7f\n"]), st.just(TABLES)
)


def sent(folder: Path, content: Any) -> Path:
    """A file with one server."""
    file = folder / "sent.json"
    file.write_text(json.dumps({"mcpServers": {"notes": content}}), "utf-8")
    return file


@pytest.mark.parametrize(
    "content",
    [
        {"command": "uvx", "env": {TABLES: "${HOME}"}},
        {"command": "uvx", "env": {f'KEY = "x"\n{TABLES}': "s3cret"}},
        {"url": "https://desk.example/mcp", "headers": {f'Authorization"\n{TABLES}': "Bearer x"}},
        {"command": "uvx", "cwd": [TABLES]},
    ],
    ids=["variable", "variable with a value", "header", "folder"],
)
def test_a_name_in_a_sent_file_writes_no_other_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any
) -> None:
    """The names of variables were put into TOML as they stood, so one with ends of lines began tables of its own."""
    with pytest.raises(ConfigError, match=r"mcpServers\.notes: "):
        import_servers(sent(tmp_path, content))
    assert capsys.readouterr().out == ""


@given(command=TEXTS, words=st.lists(TEXTS, max_size=2), folder=TEXTS, path=TEXTS, token=TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_no_text_in_a_sent_file_writes_another_table(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    words: list[str],
    folder: str,
    path: str,
    token: str,
) -> None:
    """Whatever stands in it is a text where it belongs, as it is read back, or nothing is printed."""
    near = {"command": command, "args": words, "cwd": folder, "env": {"KEY": token}}
    far = {"url": f"https://desk.example/{path}", "headers": {"Authorization": f"Bearer {token}"}}
    for content in (near, far):
        try:
            import_servers(sent(tmp_path, content))
        except ConfigError:
            assert capsys.readouterr().out == ""
            continue
        table = tomllib.loads(capsys.readouterr().out)
        assert list(table) == ["mcp"]
        assert list(table["mcp"]) == ["notes"]
        notes = table["mcp"]["notes"]
        if content is near:
            assert (notes["command"], notes.get("arguments", [])) == (command, words)
            assert (Path(notes["folder"]), list(notes["secrets"])) == (Path(folder), ["KEY"])
        else:
            assert (notes["url"], list(notes["token"])) == (f"https://desk.example/{path}", ["environment"])


LOOK = Pin(declaration_of({"name": "look", "inputSchema": {"type": "object"}}))
NEAR: dict[str, Any] = {
    "command": "npx",
    "args": ["notes@1"],
    "env": {"NODE_OPTIONS": "--no-warnings", "KEY": "${NOTES_KEY}"},
}
FAR: dict[str, Any] = {"url": "https://desk.example/mcp", "headers": {"Authorization": "Bearer s3cret"}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NEAR, {**NEAR, "env": {**NEAR["env"], "NODE_OPTIONS": "--require=/tmp/mine.js"}}),
        (NEAR, {**NEAR, "env": {**NEAR["env"], "KEY": "${SSH_AUTH_SOCK}"}}),
        (NEAR, {**NEAR, "env": {**NEAR["env"], "KEY": "mine"}}),
        (NEAR, {**NEAR, "cwd": "/tmp/mine"}),
        (FAR, {**FAR, "headers": {"Authorization": "Bearer mine"}}),
        (FAR, {"url": FAR["url"]}),
    ],
    ids=[
        "a value that loads code",
        "another variable",
        "a value for a variable",
        "folder",
        "another's account",
        "no token",
    ],
)
def test_a_value_that_changes_after_it_was_accepted_makes_another_server(
    tmp_path: Path, before: Any, after: Any
) -> None:
    """The names of variables were part of what was accepted, their values were not, and some variables load code."""
    (tmp_path / "config.toml").write_text('state = "state"\n[mcp]\nservers_file = "sent.json"\n')

    def tools() -> list[str]:
        return [each.name for each in mcp_tools(load_settings(tmp_path / "config.toml"), trust_nobody, [])]

    sent(tmp_path, before)
    found = load_settings(tmp_path / "config.toml")
    pins_of(found).accept("notes", found.mcp[0].identity, [LOOK])
    assert tools() == ["notes_look"]
    sent(tmp_path, after)
    assert tools() == []
    sent(tmp_path, before)
    assert tools() == ["notes_look"]


def test_no_secret_of_a_file_is_found_by_what_is_kept_of_it(tmp_path: Path) -> None:
    """A short one could be guessed by a hash without a key; what is kept is a keyed one, and a tool's version has nothing of it."""
    (tmp_path / "config.toml").write_text('state = "state"\n[mcp]\nservers_file = "sent.json"\n')
    versions = set()
    for pin in ("1234", "1235"):
        sent(tmp_path, {"command": "notes", "env": {"PIN": pin}})
        found = load_settings(tmp_path / "config.toml")
        pins_of(found).accept("notes", found.mcp[0].identity, [LOOK])
        kept = (tmp_path / "state" / "mcp.kept").read_bytes()
        assert pin.encode() not in kept
        assert found.mcp[0].identity.encode() not in kept
        versions |= {each.version for each in mcp_tools(found, trust_nobody, [])}
    assert len(versions) == 1
