"""One request to its end: what the planner hears of a failure, when it may write again, and how a run ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bench.home.world import Home, Person, Reading, says, statuses
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armslength.app import Result
from armslength.errors import ProgramFailed, ProgramRefused
from armslength.language import Limits
from armslength.models.base import ModelRequest
from armslength.tools.base import nobody, tool


def test_a_refused_program_is_told_for_free(home: Home) -> None:
    """The refusal is a function of the program text, so the planner hears it word for word and may write again."""
    result = home.ask(["with x: pass", 'answer("fine")'])
    assert (result.outcome.ending, result.outcome.attempts, result.text) == ("done", 2, "fine")
    first, second = home.transcript()
    assert [turn.text for turn in second.turns[1:]] == [
        "```python\nwith x: pass\n```",
        "This program was not accepted: line 1: with is not part of the language; call a tool: there is nothing to close\nWrite the whole program again.",
    ]
    assert second.turns[0] == first.turns[0]
    assert second.system == first.system


def test_there_are_at_most_three_attempts(home: Home) -> None:
    """The third program's refusal is the user's to read."""
    result = home.ask(["import a", "import b", "import c", 'answer("never")'])
    assert (result.outcome.ending, result.outcome.attempts, result.outcome.program) == ("stopped", 3, "import c")
    assert isinstance(result.outcome.error, ProgramRefused)
    assert len(home.transcript()) == 3


def test_a_trusted_failure_is_told(home: Home) -> None:
    """Operands, control and halt are the program's own: the planner hears line and code."""
    result = home.ask(['int("x")', 'answer("fine")'])
    assert (result.outcome.ending, result.outcome.attempts) == ("done", 2)
    told = home.transcript()[1].turns[2].text
    assert told.startswith("This program was not accepted: line 1: value: ")


def test_what_an_attempt_answered_is_not_the_last_ones_answer(home: Home) -> None:
    """Only the program that counts is heard."""
    assert home.ask(['answer("one")\nint("x")', 'answer("two")']).text == "two"


@pytest.mark.parametrize(
    "program",
    [
        "int(search_emails()[0].body)",
        "search_emails()[5]",
        "raise ValueError(search_emails()[0].body)",
        'if "a" in search_emails()[0].body:\n    int("x")',
        'int(search_emails()[0].body + "")\nint("x")',
        'x = {"b": 1}\nx[search_emails()[0].body]',
        'for mail in search_emails():\n    int("x")',
        "1 // len(search_emails()[0].body.split('zzz')[1:])",
    ],
)  # fmt: skip
def test_an_untrusted_failure_is_never_told(home: Home, program: str) -> None:
    """The run stops, the user reads why, the planner hears nothing."""
    home.deliver("a")
    result = home.ask([program, 'answer("again")'])
    assert (result.outcome.ending, result.outcome.attempts, len(home.transcript())) == ("stopped", 1, 1)
    assert isinstance(result.outcome.error, ProgramFailed)


@pytest.mark.parametrize(
    ("first", "ending"),
    [
        ('append_to_file(filename="a.txt", text="1")\nlist_files()\nint("x")', "stopped"),
        ('fetch_web_page(url="https://a.example/")\nint("x")', "stopped"),
        ('send_slack_message(channel="x", text="hi")\nlook()\nint("x")', "stopped"),
        ("answer(break_it())", "stopped"),
        ('answer(read_file(filename="none.txt").content)', "stopped"),
        ('while_ = 1 + quarantined("?", "x", returns=int)', "stopped"),
        ("send_slack_message(channel='x', text=read_pasted_text())", "declined"),
    ],
)
def test_nothing_is_planned_again_after_it(home: Home, first: str, ending: str) -> None:
    """An effect, an outward call, a screen, a tool's or a model's failure: each ends the run."""

    @tool(name="look", reads="slack", changes=None, receivers=nobody)
    def look() -> str:
        return "x"

    @tool(name="break_it", changes=None, receivers=nobody)
    def break_it() -> str:
        raise ValueError("x")

    home.more = [look, break_it]
    home.page("https://a.example/", "page")
    result = home.ask([first, 'answer("again")'], ["nonsense"] * 3, pasted="p", person=Person([False]))
    assert (result.outcome.ending, result.outcome.attempts, len(home.transcript())) == (ending, 1, 1)


def test_a_yes_is_the_end_of_planning_too(home: Home) -> None:
    """Whatever the person was asked about, the planner does not learn what the answer was."""
    program = 'send_slack_message(channel="x", text=read_pasted_text())\nlook()\nint("x")'

    @tool(name="look", reads="slack", changes=None, receivers=nobody)
    def look() -> str:
        return "x"

    home.more = [look]
    transcripts = []
    for answer in (True, False):
        home.ask([program, 'answer("again")'], pasted="p", person=Person([answer]))
        transcripts.append(home.transcript())
    assert transcripts[0] == transcripts[1]


def test_strict_tells_no_failure_and_asks_about_everything(home: Home) -> None:
    """A trusted failure stops the run; a refusal of the text is still told; every effect is on a screen."""
    assert home.ask(['int("x")', "answer(1)"], is_strict=True).outcome.attempts == 1
    assert home.ask(["import os", "answer(1)"], is_strict=True).outcome.attempts == 2
    person = Person([True])
    home.ask('append_to_file(filename="a.txt", text="1")', is_strict=True, person=person)
    assert "why you are asked: you asked to be asked about everything" in person.screens[0].text


def test_limits_are_not_told(home: Home) -> None:
    """How much was used can depend on data, so it is the user's to read."""
    assistant = home.assistant(["for n in range(1000):\n    n + 1", "answer(1)"], limits=Limits(steps=100))
    result = assistant.ask("Do it")
    assert result.outcome.message.endswith(
        ": the limit on steps is used up; ask about fewer things at once: one sender, one folder, a shorter time"
    )
    assert len(home.transcript()) == 1


def test_what_a_raise_carries_is_for_the_screen_only(home: Home) -> None:
    """The payload comes with its label; the message has no word of it."""
    home.deliver("the secret")
    result = home.ask("raise ValueError(search_emails()[0].body)")
    assert result.outcome.payload is not None
    assert "the secret" in str(result.outcome.payload.plain())
    assert "secret" not in result.outcome.message


def test_a_pasted_text_is_pasted(home: Home) -> None:
    """It is untrusted, private, and the planner hears only that there is one."""
    result = home.ask("answer(read_pasted_text())", pasted="<b>do evil</b>")
    (piece,) = result.outcome.answers[0]
    assert ({source.name for source in piece.label.data}, piece.label.readers.names) == ({"pasted"}, frozenset())
    assert home.transcript()[0].turns[0].text == "Do it\n(The text that I mean is in read_pasted_text().)"
    assert "evil" not in home.told()


def test_the_pasted_text_changes_nothing_for_the_planner(home: Home) -> None:
    """Another text, another end of the run, the same transcript."""
    program = 'if "evil" in read_pasted_text():\n    int("x")'
    transcripts = []
    for text in ("evil", "good", ""):
        home.ask([program, "answer(1)"], pasted=text)
        transcripts.append(home.transcript())
    assert transcripts[0] == transcripts[1] == transcripts[2]


# Law (e), at the session: the planner's transcript is the same whatever others write.

PROGRAMS = (
    'm = search_emails(sender="Julia")[0]\nanswer(quarantined("Sum up", m.body, returns=str))',
    'for m in search_emails():\n    if quarantined("urgent?", m.body, returns=bool):\n        append_to_file(filename="u.txt", text=m.subject)',
    "int(search_emails()[0].body)\nint('x')",
    "search_emails()[0].body.split('\\n')[1]\nraise ValueError('no')",
    'x = [1, 2]\nn = quarantined("Which?", search_emails()[0].body, returns=int)\nanswer(x[n])\nint("x")',
    'if len(search_emails()) > 1:\n    int("x")\nelse:\n    answer("one")',
    'd = {m.subject: m.body for m in search_emails()}\nanswer(d["Hello"])\nraise ValueError("no")',
    'append_to_file(filename=search_emails()[0].subject, text="x")\nlist_files()\nint("x")',
    'send_email(recipients=[search_emails()[0].sender], subject="s", body="b")',
    'fetch_web_page(url=search_emails()[0].body)\nint("x")',
    "x = 0\nfor c in search_emails()[0].body:\n    x += 1\n1 // (x - 3)",
    'for m in search_emails():\n    append_to_file(filename="n.txt", text="x")\n1 // 0',
    "names = sorted(m.subject for m in search_emails())\nassert_ = names[0]\nint(assert_)\nimport_ = 1 // 0",
    "x = 1 if search_emails()[0].body else 0\n1 // x\n1 // 0",
    "read_file(filename=search_emails()[0].subject)\n1 // 0",
    'c = quarantined("?", search_emails()[0].body, returns=Literal["a", "b"])\n{"a": 1}[c]\n1 // 0',
    "m = max(len(m.body) for m in search_emails())\nraise ValueError(m)",
    "x = search_emails()[0].body and 1 // 0\nanswer(x)",
)  # fmt: skip


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    program=st.sampled_from(PROGRAMS),
    bodies=st.lists(st.one_of(st.sampled_from(["", "a", "12", "-1", "https://a.example/", "a\nb"]), st.text(max_size=20)), min_size=1, max_size=3),
    subjects=st.sampled_from(["Hello", "../x", "a.txt", "12", ""]),
    replies=st.lists(
        st.sampled_from([says("a"), says(True), says(1), says(9), "nonsense", "", says("x" * 500), "\x00", says([["a"]])]), min_size=3, max_size=3
    ),
    is_yes=st.booleans(),
)  # fmt: skip
def test_the_planners_transcript_does_not_depend_on_what_others_write(
    make_home: Callable[[], Home],
    program: str,
    bodies: list[str],
    subjects: str,
    replies: list[str],
    is_yes: bool,  # noqa: FBT001  # drawn
) -> None:
    """Contents, number of mails, answers of the quarantined model, failures, limits and refusals: all leave it byte for byte the same."""
    harmless, hostile = make_home(), make_home()
    harmless.verified("Nothing of note.", subject="Hello")
    _run(harmless, program, lambda _request: says("fine"), is_yes=True)
    for body in bodies:
        hostile.verified(body, subject=subjects)
    _run(hostile, program, _cycle(replies), is_yes=is_yes)
    assert hostile.transcript() == harmless.transcript()
    assert len(hostile.transcript()) == 1


def _run(home: Home, program: str, reading: Reading, *, is_yes: bool) -> Result:
    return home.ask([program, 'answer("again")', 'answer("again")'], reading, person=Person([is_yes]))


def _cycle(replies: list[str]) -> Callable[[ModelRequest], str]:
    count = iter(range(10_000))
    return lambda _request: replies[next(count) % len(replies)]


def test_a_run_that_did_its_work_says_so(home: Home) -> None:
    """The outcome of an ordinary run, whole."""
    result = home.ask('append_to_file(filename="a.txt", text="1")\nanswer("noted")')
    assert (result.outcome.ending, result.outcome.message, result.outcome.error, result.outcome.screens) == (
        "done",
        "",
        None,
        0,
    )
    assert statuses(result) == [("append_to_file", "done")]
    assert result.text == "noted"


def test_a_refusal_that_comes_up_while_running_is_not_told(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program got to may depend on data, so only a refusal from before the run is a function of its text."""

    def refuse(*_args: object) -> None:
        raise ProgramRefused(1, "found late")

    monkeypatch.setattr("armslength.agent.runs.session.run", refuse)
    result = home.ask(["answer(1)", "answer(2)"])
    assert (result.outcome.ending, result.outcome.message, len(home.transcript())) == (
        "stopped",
        "line 1: found late",
        1,
    )


def test_a_planner_that_fails_after_a_refusal_hides_neither(home: Home) -> None:
    """The outcome says why the program was refused and what became of the second asking."""
    result = home.ask(["with x: pass"])
    assert (result.outcome.ending, result.outcome.attempts) == ("stopped", 1)
    assert result.outcome.message == (
        "line 1: with is not part of the language; call a tool: there is nothing to close; asked again: the script is at its end"
    )
