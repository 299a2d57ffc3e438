"""`doctor`: each thing that is configured is tried, and what does not work is said with what to do."""

from __future__ import annotations

import json
from typing import Any

from armslength.tools.documents.process import Walls


def states(home: Any) -> dict[str, tuple[str, str]]:
    """What came of each check: its state, and what was said."""
    return {
        each["what"]: (each["state"], each["said"]) for each in json.loads(home.run("doctor", "--json").out)["findings"]
    }


def test_what_works_is_said_with_what_was_seen(home: Any) -> None:
    """A mailbox is counted, a model is asked."""
    home.config.chmod(0o600)
    home.will("yes")
    ended = home.run("doctor")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == f"ok   configuration: {home.config}"
    assert "ok   mail: 1 message in the inbox" in lines
    assert "ok   documents: read in a process within seccomp and bubblewrap" in lines
    assert any(line.startswith("ok   planner and quarantined model: tiny answered within ") for line in lines)
    hints = sum(line.startswith("hint") for line in lines)
    assert lines[-1].endswith(f" tried: 0 failed, {hints} could be better")


def test_a_model_that_fails_does_not_keep_the_rest_from_being_tried(home: Any) -> None:
    """Its line says what the provider said, and the code says that something does not work."""
    home.provider.will({"error": "no"}, status=401)
    found = states(home)
    assert found["planner and quarantined model"][0] == "does not work"
    assert found["mail"] == ("works", "1 message in the inbox")
    home.provider.will({"error": "no"}, status=401)
    assert home.run("doctor").code == 2


def test_a_file_that_others_may_write_is_a_hint(home: Any) -> None:
    """It decides whose words count as the user's."""
    home.config.chmod(0o666)
    home.will("yes")
    shown = home.run("doctor").out
    assert (
        f"hint configuration: {home.config}\n     others may write it, and it decides whom you trust: chmod go-w {home.config}\n"
        in shown
    )


def test_a_secret_that_is_not_there_is_named_by_its_place(home: Any) -> None:
    """Never by what it is."""
    home.config.write_text(f'{home.config.read_text()}key = {{ environment = "NO_SUCH_KEY" }}\n')
    state, said = states(home)["planner and quarantined model"]
    assert state == "does not work"
    assert said == f"{home.config}: models.planner.key: the environment variable NO_SUCH_KEY is not set"


def test_a_place_that_is_gone_is_said_where_it_is_needed(home: Any) -> None:
    """By the tools, and by itself."""
    home.config.write_text(home.config.read_text().replace('"Notes"', '"Notse"'))
    home.will("yes")
    found = states(home)
    assert found["files"] == ("does not work", f"there is no {home.path}/Notse; correct it, or make it")
    assert found["tools and rules"][0] == "does not work"
    assert found["mail"][0] == "works"


def test_documents_without_walls_are_a_hint(home: Any) -> None:
    """It says what would stand around the process that reads them, and how to go on without."""
    home.monkeypatch.setattr("armslength.tools.documents.reading.walls", Walls)
    state, said = states(home)["documents"]
    assert (state, said) == ("could be better", "no PDF, DOCX or other document is read with walls around")
    home.will("yes")
    assert 'or set documents.without_sandbox = "read"' in home.run("doctor").out


def test_a_cap_below_one_call_is_a_hint(home: Any) -> None:
    """Nothing can be asked then, which is seen here and not at the first request."""
    text = home.config.read_text()
    home.config.write_text(f"{text}[spending]\nrun_tokens = 700\nday_tokens = 1_000_000\n")
    home.will("yes")
    out = home.run("doctor").out
    assert (
        "hint spending: at most 700 tokens a run, 1,000,000 tokens a day\n     spending.run_tokens is 700, and about "
        in out
    )
    assert " are set aside for one call of the planner, so no request is planned; raise it\n" in out
    home.config.write_text(f'{text}price_in = 3.0\nprice_out = 15.0\n[spending]\nrun_cost = 0.001\ncurrency = "EUR"\n')
    home.will("yes")
    assert "     spending.run_cost is 0.001, and about " in home.run("doctor").out
    home.config.write_text(f"{text}[spending]\nrun_tokens = 100_000\n")
    assert states(home)["spending"][0] == "works"
