"""The preview: which effects of a program may come, for which receivers, and which of them will ask, before anything of it runs.

`preview` is a function of the program's text, of what the tools declare and of the configuration, and of what was foreseen of the names
of earlier programs, which is a function of the same. It reads no store, no clock and no data, so all of it may be told to the planner.

It is found in two ways. The program is gone through with what tools usually give (`language.foreseeing.rehearsal`), and the policy decides
on the calls that come of that: what objects is *expected*. Beside that an upper bound of all runs (`language.foreseeing.reach`) leaves open
whatever somebody else may have a hand in, and the same policy is asked which rules may then object: *perhaps*, where a mail's sender is
not verified, a ledger knows an entry as others' words, or a loop goes round often. Nothing is decided here: a run is, by what it really has.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from armslength.agent.planning.rehearsing import Rehearsed, rehearsed, tells_by_being_there
from armslength.events import Json
from armslength.labels import LITERAL, NOTHING, PROGRAM, label
from armslength.language import Analysis
from armslength.language.foreseeing.foresight import Foreseen
from armslength.language.foreseeing.reach import Reach, reach
from armslength.policy.engine import Action, Argument, Policy, Reason, Verdict
from armslength.policy.foretelling import May, Open, may_object
from armslength.schema import Parameter
from armslength.tools.base import NOBODY, ByArguments, Receivers, Tool, nobody
from armslength.tools.clock import CLOCK
from armslength.values import Plain


@dataclass(frozen=True, slots=True)
class Foretold:
    """A place in a program where an effect may come.

    receivers: in words, as far as they are known; None: nothing is known of them. reasons: of the rules that are expected to object, those
    of the strictest verdict. perhaps: the names of all other rules that may object.
    """

    line: int
    column: int
    tool: str
    receivers: tuple[str, ...] | None
    verdict: Verdict
    reasons: tuple[Reason, ...]
    perhaps: tuple[str, ...]

    @property
    def foreseen(self) -> frozenset[str]:
        """Every rule that may object."""
        return frozenset(self.perhaps) | {reason.rule for reason in self.reasons}

    def to_json(self) -> Json:
        """For whoever reads it by program."""
        return {
            "line": self.line,
            "tool": self.tool,
            "receivers": None if self.receivers is None else list(self.receivers),
            "verdict": self.verdict,
            "reasons": [{"rule": reason.rule, "text": reason.text} for reason in self.reasons],
            "perhaps": list(self.perhaps),
        }


def preview(
    analysis: Analysis, tools: Mapping[str, Tool], policy: Policy, earlier: Mapping[str, Foreseen]
) -> tuple[Foretold, ...]:
    """Every place of a checked program where an effect may come, in the order of the text."""
    nodes = (each for statement in analysis.program.body for each in ast.walk(statement))
    calls = [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in tools
        and tools[node.func.id].is_effect
    ]
    if not calls:
        return ()
    usual, furthest = rehearsed(analysis, tools, policy, earlier), reach(analysis, earlier)
    bound = _Bound(tools, policy, furthest, usual.settles_early)
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    return tuple(bound.foretold(node, usual) for node in calls)


@dataclass(frozen=True, slots=True)
class _Bound:
    """What may object at most."""

    tools: Mapping[str, Tool]
    policy: Policy
    reach: Reach
    settles_early: bool

    def foretold(self, node: ast.Call, usual: Rehearsed) -> Foretold:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        expected = usual.at(node)
        possible = self.possible(node, self.tools[name])
        reasons = () if expected is None else expected.reasons
        named = {reason.rule for reason in reasons}
        return Foretold(
            node.lineno,
            node.col_offset,
            name,
            None if expected is None else expected.receivers,
            "allow" if expected is None else expected.verdict,
            reasons,
            tuple(each.rule for each in possible if each.rule not in named),
        )

    def possible(self, node: ast.Call, tool: Tool) -> Sequence[May]:
        given = _given(node, tool)
        defaults = {each.name: _default(each) for each in tool.signature.parameters}
        told = {name: defaults[name] if each is None else _literal(each) for name, each in given.items()}
        is_open_control = self._is_open_control(tool)
        is_strange = is_open_control or any(isinstance(each, ast.Starred) for each in node.args)
        strange = {name for name, each in given.items() if each is not None and not self.reach.is_own(each)}
        opened = frozenset(given) if is_strange else frozenset(strange)
        receivers = _receivers(tool, told)
        carried = () if tool.carries is None else (Argument(tool.carries[0], "content", LITERAL, is_quoted=True),)
        left_open = Open(
            arguments=opened | {each.name for each in carried},
            made=frozenset(name for name, each in told.items() if each is _UNTOLD) - opened,
            acting=_acting(tool, told),
            control=is_open_control,
            receivers=receivers is None,
            has_receivers=receivers is None and tool.receivers is not nobody,
        )
        made = left_open.made
        arguments = [Argument(name, tool.roles[name].value, _MADE if name in made else LITERAL) for name in given]
        return may_object(self.policy, _action(tool, [*arguments, *carried], receivers or NOBODY), left_open)

    def _is_open_control(self, tool: Tool) -> bool:
        """Whether others may decide that it happens: in a branch, or as it tells that nothing stopped the program before."""
        if not self.reach.touches_data:
            return False
        tells = tool.receivers is not nobody or tells_by_being_there(tool) or self.settles_early
        return tells or self.reach.is_guarded


def _action(tool: Tool, arguments: Iterable[Argument], receivers: Receivers) -> Action:
    """The call with all that is left open as the program's own."""
    return Action(
        tool.name,
        tuple(arguments),
        NOTHING,
        receivers.names,
        receivers.are_vouched,
        tool.changes,
        tool.undo is not None,
    )


_MADE = label([PROGRAM, CLOCK], intact=False)
"""All that a program can make something of alone."""


def _acting(tool: Tool, told: Mapping[str, Plain | _Untold]) -> frozenset[str]:
    """What of it a program may carry out that opens what it writes."""
    if tool.acting is None:
        return frozenset()
    return tool.acting.may({name: each for name, each in told.items() if not isinstance(each, _Untold)})


class _Untold:
    """The text does not say it."""


_UNTOLD = _Untold()


def _given(node: ast.Call, tool: Tool) -> dict[str, ast.expr | None]:
    """The expressions of a call's arguments; None for those that have their default."""
    parameters = tool.signature.parameters
    given: dict[str, ast.expr | None] = {each.name: None for each in parameters if each.has_default}
    for parameter, expression in zip(parameters, node.args, strict=False):
        given[parameter.name] = expression
    for keyword in node.keywords:
        if keyword.arg is not None:
            given[keyword.arg] = keyword.value
    return given


def _default(parameter: Parameter) -> Plain:
    return [] if isinstance(parameter.default, tuple) else parameter.default


def _literal(node: ast.expr) -> Plain | _Untold:
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as told):
            return told
        case ast.List(elts=elts):
            texts = [_literal(each) for each in elts]
            return [each for each in texts if not isinstance(each, _Untold)] if _UNTOLD not in texts else _UNTOLD
        case _:
            return _UNTOLD


def _receivers(tool: Tool, told: Mapping[str, Plain | _Untold]) -> Receivers | None:
    """Who learns of it, if the text says all that decides that; None: not known."""
    if tool.receivers is nobody:
        return NOBODY
    if not isinstance(tool.receivers, ByArguments):
        return None
    args: dict[str, Plain] = {}
    for name in tool.receivers.parameters:
        given = told.get(name, _UNTOLD)
        if isinstance(given, _Untold):
            return None
        args[name] = given
    return tool.receivers(args)
