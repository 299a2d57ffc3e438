"""What the mail tools are told about the person's mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MailSettings:
    """One account: where its mail lies and whose it is.

    `account`: its name, empty for one that stands alone.
    `path`: a Maildir, or one mbox file; then `folders_path` is the Maildir that holds the four folders that we write.
    `addresses`: the user's own, the first writes. `authserv_id`: the server whose Authentication-Results count; None vouches for nobody.
    `checks_signatures`: where that server says nothing, a mail's signature may vouch, whose key is asked of the `resolver` (as `Lookups` has it).
    `hold`: for how long what is sent lies in the folder `held` before it leaves, and can be taken back; None: it leaves at once.
    """

    path: Path
    addresses: tuple[str, ...]
    name: str = ""
    authserv_id: str | None = None
    outbox: str = "Outbox"
    drafts: str = "Drafts"
    trash: str = "Trash"
    sent: str = "Sent"
    folders_path: Path | None = None
    held: str = "Held"
    hold: timedelta | None = None
    account: str = ""
    checks_signatures: bool = False
    resolver: str = ""

    @property
    def own(self) -> frozenset[str]:
        """The user's addresses in lower case."""
        return frozenset(address.lower() for address in self.addresses)

    @property
    def written(self) -> frozenset[str]:
        """The folders with what the user or we wrote: nothing there was verified by a receiving server."""
        return frozenset({self.outbox, self.drafts, self.sent, self.held})
