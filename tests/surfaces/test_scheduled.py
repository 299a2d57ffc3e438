"""`schedule`, and what `work` begins."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from armslength.store.occasions import Occasions


def test_what_begins_by_itself_is_listed_and_begun_by_work(home: Any) -> None:
    """Nothing before work looked; then when it is due; and the run is one of the runs."""
    home.config.write_text(
        f'{home.config.read_text()}[schedule.tidy]\nrequest = "Say hello"\nevery = "1h"\n', encoding="utf-8"
    )
    ended = home.run("schedule")
    assert (ended.code, ended.out) == (
        0, "tidy: every 60 min: Say hello\n  not looked at yet; armslength work begins it\n",
    )  # fmt: skip
    assert home.run("work", "--once").code == 0
    shown = home.run("schedule").out
    assert re.fullmatch(
        r"tidy: every 60 min: Say hello\n  no run yet; next \d{4}-\d\d-\d\d \d\d:\d\d \S+, while armslength work runs\n",
        shown,
    )
    occasions = Occasions(home.path / "state" / "schedule.sqlite")
    occasions.came("tidy", datetime.now().astimezone() - timedelta(hours=2), {}, begins=False)
    home.will('answer("hello")')
    worked = home.run("work", "--once")
    assert (worked.code, worked.out.endswith(": done\n")) == (0, True)
    run = worked.out.partition(":")[0]
    assert f"  last run {run}; next " in home.run("schedule").out
    assert home.run("show", run).code == 0
    occasions.came("tidy", datetime.now().astimezone(), {}, begins=False)
    assert f"  last run {run}; next " in home.run("schedule").out, "a look that begins nothing forgets no run"
    occasions.came("tidy", datetime.now().astimezone(), {}, begins=True)
    occasions.begun("tidy", "")
    assert f"  last run {run}; next " in home.run("schedule").out, "nor does a run that could not begin"


def test_a_watch_that_can_never_begin_says_so(home: Any) -> None:
    """Mail is kept here and the planner is elsewhere: the list and doctor say that, and what to do; with another pattern nothing is said."""
    text = home.config.read_text().replace("is_local = true", "is_local = false")
    assert "is_local = false" in text, "the planner of this home is elsewhere now"
    watch = '[schedule.bills]\nrequest = "Say hello"\non_mail = true\n[privacy]\nthis_machine_only = '
    home.config.write_text(f'{text}{watch}["mail:*"]\n', encoding="utf-8")
    why = "cannot begin: [privacy] this_machine_only keeps mail on this machine, and the planner is elsewhere and would learn that some came; "
    assert f"\n  {why}use the embedded model" in home.run("schedule").out
    assert "cannot begin: bills" in home.run("doctor").out
    occasions = Occasions(home.path / "state" / "schedule.sqlite")
    occasions.came("bills", datetime.now().astimezone(), {}, begins=True)
    assert "learns that some came, which stays on this machine" in home.run("work", "--once").err
    last = occasions.last("bills")
    assert last is not None
    assert "Say hello" in home.run("show", last.run).out, "it never came to its request, and that is told all the same"
    home.config.write_text(f'{text}{watch}["file:*"]\n', encoding="utf-8")
    assert "cannot begin" not in home.run("schedule").out
