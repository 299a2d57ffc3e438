"""What the policy sees and says: an action with its labels, and a decision with its reasons. Never content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from armslength.events import Json, Trust, label_from_json, label_to_json
from armslength.labels import LISTED, Label, Source, steered

Verdict = Literal["allow", "ask", "deny"]
STRICTNESS: Mapping[Verdict, int] = {"allow": 0, "ask": 1, "deny": 2}
RoleName = Literal["target", "content", "query", "undeclared"]
"""`undeclared`: nobody said which, so it is judged as each of the others."""

UNCOUNTED = 1_000
"""Bits that are more than any budget: what nobody counted."""
SHOW_TO_MODEL = "give to a model"
"""The one action that is no tool: data goes to a model's provider. The blanks keep it apart from every tool's name."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of an effect: its sink label, control context included.

    `own`: the same without the control context, None where that is the same. `is_quoted`: the tool sends it as a marked quotation only.
    `has_links`: an address that a reader's program makes live stands in it. `acts`: a program that opens what is written carries out
    something of it. `parts`: the labels of what a whole with parts is put together of, a list of addresses; none of one text.
    """

    name: str
    role: RoleName
    label: Label
    own: Label | None = None
    parts: tuple[Label, ...] = ()
    is_quoted: bool = False
    has_links: bool = False
    acts: bool = False

    @property
    def picked(self) -> Label:
        """The label of which one it is, whatever decided that the call happens."""
        return self.label if self.own is None else self.own


@dataclass(frozen=True, slots=True)
class Action:
    """An effect as the policy sees it. `receivers` is None where the tool cannot say.

    `are_known`: the user dealt with each receiver before, by address book or sent mail. `is_alike`: one looks like somebody known, and is not.
    `branches`: what of `control` decided it in branches; the rest could only have stopped the program. None where
    there is no rest. `told`: bits of steering that receivers learn in this run without a person's yes, this effect's included.
    `takes_back`: it is the inverse of an effect, which a person asks for by a command and no program can.
    """

    tool: str
    arguments: tuple[Argument, ...]
    control: Label
    receivers: tuple[str, ...] | None
    are_vouched: bool
    changes: str | None
    is_undoable: bool
    are_known: bool = False
    is_alike: bool = False
    told: int = UNCOUNTED
    branches: Label | None = None
    takes_back: bool = False

    @property
    def has_receivers(self) -> bool:
        """Somebody beside the user learns something from it."""
        return self.receivers is None or bool(self.receivers)


def action_to_json(action: Action) -> Json:
    """An action as the journal keeps it, so that it can be decided again later."""
    return {
        "tool": action.tool,
        "arguments": [
            {
                "name": each.name,
                "role": each.role,
                "label": label_to_json(each.label),
                "own": label_to_json(each.picked),
                **({"parts": [label_to_json(part) for part in each.parts]} if each.parts else {}),
                "is_quoted": each.is_quoted,
                "has_links": each.has_links,
                "acts": each.acts,
            }
            for each in action.arguments
        ],
        "control": label_to_json(action.control),
        "receivers": None if action.receivers is None else list(action.receivers),
        "are_vouched": action.are_vouched,
        "changes": action.changes,
        "is_undoable": action.is_undoable,
        "takes_back": action.takes_back,
        "are_known": action.are_known,
        "is_alike": action.is_alike,
        "told": action.told,
        "branches": None if action.branches is None else label_to_json(action.branches),
    }


def action_from_json(stored: Json, trust: Trust) -> Action:
    """The action of stored JSON. Whether a source is trusted is decided by today's configuration.

    Raises:
        ValueError: it is none.
    """
    try:
        return Action(
            tool=str(stored["tool"]),
            arguments=tuple(
                Argument(
                    str(each["name"]),
                    each["role"],
                    label_from_json(each["label"], trust),
                    label_from_json(each["own"], trust) if "own" in each else None,
                    tuple(label_from_json(part, trust) for part in each.get("parts", ())),
                    is_quoted=each.get("is_quoted") is True,
                    has_links=each.get("has_links") is True,
                    acts=each.get("acts") is True,
                )
                for each in stored["arguments"]
            ),
            control=label_from_json(stored["control"], trust),
            receivers=None if stored["receivers"] is None else tuple(str(name) for name in stored["receivers"]),
            are_vouched=stored["are_vouched"] is True,
            changes=None if stored["changes"] is None else str(stored["changes"]),
            is_undoable=stored["is_undoable"] is True,
            takes_back=stored.get("takes_back") is True,
            are_known=stored.get("are_known") is True,
            is_alike=stored.get("is_alike") is True,
            told=int(stored.get("told", UNCOUNTED)),
            branches=None if stored.get("branches") is None else label_from_json(stored["branches"], trust),
        )
    except (KeyError, TypeError) as error:
        raise ValueError("not a stored action") from error


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a rule objects. `rule` is its name in the policy; `text` is one line for the screen; `argument` the one that it is about, if any."""

    rule: str
    text: str
    argument: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to an effect, and why. `granted`: by which grant or endorsements a person allowed beforehand what would be asked."""

    verdict: Verdict
    reasons: tuple[Reason, ...]
    granted: tuple[str, ...] = ()


def at_sink(label: Label, control: Label) -> Label:
    """An argument's label where it leaves: steered by the control context as well."""
    return steered(label, control)


def name_sources(sources: Iterable[Source]) -> str:
    """The untrusted sources in words: those that may be anybody and the first of the others by name, then how many more there are."""
    listed = sorted(in_line(source.name) for source in sources if not source.is_trusted)
    if len(listed) > _MOST_NAMED:
        first = sorted(listed, key=lambda name: "@" in name)[:_MOST_NAMED]
        return f"{', '.join(first)} and {len(listed) - _MOST_NAMED} more"
    return ", ".join(listed) or "trusted sources"


def in_line(name: str) -> str:
    """The name of a source as it stands in a line of ours. One that could be read as more than a name, as others' files may have, is quoted."""
    said = as_no_link(name)
    return said if _PLAIN.fullmatch(name) else f"“{said.translate(_QUOTES)}”"


def as_no_link(name: str) -> str:
    """The name of a source so that its kind is nobody's link: `file: a.txt`, since terminals open `file:a.txt`, whatever stands behind it."""
    if name.startswith(LISTED):
        return LISTED + as_no_link(name.removeprefix(LISTED))
    kind, colon, rest = name.partition(":")
    return f"{kind}: {rest}" if colon and kind in _SCHEMES else name


_SCHEMES = frozenset({"file"})
"""Kinds of sources that are schemes of links, too."""
_PLAIN = re.compile(r"[\w.@:/+*#%=-]+")
_QUOTES = str.maketrans("“”", '""')
_MOST_NAMED = 12
"""A search looks through a whole mailbox; a person reads no thousand names."""
