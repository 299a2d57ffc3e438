"""A conversation with a wired assistant: requests whose programs share names, and what a person can ask about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from armslength.agent.approval import Approver
from armslength.agent.budget import DEFAULT_BITS, Budget
from armslength.agent.conversation import Conversation
from armslength.agent.effects import Pending
from armslength.agent.prompt import told_records
from armslength.agent.remembering import STORE, conversation_from_json, conversation_to_json
from armslength.agent.transcript import written_class
from armslength.agent.undoing import Done, Undone, done_from_json, done_of, done_to_json, is_undoable
from armslength.app.assistant import Assistant, Given, Result, carry_out, nobody_listens, take_back
from armslength.errors import OperatorError
from armslength.schema import describe
from armslength.store.conversations import Conversations
from armslength.tools.ledger import knowing
from armslength.values import Labelled, Permit, release

_TO_THE_USER = Permit("the user is a reader of everything", "policy")


@dataclass(frozen=True, slots=True)
class Name:
    """A name for a person: what the planner is told of it, and what is really there. `found` is None where nothing is, and `lost` why."""

    name: str
    type: str
    trust: str
    found: Labelled | None
    lost: str


@dataclass(slots=True)
class Talk:
    """One conversation. `last`: the run of its last request; `done`: what that did. `folder`: where it is kept; None keeps it in memory."""

    assistant: Assistant
    folder: Path | None = None
    bits: int = DEFAULT_BITS
    is_strict: bool = False
    last: str = ""
    done: tuple[Done, ...] = ()
    name: str = ""
    _conversation: Conversation = field(default_factory=Conversation)

    def __post_init__(self) -> None:
        self._begin(Conversation(Budget(0 if self.is_strict else self.bits)))

    @property
    def bits_left(self) -> int:
        """What the planner may still learn of data."""
        return self._conversation.budget.left

    @property
    def requests(self) -> tuple[str, ...]:
        """What was asked so far."""
        return tuple(past.request for past in self._conversation.past)

    def resume(self) -> bool:
        """Go on with the conversation that was kept last; False if there is none.

        Raises:
            OperatorError: what was kept cannot be read.
        """
        if self.folder is None:
            return False
        kept = Conversations(self.folder)
        name = kept.latest()
        if name is None:
            return False
        stored = kept.load(name)
        try:
            talk = conversation_from_json(stored, self.assistant.trust)
            trust = knowing(self.assistant.trust, STORE)
            done = tuple(done_from_json(each, trust) for each in stored["done"])
            last = stored["last"]
            if type(last) is not str:
                raise ValueError("not a stored run")
        except (ValueError, KeyError, TypeError) as error:
            raise OperatorError(f"the conversation {name} is damaged; begin a new one") from error
        if self.is_strict:
            talk.budget = Budget(talk.budget.spent, talk.budget.spent)
        self._begin(talk)
        self.name, self.done, self.last = name, done, last
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
            self.last, self.done = run, ()
            begun(run)

        def settled(run: str, effects: Sequence[Pending]) -> None:
            self.done = done_of(run, effects)

        given = Given(pasted, approver, self.is_strict, begin, self._conversation, settled)
        try:
            return carry_out(self.assistant, request, given)
        finally:
            self._keep(self._conversation)

    def undo_last(self, *, approver: Approver | None = None) -> Undone:
        """Take back what the last request did, the latest first, once the person says yes.

        Raises:
            OperatorError: nothing of it can be taken back, or the journal cannot be written.
        """
        tools = {tool.name: tool for tool in self.assistant.tools}
        if not self.done:
            raise OperatorError("the last request changed nothing, or it was taken back already")
        undoable = [done for done in self.done if is_undoable(done, tools)]
        if not undoable:
            listed = ", ".join(dict.fromkeys(done.summary for done in self.done))
            raise OperatorError(f"this cannot be taken back: {listed}")
        undone = take_back(self.assistant, undoable, Given(approver=approver, is_strict=self.is_strict))
        taken = sum(pending.status == "done" for pending in undone.settled)
        gone = undoable[len(undoable) - taken :]
        self.done = tuple(done for done in self.done if done not in gone)
        self._keep(self._conversation)
        return undone

    def names(self) -> tuple[Name, ...]:
        """The names that are there, for the person alone."""
        found = []
        for name, kept in self._conversation.names.items():
            declared = "" if kept.foreseen.type is None else describe(kept.foreseen.type)
            labelled, lost = None, kept.lost
            if kept.value is not None:
                try:
                    labelled = release(kept.value, _TO_THE_USER)
                except TypeError:
                    lost = "it cannot be shown"
            found.append(Name(name, declared, written_class(kept.foreseen), labelled, lost))
        return tuple(found)

    def forget(self) -> None:
        """Begin anew: no names, no earlier requests, a whole budget, and nothing of it on disk.

        Raises:
            OperatorError: it cannot be removed.
        """
        if self.folder is not None and self.name:
            Conversations(self.folder).forget(self.name)
        self.name, self.last, self.done = "", "", ()
        self._begin(Conversation(Budget(0 if self.is_strict else self.bits)))

    def _begin(self, conversation: Conversation) -> None:
        conversation.known_types = told_records([tool.signature for tool in self.assistant.tools])
        conversation.keep = self._keep
        self._conversation = conversation

    def _keep(self, conversation: Conversation) -> None:
        if self.folder is None or not conversation.past:
            return
        kept = Conversations(self.folder)
        if not self.name:
            self.name = kept.begin(self.assistant.now())
        done = [done_to_json(each) for each in self.done]
        kept.save(self.name, {**conversation_to_json(conversation), "done": done, "last": self.last})
