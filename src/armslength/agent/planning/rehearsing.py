"""What a program would do if tools gave what they usually give, and what the policy would say to it: the expected half of a preview.

It stands where a controller and its queue stand in a run: reads give what the tools declare, effects wait, a read of a store with a change
that waits settles what waits, and the program's end settles the rest. The labels of results are made by the same functions as in a run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from armslength.agent.effects.program_text import ProgramText, program_text
from armslength.agent.effects.quoting import MARK, QUOTING, quotation_label
from armslength.agent.effects.telling import Telling
from armslength.agent.effects.tool_use import relabelled
from armslength.agent.quarantined.reader import label_reading
from armslength.events import Site
from armslength.labels import NOTHING, OUTSIDE, Label, construct, label, picking, steered, steering
from armslength.language import Analysis
from armslength.language.foreseeing.foresight import Foreseen
from armslength.language.foreseeing.rehearsal import Coming
from armslength.language.foreseeing.rehearsed import rehearse
from armslength.language.foreseeing.things import NotTold, Thing, literal, plain, sink, somebody_elses, thing_of
from armslength.policy.action import STRICTNESS
from armslength.policy.engine import Action, Argument, Decision, Policy, Reason, Verdict, at_sink
from armslength.schema import NONE, ListOf, Menu, OptionalOf, RecordType, Scalar, Type
from armslength.tools.base import NOBODY, UNKNOWN, ByArguments, Receivers, Tool, nobody
from armslength.tools.usual import Usual, somebody
from armslength.values import Plain

_STRANGE = "somebody unknown"


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of one place: the strictest verdict, its reasons, and who would learn of it."""

    verdict: Verdict
    reasons: tuple[Reason, ...]
    receivers: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What came of a program. `settles_early`: something was to be settled before its end."""

    expected: Mapping[tuple[int, int, str], Expected]
    settles_early: bool

    def at(self, node: ast.Call) -> Expected | None:
        """What is expected of a call; None: it does not come."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return self.expected.get((node.lineno, node.col_offset, name))


def rehearsed(
    analysis: Analysis, tools: Mapping[str, Tool], policy: Policy, earlier: Mapping[str, Foreseen]
) -> Rehearsed:
    """Go through a program and decide on what comes of it."""
    sending = frozenset(tool.name for tool in tools.values() if tool.receivers is not nobody)
    text = program_text(analysis.program.body, sending)
    stage = _Stage(tools, policy, Telling(replace(text, is_plain=text.is_plain and not analysis.kept)))
    walk = rehearse(analysis, stage, {name: somebody_elses(each.label) for name, each in earlier.items()})
    stage.steer(steering(walk.halt, 1), lambda each: each.receivers.names != () or tells_by_being_there(each.tool))
    stage.settle()
    return Rehearsed(stage.expected, stage.settles_early)


def tells_by_being_there(tool: Tool) -> bool:
    """Whether it sets what lies under a key, which says by being there that the program came to its end."""
    return tool.signature.keyed is not None and tool.signature.keyed.sets


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An effect as the queue would hold it. `labels` without `control`, of which `branches` is what decided it in branches.

    `parts`: of each argument that has some, their labels.
    """

    place: tuple[int, int, str]
    tool: Tool
    labels: Mapping[str, Label]
    control: Label
    receivers: Receivers
    branches: Label
    carried: Mapping[str, Label] = field(default_factory=dict)
    quoted: str = ""
    parts: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)

    def action(self) -> Action:
        """As the policy sees it."""
        arguments = [
            Argument(
                name,
                self.tool.roles[name].value,
                at_sink(each, self.control),
                each,
                self.parts.get(name, ()),
                is_quoted=name in self.tool.quotes or name == self.quoted,
            )
            for name, each in self.labels.items()
        ]
        carried = [
            Argument(name, "content", at_sink(each, self.control), each, is_quoted=True)
            for name, each in self.carried.items()
        ]
        return Action(
            self.tool.name,
            (*arguments, *carried),
            self.control,
            self.receivers.names,
            self.receivers.are_vouched,
            self.tool.changes,
            self.tool.undo is not None,
            are_known=_are_known(self.receivers),
            branches=self.branches,
        )


def _are_known(receivers: Receivers) -> bool:
    """Whom the user names is usually known, and so is who is in the address book or wrote a mail."""
    return bool(receivers.names) and _STRANGE not in (receivers.names or ())


@dataclass(slots=True)
class _Stage:
    """A `Stand` with the tools' declarations."""

    tools: Mapping[str, Tool]
    policy: Policy
    telling: Telling
    waiting: list[_Waiting] = field(default_factory=list)
    expected: dict[tuple[int, int, str], Expected] = field(default_factory=dict)
    settles_early: bool = False

    def call(self, coming: Coming) -> Thing:
        """A read gives what it usually gives; an effect waits."""
        tool = self.tools[coming.name]
        labels = {name: _label(tool, name, thing) for name, thing in coming.arguments.items()}
        labels |= {name: each.usually_picked(labels[name]) for name, each in tool.bears.items() if name in labels}
        if not tool.is_effect or tool.changes is None or tool.is_looked_up:
            self._settle_before_reading(tool, coming)
        if not tool.is_effect:
            return self._result(tool, coming, labels)
        place = (coming.node.lineno, coming.node.col_offset, coming.name)
        receivers = _receivers(tool, coming.arguments)
        parts = {name: _parts(thing) for name, thing in coming.arguments.items() if name not in tool.handles}
        if tool.changes is None:
            control = steered(coming.control, coming.halt)
            self._decide(_Waiting(place, tool, labels, control, receivers, coming.control, parts=parts))
            return self._result(tool, coming, labels)
        carried = _carried(tool, coming.arguments)
        waiting = _Waiting(place, tool, labels, coming.control, receivers, coming.control, carried, parts=parts)
        self.waiting.append(_with_quotation(waiting, coming.arguments, self.telling.text))
        if tool.signature.returns == NONE:
            return Thing(NOTHING, told=None)
        self._settle_early(coming)
        return self._result(tool, coming, labels)

    def ask(self, inputs: Sequence[Label], returns: Type) -> Thing:
        """An answer of that type."""
        return thing_of(label_reading(_sample(returns), returns, inputs[0], inputs[1:])) if inputs else literal(None)

    def doubt(self, name: str) -> Label:
        """As the controller says it."""
        if name == "quarantined":
            return OUTSIDE
        tool = self.tools[name]
        return tool.doubt if tool.handles or not tool.is_effect else NOTHING

    def steer(self, gain: Label, concerns: Callable[[_Waiting], bool]) -> None:
        """What waits, as far as it is concerned, happens only if something with this label lets it."""
        self.waiting = [
            replace(each, control=steered(each.control, gain)) if concerns(each) else each for each in self.waiting
        ]

    def settle(self) -> None:
        """Decide on all that waits."""
        for each in self.waiting:
            self._decide(each)
        self.waiting.clear()

    def _settle_before_reading(self, tool: Tool, coming: Coming) -> None:
        if tool.reads is not None and any(each.tool.changes == tool.reads for each in self.waiting):
            self._settle_early(coming)

    def _settle_early(self, coming: Coming) -> None:
        self.settles_early = True
        self.steer(steered(coming.control, steering(coming.halt, 1)), lambda _waiting: True)
        self.settle()

    def _decide(self, waiting: _Waiting) -> None:
        line, column, _name = waiting.place
        action = self.telling.counted(waiting.action(), Site(line, column, 0))
        decision = self.policy.decide(action)
        if decision.verdict == "allow":
            self.telling.let_go(action)
        before = self.expected.get(waiting.place)
        self.expected[waiting.place] = _both(before, decision, waiting.receivers)

    def _result(self, tool: Tool, coming: Coming, labels: Mapping[str, Label]) -> Thing:
        where = f"line {coming.node.lineno}"
        told = {name: each.told for name, each in coming.arguments.items() if not isinstance(each.told, NotTold)}
        usual = Usual(tool.doubt) if tool.usually is None else tool.usually(told, where)
        known_as = {name: somebody(words, where) for name, words in usual.known_as.items()}
        return thing_of(relabelled(usual.of(tool.signature.returns), tool, labels), known_as)


def _both(before: Expected | None, decision: Decision, receivers: Receivers) -> Expected:
    """What is expected where a call comes several times."""
    reasons = () if decision.verdict == "allow" else decision.reasons
    if before is None:
        return Expected(decision.verdict, reasons, receivers.names)
    verdict = max(before.verdict, decision.verdict, key=lambda each: STRICTNESS[each])
    names = None if before.receivers is None or receivers.names is None else (*before.receivers, *receivers.names)
    return Expected(
        verdict,
        tuple({reason.rule: reason for reason in (*before.reasons, *reasons)}.values()),
        None if names is None else tuple(dict.fromkeys(names)),
    )


def _label(tool: Tool, name: str, thing: Thing) -> Label:
    """An argument's sink label; of a handle that of its id, read through the record."""
    identity = (thing.parts or {}).get("id")
    if name not in tool.handles or identity is None:
        return sink(thing)
    return sink(replace(identity, label=steered(identity.label, picking(thing.label))))


def _parts(thing: Thing) -> tuple[Label, ...]:
    """The labels of what something is put together of; of what has no parts, none."""
    return tuple(dict.fromkeys(_labels_in(thing))) if thing.is_container else ()


def _labels_in(thing: Thing) -> Iterator[Label]:
    if not thing.is_container or any(isinstance(key, str) for key in thing.parts or ()):
        yield thing.label
    for each in thing.holds:
        yield from _labels_in(each)


def _with_quotation(waiting: _Waiting, arguments: Mapping[str, Thing], text: ProgramText) -> _Waiting:
    """A program that has a mark of a quotation usually quotes, if nobody but it and the mail's author wrote what it quotes in."""
    quotable, originals = waiting.tool.quotable, _named(arguments, "body")
    if quotable is None or not originals or not any(each.strip() == MARK.strip() for each in text.literals):
        return waiting
    given, original = waiting.labels[quotable[0]], originals[0].label
    if not {each for each in given.data if not each.is_trusted} <= original.data | original.choice:
        return waiting
    labels = {**waiting.labels, quotable[0]: quotation_label(given, _of_the_store(original), QUOTING)}
    return replace(waiting, labels=labels, quoted=quotable[0])


def _named(arguments: Mapping[str, Thing], name: str) -> list[Thing]:
    """The parts of that name of the records among the arguments."""
    return [thing.parts[name] for thing in arguments.values() if thing.parts is not None and name in thing.parts]


def _of_the_store(given: Label) -> Label:
    """The label that something has in its store, whoever picked it."""
    return label(given.data, readers=given.readers)


def _carried(tool: Tool, arguments: Mapping[str, Thing]) -> Mapping[str, Label]:
    """What goes out beside the arguments: a record's part of that name, as the store has it, whoever picked the record."""
    if tool.carries is None:
        return {}
    name = tool.carries[0]
    return {name: construct(*(_of_the_store(each.label) for each in _named(arguments, name)))}


def _receivers(tool: Tool, arguments: Mapping[str, Thing]) -> Receivers:
    """Who would learn of it, by their addresses or in words."""
    if tool.receivers is nobody:
        return NOBODY
    resolve = tool.receivers if isinstance(tool.receivers, ByArguments) else tool.usual_receivers
    if resolve is None:
        return UNKNOWN
    return resolve({name: plain(thing, lambda each: each.known_as or _STRANGE) for name, thing in arguments.items()})


def _sample(declared: Type) -> Plain:
    """An answer of that type, one of as many as there may be; what it says does not count."""
    match declared:
        case ListOf(item):
            return [_sample(item)]
        case OptionalOf(inner):
            return _sample(inner)
        case RecordType(_, fields):
            return {each.name: _sample(each.type) for each in fields}
        case Menu(choices):
            return choices[0]
        case Scalar(name):
            return _SCALARS[name]


_SCALARS: Mapping[str, Plain] = {"str": "", "int": 0, "float": 0.0, "bool": False, "None": None, "Any": ""}
