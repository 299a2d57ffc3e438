"""`armslength --help` is quick and light: it loads no model, protocol or database library."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ["anthropic", "httpx2", "mcp", "openai", "pydantic", "sqlalchemy", "sqlite3", "xllamacpp"]
PROBE = """
import sys
from armslength.surfaces.cli import main
code = main({words})
print()
print(code, sorted({{name.partition(".")[0] for name in sys.modules}} & set({heavy})))
"""


def last_line(words: list[str], before: str = "") -> str:
    """What a fresh interpreter prints last, after the command."""
    command = [sys.executable, "-c", before + PROBE.format(words=words, heavy=HEAVY)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.stderr == ""
    return done.stdout.splitlines()[-1]


def test_help_loads_no_heavy_library() -> None:
    """The help text is printed, the exit code is 0, and none of the libraries is in sys.modules."""
    assert last_line(["--help"]) == "0 []"


def test_help_of_a_command_loads_no_heavy_library() -> None:
    """Nor does the help of the command that will need them."""
    assert last_line(["ask", "--help"]) == "0 []"


def test_the_example_configuration_loads_no_heavy_library() -> None:
    """A first look at the configuration is quick, too."""
    assert last_line(["config", "--example"]) == "0 []"


def test_a_heavy_library_would_be_seen() -> None:
    """The same probe after importing one of them names it."""
    assert last_line(["--help"], "import sqlite3\n") == "0 ['sqlite3']"
