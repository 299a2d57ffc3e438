"""What the configuration says to the policy: what stays, who is in a group, who may learn what. Names and patterns, no rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from armslength.labels import LISTED, MAILBOX, Label, Source
from armslength.policy.patterns import fits, is_called, is_claim, is_receiver, is_writer, kept_by, may_fit, may_write

DEFAULT_STEERING_BITS = 24
"""Two things picked out of stores, and eight bits of branches."""
THIS_MACHINE_ONLY = "this-machine-only"
"""The group of the sources that `[privacy] this_machine_only` names."""
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
        """Whether any source of the label may not leave this machine, as data or as choice: whatever may be what a pattern names.

        A source that stands for many (`mail:*`) may be any of them. Words of mail whose sender nobody verified are kept as those of whom it
        claims to be from, and with every pattern of mail if it claims nobody. Case and normal form do not matter.
        """
        return kept_by(label, self.this_machine_only)

    def groups_touched(self, label: Label) -> list[str]:
        """The groups of which some source of the label may be a member."""
        names = _names(label.data | label.choice)
        found = [
            group.name
            for group in self.groups
            if any(_may_be_in(name, each) for name in names for each in group.members)
        ]
        return [*found, THIS_MACHINE_ONLY] if self.is_confined(label) else found

    def groups_around(self, label: Label) -> list[str]:
        """The groups of which every source of the label is a member, apart from `user` and `program`."""
        names = [name for name in _names(label.data | label.choice) if name not in _OWN]
        found = [group.name for group in self.groups if all(_is_in(name, group.members) for name in names)]
        is_kept = all(any(fits(name, pattern) for pattern in self.this_machine_only) for name in names)
        return [*found, THIS_MACHINE_ONLY] if is_kept else found

    def groups_reached(self, receivers: Iterable[str]) -> list[str]:
        """The groups of which some receiver is a member."""
        names = tuple(receivers)
        return [group.name for group in self.groups if any(_is_one_of(name, group.members) for name in names)]

    def groups_all_in(self, receivers: Iterable[str]) -> list[str]:
        """The groups of which every receiver is a member."""
        names = tuple(receivers)
        return [group.name for group in self.groups if all(_is_one_of(name, group.members) for name in names)]

    def is_cleared(self, receiver: str, label: Label) -> bool:
        """Whether the configuration lets a receiver learn whatever comes of all these sources.

        Every source, of data and of choice, must fit for certain; one that stands for many fits only a pattern of them all. Case matters
        where it can be another thing: `file:Plan.txt` is not `file:plan.txt`.
        """
        names = [name for name in _exact_names(label.data | label.choice) if name not in _PUBLIC]
        fitting = [each.what for each in self.may_learn if _is_one_of(receiver, each.who)]
        return bool(names) and all(any(fits(name, pattern) for what in fitting for pattern in what) for name in names)


def _names(sources: Iterable[Source]) -> list[str]:
    """Whoever can put a message into the mailbox may be anybody who is not verified; whoever adds to a store, anybody who writes there."""
    names = [source.name.removeprefix(LISTED) for source in sources if not is_claim(source)]
    return [*names, "mail:unverified"] if MAILBOX in names else names


def _exact_names(sources: Iterable[Source]) -> list[str]:
    """For what loosens. Whoever can put a message into the mailbox is each who writes mail; whoever adds to a store, each who writes there."""
    named = (source.name for source in sources if not is_claim(source))
    return ["mail:*" if name == MAILBOX else name.removeprefix(LISTED) for name in named]


def _is_one_of(receiver: str, patterns: tuple[str, ...]) -> bool:
    return any(is_receiver(receiver, pattern) for pattern in patterns)


def _is_in(name: str, members: tuple[str, ...]) -> bool:
    """Whether a source, and each of those that it stands for, is a member. One without a kind is whoever writes under that name."""
    return any(fits(name, each) if _is_of_sources(each) else is_writer(name, each) for each in members)


def _may_be_in(name: str, member: str) -> bool:
    """Whether a source, or one of those that it stands for, is a member."""
    if not _is_of_sources(member):
        return may_write(name, member)
    return fits(name, member) or (not is_called(name) and may_fit(name, member))


def _is_of_sources(member: str) -> bool:
    return ":" in member or member == "*" or not set("@.*?[") & set(member)
