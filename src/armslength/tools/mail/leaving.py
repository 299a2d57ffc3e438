"""How what the user sends leaves: by the account's server, or by its outbox folder where none is named. At once, or once it was held; never twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from armslength.errors import InDoubt, OperatorError, ToolError
from armslength.tools.mail.dispatches import Dispatch, State, digest_of_message, dispatches_in
from armslength.tools.mail.search import MailStore
from armslength.tools.mail.seen import Seen
from armslength.tools.mail.settings import Submission
from armslength.tools.mail.submitting import Envelope, submit

_AGAIN = 300.0
"""Seconds after which a held mail that was not sent is tried again."""
_SHUT = (ToolError, OperatorError)
"""Why a mailbox is not changed: it cannot be, or its server lets nobody in, since a password was changed or is not to be had."""


class Leaving:
    """The one way out for mail. Every method raises ToolError where it cannot."""

    def __init__(self, state: Path, clock: Callable[[], float] = time.time) -> None:
        """`state`: our folder."""
        self.dispatches, self._clock = dispatches_in(state, clock), clock

    def send(self, store: MailStore, key: str, envelope: Envelope) -> None:
        """It leaves now, or lies held from now on. With the same key once: what has left does not leave again.

        Raises:
            InDoubt: whether it left cannot be told.
        """
        settings, way = store.settings, store.settings.submission
        if settings.hold is not None:
            if way is not None and self.dispatches.of(key) is None:
                self.dispatches.put(self._new(store, key, "held", envelope, None))
            store.append(settings.held, envelope.raw, "S", key)
        elif way is None:
            store.append(settings.outbox, envelope.raw, "S", key)
        else:
            self._send_now(store, way, key, envelope)

    def _new(self, store: MailStore, key: str, state: State, envelope: Envelope, raw: bytes | None) -> Dispatch:
        digest = digest_of_message(envelope.raw)
        return Dispatch(key, store.settings.account, state, envelope.recipients, digest, raw, self._clock(), "")

    def _send_now(self, store: MailStore, way: Submission, key: str, envelope: Envelope) -> None:
        self.copy_owed(store)
        known = self.dispatches.of(key)
        if known is None or known.state not in ("sent", "done"):
            # One that is in doubt comes here again only if the person says that it did not leave.
            self.dispatches.put(self._new(store, key, "prepared", envelope, envelope.raw if way.keeps_copy else None))
            try:
                submit(way, envelope, lambda: self._begin(key, "prepared"))
            except InDoubt:
                raise
            except ToolError:
                self.dispatches.drop(key)
                raise
            self.dispatches.change(key, "begun", "sent")
            if not way.keeps_copy:
                self.dispatches.finish(key)
        self.copy_owed(store)

    def _begin(self, key: str, before: State) -> None:
        if not self.dispatches.change(key, before, "begun"):
            raise ToolError("mail: the mail was taken back, or is being sent by another process; nothing was sent")

    def copy_owed(self, store: MailStore) -> None:
        """What left gets its copy among the sent mail. One that cannot be made now is made another time: the mail has left all the same."""
        for each in self.dispatches.owed(store.settings.account):
            try:
                store.append(store.settings.sent, each.raw or b"", "S", each.key)
            except _SHUT:
                return
            self.dispatches.finish(each.key)

    def send_held(self, store: MailStore, seen: Seen, key: str) -> bool:
        """A held mail that is due leaves; whether it did. One that is in doubt, or failed a moment ago, does not.

        Raises:
            ToolError: it was not sent, and is held.
        """
        way = store.settings.submission
        if way is None:
            store.move(seen, store.settings.outbox)
            return True
        known = self.dispatches.of(key)
        match known.state if known is not None else None:
            case "sent" | "done":
                self._put_away(store, seen, way, key)
                return False
            case "recalled":
                store.move(seen, store.settings.drafts)
                return False
            case "held" if known is not None and not self._is_too_early(known):
                self._submit_held(store, seen, way, known)
                return True
            case None:
                raise ToolError("mail: a held mail is none that was held for this server; recall it, and send it again")
            case _:
                return False

    def _is_too_early(self, known: Dispatch) -> bool:
        return known.failure != "" and 0 <= self._clock() - known.moment < _AGAIN

    def _submit_held(self, store: MailStore, seen: Seen, way: Submission, known: Dispatch) -> None:
        key = known.key
        try:
            raw = store.raw(seen)
            if digest_of_message(raw) != known.digest:
                raise ToolError("mail: a held mail was changed since it was allowed; recall it")  # kept with it
            envelope = Envelope(store.settings.addresses[0], known.recipients, raw.replace(b"\r\n", b"\n"))
            submit(way, envelope, lambda: self._begin(key, "held"))
        except InDoubt:
            raise
        except ToolError as error:
            _ = self.dispatches.change(key, "begun", "held", str(error)) or self.dispatches.change(
                key, "held", "held", str(error)
            )
            raise
        self.dispatches.change(key, "begun", "sent")
        self._put_away(store, seen, way, key)

    def _put_away(self, store: MailStore, seen: Seen, way: Submission, key: str) -> None:
        """Out of the held mail. Where that fails it has left all the same, and the next time does it."""
        try:
            store.move(seen, store.settings.sent if way.keeps_copy else store.settings.trash)
        except _SHUT:
            return
        self.dispatches.finish(key)

    def take_back(self, store: MailStore, seen: Seen, key: str) -> None:
        """A held mail becomes a draft; also one of which nobody knows whether it left.

        Raises:
            ToolError: it has left, or is leaving.
        """
        if store.settings.submission is not None:
            known = self.dispatches.of(key)
            if known is not None and not self._is_taken_back(known):
                raise ToolError("mail: the mail has left, or is leaving right now, so nothing was undone")
        store.move(seen, store.settings.drafts)

    def _is_taken_back(self, known: Dispatch) -> bool:
        is_lost = known.is_in_doubt(self._clock())
        return known.state == "recalled" or self.dispatches.change(
            known.key, "begun" if is_lost else "held", "recalled"
        )

    def has_left(self, key: str) -> bool | None:
        """Whether a message with this key left by a server: None where that cannot be told, False where it did not, or is not known here."""
        known = self.dispatches.of(key)
        match known.state if known is not None else None:
            case "sent" | "done" | "recalled":
                return True
            case "begun":
                return None
            case _:
                return False
