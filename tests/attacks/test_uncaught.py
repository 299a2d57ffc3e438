"""What a program cannot catch: a handler hides no refusal, no limit and no failure of an earlier call, and the calls after it say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from armslength.errors import Denied, LimitReached, ToolError
from armslength.labels import LITERAL, NOTHING, PRIVATE, Label, Source, label
from armslength.language import Call, Limits, Question, Reply, Showing, prepare, run
from armslength.schema import BOOL, NONE, STR, Parameter, Signature
from armslength.values import Value, make, promise, sink_label, unwrap

MAIL = Source("mail:unverified")
UNTRUSTED = label([MAIL], readers=PRIVATE)
SIGNATURES = (
    Signature("flag", (), BOOL),
    Signature("refused", (), NONE),
    Signature("slow", (), STR),
    Signature("send", (Parameter("body", STR),), NONE),
)


@dataclass
class Host:
    """`refused` is always refused, `slow` fails when it is waited for, `send` remembers what steered it."""

    flag: bool
    sent: list[Label] = field(default_factory=list)

    def call(self, call: Call) -> Value:
        """Answer, refuse, or promise something that fails."""
        match call.name:
            case "flag":
                return make(self.flag, UNTRUSTED)
            case "refused":
                raise Denied("not allowed")
            case "slow":
                return promise(self._fail)
            case _:
                self.sent.append(sink_label(make(None, label(choice=call.control.choice | call.halt.choice, bits=1))))
                return make(None, NOTHING)

    def _fail(self) -> Value:
        raise ToolError("the store is gone")

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """Whether `slow` fails is the store's."""
        return UNTRUSTED if name == "slow" else NOTHING

    def ask_quarantined(self, question: Question) -> Value:
        """Nothing is asked here."""
        raise NotImplementedError

    def answer(self, reply: Reply) -> None:
        """Nothing is said here."""

    def reveal(self, showing: Showing) -> None:
        """Nothing is shown here."""

    def now(self) -> Value:
        """No clock."""
        raise NotImplementedError

    def ended(self, halt: Label) -> None:
        """Nothing waits for the end."""


CAUGHT = """
if flag():
    try:
        refused()
    except Exception:
        pass
send("hello")
"""


def test_a_refusal_in_a_branch_is_told_by_the_calls_after_it_though_everything_is_caught() -> None:
    """With the flag the run stops at the refusal; without it the mail goes out, and carries that the flag let it."""
    stopped, ended = Host(flag=True), Host(flag=False)
    with pytest.raises(Denied):
        run(prepare(CAUGHT, SIGNATURES), stopped)
    assert stopped.sent == []
    run(prepare(CAUGHT, SIGNATURES), ended)
    assert [MAIL in sent.choice for sent in ended.sent] == [True]


def test_a_refusal_in_a_function_is_told_too() -> None:
    """The handler is in the caller; the refusal still stops the run."""
    program = "def f():\n    refused()\ntry:\n    if flag():\n        f()\nexcept Exception:\n    pass\nsend('hello')\n"
    host = Host(flag=False)
    run(prepare(program, SIGNATURES), host)
    assert [MAIL in sent.choice for sent in host.sent] == [True]


def test_a_handler_does_not_catch_a_limit() -> None:
    """A program that uses up its steps ends, whatever is around."""
    program = "try:\n    while True:\n        pass\nexcept BaseException:\n    x = 1\n"
    with pytest.raises(LimitReached, match="steps"):
        run(prepare(program, SIGNATURES), Host(flag=True), Limits(steps=1000))


def test_a_handler_does_not_catch_what_was_called_before_it() -> None:
    """The call failed outside of the `try`, and only its result is used inside."""
    program = "x = slow()\ntry:\n    y = x + '!'\nexcept Exception:\n    y = 'caught'\n"
    with pytest.raises(ToolError, match="the store is gone"):
        run(prepare(program, SIGNATURES), Host(flag=True))


def test_a_handler_catches_what_was_called_in_its_body_though_nobody_looks() -> None:
    """The body ends when its calls have; what they told is in the context from the call on."""
    program = "y = 'fine'\ntry:\n    x = slow()\n    y = 'not here'\nexcept Exception:\n    y = 'caught'\n"
    names = run(prepare(program, SIGNATURES), Host(flag=True))
    assert unwrap(names["y"]) == "caught"
    assert MAIL in names["y"].label.choice
    assert names["y"].label.data == LITERAL.data


def test_a_finally_that_returns_does_not_hide_that_it_was_reached_by_a_branch() -> None:
    """Whether the exception comes out depends on the flag, so the planner is not told of it."""
    program = "def f():\n    try:\n        raise ValueError('x')\n    finally:\n        if flag():\n            return 1\nf()\n"
    with pytest.raises(Exception, match="raised") as failed:
        run(prepare(program, SIGNATURES), Host(flag=False))
    assert failed.value.is_trusted is False  # type: ignore[attr-defined]
