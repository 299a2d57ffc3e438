"""What the tools over mailbox, calendar and drive share: whose a thing is that this run wrote, and what its own changes steered.

These stores have the names that our own tools use (`store:mail`), so that the policy knows what a mailbox is. Nobody but the run changes
the environment while it lasts, so a thing that the run made has the label it was made with, and one that it changed both labels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from armslength.labels import NOTHING, PRIVATE, SATURATED, Label, Readers, Source, construct, join, label, steering
from armslength.tools.base import Prospect, Tool, ToolCall, names_in, one_at_a_time, version_of
from armslength.tools.ledger import read_back
from armslength.tools.listing import Listing, listing_among
from bench.dojo.tools.shared import Held, Provider


class Store:
    """One store of the environment, by its name in labels: what it knows by itself, and what this run wrote into it."""

    def __init__(self, provider: Provider, name: str) -> None:
        """`name`: `mail`, `calendar`, `files`."""
        self.provider, self.name = provider, name
        self.source: Source = provider.trust(f"store:{name}")
        self.known = label([self.source], readers=PRIVATE)
        """What the store itself records: trusted, private to read."""

    @property
    def world(self) -> Held:
        """The environment of the run."""
        return self.provider.world

    def made(self, what: str, call: ToolCall, *more: Label) -> None:
        """This call made a thing: out of its arguments, and of `more`. Whoever steered that steers what listings hold."""
        self._write(f"made {self.name} {what}", construct(*call.labels.values(), *more))
        self.moved(call)

    def changed(self, what: str, call: ToolCall) -> None:
        """This call changed a thing that was there."""
        self._write(f"changed {self.name} {what}", construct(*call.labels.values(), NOTHING))
        self.moved(call)

    def moved(self, call: ToolCall) -> None:
        """This call changed what lies in the store, by adding or removing something."""
        self._write(f"moved {self.name}", construct(*call.labels.values(), NOTHING))

    def is_own(self, what: str) -> bool:
        """Whether this run made it."""
        return f"made {self.name} {what}" in self.world.written

    def label_of(self, what: str, default: Label) -> Label:
        """The label of a thing's content: `default` unless this run made or changed it."""
        made = self.world.written.get(f"made {self.name} {what}")
        changed = self.world.written.get(f"changed {self.name} {what}")
        found = default if made is None else read_back(made, self.source)
        return found if changed is None else construct(found, read_back(changed, self.source))

    def listing(self, searched: Iterable[Source], *, steer: Readers) -> Listing:
        """What a listing adds of which these sources decided what stands in it; and what steered the changes of this run."""
        moved = self.world.written.get(f"moved {self.name}", NOTHING)
        gain = steering(moved, SATURATED)
        found = listing_among(self.source, [label(searched), gain], steer=steer.intersect(gain.steer))
        if not found.gain.choice:
            return Listing(NOTHING, self.known)
        return found

    def _write(self, key: str, made: Label) -> None:
        self.world.written[key] = join(self.world.written.get(key, made), made)


def completed(tool: Tool, world: Held, **parts: Any) -> Tool:
    """The tool with the rarer parts of a declaration, which hold the environment as the others do."""
    return one_at_a_time(replace(tool, **parts), world.alone)


def told(tool: Tool, doc: str) -> Tool:
    """The tool with another line for the planner: AgentDojo's own models are told of the forms of parameters apart from that line."""
    signature = replace(tool.signature, doc=doc)
    return replace(tool, signature=signature, version=f"{tool.version} {version_of(signature)}")


def lines(**fields: object) -> str:
    """What a thing is, for the approval screen: a line for each field."""
    return "".join(f"{name.replace('_', ' ')}: {' '.join(str(value).split())}\n" for name, value in fields.items())


def shown(place: str, before: str | None, after: str | None, whose: Label) -> Prospect:
    """What an effect finds and leaves, drawn by the controller."""
    return Prospect(place, before, after, names_in(whose))
