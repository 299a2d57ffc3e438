"""Attacks by a file `mcpServers` that somebody sent or changes, each by its name."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armslength.errors import ConfigError
from armslength.surfaces.mcp import import_servers

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
