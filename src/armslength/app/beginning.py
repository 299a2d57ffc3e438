"""How a run begins: what it comes with, and what of that is written down first, so that it can be gone through again or gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any, Literal

from armslength.agent.approving.approval import Approver, NobodyThere
from armslength.agent.effects.effects import Pending
from armslength.agent.planning.conversation import Conversation
from armslength.agent.runs.rewriting import Rewrites
from armslength.errors import CannotResume, ConfigError
from armslength.language import Limits
from armslength.store.journal import FORMAT, Entry

Occasion = Literal["", "clock", "mail"]


def nobody_listens(_run: str) -> None:
    """The run's name is told with the result."""


def _nothing_settled(_run: str, _effects: Sequence[Pending]) -> None:
    """The result says it."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a request comes with. `talk`: the conversation that it is part of; `settled` is told what its effects became, however it ends.

    `occasion`: what began it, where that is no person at work: the clock, or mail that came. `task`: the one of the schedule.
    `is_left`: an interrupt leaves the run as one that was cut off, since whoever interrupts is not who asked.
    """

    pasted: str | None = None
    approver: Approver | None = None
    is_strict: bool = False
    begun: Callable[[str], None] = nobody_listens
    talk: Conversation | None = None
    settled: Callable[[str, Sequence[Pending]], None] = _nothing_settled
    is_left: bool = False
    rewrites: Rewrites = "never"
    occasion: Occasion = ""
    task: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """What is particular to one run: `begun` as it is written down, and when that was. `is_left`: see Given."""

    begun: Mapping[str, Any] = field(repr=False)
    started: datetime
    approver: Approver = field(default_factory=NobodyThere)
    talk: Conversation | None = None
    is_left: bool = False

    @property
    def run(self) -> str:
        """The run's name."""
        return str(self.begun["run"])

    @property
    def is_strict(self) -> bool:
        """Whether every effect is asked about."""
        return self.begun["is_strict"] is True

    @property
    def occasion(self) -> str:
        """What began it, where that was nobody: `clock` or `mail`."""
        return str(self.begun.get("occasion", ""))

    @property
    def grants(self) -> str:
        """Whether grants are read, and which are offered: `lasting`, those of this `run` alone, or nothing where none are kept."""
        return str(self.begun.get("grants", ""))

    @property
    def rewrites(self) -> Rewrites:
        """Whether the planner might write a program again because of its preview."""
        return "once" if self.begun.get("rewrites") == "once" else "never"

    @property
    def pasted(self) -> str | None:
        """The text that the user handed over."""
        return self.begun.get("pasted")

    @property
    def is_apart(self) -> bool:
        """Whether the request was written down in the user's words alone, without what the planner is told of the text beside it."""
        return self.begun.get("is_apart") is True

    @property
    def limits(self) -> Limits | None:
        """The counts that ran from the run's beginning; None where an earlier version did not write them down."""
        limits = self.begun.get("limits")
        return None if limits is None else Limits(**limits)


def version() -> str:
    """This package's version."""
    try:
        return version_of("armslength")
    except PackageNotFoundError:
        return "from its sources"


def beginning(run: str, request: str, limits: Limits, given: Given, undoes: str = "") -> dict[str, Any]:
    """What is written down of a run before anything else. `undoes`: the run that this one takes back."""
    begun: dict[str, Any] = {
        "run": run,
        "is_strict": given.is_strict,
        "format": FORMAT,
        "version": version(),
        "limits": asdict(limits),
        "request": request,
    }
    if given.rewrites != "never":
        begun["rewrites"] = given.rewrites
    if given.pasted is not None:
        begun["pasted"] = given.pasted
        begun["is_apart"] = True
    if given.talk is not None:
        begun["in_conversation"] = True
    if undoes:
        begun["undoes"] = undoes
    if given.occasion:
        begun["occasion"], begun["task"] = given.occasion, given.task
    return begun


def start_again(entries: Sequence[Entry]) -> tuple[Start, str]:
    """How a recorded run began, and its request.

    Raises:
        ConfigError: it cannot be gone through by itself.
    """
    begun = _begun(entries)
    started = next((entry["answered"] for entry in entries if entry.get("kind") == "clock"), None)
    noted = next((entry["text"] for entry in entries if entry.get("kind") == "request"), None)
    if not isinstance(started, str) or not isinstance(noted, str):
        raise ConfigError("the journal does not begin with a request")
    if begun.get("in_conversation"):
        raise ConfigError(
            "this run is one of a conversation, and its names were made by those before it; ask why about it"
        )
    if begun.get("undoes"):
        raise ConfigError("this run took back another one; ask why about it")
    begun = {"run": str(begun.get("run")), "is_strict": bool(begun.get("is_strict")), **begun}
    return Start(begun, datetime.fromisoformat(started)), str(begun.get("request", noted))


def start_to_resume(run: str, entries: Sequence[Entry], given: Given, now: datetime) -> tuple[Start, str]:
    """How a run that was cut off began, and its request.

    Raises:
        CannotResume: it cannot be gone on with.
    """
    begun = _begun(entries)
    if begun.get("in_conversation"):
        raise CannotResume(
            f"{run} is a part of a conversation, whose names its program may use; ask again in armslength chat --resume, or cancel it"
        )
    if begun.get("undoes"):
        raise CannotResume(
            f"{run} takes back {begun['undoes']}; armslength undo {begun['undoes']} takes back what is left of it, and cancel ends this one"
        )
    if begun.get("format", FORMAT) != FORMAT:
        raise CannotResume(
            f"{run} was begun by armslength {begun.get('version')}, whose journals this version does not go on with; use that one, "
            "or cancel it and ask again"
        )
    if "run" not in begun or "format" not in begun:
        raise CannotResume(f"{run} was cut off before anything of it was written down; ask again, and cancel it")
    return Start(begun, now, given.approver or NobodyThere(), is_left=given.is_left), str(begun["request"])


def _begun(entries: Sequence[Entry]) -> dict[str, Any]:
    found = next((entry for entry in entries if entry.get("kind") == "begun"), {})
    return {name: part for name, part in found.items() if name not in {"entry", "kind"}}
