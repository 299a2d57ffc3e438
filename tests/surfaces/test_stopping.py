"""`ask` that comes to no good end: a model or an effect that fails, Ctrl-C, what the policy denies."""

from __future__ import annotations

import re
import signal
import time
from typing import Any

from tests.surfaces.asked import ADD, ITEM, SEND


def test_ctrl_c_during_a_slow_model_changes_nothing(home: Any) -> None:
    """A real SIGINT while the quarantined model is at work: one line, code 130, the queue is dropped."""
    home.will('append_to_file("todo.md", "x")\n' + ADD)
    home.will(ITEM, seconds=60.0)
    process = home.start("ask", "x")
    ends = time.monotonic() + 30
    while len(home.provider.seen) < 2 and time.monotonic() < ends:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "armslength: stopped by Ctrl-C; nothing was changed"
    assert home.todo == "- water the plants\n"


def test_ctrl_c_typed_during_a_slow_model_is_one_line(home: Any) -> None:
    """The live line goes away, the cursor comes back, and the last line says that nothing was changed."""
    home.will("x = 1", seconds=60.0)
    left = ["\x03"]
    ended = home.at_terminal("ask", "x", say=lambda screen: left.pop() if left and "program 1 s" in screen else None)
    assert ended.code == 130
    assert ended.screen.endswith("armslength: stopped by Ctrl-C; nothing was changed\n")
    assert ended.screen.rindex("\x1b[?25h") > ended.screen.rindex("\x1b[?25l")
    assert "Traceback" not in ended.screen


def test_ctrl_c_after_a_change_says_what_was_done(home: Any) -> None:
    """A change that was settled before, for a read that needed it, is named and stays."""
    home.will('append_to_file("todo.md", "x")\nn = len(list_files())\n' + ADD)
    home.will(ITEM, seconds=60.0)
    process = home.start("ask", "x", "--json")
    ends = time.monotonic() + 30
    while len(home.provider.seen) < 2 and time.monotonic() < ends:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert '"done": [\n    "append_to_file"\n  ]' in out
    assert err.splitlines()[-1].startswith(
        "armslength: stopped by Ctrl-C; done before: append_to_file; armslength why "
    )
    assert re.search(r" shows it, armslength undo \S+ takes back what can be$", err.splitlines()[-1])
    assert home.todo == "- water the plants\nx"


def test_ctrl_c_while_a_call_goes_out_claims_nothing(home: Any) -> None:
    """A call with receivers that was under way is named as perhaps done."""
    (home.path / "standin" / "web").mkdir(parents=True)
    home.config.write_text(home.config.read_text() + '[standin]\npath = "standin"\n')
    home.monkeypatch.setattr("armslength.tools.standin.Folder.read", interrupted)
    home.will('answer(fetch_web_page("https://example.com/"))')
    ended = home.run("ask", "x", "--json", "--quiet")
    assert ended.code == 130
    assert ended.err.startswith(
        "armslength: stopped by Ctrl-C; perhaps done before, look for yourself: fetch_web_page; armslength why "
    )
    made = ended.json()
    assert (made["ending"], made["done"], made["unknown"]) == ("interrupted", [], ["fetch_web_page"])


def test_an_effect_that_fails_is_told(home: Any) -> None:
    """The tool's line stands with it, what came after is dropped, the code is 5."""
    home.will('append_to_file("a/../../x", "x")\nappend_to_file("todo.md", "x")')
    ended = home.run("ask", "x", "--quiet")
    assert ended.code == 5
    reason = "files: '..' leads out of the folder; give a name below it"
    first, second = ended.out.splitlines()
    assert first == f"failed: append to a file (will fail: {reason}) ({reason})"
    assert second == "dropped: append to the file todo.md (not begun, since something before it failed)"
    assert ended.err == f"armslength: stopped: {reason}; nothing else was changed\n"
    assert home.todo == "- water the plants\n"


def test_what_the_policy_denies_is_never_asked(home: Any) -> None:
    """Data that stays on this machine is not sent: code 4 with the reason."""
    home.config.write_text(home.config.read_text() + '[privacy]\nthis_machine_only = ["mail:*"]\n')
    home.will(SEND)
    ended = home.run("ask", "x", "--quiet")
    assert ended.code == 4
    reason = "it holds data that the configuration keeps on this machine, or came about by looking through such data"
    dropped = "dropped: append to the file todo.md (not begun, since something of the same program is not allowed)"
    assert ended.out == f"denied: send a mail to eve@evil.example ({reason})\n{dropped}\n"
    assert ended.err == f"armslength: refused: line 2: send_email is not allowed: {reason}; nothing was changed\n"


def interrupted(*_arguments: Any) -> Any:
    """Ctrl-C."""
    raise KeyboardInterrupt
