"""A run told from its journal: what was asked, read, decided and answered, each word with whose it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from armslength.events import Trust, label_from_json
from armslength.labels import Label, Source
from armslength.surfaces.document_pages import DocumentPages, OnPage
from armslength.surfaces.reports import is_all_done, source_names
from armslength.surfaces.steps import Step, step_of

Entry = Mapping[str, Any]
TakenBack = Literal["", "undone", "undone in part"]
OWN = {"user": "you", "program": "the program"}
"""How a person calls the sources that are nobody else's."""
NOT_REACHED = "not done"
UNKNOWN = "started; whether it got done was not written down: look for yourself"
"""The run was killed between an effect's start and its end."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text with its origin. `where`: which argument or piece. `bits` is how much `steered_by` could choose.

    `stands_on`: pages of documents that the run had read before, on which the text stands.
    """

    where: str
    text: str
    came_from: tuple[str, ...]
    steered_by: tuple[str, ...]
    bits: int
    is_untrusted: bool
    stands_on: tuple[OnPage, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolRead:
    """A call of a tool that was answered at once. `count` is of results; `failed` the tool's line if it failed."""

    tool: str
    asked: dict[str, Any]
    count: int
    came_from: tuple[str, ...]
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The quarantined model read something. `line` is 0 where the run ended before it was done."""

    line: int
    calls: int
    inputs: tuple[str, ...]
    answers: tuple[str, ...]
    failed: str = ""


@dataclass(slots=True)
class Decided:
    """An effect with what was decided about it and how it ended."""

    tool: str
    line: int
    verdict: str
    reasons: tuple[str, ...]
    receivers: tuple[str, ...] | None
    arguments: tuple[Words, ...]
    steered_by: tuple[str, ...]
    rules: tuple[str, ...] = ()
    status: str = NOT_REACHED
    note: str = ""
    granted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """One approval screen and the person's answer. `is_yes`: to all of it; else `accepted` says to how many things."""

    text: str
    is_yes: bool
    accepted: int = 0

    @property
    def answer(self) -> str:
        """The answer in words."""
        return "yes" if self.is_yes else f"yes to {self.accepted} of them" if self.accepted else "no"


@dataclass(frozen=True, slots=True)
class Revealed:
    """What a program of a conversation showed its planner, and what that cost. `choice`: what it was, if `is_shown`."""

    line: int
    text: str
    bits: int
    is_shown: bool
    choice: str


@dataclass(slots=True)
class Story:
    """The whole run. What earlier attempts did is left out, apart from their programs and steps: nothing of them happened."""

    run: str
    is_strict: bool = False
    started: str = ""
    request: str = ""
    programs: list[str] = field(default_factory=list)
    reads: list[ToolRead] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    decided: list[Decided] = field(default_factory=list)
    screens: list[Asked] = field(default_factory=list)
    answers: list[tuple[Words, ...]] = field(default_factory=list)
    ending: str = "ended before its end was written down"
    dropped: int = 0
    """Effects that were queued and dropped before anything was decided about them."""
    revealed: list[Revealed] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    unverified: str = ""
    """Why its journal is not known to be as it was written; nothing if it is, or if nobody looked."""
    undone: TakenBack = ""
    """What became of all that it did, if that was taken back; nothing if it was not, or if nobody looked."""

    @property
    def is_all_done(self) -> bool:
        """Whether the program came to its end, and each effect did. If not, an answer may say what did not happen."""
        return is_all_done(self.ending, (effect.status for effect in self.decided)) and not self.dropped


def tell(run: str, entries: Iterable[Entry], trust: Trust) -> Story:
    """The story of a journal. Whether a source is trusted is decided by today's configuration."""
    teller = _Teller(Story(run), trust)
    for entry in entries:
        teller.hear(entry)
    return teller.story


def words_of(where: str, stored: Any, trust: Trust) -> tuple[Words, ...]:
    """The texts of labelled data as the journal has it."""
    return tuple(_Teller(Story(""), trust).words(where, stored))


class _Teller:
    """Goes through the entries once. `_calls` are the quarantined model's answers since its last reading was done."""

    def __init__(self, story: Story, trust: Trust) -> None:
        self.story, self._trust = story, trust
        self._calls: list[str] = []
        self._committing: Decided | None = None
        self._pages = DocumentPages()

    def hear(self, entry: Entry) -> None:
        """Tell what the entry says."""
        step = step_of(entry)
        if step is not None:
            self.story.steps.append(step)
        self._hear(entry)

    def _hear(self, entry: Entry) -> None:
        story = self.story
        match entry:
            case {"kind": "begun", "is_strict": bool(is_strict)}:
                story.is_strict, story.request = is_strict, str(entry.get("request", ""))
            case {"kind": "clock", "answered": str(started)}:
                story.started = started
            case {"kind": "request", "text": str(text)}:
                story.request = text
            case {"kind": "program", "text": str(text)}:
                self._begin_program(text)
            case {"kind": "model", "name": "quarantined" | "confined"}:
                self._hear_model(entry)
            case {"kind": "reading", "line": int(line), "inputs": list(inputs)}:
                self._hear_reading(line, inputs)
            case {"kind": "tool", "name": str(name)}:
                self._hear_tool(name, entry)
            case {"kind": "decision", "effect": dict(effect)}:
                story.decided.append(self._decided(effect, entry))
            case {"kind": "started", "tool": str(name)}:
                self._committing = self._first_open(name)
                if self._committing is not None:
                    self._committing.status = UNKNOWN
            case {"kind": "approval", "asked": {"screen": str(text)}}:
                story.screens.append(_asked(text, entry.get("answered")))
            case {"kind": "answer", "pieces": list(pieces)}:
                story.answers.append(tuple(words for piece in pieces for words in self.words("", piece)))
            case {"kind": "reveal", "line": int(line), "text": str(text), "bits": int(bits)}:
                choice = str(entry.get("choice", ""))
                story.revealed.append(Revealed(line, text, bits, entry.get("is_shown") is True, choice))
            case {"entry": "note", "kind": "cancelled" | "failed" as ending}:
                self._end_reading("no answer of the asked type")
                story.ending = "cancelled" if ending == "cancelled" else "stopped"
            case {"kind": "end", "ending": str(ending), "effects": list(statuses)}:
                self._end_reading("no answer of the asked type")
                self._end(ending, [str(status) for status in statuses])
            case _:
                pass

    def _begin_program(self, text: str) -> None:
        story = self.story
        story.programs.append(text)
        for kept in (
            story.reads,
            story.readings,
            story.decided,
            story.screens,
            story.answers,
            self._calls,
            story.revealed,
        ):
            kept.clear()
        self._pages.clear()

    def _hear_model(self, entry: Entry) -> None:
        answered = entry.get("answered")
        if "failed" in entry:
            self._calls.append("")
            self._end_reading(str(answered))
        else:
            self._calls.append(str(answered.get("text", "")) if isinstance(answered, dict) else "")

    def _end_reading(self, failed: str) -> None:
        """A reading that came to nothing."""
        if self._calls:
            said = tuple(filter(None, self._calls[-1:]))
            self.story.readings.append(Reading(0, len(self._calls), (), said, failed))
            self._calls.clear()

    def _hear_reading(self, line: int, inputs: list[Any]) -> None:
        sources = source_names({source for stored in inputs for source in self._label(stored).data})
        self.story.readings.append(Reading(line, len(self._calls), tuple(sources), tuple(self._calls[-1:])))
        self._calls.clear()

    def _hear_tool(self, name: str, entry: Entry) -> None:
        failed = str(entry.get("answered")) if "failed" in entry else ""
        effect = self._committing if self._committing is not None else self._first_open(name)
        if effect is not None:
            effect.status, effect.note = ("failed", failed) if failed else ("done", "")
        answered = entry.get("answered") if not failed else None
        self._pages.hear(answered)
        was_commit, self._committing = self._committing is not None, None
        if was_commit and _count(answered) == 0:
            return
        asked = entry.get("asked")
        self.story.reads.append(
            ToolRead(
                name,
                asked if isinstance(asked, dict) else {},
                _count(answered),
                tuple(source_names(self._sources(answered))),
                failed,
            )
        )

    def _first_open(self, name: str) -> Decided | None:
        return next((each for each in self.story.decided if each.tool == name and each.status == NOT_REACHED), None)

    def _decided(self, effect: Entry, entry: Entry) -> Decided:
        control, receivers, arguments = effect.get("control"), effect.get("receivers"), effect.get("arguments", {})
        label = self._label(control)
        return Decided(
            tool=str(effect.get("tool")),
            line=int(effect.get("line", 0)),
            verdict=str(entry.get("verdict")),
            reasons=tuple(str(reason.get("text")) for reason in entry.get("reasons", [])),
            receivers=tuple(map(str, receivers)) if isinstance(receivers, list) else None,
            arguments=tuple(words for name, stored in arguments.items() for words in self.words(str(name), stored)),
            steered_by=tuple(source_names(label.choice | label.data)),
            rules=tuple(str(reason.get("rule")) for reason in entry.get("reasons", [])),
            granted=tuple(map(str, entry.get("granted", []))),
        )

    def _end(self, ending: str, statuses: list[str]) -> None:
        self.story.ending = ending
        for effect, status in zip(self.story.decided, statuses, strict=False):
            effect.status = status
        self.story.dropped = max(len(statuses) - len(self.story.decided), 0)

    def words(self, where: str, stored: Any) -> Iterator[Words]:
        """The texts of labelled data, each with its place below `where`."""
        match stored:
            case {"items": list(items)} if items:
                for place, item in enumerate(items, 1):
                    yield from self.words(f"{where}[{place}]", item)
            case {"parts": dict(parts)} if parts:
                for name, part in parts.items():
                    yield from self.words(f"{where}.{name}", part)
            case {"label": dict(found)}:
                label = self._label(found)
                text = str(stored["data"]) if "data" in stored else "(nothing)"
                came_from = tuple(source_names(label.data))
                yield Words(
                    where,
                    text,
                    came_from,
                    tuple(source_names(label.choice)),
                    label.bits,
                    not label.is_chosen,
                    self._pages.places(text, came_from),
                )
            case _:
                return

    def _sources(self, stored: Any) -> set[Source]:
        match stored:
            case {"label": dict(found)}:
                below: list[Any] = [*stored.get("items", ()), *stored.get("parts", {}).values()]
                return set(self._label(found).data).union(*map(self._sources, below))
            case _:
                return set()

    def _label(self, stored: Any) -> Label:
        return label_from_json(stored, self._trust)


def _asked(text: str, answered: Any) -> Asked:
    match answered:
        case {"yes": True}:
            return Asked(text, is_yes=True)
        case {"accepted": list(accepted)}:
            return Asked(text, is_yes=False, accepted=len(accepted))
        case _:
            return Asked(text, is_yes=False)


def _count(answered: Any) -> int:
    match answered:
        case {"items": list(items)}:
            return len(items)
        case {"data": None}:
            return 0
        case {"label": _}:
            return 1
        case _:
            return 0
