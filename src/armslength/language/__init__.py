"""The language of programs: a subset of Python, interpreted over `ast` with labelled values.

`prepare` reads and checks a program without running it; `run` runs it. The rooms, from the text to the answer: `reading` (what a program
may be), `checking` (types), `machine` (the control context), `operations` (what each makes of its operands), `running` (what each node
does); beside them `foreseeing` (what is known before a run) and `kept` (what stays after it).

Why a label cannot be lost: `values.make` is the only way to get a value and wants a label, every operation makes its label from all its
operands (`operations`), and what depends on a branch is upgraded when the branch ends (`machine`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armslength.errors import ArmslengthError, LimitReached, ProgramRefused
from armslength.language.checking.misfits import check_types
from armslength.language.machine import Call, Host, Limits, Machine, Question, Reply, Showing
from armslength.language.operations.library import CONSTANTS, check_pattern
from armslength.language.operations.methods import METHOD_NAMES
from armslength.language.reading.naming import Known
from armslength.language.reading.scopes import HIDDEN
from armslength.language.reading.static import Analysis, analyse
from armslength.language.reading.syntax import parse
from armslength.language.running.calls import FORM_NAMES
from armslength.language.running.compiler import Compiler, Tables
from armslength.language.running.expressions import CONDITIONS, DRAFTED, EXPRESSIONS
from armslength.language.running.functions import NAMES, invoke
from armslength.language.running.statements import STATEMENTS
from armslength.schema import Signature, Type
from armslength.values import Value

FUNCTIONS = frozenset(name for name in NAMES if "." not in name) | FORM_NAMES
"""The language's own functions."""


_KNOWN = Known(NAMES, CONSTANTS, FORM_NAMES, METHOD_NAMES, check_pattern)
_TABLES = Tables(EXPRESSIONS, CONDITIONS, DRAFTED, STATEMENTS)


def prepare(source: str, signatures: Sequence[Signature], kept: Mapping[str, Type | None] | None = None) -> Analysis:
    """Read and check a program. Its errors are a function of text and declarations alone, so they may go back to the planner.

    `kept`: names that have a value before it begins, each with its declared type if one is known.

    Raises:
        ProgramRefused: with the line, the reason and the way out.
    """
    try:
        analysis = analyse(parse(source), signatures, _KNOWN, kept or {})
        check_types(analysis)
    except RecursionError:
        raise ProgramRefused(1, "the program is nested too deep", "use more, simpler statements") from None
    return analysis


def run(
    analysis: Analysis, host: Host, limits: Limits | None = None, kept: Mapping[str, Value] | None = None
) -> Mapping[str, Value]:
    """Run a program to its end and give its names. `kept`: the values of names that it was prepared with.

    Raises:
        ProgramFailed: an operation has no result, or the program raised.
        LimitReached: a count ran out.
        ArmslengthError: whatever `host` raises passes through.
    """
    machine = Machine(analysis, host, limits or Limits())
    machine.invoke = invoke(machine)
    machine.program.names.update({name: value for name, value in (kept or {}).items() if name in analysis.kept})
    try:
        execute = Compiler(machine, _TABLES).block(analysis.program.body)
        execute(machine.program)
    except RecursionError:
        _say_what_steers(machine)
        raise LimitReached(machine.line, "depth") from None
    except ArmslengthError:
        _say_what_steers(machine)
        raise
    _say_what_steers(machine)
    host.ended(machine.halt)
    return {name: value for name, value in machine.program.names.items() if HIDDEN not in name}


def _say_what_steers(machine: Machine) -> None:
    """Whether the program came to its end or not: then what it may set under a key is not set."""
    if machine.analysis.slots:
        machine.host.steers(machine.slots.at_end(machine.control, machine.halt))


__all__ = [
    "FUNCTIONS",
    "Analysis",
    "Call",
    "Host",
    "Limits",
    "Question",
    "Reply",
    "Showing",
    "prepare",
    "run",
]
