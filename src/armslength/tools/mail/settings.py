"""What the mail tools are told about the person's mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from armslength.tools.documents.confinement import USUAL, Confinement

if TYPE_CHECKING:
    from armslength.tools.mail.oauth import Tokens

Tls = Literal["implicit", "starttls", "none"]
Login = Literal["password", "oauth"]


@dataclass(frozen=True, slots=True)
class ImapServer:
    """Where an account's mail lies on a server. `secret` gives password or access token, and is called for each login.

    `index`: our file of what was read there, in our state folder. `is_told`: what is written there has the user's own address as receiver,
    so that what stays on this machine is not written there.
    `authorities`: a file of certificates that are trusted instead of the system's; `setting`: where the configuration names it. `timeout`: seconds for an answer, and `slowest` bytes
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
    setting: str = field(default="mail.imap.authorities", compare=False)
    timeout: float = 60.0
    slowest: int = 10_000
    most_bytes: int = 64 * 1024 * 1024
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """The server by which an account's mail leaves (RFC 6409), and how it is spoken to (RFC 8314).

    `user`: empty where the server asks for none. `secret`: gives the password, or an OAuth2 access token where `login` says so; called each time.
    `authorities`: a file with certificates that vouch for the server's, instead of the machine's; `setting`: where the configuration names it. `keeps_copy`: what left is put among the sent
    mail; not where the server does that. `seconds`: for one step.
    """

    host: str
    port: int
    tls: Tls = "implicit"
    user: str = ""
    secret: Callable[[], str] | None = field(default=None, repr=False, compare=False)
    login: Login = "password"
    authorities: Path | None = None
    setting: str = field(default="mail.smtp.authorities", compare=False)
    keeps_copy: bool = True
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class MailSettings:
    """One account: where its mail lies and whose it is.

    `account`: its name, empty for one that stands alone.
    `path`: a Maildir, or one mbox file; then `folders_path` is the Maildir that holds the four folders that we write.
    `server`: where the mail lies instead; then `folders_path` is the Maildir of outbox and held mail, and `path` is not looked at.
    `addresses`: the user's own, the first writes. `authserv_id`: the server whose Authentication-Results count; None vouches for nobody.
    `checks_signatures`: where that server says nothing, a mail's signature may vouch, whose key is asked of the `resolver` (as `Lookups` has it).
    `submission`: by which server what is sent leaves; None: by the folder `outbox`, from which somebody else delivers it.
    `hold`: for how long what is sent lies in the folder `held` before it leaves, and can be taken back; None: it leaves at once.
    `confinement`: of the process that reads the HTML of a mail.
    `counting`: told how many mails of how many were read, while a server's are read; the last time the two are equal.
    `tokens`: by what grant and of which provider the account logs in, if by one; they are the secret of its servers then.
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
    submission: Submission | None = None
    confinement: Confinement = USUAL
    counting: Callable[[int, int], None] = field(default=lambda _done, _of: None, repr=False, compare=False)
    tokens: Tokens | None = field(default=None, repr=False, compare=False)

    @property
    def leaves_at_once_by_server(self) -> bool:
        """Whether what is sent goes to a server before the call ends."""
        return self.submission is not None and self.hold is None

    @property
    def kept_in(self) -> Path:
        """Where the folders lie that are written to here: of an account on a server a folder of ours beside its index."""
        if self.folders_path is not None:
            return self.folders_path
        return self.path if self.server is None else self.server.index.with_name(f"{self.server.index.stem}.waiting")

    @property
    def own(self) -> frozenset[str]:
        """The user's addresses in lower case."""
        return frozenset(address.lower() for address in self.addresses)

    @property
    def written(self) -> frozenset[str]:
        """The folders with what the user or we wrote: nothing there was verified by a receiving server."""
        return frozenset({self.outbox, self.drafts, self.sent, self.held})
