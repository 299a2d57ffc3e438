"""Documents: every example runs, every link inside the repository leads somewhere."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from pathlib import Path

import pytest
from cyclopts import App

from armslength.surfaces.commands import app

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


def examples(page: str) -> list[tuple[int, str]]:
    """The Python blocks of a page with the line where each begins."""
    return [(page.count("\n", 0, block.start(1)) + 1, block[1]) for block in EXAMPLE.finditer(page)]


def test_the_blocks_of_a_page_are_found() -> None:
    """Only blocks marked as Python count, with the line of their first statement."""
    page = "A\n```python\nx = 1\n```\n```sh\nmake\n```\n```python\ny = 2\n```\n"
    assert examples(page) == [(3, "x = 1\n"), (9, "y = 2\n")]


def test_examples_in_pages_run() -> None:
    """Each Python block runs by itself; its assertions are its test."""
    for page in PAGES:
        for line, source in examples(page.read_text(encoding="utf-8")):
            code = compile("\n" * (line - 1) + source, str(page.relative_to(ROOT)), "exec")
            exec(code, {"__name__": "__main__"})


def test_examples_in_docstrings_run() -> None:
    """Modules with a prompt in their text pass doctest."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
            result = doctest.testmod(importlib.import_module(name))
            assert (path, result.failed, result.attempted > 0) == (path, 0, True)


def stems(folder: str) -> set[str]:
    """The files of a room, by their names."""
    return {path.stem for path in (ROOT / "src" / "armslength" / folder).glob("*.py")} - {"__init__"}


@pytest.mark.parametrize(
    ("room", "folders"),
    [
        ("app", {"doctor"}),
        ("app/doctor", set()),
        ("models", set()),
        ("policy", set()),
        ("store", set()),
        ("surfaces", {"page", "commands", "setup"}),
        ("surfaces/commands", set()),
        ("surfaces/setup", set()),
    ],
)
def test_the_map_of_a_room_names_each_of_its_files(room: str, folders: set[str]) -> None:
    """One line a file, no more and no fewer."""
    mapped = re.findall(
        r"^    (\w+) +\S", importlib.import_module(f"armslength.{room.replace('/', '.')}").__doc__ or "", re.MULTILINE
    )
    assert sorted(mapped) == sorted(stems(room) | folders)


@pytest.mark.parametrize("package", ["agent", "tools"])
def test_the_map_of_a_room_with_rooms_names_each_of_them_and_its_files(package: str) -> None:
    """One line a file, below the room that it is in, and before the rooms what lies beside them."""
    page = importlib.import_module(f"armslength.{package}").__doc__ or ""
    beside, *_ = re.split(r"^`\w+`: ", page, maxsplit=1, flags=re.MULTILINE)
    mapped = {
        room: sorted(re.findall(r"^    (\w+) ", lines, re.MULTILINE))
        for room, lines in re.findall(r"^`(\w+)`: .+\n\n?((?:    .+\n)+)", page, re.MULTILINE)
    }
    rooms = [path.parent.name for path in (ROOT / "src" / "armslength" / package).glob("*/__init__.py")]
    assert mapped == {room: sorted(stems(f"{package}/{room}")) for room in rooms}
    assert set(re.findall(r"^    (\w+) ", beside, re.MULTILINE)) == stems(package)


@pytest.mark.parametrize("room", ["bench", "bench/attacks", "bench/dojo"])
def test_the_maps_of_what_is_measured_name_each_file_and_room(room: str) -> None:
    """One line a file. A room has a line above, or is named in a sentence; `cases` has its files below its name."""
    page = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text("utf-8"))) or ""
    mapped = set(re.findall(r"^    (\w+) +\S", page, re.MULTILINE))
    rooms = {path.parent.name for path in (ROOT / room).glob("*/__init__.py")}
    files = {path.stem for path in (ROOT / room).glob("*.py")} - {"__init__", "__main__"}
    below = {path.stem for path in (ROOT / room / "cases").glob("*.py")} - {"__init__"}
    assert mapped - rooms == files | below
    assert rooms - mapped - set(re.findall(r"`(\w+)`", page)) == set()


@pytest.mark.parametrize("room", ["dojo/model", "everyday", "home", "report", "requests", "speed"])
def test_the_maps_of_small_rooms_of_what_is_measured_name_each_file(room: str) -> None:
    """In a line of its own, or beside one that it belongs to."""
    page = ast.get_docstring(ast.parse((ROOT / "bench" / room / "__init__.py").read_text("utf-8"))) or ""
    files = {path.stem for path in (ROOT / "bench" / room).glob("*.py")} - {"__init__", "__main__"}
    assert {name for name in files if not re.search(rf"\b{name}\b", page)} == set()


def test_what_is_measured_knows_no_test() -> None:
    """Tests import from bench; bench imports nothing of theirs, so that it can be run without them."""
    sources = [path for path in sorted((ROOT / "bench").rglob("*.py")) if "dojo/tests" not in path.as_posix()]
    assert [
        str(path) for path in sources if re.search(r"^\s*(from|import) tests\b", path.read_text("utf-8"), re.MULTILINE)
    ] == []


def commands_of(app: App, before: str = "") -> list[str]:
    """Every command with those below it, by the words that call it."""
    names = [name for name in app if not name.startswith("-")]
    return [each for name in names for each in (f"{before}{name}", *commands_of(app[name], f"{before}{name} "))]


def test_the_quickstart_names_each_command() -> None:
    """Its table has every command, and those below one, that the command line has."""
    listed = re.findall(r"^\| `.*?` \|", (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8"), re.MULTILINE)
    called = [call for row in listed for call in re.findall(r"`([^`]*)`", row)]
    known = set(commands_of(app))
    missing = {
        name for name in known - {"policy"} if not any(call == name or call.startswith(f"{name} ") for call in called)
    }
    assert missing == set()


def test_the_page_of_the_language_names_each_of_its_files() -> None:
    """None is missing in the room that it is in, and none is named that is gone."""
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    named = {name.rpartition("/")[2] for name in re.findall(r"`([\w/]+)\.py`", page)}
    for room in ("reading", "checking", "foreseeing", "kept", "operations", "running"):
        assert stems(f"language/{room}") - named == set(), room
    assert named - {path.stem for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]} == set()


def test_links_lead_somewhere() -> None:
    """Each relative link names a file of this repository."""
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_every_decision_is_listed() -> None:
    """The pages in docs/decisions and the index there agree."""
    folder = ROOT / "docs" / "decisions"
    pages = {path.name for path in folder.glob("[0-9]*.md")}
    assert pages == set(re.findall(r"\]\((\d{4}-[a-z0-9-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8")))
