"""Calls under way: their threads, the bound of a lane, what is kept of an outcome, and what becomes of them when the run ends."""

from __future__ import annotations

import threading
from contextvars import ContextVar

import pytest

from armslength.agent.outside.underway import Lane, Underway
from armslength.errors import ConfigError, OperatorError, ToolError
from armslength.models.base import given_up

SOON = 20.0
"""Seconds after which a test that would hang fails."""


def test_what_a_call_gave_is_given_as_often_as_asked() -> None:
    """It is made once."""
    made: list[int] = []
    call = Underway(lambda: made.append(1) or "done")
    Lane("x", 1).start(call)
    assert (call.result(), call.result(), made, call.has_ended) == ("done", "done", [1], True)


def test_what_a_call_raised_is_raised_as_often_as_asked() -> None:
    """The same error each time, and its trace does not grow."""

    def fail() -> None:
        raise ToolError("no")

    call = Underway(fail)
    Lane("x", 1).start(call)
    depths = []
    for _ in range(3):
        with pytest.raises(ToolError, match=r"^no$") as caught:
            call.result()
        depths.append(len(caught.traceback))
    assert len(set(depths)) == 1


@pytest.mark.parametrize("bound", [1, 3])
def test_a_lane_makes_so_many_calls_at_once_and_no_more(bound: int) -> None:
    """`bound` calls meet inside; the others begin as those end, in order."""
    inside, most, begun = set[int](), list[int](), list[int]()
    lock, meet = threading.Lock(), threading.Barrier(bound)

    def work(number: int) -> int:
        with lock:
            inside.add(number)
            begun.append(number)
            most.append(len(inside))
        meet.wait(SOON)
        with lock:
            inside.discard(number)
        return number

    lane, calls = Lane("x", bound), [Underway(lambda n=n: work(n)) for n in range(bound * 4)]  # type: ignore[misc]
    for call in calls:
        lane.start(call)
    assert [call.result() for call in calls] == list(range(bound * 4))
    assert max(most) == bound
    assert bound > 1 or begun == list(range(4))


def test_threads_keep_no_process_and_end_with_their_calls() -> None:
    """They are daemons, and none of them is left when nothing is to be done."""
    found: list[threading.Thread] = []
    lane = Lane("mail", 2)
    calls = [Underway(lambda: found.append(threading.current_thread())) for _ in range(6)]
    for call in calls:
        lane.start(call)
    for call in calls:
        call.wait()
    for thread in found:
        thread.join(SOON)
    assert {(thread.daemon, thread.is_alive(), thread.name) for thread in found} == {(True, False, "armslength mail")}


def test_a_call_runs_in_the_context_in_which_it_was_made() -> None:
    """A variable of the context has the value that it had at the call."""
    who: ContextVar[str] = ContextVar("who", default="nobody")
    token = who.set("ann")
    call = Underway(who.get)
    who.reset(token)
    Lane("x", 1).start(call)
    assert call.result() == "ann"


def test_the_end_of_a_run_gives_up_what_goes_on_and_makes_nothing_else() -> None:
    """Who makes a call can see that nobody waits; who waits in line is never made, and says so."""
    begun, end = threading.Event(), threading.Event()
    seen: list[bool] = []

    def slow() -> None:
        seen.append(given_up.get()())
        begun.set()
        end.wait(SOON)
        seen.append(given_up.get()())

    lane, first, second = Lane("x", 1), Underway(slow), Underway(lambda: seen.append(True))
    lane.start(first)
    lane.start(second)
    begun.wait(SOON)
    lane.abandon()
    with pytest.raises(OperatorError, match=r"^the run has ended before this call began; ask again$"):
        second.result()
    end.set()
    first.result()
    assert (seen, given_up.get()()) == ([False, True], False)


def test_a_system_without_threads_is_an_operators_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to do, and the lane is as it was."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    lane = Lane("x", 1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(OperatorError) as caught:
            lane.start(Underway(int))
    assert str(caught.value) == "this system gives no further thread; end other programs, or ask for less at once"
    call = Underway(int)
    lane.start(call)
    assert call.result() == 0


def test_a_lane_for_nothing_is_refused() -> None:
    """A declaration of no calls at once would wait for ever."""
    with pytest.raises(ConfigError, match=r"^tool x: at_once is 0, so no call could be made; set it to 1 or more$"):
        Lane("tool x", 0)
