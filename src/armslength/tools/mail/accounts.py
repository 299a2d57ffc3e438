"""The person's accounts: each a mailbox with addresses of its own. Which one a message lies in, and which one writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from armslength.errors import ToolError
from armslength.tools.mail.search import MailStore
from armslength.tools.mail.seen import Seen
from armslength.tools.mail.senders import Senders
from armslength.tools.mail.settings import MailSettings


class Accounts:
    """One or several. The first writes where nothing else is said."""

    def __init__(self, settings: Sequence[MailSettings], state: Path) -> None:
        """`settings`: of each, under names of their own; at least one. `state`: our folder."""
        self.stores = tuple(MailStore(each, Senders(each, state)) for each in settings)
        self._by_name = {store.settings.account: store for store in self.stores}

    @property
    def own(self) -> frozenset[str]:
        """The user's addresses in all accounts, lower case."""
        return frozenset[str]().union(*(store.settings.own for store in self.stores))

    def named(self, account: object) -> MailStore:
        """The account of that name; without a name the first.

        Raises:
            ToolError: there is none.
        """
        found = self._by_name.get(str(account)) if account else self.stores[0]
        if found is None:
            raise ToolError("mail: there is no account of this name; take one that the signature names")
        return found

    def looked_through(self, account: object) -> tuple[MailStore, ...]:
        """The account of that name; without a name all of them.

        Raises:
            ToolError: there is none.
        """
        return (self.named(account),) if account else self.stores

    def of(self, seen: Seen) -> MailStore:
        """The account in which a message lies."""
        return self._by_name[seen.account]

    def find(self, email_id: str) -> Seen:
        """The message with that id, in whichever account.

        Raises:
            ToolError: there is none; it was removed.
        """
        return self._by_name.get(email_id.partition("/")[0], self.stores[0]).find(email_id)

    def put_by(self, key: str, *, is_held: bool = False) -> Seen | None:
        """The message that was put by that key among the drafts, or among what is held, if it still lies there."""
        for store in self.stores:
            seen = store.put_by(store.settings.held if is_held else store.settings.drafts, key)
            if seen is not None:
                return seen
        return None

    def raw(self, seen: Seen) -> bytes:
        """The bytes of a message, up to the mailbox's bound."""
        return self.of(seen).raw(seen)

    def is_sent_by_user(self, seen: Seen) -> bool:
        """Whether a message lies in its account's sent folder and is from an address of that account."""
        return self.of(seen).is_sent_by_user(seen)
