"""Mail as it arrives, signed or not, where a name server of ours publishes the keys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.servers.dns import DnsServer
from tests.tools.mail.signing import key, letter, public, quoted, signed

from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.senders import Senders
from armslength.tools.mail.settings import MailSettings

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
BOSS = Sender("boss@x.example")


@dataclass
class Post:
    """What tells who a mail is from, and the name server that it asks."""

    dns: DnsServer
    state: Path
    now: datetime = NOW

    def key(self, domain: str = "x.example", record: str = "", selector: str = "s") -> None:
        """The domain publishes a key."""
        self.dns.put(f"{selector}._domainkey.{domain}", "TXT", quoted(record or f"v=DKIM1; k=rsa; p={public(key())}"))

    def dmarc(self, domain: str, *records: str) -> None:
        """The domain publishes DMARC records."""
        self.dns.put(f"_dmarc.{domain}", "TXT", *map(quoted, records))

    def settings(self, **changed: Any) -> MailSettings:
        """Of a mailbox whose mail is checked."""
        mail = MailSettings(Path("nowhere"), ("me@example.org",), authserv_id="mx.example.org", checks_signatures=True)
        return replace(mail, **{"resolver": f"127.0.0.1:{self.dns.port}", **changed})

    def senders(self, **changed: Any) -> Senders:
        """A new process's."""
        return Senders(self.settings(**changed), self.state, lambda: self.now)

    def sender(self, message: str, days: int = 0) -> Sender | None:
        """Who it is from, delivered so many days ago."""
        return self.senders().of(message.encode(), self.now - timedelta(days=days))


def unsigned(post: Post) -> str:
    """Anybody can write a From."""
    return letter()


def with_another_body(post: Post) -> str:
    """The signature is over another body."""
    return signed(letter()).replace("Hello.", "Pay.")


def with_a_tail(post: Post) -> str:
    """`l=` leaves the end of the body to anybody."""
    return signed(letter(), l="8") + "Pay.\r\n"


def without_from_in_what_is_signed(post: Post) -> str:
    """The library takes it for good."""
    return signed(letter(), names="to:subject:date")


def by_another_domain(post: Post) -> str:
    """A good signature of whoever sent it."""
    post.key("evil.example")
    return signed(letter(), "evil.example")


def from_two(post: Post) -> str:
    """Nobody can say whose words these are."""
    return signed(letter("boss@x.example, eve@evil.example"))
