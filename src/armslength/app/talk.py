"""A conversation with a wired assistant: requests whose programs share names, and what a person can ask about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from armslength.agent.approving.approval import Approver
from armslength.agent.effects.effects import Pending
from armslength.agent.planning.budget import DEFAULT_BITS, Budget
from armslength.agent.planning.conversation import Conversation
from armslength.agent.planning.prompt import told_records
from armslength.agent.planning.remembering import (
    STORE,
    conversation_from_json,
    conversation_to_json,
    is_of_this_version,
)
from armslength.agent.planning.transcript import written_class
from armslength.agent.runs.replies import TO_THE_USER
from armslength.agent.runs.undoing import (
    Done,
    Stays,
    Undone,
    done_from_json,
    done_of,
    done_to_json,
    nobody_is_told,
    why_lasting,
)
from armslength.app.assistant import Assistant, can_be_taken_back, carry_out, take_back
from armslength.app.beginning import Given, nobody_listens
from armslength.app.one_run import Result
from armslength.errors import AtWork, OperatorError
from armslength.events import Json, Trust
from armslength.schema import describe
from armslength.store.conversations import Conversations
from armslength.store.sealing import Contents
from armslength.tools.ledger import knowing
from armslength.values import Labelled, release


@dataclass(frozen=True, slots=True)
class Name:
    """A name for a person: what the planner is told of it, and what is really there. `found` is None where nothing is, and `lost` why."""

    name: str
    type: str
    trust: str
    found: Labelled | None = field(repr=False)
    lost: str


@dataclass(frozen=True, slots=True)
class Last:
    """The last request: its run, what it did, and whether the process ended in the middle of it, so that more may have been done."""

    run: str = ""
    done: tuple[Done, ...] = ()
    is_cut_off: bool = False


@dataclass(slots=True)
class Talk:
    """One conversation. `folder`: where it is kept, under `name`; None keeps it in memory. `contents`: sealed there or not."""

    assistant: Assistant
    folder: Path | None = None
    bits: int = DEFAULT_BITS
    is_strict: bool = False
    last: Last = field(default_factory=Last)
    name: str = ""
    contents: Contents = field(default_factory=Contents)
    _kept: Conversations | None = None
    _conversation: Conversation = field(default_factory=Conversation)

    def __post_init__(self) -> None:
        self._kept = None if self.folder is None else Conversations(self.folder, self.contents)
        self._begin(Conversation(self._whole_budget()))

    @property
    def bits_left(self) -> int:
        """What the planner may still learn of data."""
        return self._conversation.budget.left

    @property
    def requests(self) -> tuple[str, ...]:
        """What was asked last, as far back as the planner may be told of it."""
        return tuple(past.request for past in self._conversation.past)

    def resume(self) -> bool:
        """Go on with the conversation that was kept last; False if there is none.

        Raises:
            OperatorError: what was kept cannot be read; nothing of it is here then.
        """
        name = None if self._kept is None else self._kept.latest()
        if self._kept is None or name is None:
            return False
        stored = self._kept.load(name)
        if not is_of_this_version(stored):
            raise OperatorError(
                f"the conversation {name} was written by another version of armslength; chat without --resume begins a new one"
            )
        try:
            talk = conversation_from_json(stored, self.assistant.trust)
            last = _last_from_json(stored["last"], knowing(self.assistant.trust, STORE))
        except (ValueError, KeyError, TypeError) as error:
            raise OperatorError(
                f"the conversation {name} is damaged; chat without --resume begins a new one"
            ) from error
        if self.is_strict:
            talk.budget = Budget(talk.budget.spent, talk.budget.spent)
        self._begin(talk)
        self.name, self.last = name, last
        return True

    def ask(
        self,
        request: str,
        *,
        pasted: str | None = None,
        approver: Approver | None = None,
        begun: Callable[[str], None] = nobody_listens,
    ) -> Result:
        """Carry the next request to its end, as `Assistant.ask` does.

        Raises:
            ModelError: the planner's model failed.
            OperatorError: journal or conversation cannot be written.
        """

        def begin(run: str) -> None:
            self.last = Last(run, is_cut_off=True)
            begun(run)

        def settled(run: str, effects: Sequence[Pending]) -> None:
            self.last = Last(run, done_of(run, effects))

        given = Given(pasted, approver, self.is_strict, begin, self._conversation, settled)
        try:
            return carry_out(self.assistant, request, given)
        finally:
            self.last = replace(self.last, is_cut_off=False)
            self._keep(self._conversation)

    def lasting(self) -> tuple[str, ...]:
        """What the last request did and nothing here can take back, each with why."""
        tools = {tool.name: tool for tool in self.assistant.tools}
        found = ((done.said, why_lasting(done, tools)) for done in self.last.done)
        return tuple(f"{summary} ({why})" for summary, why in found if why)

    def undo_last(self, *, approver: Approver | None = None, stays: Stays = nobody_is_told) -> Undone:
        """Take back what the last request did, the latest first, once the person says yes. What cannot be stays, which `stays` is told before.

        Raises:
            OperatorError: nothing of it can be taken back, or journal or conversation cannot be written.
        """
        if self.last.is_cut_off:
            raise OperatorError(
                f"the last request was cut off in its middle, and what it changed stands in its journal alone: "
                f"armslength why {self.last.run}"
            )
        done = self._left()
        if not done:
            raise OperatorError("the last request changed nothing, or it was taken back already")
        undoable = can_be_taken_back(self.assistant, done, nobody_is_told)
        if not undoable:
            raise OperatorError(f"nothing of it can be taken back: {'; '.join(dict.fromkeys(self.lasting()))}")
        can_be_taken_back(self.assistant, done, stays)
        given = Given(approver=approver, is_strict=self.is_strict)
        undone = take_back(self.assistant, undoable, given, self.last.run, stays)
        gone = {each.key for each in undone.gone}
        self.last = replace(self.last, done=tuple(each for each in done if each.key not in gone))
        self._keep(self._conversation)
        return undone

    def _left(self) -> tuple[Done, ...]:
        """What the last request did and nobody took back. Its journal knows how far a process came that was killed in taking it back."""
        if self.assistant.runs is None or not self.last.done:
            return self.last.done
        try:
            kept = {each.key: each.is_begun for each in self.assistant.done_in(self.last.run)}
        except AtWork:
            raise
        except OperatorError:
            return self.last.done
        return tuple(replace(each, is_begun=kept[each.key]) for each in self.last.done if each.key in kept)

    def names(self) -> tuple[Name, ...]:
        """The names that are there, for the person alone."""
        found = []
        for name, kept in self._conversation.names.items():
            declared = "" if kept.foreseen.type is None else describe(kept.foreseen.type)
            labelled, lost = None, kept.lost
            if kept.value is not None:
                try:
                    labelled = release(kept.value, TO_THE_USER)
                except TypeError:
                    lost = "it cannot be shown"
            found.append(Name(name, declared, written_class(kept.foreseen), labelled, lost))
        return tuple(found)

    def forget(self) -> bool:
        """Begin anew: no names, no earlier requests, a whole budget. The file is removed; False if another process went on with it.

        Raises:
            OperatorError: it cannot be removed.
        """
        is_gone = self._kept is None or not self.name or self._kept.forget(self.name)
        self.name, self.last = "", Last()
        self._begin(Conversation(self._whole_budget()))
        return is_gone

    def _whole_budget(self) -> Budget:
        return Budget(0 if self.is_strict else self.bits)

    def _begin(self, conversation: Conversation) -> None:
        conversation.known_types = told_records([tool.signature for tool in self.assistant.tools])
        conversation.keep = self._keep
        self._conversation = conversation

    def _keep(self, conversation: Conversation) -> None:
        """Nothing is written before there is something that a planner may be told of, or that was paid for."""
        if self._kept is None or not (self.name or conversation.past):
            return
        if not self.name:
            self.name = self._kept.begin(self.assistant.now())
        self._kept.save(self.name, {**conversation_to_json(conversation), "last": _last_to_json(self.last)})


def _last_to_json(last: Last) -> Json:
    return {"run": last.run, "done": [done_to_json(each) for each in last.done], "is_cut_off": last.is_cut_off}


def _last_from_json(stored: Mapping[str, Any], trust: Trust) -> Last:
    """What the last request did, by what was kept.

    Raises:
        ValueError: that says nothing of it.
    """
    match stored:
        case {"run": str(run), "done": list(done), "is_cut_off": bool(is_cut_off)}:
            return Last(run, tuple(done_from_json(each, trust) for each in done), is_cut_off)
        case _:
            raise ValueError("not a stored request")
