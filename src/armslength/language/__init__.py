"""The language of programs: a subset of Python, interpreted over `ast` with labelled values.

`prepare` reads and checks a program without running it; `run` runs it. Why a label cannot be lost: `values.make` is the only way to
get a value and wants a label, every operation makes its label from all its operands (`operators`, `elements`, `methods`, `builtins`),
and what depends on a branch is upgraded when the branch ends (`machine`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armslength.errors import LimitReached, ProgramRefused
from armslength.language.builtins import BUILTINS
from armslength.language.expressions import FORM_NAMES
from armslength.language.inference import check_types
from armslength.language.machine import Call, Host, Limits, Machine, Question, Reply
from armslength.language.methods import METHOD_NAMES
from armslength.language.statements import execute
from armslength.language.static import Analysis, Known, analyse
from armslength.language.syntax import parse
from armslength.schema import Signature
from armslength.values import Value

FUNCTIONS = frozenset(BUILTINS) | FORM_NAMES
"""The language's own functions."""


_KNOWN = Known(FUNCTIONS, METHOD_NAMES)


def prepare(source: str, signatures: Sequence[Signature]) -> Analysis:
    """Read and check a program. Its errors are a function of text and signatures alone, so they may go back to the planner.

    Raises:
        ProgramRefused: with the line, the reason and the way out.
    """
    try:
        analysis = analyse(parse(source), signatures, _KNOWN)
        check_types(analysis)
    except RecursionError:
        raise ProgramRefused(1, "the program is nested too deep", "use more, simpler statements") from None
    return analysis


def run(analysis: Analysis, host: Host, limits: Limits | None = None) -> Mapping[str, Value]:
    """Run a program to its end and give its names.

    Raises:
        ProgramFailed: an operation has no result, or the program raised.
        LimitReached: a count ran out.
        ArmslengthError: whatever `host` raises passes through.
    """
    machine = Machine(analysis, host, limits or Limits())
    try:
        execute(machine, analysis.program.body)
    except RecursionError:
        raise LimitReached(machine.line, "depth") from None
    host.ended(machine.halt)
    return machine.names


__all__ = ["FUNCTIONS", "Analysis", "Call", "Host", "Limits", "Question", "Reply", "prepare", "run"]
