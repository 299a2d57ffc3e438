"""A server's names become names in programs by one rule, under which no server has another's, or ours."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from bench.home.world import Home

from armslength.language import FUNCTIONS
from armslength.tools.mcp.naming import RESERVED, is_server_name, program_names


def test_a_tool_is_called_by_its_server_and_its_name() -> None:
    """In lower case, with `_` for what no name has; of two that would have one name neither has one."""
    said = ["search", "get-Issue", "a.b", "a_b", "поиск", "", "x" * 60, "1", "call me first"]
    assert program_names("git", said) == {"search": "git_search", "get-Issue": "git_get_issue", "1": "git_1"}


@pytest.mark.parametrize("name", ["git", "notes2", "a"])
def test_a_server_may_be_called_so(name: str) -> None:
    """Small letters and digits."""
    assert is_server_name(name)


@pytest.mark.parametrize("name", ["", "Git", "my_notes", "my-notes", "2x", "send", "search", "class", "nöte", "x" * 40])
def test_a_server_may_not_be_called_so(name: str) -> None:
    """No `_`, so that the part before the first one is the server's; no word that tools of ours begin with."""
    assert not is_server_name(name)


def test_no_server_can_have_the_name_of_a_tool_of_ours(tmp_path: Path) -> None:
    """Of each tool and function that there is, the word before the first `_` is none that a server may be called."""
    home = Home(tmp_path)
    source = Path(__file__).parents[3] / "src" / "armslength" / "tools"
    declared = {
        keyword.value.value
        for path in source.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)
    }
    names = {each.name for each in home.tools()} | declared | {"read_pasted_text", *FUNCTIONS}
    heads = {name.partition("_")[0] for name in names if "_" in name}
    assert {head for head in heads if is_server_name(head)} == set()
    assert {"send", "search", "create"} <= RESERVED
