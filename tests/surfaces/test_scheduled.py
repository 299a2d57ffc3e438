"""`schedule`, and what `work` begins."""

from __future__ import annotations

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
    assert home.run("schedule").out.startswith("tidy: every 60 min: Say hello\n  no run yet; next ")
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
