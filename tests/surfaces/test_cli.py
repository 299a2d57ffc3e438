"""Every way in which the process ends: one line, one code."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from armslength.errors import (
    ConfigError,
    Declined,
    Denied,
    LimitReached,
    ModelKeyRejected,
    ModelMissing,
    ModelNotCleared,
    ProgramFailed,
    ProgramRefused,
    ToolError,
)
from armslength.surfaces.exits import EXIT_HELP, Exit, exit_of


def test_help_gives_the_commands_and_the_codes(home: Any) -> None:
    """Each command stands there with a sentence, and each code."""
    ended = home.run("--help")
    assert (ended.code, ended.err) == (0, "")
    for command in ("ask", "plan", "why", "tools", "model", "config", "demo"):
        assert f"│ {command} " in ended.out
    assert EXIT_HELP in ended.out
    assert all(f"  {int(code):<4} " in EXIT_HELP for code in Exit)


def test_version(home: Any) -> None:
    """The installed version alone, or what the tree says it is."""
    home.monkeypatch.setattr("armslength.surfaces.commands.tree.version", lambda _name: "9.9.9")
    assert home.run("--version").out == "9.9.9\n"


def test_the_demo_gets_its_options(home: Any) -> None:
    """`demo` is handed its options and a console that reads no markup, and gives its code."""
    seen: list[Any] = []
    home.monkeypatch.setattr("armslength.demo.run_demo", lambda **given: seen.append(given) or Exit.STOPPED)
    assert home.run("demo", "--recorded", "--folder", "there").code == 5
    console = seen[0].pop("console")
    assert seen == [{"recorded": True, "folder": Path("there")}]
    console.print("[red]:smile:")
    assert home.capsys.readouterr().out == "[red]:smile:\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["frobnicate"],
            'Unknown command "frobnicate"',
        ),
        (["ask", "x", "--jsn"], "Unknown option: --jsn. Did you mean --json?"),
        (["ask", "--config"], 'Command "ask" parameter --config requires an argument'),
        (["--nope\x1b[31m"], 'Unknown command "--nope⟨U+001B⟩[31m"'),
    ],
)
def test_wrong_usage_is_one_line(home: Any, words: list[str], message: str) -> None:
    """Code 2, the word cleaned, and where to read on."""
    ended = home.run(*words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith("armslength: ")
    assert ended.err.endswith("; armslength --help shows what there is\n")
    assert message in ended.err


def test_a_typo_gets_the_command_that_is_meant_and_no_list_that_is_cut_off(home: Any) -> None:
    """The library's own list ends in the middle; what there is stands in --help."""
    assert home.run("rnus").err == (
        'armslength: Unknown command "rnus". Did you mean "runs"?; armslength --help shows what there is\n'
    )
    assert home.run("runs", "cut", "off\x1b").err == (
        "armslength: nothing is known to be done with: cut off⟨U+001B⟩; armslength --help shows what there is\n"
    )


def test_wrong_usage_with_json_is_an_object(home: Any) -> None:
    """Whoever asked for JSON gets JSON, also of errors; after `--` the word is none of ours."""
    made = home.run("tools", "--json", "--nope").json()
    assert (made["exit"], made["error"]["kind"]) == (2, "Usage")
    assert home.run("frobnicate", "--", "--json").out == ""


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (None, Exit.DONE),
        (ConfigError("x"), Exit.USAGE),
        (ModelMissing("x"), Exit.USAGE),
        (ModelKeyRejected("x"), Exit.MODEL),
        (ModelNotCleared("x"), Exit.REFUSED),
        (Denied("x"), Exit.REFUSED),
        (Declined("x"), Exit.REFUSED),
        (ToolError("x"), Exit.STOPPED),
        (LimitReached(1, "steps"), Exit.STOPPED),
        (ProgramRefused(1, "x"), Exit.STOPPED),
        (ProgramFailed(1, "x", "y", is_trusted=False), Exit.STOPPED),
    ],
)
def test_each_blame_has_its_code(error: Any, code: Exit) -> None:
    """The code follows the tree of exceptions."""
    assert exit_of(error) is code


def test_a_bug_is_one_line(home: Any) -> None:
    """The kind of the exception and how to see more; its message is left out, since it may hold anything."""
    home.monkeypatch.setattr("armslength.surfaces.places.load_settings", broken)
    ended = home.run("tools")
    assert (ended.code, ended.err) == (
        1, "armslength: ZeroDivisionError: this is a bug; ARMSLENGTH_DEBUG=1 shows where it happened\n",
    )  # fmt: skip


def test_a_bug_is_shown_to_whoever_wants_it(home: Any) -> None:
    """With ARMSLENGTH_DEBUG the exception goes through."""
    home.monkeypatch.setattr("armslength.surfaces.places.load_settings", broken)
    home.monkeypatch.setenv("ARMSLENGTH_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        home.run("tools")


def test_ctrl_c_anywhere_is_one_line(home: Any) -> None:
    """Also where no run has begun."""
    home.monkeypatch.setattr("armslength.surfaces.places.load_settings", interrupted)
    ended = home.run("tools")
    assert (ended.code, ended.out, ended.err) == (130, "", "armslength: stopped by Ctrl-C\n")


def test_a_reader_that_goes_away_is_no_bug(home: Any) -> None:
    """`armslength tools | head -0` prints no traceback."""
    process = home.start("tools")
    process.stdout.close()
    assert process.wait(timeout=30) == Exit.BUG
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_terminal_that_hangs_up_changes_nothing(home: Any) -> None:
    """A process that is told to end during a run leaves the store as it was."""
    home.will(
        'append_to_file("todo.md", "x")\nemails = search_emails()\ny = quarantined("?", emails[0].body, returns=str)'
    )
    home.will("x", seconds=60.0)
    process = home.start("ask", "x")
    assert process.stderr.readline() == "tiny is writing the program\n"
    assert process.stderr.readline() == "tiny is reading, quarantined\n"
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=20)
    assert isinstance(process, subprocess.Popen)
    assert process.returncode == -signal.SIGHUP
    assert home.todo == "- water the plants\n"


def broken(*_arguments: Any) -> Any:
    """A bug."""
    return 1 / 0


def interrupted(*_arguments: Any) -> Any:
    """Ctrl-C."""
    raise KeyboardInterrupt
