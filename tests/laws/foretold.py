"""The effects of law programs against their previews: what asked in a run was foreseen, at its place and with each of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.laws.checks import LIMITS
from tests.laws.world import SIGNATURES, Inputs, World

from armslength.agent.planning.preview import Foretold, preview
from armslength.app.policies import default_rules
from armslength.errors import ArmslengthError
from armslength.labels import Label, steered, steering
from armslength.language import Analysis, Call, prepare, run
from armslength.policy.engine import Action, Argument, Policy, PolicySettings, at_sink
from armslength.policy.rules import Rules, read_rules
from armslength.schema import Signature
from armslength.tools.base import Receivers, Role, Tool, ToolCall, anybody, nobody, receivers_in
from armslength.values import Labelled, Plain, sink_label

OWN = """
@id("odd") @ask("odd") forbid (principal, action in Action::"every effect", resource)
when { context.argument.bits > 2 && context.argument.bits < 7 };
@id("trusted") @ask("trusted") forbid (principal, action in Action::"every effect", resource)
when { context.argument.trusted && !context.argument.public };
@id("mail") @deny("mail") forbid (principal, action in Action::"every effect", resource)
when { context.argument.sources.contains(Source::"mail:unverified") };
@id("steady") @ask("steady") forbid (principal, action in Action::"every effect", resource)
unless { context.control.trusted || context.argument.choice.contains(Source::"web:example.com") };
"""
"""Rules of a user's, some of which object to less where more is untrusted."""
POLICY = Policy(Rules((*default_rules().listed, *read_rules(OWN, "own.cedar"))), PolicySettings())


def _never(_call: ToolCall, _args: dict[str, Plain]) -> Labelled:
    raise TypeError("no tool is called here")


def _tool(signature: Signature) -> Tool:
    receivers = {"send": receivers_in("to"), "emit": anybody}.get(signature.name, nobody)
    roles = {each.name: Role.TARGET if each.name == "to" else Role.CONTENT for each in signature.parameters}
    changes = "outbox" if signature.name == "emit" else None
    return Tool(signature, _never, roles, None, changes, receivers, None, picks=False, version="1")


TOOLS = {each.name: _tool(each) for each in SIGNATURES}


@dataclass(frozen=True)
class Done:
    """A call that was made: where, with which labels, by what it was decided, and who learnt of it."""

    place: tuple[int, int]
    tool: str
    labels: dict[str, Label]
    control: Label
    receivers: Receivers

    def action(self) -> Action:
        """As the policy sees it."""
        tool = TOOLS[self.tool]
        arguments = [
            Argument(name, tool.roles[name].value, at_sink(each, self.control)) for name, each in self.labels.items()
        ]
        names = self.receivers.names
        return Action(self.tool, tuple(arguments), self.control, names, True, tool.changes, is_undoable=False)


@dataclass
class Watched(World):
    """A world in which each effect is kept as the queue would hold it."""

    done: list[Done] = field(default_factory=list)

    def _out(self, call: Call) -> None:
        labels = {name: sink_label(value) for name, value in call.arguments.items()}
        control = steered(call.control, call.halt) if call.name == "send" else call.control
        receivers = Receivers(("boss",)) if call.name == "send" else Receivers(None)
        self.done.append(Done((call.site.line, call.site.column), call.name, labels, control, receivers))
        super()._out(call)

    def settled(self) -> Iterator[Done]:
        """All of them. What is queued has taken halt."""
        for each in self.done:
            halt = steering(self.halt, 1)
            yield (
                each
                if each.tool == "send"
                else Done(each.place, each.tool, each.labels, steered(each.control, halt), each.receivers)
            )


def missed(source: str, variations: Iterable[Inputs]) -> list[str]:
    """What objected to an effect in some run and was not foreseen. An effect at a place of which nothing was said counts, too."""
    analysis = prepare(source, SIGNATURES)
    foretold = {(each.line, each.column): each for each in preview(analysis, TOOLS, POLICY, {})}
    return sorted({wrong for inputs in variations for wrong in _missed_in(analysis, inputs, foretold)})


def _missed_in(analysis: Analysis, inputs: Inputs, foretold: dict[tuple[int, int], Foretold]) -> Iterator[str]:
    world = Watched(inputs)
    try:
        run(analysis, world, LIMITS)
    except ArmslengthError:
        world.done = [each for each in world.done if each.tool == "send"]  # a failed program commits nothing
    for each in world.settled():
        known = foretold.get(each.place)
        rules = {reason.rule for reason in POLICY.decide(each.action()).reasons} - {"nothing-objects"}
        for rule in sorted(rules - (known.foreseen if known is not None else frozenset())):
            yield f"{each.tool} at {each.place}: {rule}"
        if known is None or known.tool != each.tool:
            yield f"{each.tool} at {each.place}"
