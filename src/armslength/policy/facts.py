"""The facts of an action as Cedar's request: what `context` holds. docs/policy.md says what each is.

Reading the request takes Cedar longer than deciding, so only what the rules in force name is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from armslength.labels import QUARANTINED, Label, Readers, Source, made_of
from armslength.policy.action import SHOW_TO_MODEL, Action, Argument
from armslength.policy.patterns import spoken
from armslength.policy.releasing import (
    is_chosen,
    is_exact_file,
    is_happening_named,
    is_named,
    is_of_several,
    is_own,
    is_said,
    is_target_named,
    receivers_chose,
    spliced,
)
from armslength.policy.settings import PolicySettings

NO_STORE = "nothing"
"""The store that an action changes which changes none."""
USER = "you"
EVERY_EFFECT = "every effect"
"""The group of all actions that are tools."""

Json = dict[str, Any]


def request_of(action: Action, settings: PolicySettings, named: AbstractSet[str]) -> Json:
    """The request for an action, with those facts that are named."""
    return {
        "principal": {"type": "User", "id": USER},
        "action": {"type": "Action", "id": plain_text(action.tool)},
        "resource": {"type": "Store", "id": plain_text(action.changes or NO_STORE)},
        "context": _context(action, settings, named),
    }


def _context(action: Action, settings: PolicySettings, named: AbstractSet[str]) -> Json:
    receivers = action.receivers or ()
    context: Json = {name: fact(action, settings) for name, fact in _OF_THE_CALL.items() if name in named}
    if "arguments" in named:
        context["arguments"] = {
            plain_text(argument.name): {
                **_of_label(argument.label, receivers, settings, named),
                **{name: fact(argument, action) for name, fact in _OF_AN_ARGUMENT.items() if name in named},
                **({"name": plain_text(argument.name)} if "name" in named else {}),
                **({"role": _entity("Role", roles_as(argument.role)[0])} if "role" in named else {}),
            }
            for argument in action.arguments
        }
    if "control" in named:  # nothing was picked: bits beyond 8 spell something
        context["control"] = _of_label(made_of(action.control), receivers, settings, named)
    return context


def _of_label(label: Label, receivers: Iterable[str], settings: PolicySettings, named: AbstractSet[str]) -> Json:
    return {name: fact(label, receivers, settings) for name, fact in _OF_A_LABEL.items() if name in named}


def strangers(action: Action, label: Label, settings: PolicySettings) -> list[str]:
    """The receivers that were no readers of something so far, by its label or by the configuration. The user always is one."""
    return [
        name
        for name in action.receivers or ()
        if not label.readers.includes(name) and not settings.is_user(name) and not settings.is_cleared(name, label)
    ]


def _is_named(action: Action) -> bool:
    """The program's words alone say that it happens and who or what is affected."""
    targets = [each for each in action.arguments if may_decide(each)]
    branches = action.control if action.branches is None else action.branches
    return is_happening_named(branches) and all(
        each.picked.is_chosen and is_target_named(each, action) for each in targets
    )


def _going(action: Action, settings: PolicySettings) -> list[Label]:
    """What goes to the receivers: all but targets, and what is put into targets beside who or what they name.

    A target that a model made of several is refused for that, by a rule that says so.
    """
    targets = [each for each in action.arguments if each.role == "target"]
    is_refused = any(
        QUARANTINED in each.picked.data and is_of_several(each.picked) and strangers(action, each.label, settings)
        for each in targets
    )
    return [*(each.label for each in action.arguments if each not in targets), *([] if is_refused else spliced(action))]


def may_decide(argument: Argument) -> bool:
    """Whether it may decide who or what is affected."""
    return argument.role in ("target", UNDECLARED)


def roles_as(role: str) -> tuple[str, ...]:
    """The roles as which an argument is judged: what nobody declared is judged as each, what is none of them as unknown."""
    if role == UNDECLARED:
        return ROLES
    return (role,) if role in ROLES else (UNKNOWN_ROLE,)


ROLES = ("target", "content", "query")
UNDECLARED = "undeclared"
UNKNOWN_ROLE = "unknown"


def entities_of(tool: str, settings: PolicySettings) -> list[Json]:
    """What Cedar is told of the user and of the action, for any request about this tool."""
    user = {
        "uid": {"type": "User", "id": USER},
        "attrs": {
            "name": plain_text(settings.user_name),
            "addresses": _entities("Receiver", map(str.lower, settings.addresses)),
        },
        "parents": [{"type": "Group", "id": plain_text(name)} for name in settings.groups_reached(settings.addresses)],
    }
    above = [] if tool == SHOW_TO_MODEL else [{"type": "Action", "id": EVERY_EFFECT}]
    return [user, {"uid": {"type": "Action", "id": plain_text(tool)}, "attrs": {}, "parents": above}]


def _entity(kind: str, name: str) -> Json:
    return {"__entity": {"type": kind, "id": plain_text(name)}}


def plain_text(name: str) -> str:
    """A name from outside may hold half a character, which is no JSON."""
    return name.encode("utf-8", "backslashreplace").decode()


def _entities(kind: str, names: Iterable[str]) -> list[Json]:
    return [_entity(kind, name) for name in names]


def _sources(sources: Iterable[Source]) -> list[Json]:
    return _entities("Source", sorted(source.name for source in spoken(sources)))


def _readers(readers: Readers, label: Label, receivers: Iterable[str], settings: PolicySettings) -> list[Json]:
    """Those whom the label names, the user, and whom of the receivers the configuration lets learn it."""
    if readers.names is None:
        return []
    cleared = {name for name in receivers if settings.is_user(name) or settings.is_cleared(name, label)}
    return _entities("Receiver", sorted(readers.names | cleared))


_CallFact = Callable[[Action, PolicySettings], object]
_LabelFact = Callable[[Label, Iterable[str], PolicySettings], object]
_ArgumentFact = Callable[[Argument, Action], object]

_OF_THE_CALL: Mapping[str, _CallFact] = {
    "receivers": lambda action, _: _entities("Receiver", action.receivers or ()),
    "receivers_known": lambda action, _: action.receivers is not None,
    "has_receivers": lambda action, _: action.has_receivers,
    "vouched": lambda action, _: action.are_vouched,
    "known": lambda action, _: action.are_known and bool(action.receivers),
    "alike": lambda action, _: action.is_alike,
    "named": lambda action, _: _is_named(action),
    "said": lambda action, _: all(is_said(each.picked) for each in action.arguments if may_decide(each)),
    "private": lambda action, settings: any(strangers(action, each, settings) for each in _going(action, settings)),
    "at_once": lambda action, _: action.changes is None,
    "told": lambda action, _: action.told,
    "may_be_told": lambda _, settings: settings.steering_bits,
    "undoable": lambda action, _: action.is_undoable,
    "takes_back": lambda action, _: action.takes_back,
    "groups": lambda action, settings: _entities("Group", settings.groups_reached(action.receivers or ())),
    "only_groups": lambda action, settings: _entities(
        "Group", [] if action.receivers is None else settings.groups_all_in(action.receivers)
    ),
    "small_planner": lambda _, settings: settings.asks_before_sending,
    "strict": lambda _, settings: settings.asks_always,
}
_OF_AN_ARGUMENT: Mapping[str, _ArgumentFact] = {
    "chosen": lambda argument, action: is_chosen(argument, action.control),
    "whole": lambda argument, _: argument.picked.intact,
    "exact": lambda argument, _: is_exact_file(argument.picked),
    "named": lambda argument, action: (
        is_target_named(argument, action) if may_decide(argument) else is_named(argument.picked)
    ),
    "mixed": lambda argument, _: is_of_several(argument.picked),
    "by_model": lambda argument, _: QUARANTINED in argument.picked.data,
    "quoted": lambda argument, _: argument.is_quoted,
    "links": lambda argument, _: argument.has_links,
    "acts": lambda argument, _: argument.acts,
    "own": lambda argument, _: is_own(argument.label),
    "receivers_chose": lambda argument, action: receivers_chose(
        argument.picked, action.receivers or (), are_vouched=action.are_vouched
    ),
}
_OF_A_LABEL: Mapping[str, _LabelFact] = {
    "sources": lambda label, *_: _sources(label.data),
    "choice": lambda label, *_: _sources(label.choice),
    "bits": lambda label, *_: label.bits,
    "trusted": lambda label, *_: label.is_trusted,
    "chosen": lambda label, *_: label.is_chosen,
    "public": lambda label, *_: label.readers.names is None,
    "readers": lambda label, receivers, settings: _readers(label.readers, label, receivers, settings),
    "steer_public": lambda label, *_: label.steer.names is None,
    "steer": lambda label, receivers, settings: _readers(label.steer, label, receivers, settings),
    "groups": lambda label, _, settings: _entities("Group", settings.groups_touched(label)),
    "only_groups": lambda label, _, settings: _entities("Group", settings.groups_around(label)),
}
