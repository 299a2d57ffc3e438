"""Every exception of this package, by whose fault it is.

    ArmslengthError
    ├── ProgramError         the program that the planner wrote
    │   ├── ProgramRefused       not in the language; known before anything ran
    │   ├── ProgramFailed        stopped while running, at a line, with a code
    │   └── LimitReached         a count (steps, bytes, digits, depth) ran out
    ├── PolicyError          an effect or a release that was not allowed
    │   ├── Denied               by a rule
    │   └── Declined             by the person, or by nobody answering
    │       └── DeclinedInPart       the rest was done
    ├── ToolError            a tool, or the world behind it
    │   ├── InDoubt              it was begun, and nobody can tell whether it got done
    │   ├── NoLongerThere        what a listing named left before it was read
    │   ├── WrongResult          what it gave is not what it declares
    │   └── ToolChanged          what it declares is not what a person accepted
    ├── ModelError           a model or its provider
    │   ├── ModelKeyRejected
    │   ├── ModelTimedOut
    │   ├── ModelUnreachable
    │   ├── ModelDeclined        the model refused to answer
    │   ├── ModelNonsense        an answer that fits no schema, or no program
    │   ├── ModelNotCleared      the label does not allow this processor
    │   └── CapReached           it could have cost more than the configuration allows, and was not asked
    ├── Waits                nobody's: a run came to a question that is answered later
    └── OperatorError        configuration or installation
        ├── ConfigError
        ├── ToolMisdeclared      it did what it does, and gave what it does not declare
        ├── CannotResume         a run that was cut off cannot go on; it stays as it is
        ├── AtWork               another process works on the run
        ├── HasEnded             the run has an end already
        └── ModelMissing         the embedded model or its runtime is not there

`NotNow` is none of them: what an approver raises who cannot answer now. No program can catch it, and nothing is settled by it.

A message gives the place, what happened and what to do. No message holds a labelled value.
"""

from __future__ import annotations


class ArmslengthError(Exception):
    """The root: everything this package raises on purpose."""

    is_late = False
    """Whether it belongs to a call made earlier, whose result was only now needed. `born_in` is the `try` around that call, if any."""
    born_in: object = None


class ProgramError(ArmslengthError):
    """The planner's program is at fault."""


class ProgramRefused(ProgramError):
    """The program is not in the language. A function of the program text alone, so it may be shown to the planner."""

    def __init__(self, line: int, reason: str, instead: str = "") -> None:
        """`line` counts from 1; `instead` says what to write."""
        self.line, self.reason, self.instead = line, reason, instead
        super().__init__(f"line {line}: {reason}" + (f"; {instead}" if instead else ""))


class ProgramFailed(ProgramError):
    """The program stopped. `code` and `reason` come from fixed lists; no value is in the message."""

    def __init__(
        self, line: int, code: str, reason: str, *, is_trusted: bool, payload: object = None, cause: object = None
    ) -> None:
        """`is_trusted`: operands, control context and halt were all trusted, so the planner may be told.

        `payload`: the labelled value that a `raise` carried, for the screen only. `cause`: what a handler in the program gets.
        """
        self.line, self.code, self.reason, self.is_trusted, self.payload = line, code, reason, is_trusted, payload
        self.cause = cause
        super().__init__(f"line {line}: {_headed(code, reason)}")


def _headed(code: str, reason: str) -> str:
    """The reason after its code, unless it has that word itself: no `zero: division by zero`."""
    return reason if code in reason.split() else f"{code}: {reason}"


class LimitReached(ProgramError):
    """A count ran out. Never told to the planner: how much was used can depend on data."""

    def __init__(self, line: int, limit: str) -> None:
        """`limit` names the count that ran out."""
        self.line, self.limit = line, limit
        super().__init__(f"line {line}: the limit on {limit} is used up; {_INSTEAD.get(limit, _INSTEAD['steps'])}")


_INSTEAD = {
    "steps": "ask about fewer things at once: one sender, one folder, a shorter time",
    "size": "the texts are too long together; ask about fewer or shorter ones",
    "digits": "ask for smaller numbers",
    "depth": "something lies too deep within something else; ask in other words",
    "calls within one another": "ask in other words, so that the program repeats itself less",
    "what a conversation keeps": "drop some of it with /forget, or begin a new conversation",
}


class PolicyError(ArmslengthError):
    """An effect or a release was not allowed."""


class Denied(PolicyError):
    """A rule said no."""


class Declined(PolicyError):
    """The person said no, or nobody answered."""


class DeclinedInPart(Declined):
    """The person said no to some of what was asked; what was accepted and follows on none of that was done."""


class ToolError(ArmslengthError):
    """A tool failed; the message is for the person, never for the planner."""


class InDoubt(ToolError):
    """It was begun, and whether it got done cannot be told: the answer never came."""


class NoLongerThere(ToolError):
    """What a listing named has left before it was read: another program moved or removed it."""


class WrongResult(ToolError):
    """A tool gave what it does not declare."""


class ToolChanged(ToolError):
    """A server declares a tool otherwise than a person accepted it; it was not called."""


class ModelError(ArmslengthError):
    """A model or its provider failed."""


class CapReached(ModelError):
    """A model was not asked: it could have cost more than the configuration allows."""


class ModelKeyRejected(ModelError):
    """The provider does not accept the key."""


class ModelTimedOut(ModelError):
    """No answer within the configured time."""


class ModelUnreachable(ModelError):
    """No connection, or the provider reports an error of its own."""


class ModelDeclined(ModelError):
    """The model refused to answer."""


class ModelNonsense(ModelError):
    """The answer fits no schema, or is no program."""


class ModelNotCleared(ModelError):
    """The label of the data does not allow it to go to this processor."""


class NotNow(BaseException):
    """An approver cannot answer now: neither yes nor no. The run stops where it is and waits."""


class Waits(ArmslengthError):
    """A run came to its question and nobody can answer now. Nothing of it is held; it goes on by being resumed."""

    def __init__(self, run: str) -> None:
        """`run`: its name."""
        self.run = run
        super().__init__(
            f"the run {run} waits for you; armslength resume {run} shows its question at a terminal, with --page in a browser"
        )


class OperatorError(ArmslengthError):
    """Configuration or installation."""


class ConfigError(OperatorError):
    """The configuration cannot be used as it stands."""


class ToolMisdeclared(OperatorError):
    """An effect was made, and its tool gave what it does not declare. No program catches it: it would make the effect again."""


class CannotResume(OperatorError):
    """A run that was cut off cannot go on. Nothing more of it was done or written, so it can be tried again."""


class AtWork(OperatorError):
    """Another process works on the run, or may be in the middle of an effect of it still."""


class HasEnded(OperatorError):
    """The run came to its end, so it is not gone on with."""


class ModelMissing(OperatorError):
    """The embedded model or its runtime is not installed."""
