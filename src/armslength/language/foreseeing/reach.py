"""Which calls of a program others may have a hand in, whatever the tools give: an upper bound of all runs, by `flows`.

What every tool and model gives counts as somebody else's, and so does every name of an earlier program. What is left is the program's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from armslength.language.foreseeing.foresight import Foreseen, Scope, labels_in, scope_of
from armslength.language.foreseeing.outlook import UNKNOWN, Outlook
from armslength.language.reading.static import Analysis
from armslength.schema import NONE, Origin


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the words of others reach in a program.

    touches_data: something of others is in it at all. is_guarded: something of others may decide which of its statements run.
    """

    outlook: Outlook
    touches_data: bool
    is_guarded: bool

    def is_own(self, node: ast.expr) -> bool:
        """Whether the program alone made what the expression gives."""
        return self.outlook.whole(node).is_trusted


def reach(analysis: Analysis, earlier: Mapping[str, Foreseen]) -> Reach:
    """How far others reach in a program. A function of its text, of its tools' signatures and of the earlier programs' names."""
    strange = {
        name: each if each.returns == NONE else replace(each, origin=Origin(each.origin.kind))
        for name, each in analysis.signatures.items()
    }
    unknown = {name: replace(each, label=UNKNOWN) for name, each in earlier.items()}
    scope = scope_of(replace(analysis, signatures=strange), unknown)
    outlook = scope.sharing.outlook
    outlook.names = labels_in(scope)
    is_guarded = scope.touches_data and any(not outlook.of(guard).is_trusted for guard in _guards(scope))
    return Reach(outlook, scope.touches_data, is_guarded)


def _guards(scope: Scope) -> Iterator[ast.expr]:
    """Whatever decides which parts of the program run. Within a `try` that is all that may raise."""
    for node in (each for statement in scope.analysis.program.body for each in ast.walk(statement)):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
                yield test
            case ast.For(iter=iterable):
                yield iterable
            case ast.comprehension(iter=iterable, ifs=ifs):
                yield from (iterable, *ifs)
            case ast.BoolOp(values=values):
                yield from values
            case ast.Compare(left=left, comparators=others) if len(others) > 1:
                yield from (left, *others)
            case ast.Match(subject=subject, cases=cases):
                yield subject
                yield from (case.guard for case in cases if case.guard is not None)
            case ast.Try(body=body):
                yield from (each for statement in body for each in ast.walk(statement) if isinstance(each, ast.expr))
            case ast.Call(func=function) if not isinstance(function, ast.Attribute):
                yield function
                yield from _applied(node)
            case ast.Call():
                yield from _applied(node)
            case _:
                pass


def _applied(node: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that may be given a function: it may be called as often as the others say."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if any(isinstance(each, ast.Lambda | ast.Name | ast.Starred) for each in given):
        yield from given
