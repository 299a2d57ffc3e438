"""The facts of a call that could be otherwise, each as a change to try: who is trusted, who may read, what the configuration says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from armslength.labels import LITERAL, NOTHING, PRIVATE, PUBLIC, Label, Readers, Source, label
from armslength.policy.action import Action, Argument
from armslength.policy.facts import strangers
from armslength.policy.patterns import spoken
from armslength.policy.rules import Rules
from armslength.policy.settings import Clearance, Group, PolicySettings
from armslength.policy.trees import nodes

_NEVER_TRUSTED = ("quarantined", "pasted")
_ANYBODY = (":unverified", ":*")
_MOST_CHANGES, _MOST_NAMED = 200, 8

Situation = tuple[Action, PolicySettings]


@dataclass(frozen=True, slots=True)
class Change:
    """One fact that could be otherwise: `said` as the end of a sentence that begins with "if"."""

    said: str
    make: Callable[[Action, PolicySettings], Situation]


def changes(rules: Rules, action: Action, settings: PolicySettings) -> list[Change]:
    """The facts that could be otherwise: those that loosen, then those that tighten."""
    found = [
        *_about_sources(action),
        *_about_arguments(action, settings),
        *_about_receivers(action),
        *_about_settings(action, settings),
        *_about_groups(rules, action, settings),
        *_tightening(action),
    ]
    return found[:_MOST_CHANGES]


def _labels(action: Action) -> tuple[Label, ...]:
    return (*(argument.label for argument in action.arguments), action.control)


def _sources(action: Action) -> tuple[str, ...]:
    return tuple(sorted({source.name for each in _labels(action) for source in spoken(each.data | each.choice)}))


def _relabelled(action: Action, change: Callable[[Label], Label]) -> Action:
    arguments = tuple(_changed(argument, change) for argument in action.arguments)
    branches = None if action.branches is None else change(action.branches)
    return replace(action, arguments=arguments, control=change(action.control), branches=branches)


def _changed(argument: Argument, change: Callable[[Label], Label]) -> Argument:
    own = None if argument.own is None else change(argument.own)
    return replace(argument, label=change(argument.label), own=own)


def _about_sources(action: Action) -> Iterator[Change]:
    sources = {source for each in _labels(action) for source in each.data | each.choice if not source.is_trusted}
    for source in sorted(sources):
        if source.name in _NEVER_TRUSTED or source.name.endswith(_ANYBODY):
            continue
        yield Change(f'{source.name} were trusted: [trust] sources = ["{source.name}"]', _trusting(source))


def _trusting(trusted: Source) -> Callable[[Action, PolicySettings], Situation]:
    def of(sources: frozenset[Source]) -> frozenset[Source]:
        return frozenset(replace(each, is_trusted=True) if each == trusted else each for each in sources)

    def relabel(given: Label) -> Label:
        return _with(given, data=of(given.data), choice=of(given.choice))

    return lambda action, settings: (_relabelled(action, relabel), settings)


def _about_arguments(action: Action, settings: PolicySettings) -> Iterator[Change]:
    for place, argument in enumerate(action.arguments):
        if not argument.label.is_chosen:
            yield Change(
                f"{argument.name} held only what the program itself says", _with_label(place, _said_by_the_program)
            )
        if strangers(action, argument.label, settings):
            who = ", ".join(strangers(action, argument.label, settings))
            yield Change(
                f"{who} could read what {argument.name} holds: as a party of it, or by [privacy.may_learn]",
                _with_label(place, lambda given: _readable(given, PUBLIC)),
            )
    steered = [
        each for each in _labels(action) if any(not each.steer.includes(name) for name in action.receivers or ())
    ]
    if steered:
        yield Change(
            "nothing that its receivers may not read decided about it",
            lambda now, settings: (_relabelled(now, _unsteered), settings),
        )
    if not action.control.is_trusted:
        yield Change(
            "no words of others decided whether it happens",
            lambda now, settings: (replace(now, control=NOTHING, branches=None), settings),
        )


def _with_label(place: int, change: Callable[[Label], Label]) -> Callable[[Action, PolicySettings], Situation]:
    def make(action: Action, settings: PolicySettings) -> Situation:
        arguments = list(action.arguments)
        arguments[place] = _changed(arguments[place], change)
        return replace(action, arguments=tuple(arguments)), settings

    return make


def _said_by_the_program(given: Label) -> Label:
    return label(LITERAL.data, steer=given.steer)


def _readable(given: Label, readers: Readers) -> Label:
    return _with(given, readers=readers)


def _unsteered(given: Label) -> Label:
    return _with(given, steer=PUBLIC)


def _about_receivers(action: Action) -> Iterator[Change]:
    if action.receivers is not None and not action.are_vouched:
        yield Change(
            "its receivers came of your own words, the address book or a verified sender",
            lambda now, settings: (replace(now, are_vouched=True), settings),
        )
    for name in action.receivers or () if len(action.receivers or ()) > 1 else ():
        yield Change(f"it did not go to {name}", _without(name))
    if not action.has_receivers and not action.is_undoable and not action.takes_back:
        yield Change("it could be undone", lambda now, settings: (replace(now, is_undoable=True), settings))


def _without(name: str) -> Callable[[Action, PolicySettings], Situation]:
    def make(action: Action, settings: PolicySettings) -> Situation:
        left = tuple(each for each in action.receivers or () if each != name)
        return replace(action, receivers=left), settings

    return make


def _about_settings(action: Action, settings: PolicySettings) -> Iterator[Change]:
    if settings.asks_always:
        yield Change("it was not asked with --strict", lambda now, given: (now, replace(given, asks_always=False)))
    if settings.asks_before_sending:
        yield Change(
            "a larger model wrote the program: is_small = false",
            lambda now, given: (now, replace(given, asks_before_sending=False)),
        )
    for pattern in settings.this_machine_only:
        yield Change(f'"{pattern}" were not in [privacy] this_machine_only', _letting_leave(pattern))
    for name in action.receivers or ():
        if any(strangers(action, argument.label, settings) for argument in action.arguments):
            what = _sources(action)[:_MOST_NAMED]
            yield Change(
                f'[privacy.may_learn] let "{name}" learn what comes of {", ".join(what)}',
                _clearing(Clearance((name,), what)),
            )


def _letting_leave(pattern: str) -> Callable[[Action, PolicySettings], Situation]:
    def make(action: Action, settings: PolicySettings) -> Situation:
        left = tuple(each for each in settings.this_machine_only if each != pattern)
        return action, replace(settings, this_machine_only=left)

    return make


def _clearing(clearance: Clearance) -> Callable[[Action, PolicySettings], Situation]:
    return lambda action, settings: (action, replace(settings, may_learn=(*settings.may_learn, clearance)))


def _about_groups(rules: Rules, action: Action, settings: PolicySettings) -> Iterator[Change]:
    """Only groups that a rule names decide anything."""
    named = {node["id"] for rule in rules.listed for node in nodes(rule.tree) if node.get("type") == "Group"}
    for group in settings.groups:
        if group.name not in named:
            continue
        for member in (*(action.receivers or ()), *_sources(action)[:_MOST_NAMED]):
            yield Change(f"{member} were in the group {group.name}", _grouping(group, (*group.members, member)))
        for member in group.members:
            left = tuple(each for each in group.members if each != member)
            yield Change(f'"{member}" were not in the group {group.name}', _grouping(group, left))


def _grouping(group: Group, members: tuple[str, ...]) -> Callable[[Action, PolicySettings], Situation]:
    def make(action: Action, settings: PolicySettings) -> Situation:
        groups = tuple(replace(each, members=members) if each.name == group.name else each for each in settings.groups)
        return action, replace(settings, groups=groups)

    return make


def _tightening(action: Action) -> Iterator[Change]:
    for place, argument in enumerate(action.arguments):
        if argument.label.is_chosen:
            yield Change(f"{argument.name} held words of somebody unknown", _with_label(place, _of_somebody))
        if argument.label.readers != PRIVATE:
            yield Change(
                f"only you could read {argument.name}", _with_label(place, lambda given: _readable(given, PRIVATE))
            )
    if action.receivers:
        yield Change(
            "the tool could not say who learns of it", lambda now, given: (replace(now, receivers=None), given)
        )
        yield Change("nobody vouched for its receivers", lambda now, given: (replace(now, are_vouched=False), given))
    elif action.is_undoable:
        yield Change("it could not be undone", lambda now, given: (replace(now, is_undoable=False), given))


def _of_somebody(given: Label) -> Label:
    return _with(given, data=given.data | {Source("mail:unverified")})


def _with(given: Label, **parts: Any) -> Label:
    """The label with other parts."""
    kept = {name: getattr(given, name) for name in ("data", "choice", "bits", "readers", "steer", "intact")}
    return label(**{**kept, **parts})
