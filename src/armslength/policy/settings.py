"""What the configuration says to the policy: what stays, who is in a group, who may learn what. Names and patterns, no rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from armslength.labels import LISTED, MAILBOX, Label, Source

DEFAULT_STEERING_BITS = 24
"""Two things picked out of stores, and eight bits of branches."""
THIS_MACHINE_ONLY = "this-machine-only"
"""The group of the sources that `[privacy] this_machine_only` names."""
_BY_NAME = ("mail:", "web:")
"""Kinds of sources that a receiver's name names too: words of kim@b.example are of `mail:kim@b.example`."""
_PUBLIC = ("program", "clock")
"""Sources that anybody may read by themselves."""
_OWN = ("user", "program")


@dataclass(frozen=True, slots=True)
class Group:
    """A name for people, hosts and sources. A member is a pattern: `*@b.example` fits who writes or receives, `file:*` a source."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clearance:
    """Receivers that may learn what comes of nothing but these sources, though its label does not name them. Patterns."""

    who: tuple[str, ...]
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """What the configuration says.

    `this_machine_only`: patterns of source names whose data never leaves. `asks_before_sending`: the planner's programs are not relied
    on, so whatever has receivers is asked about. `asks_always`: every effect is asked about (`--strict`). `steering_bits`: so much may
    those who get something in a run learn of what only steered it, without a question.
    """

    this_machine_only: tuple[str, ...] = ()
    asks_before_sending: bool = False
    asks_always: bool = False
    groups: tuple[Group, ...] = ()
    may_learn: tuple[Clearance, ...] = ()
    user_name: str = ""
    addresses: tuple[str, ...] = ()
    steering_bits: int = DEFAULT_STEERING_BITS

    def is_user(self, receiver: str) -> bool:
        """Whether it is one of the user's own addresses."""
        return receiver.lower() in {address.lower() for address in self.addresses}

    def is_confined(self, label: Label) -> bool:
        """Whether any source of the label may not leave this machine, as data or as choice. Case does not matter.

        A source that stands for many (`mail:*`) may not, if a pattern fits any of them.
        """
        return _touches(_names(label.data | label.choice), self.this_machine_only)

    def groups_touched(self, label: Label) -> list[str]:
        """The groups of which some source of the label may be a member."""
        names = _names(label.data | label.choice)
        found = [group.name for group in self.groups if _touches(names, _source_patterns(group.members))]
        return [*found, THIS_MACHINE_ONLY] if self.is_confined(label) else found

    def groups_around(self, label: Label) -> list[str]:
        """The groups of which every source of the label is a member, apart from `user` and `program`."""
        names = [name for name in _names(label.data | label.choice) if name not in _OWN]
        found = [group.name for group in self.groups if _is_covered(names, _source_patterns(group.members))]
        return [*found, THIS_MACHINE_ONLY] if _is_covered(names, self.this_machine_only) else found

    def groups_reached(self, receivers: Iterable[str]) -> list[str]:
        """The groups of which some receiver is a member."""
        names = [name.casefold() for name in receivers]
        return [group.name for group in self.groups if any(_is_one_of(name, group.members) for name in names)]

    def groups_all_in(self, receivers: Iterable[str]) -> list[str]:
        """The groups of which every receiver is a member."""
        names = [name.casefold() for name in receivers]
        return [group.name for group in self.groups if all(_is_one_of(name, group.members) for name in names)]

    def is_cleared(self, receiver: str, label: Label) -> bool:
        """Whether the configuration lets a receiver learn whatever comes of all these sources.

        Every source, of data and of choice, must fit for certain; one that stands for many fits only a pattern of them all. Case matters
        where it can be another thing: `file:Plan.txt` is not `file:plan.txt`.
        """
        names = [name for name in _exact_names(label.data | label.choice) if name not in _PUBLIC]
        fitting = [each.what for each in self.may_learn if _is_one_of(receiver.casefold(), each.who)]
        patterns = [_exact(pattern) for what in fitting for pattern in what]
        return bool(names) and all(any(_fits(name, pattern) for pattern in patterns) for name in names)


def _names(sources: Iterable[Source]) -> list[str]:
    """Whoever can put a message into the mailbox may be anybody who is not verified; whoever adds to a store, anybody who writes there."""
    names = [source.name.casefold().removeprefix(LISTED) for source in sources]
    return [*names, "mail:unverified"] if MAILBOX in names else names


def _exact_names(sources: Iterable[Source]) -> list[str]:
    """For what loosens. Whoever can put a message into the mailbox is each who writes mail; whoever adds to a store, each who writes there."""
    return [_exact("mail:*" if source.name == MAILBOX else source.name.removeprefix(LISTED)) for source in sources]


def _exact(name: str) -> str:
    """Addresses and hosts mean the same in upper and lower case; names of files and others do not."""
    return name.casefold() if name.casefold().startswith(_BY_NAME) else name


def _source_patterns(members: tuple[str, ...]) -> tuple[str, ...]:
    """A member without a kind is also whoever writes under that name."""
    by_name = (f"{kind}{member}" for member in members if ":" not in member for kind in _BY_NAME)
    return (*members, *by_name)


def _is_one_of(receiver: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(receiver, pattern.casefold()) for pattern in patterns)


def _touches(names: list[str], patterns: tuple[str, ...]) -> bool:
    return any(_may_fit(name, pattern.casefold()) for name in names for pattern in patterns)


def _is_covered(names: list[str], patterns: tuple[str, ...]) -> bool:
    return all(any(_fits(name, pattern.casefold()) for pattern in patterns) for name in names)


def _may_fit(name: str, pattern: str) -> bool:
    """Whether the source, or one of those that it stands for, fits."""
    if not name.endswith(":*"):
        return fnmatchcase(name, pattern)
    kind, literal = name[:-1], re.split(r"[*?[]", pattern, maxsplit=1)[0]
    return literal.startswith(kind) or kind.startswith(literal)


def _fits(name: str, pattern: str) -> bool:
    """Whether the source, and each of those that it stands for, fits."""
    if not name.endswith(":*"):
        return fnmatchcase(name, pattern)
    return pattern.endswith("*") and not re.search(r"[*?[]", pattern[:-1]) and name.startswith(pattern[:-1])
