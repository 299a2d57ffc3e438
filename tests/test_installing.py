"""The command that installs an extra fits how the program itself was installed."""

from __future__ import annotations

import json
import sys

import pytest

from armslength.installing import install_command, what_to_install

CLONE = {"url": "file:///home/kim/my%20clone", "dir_info": {}}


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        (None, ["armslength[page]"]),
        ("no json", ["armslength[page]"]),
        (json.dumps({"url": "https://example.com/a.whl", "archive_info": {}}), ["armslength[page]"]),
        (json.dumps({"url": "https://example.com/a", "dir_info": {}}), ["armslength[page]"]),
        (json.dumps(CLONE), ["/home/kim/my clone[page]"]),
        (json.dumps({**CLONE, "dir_info": {"editable": True}}), ["-e", "/home/kim/my clone[page]"]),
    ],
)
def test_an_extra_comes_from_where_the_program_came_from(recorded: str | None, words: list[str]) -> None:
    """A clone by its folder, as it was installed; anything else by the package's name."""
    assert what_to_install("page", recorded) == words


def test_the_command_is_for_the_environment_in_which_this_runs() -> None:
    """Its own Python is named, so that no other environment gets the extra."""
    command = install_command("page")
    assert command.startswith(f"{sys.executable} -m pip install ")
    assert command.rstrip("'").endswith("[page]")


def test_an_environment_without_pip_is_given_one_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian's own Python makes such environments."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert install_command("page").startswith(f"python3 -m pip --python {sys.executable} install ")
