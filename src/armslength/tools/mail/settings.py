"""What the mail tools are told about the person's mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Literal

Tls = Literal["implicit", "starttls", "none"]
Login = Literal["password", "oauth"]


@dataclass(frozen=True, slots=True)
class ImapServer:
    """Where an account's mail lies on a server. `secret` gives password or access token, and is called for each login.

    `index`: our file of what was read there, in our state folder.
    `authorities`: a file of certificates that are trusted instead of the system's. `timeout`: seconds for an answer, and `slowest` bytes
    a second of a long one. `most_bytes`: of one message.
    """

    host: str
    user: str
    secret: Callable[[], str] = field(repr=False, compare=False)
    index: Path
    port: int = 993
    tls: Tls = "implicit"
    login: Login = "password"
    authorities: Path | None = None
    timeout: float = 60.0
    slowest: int = 10_000
    most_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class MailSettings:
    """One account: where its mail lies and whose it is.

    `account`: its name, empty for one that stands alone.
    `path`: a Maildir, or one mbox file; then `folders_path` is the Maildir that holds the four folders that we write.
    `server`: where the mail lies instead; then `folders_path` is the Maildir of outbox and held mail, and `path` is not looked at.
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
    server: ImapServer | None = None

    @property
    def own(self) -> frozenset[str]:
        """The user's addresses in lower case."""
        return frozenset(address.lower() for address in self.addresses)

    @property
    def written(self) -> frozenset[str]:
        """The folders with what the user or we wrote: nothing there was verified by a receiving server."""
        return frozenset({self.outbox, self.drafts, self.sent, self.held})
