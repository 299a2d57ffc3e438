"""What models may cost: a call that could go over a cap is not made, and what is near is told before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench.home.world import Home, says

from armslength.app import Assistant, load_settings
from armslength.app.caps import Caps, Price
from armslength.app.spending import Spending
from armslength.app.wiring import spending_of
from armslength.errors import CapReached, ConfigError
from armslength.models.base import ModelReply, ModelRequest, Processor, Turn, Usage
from armslength.testing import ScriptedModel

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
REQUEST = ModelRequest("", (Turn("user", "x" * 84),), max_tokens=100)
"""84 tokens and 32 for the form at most, and an answer of 100: 216 at most."""


class Counting:
    """A model that takes a token a character and says how many it used."""

    processor = Processor("p", "m", is_local=False, is_small=False, window=100_000)

    def __init__(self, completion: int = 10, failing: Exception | None = None) -> None:
        self.completion, self.failing, self.asked = completion, failing, 0

    def complete(self, request: ModelRequest) -> ModelReply:
        """The same answer each time."""
        self.asked += 1
        if self.failing is not None:
            raise self.failing
        return ModelReply("yes", Usage(84, 0, self.completion, 0.0))

    def count_tokens(self, text: str) -> int:
        """One a character."""
        return len(text)


def capped(tmp_path: Path, caps: Caps, told: Callable[[str], None] = lambda _line: None) -> Spending:
    """Two per million in and a thousand out."""
    return Spending(tmp_path / "spending.sqlite", caps, {"planner": Price(2.0, 1000.0)}, told)


def test_a_call_that_could_go_over_is_not_made(tmp_path: Path) -> None:
    """The dearest end counts before the call, what it cost after: so two fit where two of the dearest would not."""
    model = Counting()
    planner = capped(tmp_path, Caps(run_tokens=400)).of_a_run({"planner": model}, lambda: NOON)["planner"]
    planner.complete(REQUEST)
    planner.complete(REQUEST)
    with pytest.raises(CapReached) as caught:
        planner.complete(REQUEST)
    assert str(caught.value) == (
        "a model was not asked: with this call the run could come to 404 tokens, and spending.run_tokens allows 400 tokens; "
        "188 tokens are spent"
    )
    assert model.asked == 2


def test_money_is_counted_by_the_models_price(tmp_path: Path) -> None:
    """In the currency that the person counts in."""
    model = Counting(completion=100)
    spending = capped(tmp_path, Caps(day_cost=0.15, currency="EUR"))
    planner = spending.of_a_run({"planner": model}, lambda: NOON)["planner"]
    planner.complete(REQUEST)
    with pytest.raises(CapReached, match=r"spending\.day_cost allows 0\.15 EUR; 0\.1002 EUR are spent$"):
        planner.complete(REQUEST)


def test_a_day_is_one_for_all_runs_and_the_next_is_another(tmp_path: Path) -> None:
    """Each run counts anew, a day over all of them, in whichever process."""
    spending = capped(tmp_path, Caps(day_tokens=300))
    spending.of_a_run({"planner": Counting()}, lambda: NOON)["planner"].complete(REQUEST)
    other = capped(tmp_path, Caps(day_tokens=300))
    with pytest.raises(CapReached):
        other.of_a_run({"planner": Counting()}, lambda: NOON)["planner"].complete(REQUEST)
    other.of_a_run({"planner": Counting()}, lambda: NOON + timedelta(days=1))["planner"].complete(REQUEST)


def test_a_call_that_failed_counts_as_the_dearest(tmp_path: Path) -> None:
    """Nobody knows what it cost."""
    planner = capped(tmp_path, Caps(run_tokens=300)).of_a_run(
        {"planner": Counting(failing=RuntimeError())}, lambda: NOON
    )["planner"]
    with pytest.raises(RuntimeError):
        planner.complete(REQUEST)
    with pytest.raises(CapReached):
        planner.complete(REQUEST)


class Silent(Counting):
    """A model of a provider that does not say what a call took."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """The same answer each time."""
        return replace(super().complete(request), usage=Usage(0, 0, 0, 0.0, is_said=False))


def test_a_call_of_which_the_provider_says_nothing_counts_as_the_dearest(tmp_path: Path) -> None:
    """Booked as nothing, caps would never fill: most compatible servers may leave `usage` out."""
    model = Silent()
    planner = capped(tmp_path, Caps(run_tokens=500)).of_a_run({"planner": model}, lambda: NOON)["planner"]
    planner.complete(REQUEST)
    planner.complete(REQUEST)
    with pytest.raises(CapReached, match=r"432 tokens are spent$"):
        planner.complete(REQUEST)
    assert model.asked == 2


def test_calls_beside_each_other_do_not_go_over_together(tmp_path: Path) -> None:
    """What a call could cost is set aside before it is made."""
    model = Counting()
    planner = capped(tmp_path, Caps(run_tokens=500)).of_a_run({"planner": model}, lambda: NOON)["planner"]
    began, go = threading.Barrier(3), threading.Event()
    complete = model.complete

    def slow(request: ModelRequest) -> ModelReply:
        began.wait(10)
        go.wait(10)
        return complete(request)

    model.complete = slow  # type: ignore[method-assign]  # a slow provider
    threads = [threading.Thread(target=planner.complete, args=(REQUEST,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    began.wait(10)
    with pytest.raises(CapReached):
        planner.complete(REQUEST)
    go.set()
    for thread in threads:
        thread.join()
    assert model.asked == 2


def test_it_is_told_before_the_cap_is_reached(tmp_path: Path) -> None:
    """Once, when four fifths are spent."""
    lines: list[str] = []
    spending = capped(tmp_path, Caps(run_tokens=600), lines.append)
    planner = spending.of_a_run({"planner": Counting(completion=100)}, lambda: NOON)["planner"]
    planner.complete(REQUEST)
    planner.complete(REQUEST)
    assert lines == []
    planner.complete(replace(REQUEST, max_tokens=50))
    assert lines == ["the run has spent 552 tokens of 600 tokens (spending.run_tokens)"]


def with_caps(assistant: Assistant, spending: Spending) -> Assistant:
    """The same assistant, with what it may cost."""
    return replace(assistant, spending=spending)


def test_a_run_ends_in_one_line_and_nothing_is_done(home: Home, tmp_path: Path) -> None:
    """The quarantined model is not asked, so what was queued is dropped."""
    home.file("a.txt", "x" * 20_000)
    program = (
        'append_to_file(filename="b.txt", text="x")\n'
        'append_to_file(filename="b.txt", text=quarantined("?", read_file(filename="a.txt").content))'
    )
    spending = Spending(tmp_path / "spending.sqlite", Caps(run_tokens=12_000), {})
    result = with_caps(home.assistant(program, says("x")), spending).ask("Do it")
    assert "a model was not asked: with this call the run could come to" in result.outcome.message
    assert result.outcome.ending != "done"
    assert not (home.path / "Files" / "b.txt").exists()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("run_cost = -1", "spending.run_cost must be a number, 0 or more"),
        ("run_cost = nan", "spending.run_cost must be a number, 0 or more"),
        ("day_tokens = -5", "spending.day_tokens must be a whole number, 0 or more"),
        (
            "limit = 1",
            "spending.limit is not a setting; there are: currency, day_cost, day_tokens, run_cost, run_tokens",
        ),
    ],
)
def test_a_wrong_cap_is_refused(tmp_path: Path, lines: str, message: str) -> None:
    """A cap that is not understood would be none."""
    file = tmp_path / "config.toml"
    file.write_text(f"[spending]\n{lines}\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(file)
    assert str(caught.value) == f"{file}: {message}"


def test_a_cap_in_money_needs_a_price(tmp_path: Path) -> None:
    """Without one nothing would ever be counted."""
    file = tmp_path / "config.toml"
    file.write_text("[spending]\nday_cost = 1.5\n")
    with pytest.raises(ConfigError, match=r"give what a million tokens cost$"):
        spending_of(load_settings(file), print)
    file.write_text('[spending]\nday_cost = 1.5\n[models.planner]\nprovider = "openai"\nmodel = "m"\nprice_in = 3\n')
    made = spending_of(load_settings(file), print)
    assert made is not None
    assert made.prices["planner"] == Price(3.0, 0.0)


def test_scripted_models_are_not_capped_unless_asked(home: Home) -> None:
    """An assistant without caps has its models as they are."""
    assistant = home.assistant('answer("hi")')
    assert isinstance(assistant.models["planner"], ScriptedModel)
    assert assistant.spending is None
