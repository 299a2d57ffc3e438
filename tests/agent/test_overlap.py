"""Calls go on beside the program: what overlaps, within which bounds, in which order its effects happen, and what a failure stops."""

from __future__ import annotations

import json
import random
import re
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from bench.home.world import Home, Person, rules, says, statuses

from armslength.app import Assistant, Result
from armslength.errors import ModelDeclined, ModelError, OperatorError, ToolError
from armslength.models.base import ModelRequest, Processor
from armslength.store.sqlite import SqliteRuns
from armslength.testing import SCRIPTED, ScriptedModel
from armslength.tools.base import Role, Tool, nobody, tool

SOON = 20.0
"""Seconds after which a test that would hang fails."""
Says = Callable[[ModelRequest], str]


def asked(home: Home, program: str, model: Says, *, at_once: int = 32, person: Person | None = None) -> Result:
    """The run of a program whose quarantined model is this function, called by so many threads at once."""
    return with_model(home.assistant(program), model, at_once=at_once).ask("Do it", approver=person)


def with_model(assistant: Assistant, model: Says, *, at_once: int = 32) -> Assistant:
    """The assistant with this quarantined model."""
    return replace(assistant, quarantined=ScriptedModel(model, replace(SCRIPTED, at_once=at_once)))


def question(request: ModelRequest) -> str:
    """What the program asked: the last line before the form of the answer."""
    return request.turns[-1].text.split("\n\nAnswer in JSON")[0].rsplit("\n", 1)[-1]


def meeting(count: int) -> Says:
    """Answers the question itself, but only when so many are being asked at once."""
    barrier = threading.Barrier(count)

    def model(request: ModelRequest) -> str:
        barrier.wait(SOON)
        return says(question(request))

    return model


def texts(result: Result) -> list[str]:
    """The answers as plain text."""
    return ["".join(str(piece.data) for piece in answer) for answer in result.outcome.answers]


OVERLAPPING = {
    "assignments": 'a = quarantined("1", "x")\nb = quarantined("2", "x")\nc = quarantined("3", "x")\nanswer(a + b + c)',
    "comprehension": 'said = [quarantined(str(n), "x") for n in range(1, 4)]\nanswer("".join(said))',
    "over mails": 'said = [quarantined("1", m.body) for m in search_emails()]\nanswer("".join(said).replace("111", "123"))',
    "append": 'said = []\nfor m in search_emails():\n    said.append(quarantined("1", m.body))\nanswer("".join(said).replace("111", "123"))',
    "in a branch": 'said = []\nfor m in search_emails():\n    if m.body:\n        said += [quarantined("1", m.body)]\n'
    'answer("".join(said).replace("111", "123"))',
    "a dict": 'said = {n: quarantined(str(n), "x") for n in [1, 2, 3]}\nanswer(said[1] + said[2] + said[3])',
    "keys": 'said = {}\nfor n in [1, 2, 3]:\n    said[n] = quarantined(str(n), "x")\nanswer("".join(said.values()))',
    "a function": 'def ask(n):\n    return quarantined(n, "x")\n\nsaid = [ask(n) for n in ["1", "2", "3"]]\nanswer("".join(said))',
    "in one answer": 'answer(quarantined("1", "x"), quarantined("2", "x"), quarantined("3", "x"))',
    "in a text": 'answer(f"{quarantined("1", "x")}{quarantined("2", "x")}{quarantined("3", "x")}")'.replace(
        '"1"', "'1'").replace('"2"', "'2'").replace('"3"', "'3'").replace('"x"', "'x'"),
    "answers": "\n".join(f'answer(quarantined("{n}", "x"))' for n in (1, 2, 3)),
    "records": 'class Said(BaseModel):\n    n: int\n    text: str\n\nsaid = [Said(n=n, text=quarantined(str(n), "x")) for n in range(1, 4)]\n'
    'answer("".join([each.text for each in said]))',
    "a try": 'try:\n    a = quarantined("1", "x")\n    b = quarantined("2", "x")\n    c = quarantined("3", "x")\nexcept ValueError:\n    a = b = c = ""\n'
    "answer(a + b + c)",
    "a choice": 'said = [quarantined(str(n), "x") if n else "" for n in range(4)]\nanswer("".join(said))',
}  # fmt: skip


@pytest.mark.parametrize("program", OVERLAPPING.values(), ids=OVERLAPPING.keys())
def test_independent_questions_are_asked_at_once(home: Home, program: str) -> None:
    """None of the three is answered before the last has been asked."""
    for _ in range(3):
        home.deliver("Hello")
    result = asked(home, program, meeting(3))
    assert (result.outcome.ending, result.outcome.message) == ("done", "")
    assert re.sub(r"\s", "", "".join(texts(result))) == "123"


def reading(name: str, work: Callable[[str], str], *, at_once: int = 8, reads: str | None = None) -> Tool:
    """A tool that reads."""

    @tool(name=name, changes=None, receivers=nobody, reads=reads, at_once=at_once, picks=True)
    def read(which: str) -> str:
        return work(which)

    return read


def test_independent_reads_go_on_at_once(home: Home) -> None:
    """Three calls of two tools meet inside; their results are labelled as ever."""
    barrier = threading.Barrier(3)

    def work(which: str) -> str:
        barrier.wait(SOON)
        return which

    home.more = [reading("look", work), reading("peek", work)]
    result = home.ask('a = look("1")\nb = peek("2")\nc = look("3")\nanswer(a + b + c)')
    assert (result.outcome.ending, texts(result)) == ("done", ["123"])
    (piece,) = result.outcome.answers[0]
    assert {source.name for source in piece.label.data} == {"tool:look", "tool:peek"}


class Counter:
    """How many are inside at once, and the most that ever were; `meet` of them always are, before any leaves."""

    def __init__(self, meet: int) -> None:
        self.inside = self.most = 0
        self._lock, self._barrier = threading.Lock(), threading.Barrier(meet)

    def pass_through(self) -> None:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self._barrier.wait(SOON)
        with self._lock:
            self.inside -= 1


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_model_is_asked_as_many_at_once_as_it_takes(home: Home, at_once: int) -> None:
    """`at_once` of its processor, and no more."""
    counter = Counter(at_once)

    def model(request: ModelRequest) -> str:
        counter.pass_through()
        return says(question(request))

    program = 'answer("".join([quarantined(str(n), "x") for n in range(9)]))'
    result = asked(home, program, model, at_once=at_once)
    assert (texts(result), counter.most) == (["012345678"], at_once)


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_tool_is_called_as_many_times_at_once_as_it_takes(home: Home, at_once: int) -> None:
    """`at_once` of its declaration, and no more."""
    counter = Counter(at_once)

    def work(which: str) -> str:
        counter.pass_through()
        return which

    home.more = [reading("look", work, at_once=at_once)]
    result = home.ask('answer("".join([look(str(n)) for n in range(9)]))')
    assert (texts(result), counter.most) == (["012345678"], at_once)


def test_what_is_declared_where_nothing_is_said() -> None:
    """32 for a model elsewhere, 8 for a tool."""
    assert Processor("far", "m", is_local=False, is_small=False, window=1).at_once == 32
    assert reading("look", str).at_once == 8


def noting(done: list[str], store: str = "notes") -> Tool:
    """A tool that changes a store."""

    @tool(name="note", changes=store, receivers=nobody, roles={"text": Role.CONTENT}, undo=lambda *_: None)
    def note(text: str) -> None:
        done.append(text)

    return note


def test_effects_happen_in_the_programs_order_whatever_comes_first(home: Home) -> None:
    """The questions are answered from the last to the first."""
    done: list[str] = []
    home.more = [noting(done)]
    events = [threading.Event() for _ in range(4)]
    events[3].set()

    def model(request: ModelRequest) -> str:
        number = int(question(request))
        assert events[number + 1].wait(SOON)
        events[number].set()
        return says(str(number))

    result = asked(home, 'for said in [quarantined(str(n), "x") for n in range(3)]:\n    note(text=said)', model)
    assert (result.outcome.ending, done) == ("done", ["0", "1", "2"])


def test_a_failure_that_nobody_needs_stops_nothing(home: Home) -> None:
    """The other calls and the effects go on as if it had not been made; it is not even written down."""
    done: list[str] = []
    home.more = [noting(done), reading("look", failing("a file is gone"))]

    def model(request: ModelRequest) -> str:
        if question(request) == "bad":
            raise ModelDeclined("it refused")
        return says("fine")

    program = 'bad = quarantined("bad", "x")\nworse = look("x")\ngood = quarantined("good", "x")\nnote(text=good)'
    result = asked(home, program, model)
    assert (result.outcome.ending, done) == ("done", ["fine"])
    assert [entry["name"] for entry in result.entries if "failed" in entry] == ["look"]  # the change waited for it


def failing(message: str) -> Callable[[str], str]:
    """Work that comes to nothing."""

    def work(which: str) -> str:
        raise ToolError(message)

    return work


@pytest.mark.parametrize("use", ["answer(bad)", "note(text=bad)", "n = len(bad)", "answer('so: ' + bad)"])
def test_a_failure_that_is_needed_stops_the_program(home: Home, use: str) -> None:
    """Where it is needed, at the latest at the end; nothing that was queued happens."""
    done: list[str] = []
    home.more = [noting(done), reading("look", failing("a file is gone"))]
    result = home.ask(f'bad = look("x")\nnote(text="before")\n{use}')
    assert (result.outcome.ending, result.outcome.message, done) == ("stopped", "a file is gone", [])
    assert {status for _, status in statuses(result)} == {"dropped"}


def test_what_a_failed_program_said_is_said(home: Home) -> None:
    """All parts that can be, in order, also those that were pending; the one that cannot is left out."""

    def model(request: ModelRequest) -> str:
        if question(request) == "b":
            raise ModelDeclined("it refused")
        return says(question(request))

    home.more = [reading("look", failing("gone"))]
    said = "\n".join(f'answer(quarantined("{name}", "x"))' for name in "abc")
    for program in (said, f'{said}\nlen(look("x"))'):
        result = asked(home, program, model)
        assert (result.outcome.ending, texts(result)) == ("stopped", ["a", "c"])
        assert (result.outcome.message, len(result.outcome.effects)) == (
            "gone" if "look" in program else "it refused",
            0,
        )


def test_a_call_that_nobody_needs_keeps_no_run_waiting(home: Home) -> None:
    """The run ends while the model is still at it; what it says later is written nowhere."""
    end, begun, seen = threading.Event(), threading.Event(), list[threading.Thread]()

    def model(request: ModelRequest) -> str:
        seen.append(threading.current_thread())
        begun.set()
        assert end.wait(SOON)
        return says("late")

    program = 'slow = quarantined("?", "x")\nlate = [quarantined("?", "x") for n in range(3)]\nanswer("done")'
    result = asked(home, program, model, at_once=1)
    assert (result.outcome.ending, texts(result)) == ("done", ["done"])
    assert begun.wait(SOON)
    before = json.dumps(result.entries)
    end.set()
    seen[0].join(SOON)
    assert (json.dumps(result.entries), len(seen), seen[0].daemon, result.spent["quarantined"]) == (before, 1, True, ())
    assert '"late"' not in before


def test_an_interrupt_ends_the_waiting_at_once(home: Home) -> None:
    """Ctrl-C while the model thinks: the run ends, nothing queued happens, and the model's late answer goes nowhere."""
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell that starts this beside other work has it ignored
    done: list[str] = []
    home.more = [noting(done)]
    end, seen = threading.Event(), list[threading.Thread]()

    def model(request: ModelRequest) -> str:
        seen.append(threading.current_thread())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        assert end.wait(SOON)
        return says("late")

    runs = SqliteRuns(home.path / "state" / "runs.sqlite")
    program = 'note(text="before")\nsaid = quarantined("?", "x")\nnote(text=said)'
    assistant = with_model(home.assistant(program, runs=runs), model)
    with pytest.raises(KeyboardInterrupt):
        assistant.ask("Do it")
    assert seen[0].is_alive()
    written = runs.entries(runs.names()[0])
    end.set()
    seen[0].join(SOON)
    assert (runs.entries(runs.names()[0]), done) == (written, [])
    assert not [entry for entry in written if entry.get("name") == "quarantined" or entry.get("kind") == "reading"]


def test_a_read_has_ended_before_its_store_is_changed(home: Home) -> None:
    """Early or at the end, needed or not: no read goes on beside a change, and one that was called for before sees what was there."""
    order: list[str] = []
    pause = threading.Event()

    def work(which: str) -> str:
        pause.wait(0.2)
        order.append(f"read {which}")
        return which

    home.more = [noting(order), reading("look", work, reads="notes"), reading("peek", work)]
    home.ask('before = look("a")\nother = peek("b")\nnote(text="change")\nafter = look("c")\nanswer(before, after)')
    assert (set(order[:2]), order[2:]) == ({"read a", "read b"}, ["change", "read c"])
    order.clear()
    home.ask('unneeded = look("a")\nnote(text="change")')
    assert order == ["read a", "change"]


def test_a_slow_read_of_another_store_delays_no_change(home: Home) -> None:
    """It ends only once the change has happened."""
    changed = threading.Event()

    @tool(name="note", changes="notes", receivers=nobody, roles={}, undo=lambda *_: None)
    def note() -> None:
        changed.set()

    home.more = [note, reading("look", lambda which: str(changed.wait(SOON)), reads="weather")]
    assert home.ask('sky = look("x")\nnote()').outcome.ending == "done"
    assert changed.is_set()


@pytest.mark.parametrize("call", ['quarantined("?", "x")', 'look("x")', "read_file('a.txt')"])
def test_whether_a_pending_call_fails_is_told_by_no_call_after_it(home: Home, call: str) -> None:
    """A fetch that comes before anybody looked at the result is asked about: that it happens would tell, were it made later."""
    home.page("https://a.example/", "page")
    home.more = [reading("look", str)]
    fetch = 'fetch_web_page(url="https://a.example/")'
    result = home.ask(f"said = {call}\n{fetch}", says("x"))
    assert (result.outcome.ending, rules(result)) == ("declined", ["steer-not-readable"])


RANDOM = """
mails = search_emails()
said = [quarantined(m.subject, m.body) for m in mails]
note(text="first")
kept = []
for one in said:
    try:
        kept.append(quarantined("about", one, returns=bool))
    except RuntimeError:
        kept.append(None)
seen = look("a")
answer(quarantined("last", kept), seen)
try:
    lost = look("bad") + quarantined("bad", "x")
except RuntimeError:
    lost = "lost"
answer(lost)
note(text=lost)
"""


def shuffled(seed: int) -> tuple[Says, Callable[[str], str]]:
    """A model and a tool that let three calls in, then go on with them in any order, and fail for some."""
    chance, lock = random.Random(seed), threading.Lock()
    pause = threading.Event()

    def wait() -> None:
        with lock:
            seconds = chance.random() / 100
        pause.wait(seconds)

    def model(request: ModelRequest) -> str:
        wait()
        text = question(request)
        if "bad" in text:
            raise ModelError("the provider has a fault")
        return says(True) if text == "about" else says(f"said of {text}")

    def work(which: str) -> str:
        wait()
        if which == "bad":
            raise ToolError("gone")
        return which

    return model, work


def without_time(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without when and how long: it is no part of the run."""
    return {name: part for name, part in entry.items() if name not in {"at", "took"}}


def test_a_run_with_overlap_is_recorded_in_one_way_and_replayed_exactly(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers that arrive in other orders, failures among them, make the same journal; a replay needs no world."""
    monkeypatch.setattr("armslength.store.journal.secrets.token_hex", lambda _size: "same")
    for number in range(6):
        home.deliver(f"body {number}", subject=f"subject {number}")
    journals = set()
    for seed in range(5):
        model, work = shuffled(seed)
        home.more = [noting([]), reading("look", work)]
        assistant = with_model(home.assistant(RANDOM), model)
        result = assistant.ask("Do it")
        assert (result.outcome.ending, result.outcome.message) == ("done", "")
        assert texts(result)[1] == "lost"
        entries = json.loads(json.dumps(result.entries))
        journals.add(json.dumps([without_time(entry) for entry in entries]))
        again = replace(with_model(assistant, nothing), planner=ScriptedModel(nothing)).replay(entries)
        assert (again.text, again.spent) == (result.text, result.spent)
        assert (
            [p.status for p in again.outcome.effects] == [p.status for p in result.outcome.effects] == ["done", "done"]
        )
    assert len(journals) == 1


def nothing(request: ModelRequest) -> str:
    """Nobody is asked in a replay."""
    raise AssertionError("asked")


def test_a_replay_that_departs_in_a_pending_call_is_refused(home: Home) -> None:
    """What was asked is compared where the answer is needed."""
    assistant = home.assistant('answer(quarantined("one", "x"))', says("1"))
    entries = json.loads(json.dumps(assistant.ask("Do it").entries))
    for entry in entries:
        if entry["kind"] == "program":
            entry["text"] = entry["text"].replace("one", "two")
        if entry["kind"] == "model" and entry["name"] == "planner":
            entry["answered"]["text"] = entry["answered"]["text"].replace("one", "two")
    with pytest.raises(OperatorError, match=r"^the journal does not continue with model quarantined; "):
        assistant.replay(entries)


def test_costs_are_listed_in_the_order_in_which_answers_were_needed(home: Home) -> None:
    """Each once, those of a call that failed too; what nobody needed is not there."""

    def model(request: ModelRequest) -> str:
        return question(request) if "?" in question(request) else says(question(request))

    asks = 'a = quarantined("a", "x")\nb = quarantined("bb", "x")\nlost = quarantined("ccc", "x")\nd = quarantined("dddd?", "x")'
    program = f"{asks}\nanswer(b)\nanswer(a)\nanswer(a)\nanswer(d)"
    result = asked(home, program, model)
    assert (result.outcome.ending, result.outcome.message) == (
        "stopped", "the quarantined model gave no answer of the asked type"
    )  # fmt: skip
    written = [usage.completion for usage in result.spent["quarantined"]]
    assert written == [len(says("bb")), len(says("a")), *[len("dddd?")] * 3]


def test_two_hundred_conversations_wait_at_once_and_one_more_ends(home: Home) -> None:
    """All share their models and tools; none waits for another's question."""
    count, end, inside = 200, threading.Event(), threading.Semaphore(0)

    def model(request: ModelRequest) -> str:
        if question(request) == "slow":
            inside.release()
            assert end.wait(SOON * 3)
        return says(question(request))

    program = {name: f'answer(quarantined("{name}", read_file("a.txt").content))' for name in ("slow", "quick")}
    home.file("a.txt", "text")
    assistant = replace(
        with_model(home.assistant(""), model),
        planner=ScriptedModel(lambda request: program["quick" if "quick" in request.turns[-1].text else "slow"]),
    )
    results: list[Result] = []
    threads = [
        threading.Thread(target=lambda: results.append(assistant.ask("slow")), daemon=True) for _ in range(count)
    ]
    for thread in threads:
        thread.start()
    for _ in range(count):
        assert inside.acquire(timeout=SOON * 3)
    quick = assistant.ask("quick")
    assert (texts(quick), results) == (["quick"], [])
    end.set()
    for thread in threads:
        thread.join(SOON * 3)
    assert [texts(result) for result in results] == [["slow"]] * count


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    """What a test started has ended with it."""
    before = set(threading.enumerate())
    yield
    left: list[Any] = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(SOON)
    assert not any(thread.is_alive() for thread in left)
