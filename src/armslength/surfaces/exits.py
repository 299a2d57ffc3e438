"""What the process says when it ends: one number for whoever calls it from a script."""

from __future__ import annotations

from enum import IntEnum

from armslength.errors import (
    ArmslengthError,
    ModelError,
    ModelNotCleared,
    OperatorError,
    PolicyError,
    Waits,
)


class Exit(IntEnum):
    """The exit codes. 130 is what shells expect after Ctrl-C."""

    DONE = 0
    BUG = 1
    USAGE = 2
    MODEL = 3
    REFUSED = 4
    STOPPED = 5
    DAMAGED = 6
    WAITING = 7
    INTERRUPTED = 130


EXIT_HELP = """\
Exit codes:
  0    done
  1    a bug in armslength
  2    wrong usage or configuration
  3    the model failed
  4    refused by the policy or by a person
  5    the program stopped
  6    a journal is not as it was written
  7    the run waits for you
  130  Ctrl-C"""


def exit_of(error: ArmslengthError | None) -> Exit:
    """The exit code for what ended a run. A model that is not cleared for the data is the policy's refusal."""
    match error:
        case None:
            return Exit.DONE
        case PolicyError() | ModelNotCleared():
            return Exit.REFUSED
        case ModelError():
            return Exit.MODEL
        case Waits():
            return Exit.WAITING
        case OperatorError():
            return Exit.USAGE
        case _:
            return Exit.STOPPED
