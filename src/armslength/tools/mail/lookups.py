"""TXT records of domains, asked of the machine's resolver or of the one that is configured.

Whom we ask learns which domain wrote, and that domain's own name server learns that and when its mail was looked at. Answers are not
authenticated here: who can write them on the way can vouch for senders (docs/threat-model.md).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from armslength.errors import ConfigError

_TIMEOUT = 4.0
"""Seconds for one question, over all servers and tries."""
_MOST_LOST = 12.0
"""Seconds that questions without an answer may take together; then none is asked for a while. Whoever has a domain has a name server."""
_PAUSE = 300.0
_KEPT = 600.0
"""Seconds that an answer is kept."""
_MOST_KEPT = 2_000
_MOST_BYTES = 4_096
"""Of one record."""


class NoAnswer(Exception):
    """It could not be found out; another time it may be."""


@dataclass(slots=True)
class Lookups:
    """`server`: `address` or `address:port` of a resolver; empty: as the machine is configured. `clock`: seconds, never set back."""

    server: str = ""
    clock: Callable[[], float] = time.monotonic
    _known: dict[str, tuple[float, tuple[bytes, ...]]] = field(default_factory=dict, init=False)
    _lost: float = field(default=0.0, init=False)
    _paused_until: float = field(default=0.0, init=False)
    _alone: threading.Lock = field(default_factory=threading.Lock, init=False)

    def texts(self, name: str) -> tuple[bytes, ...]:
        """The TXT records of a name, each in one piece; none where there is no such name or none of that kind.

        Raises:
            NoAnswer: no server answered in time, or each refused.
        """
        with self._alone:
            now = self.clock()
            kept = self._known.get(name)
            if kept is not None and now - kept[0] < _KEPT:
                return kept[1]
            if now < self._paused_until:
                raise NoAnswer
            try:
                found = _asked(name, self.server)
            except NoAnswer:
                self._lose(now)
                raise
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[name] = (now, found)
            return found

    def _lose(self, began: float) -> None:
        now = self.clock()
        self._lost += now - began
        if self._lost >= _MOST_LOST:
            self._lost, self._paused_until = 0.0, now + _PAUSE


def split_server(text: str) -> tuple[str, int]:
    """The address and the port of `address`, `address:port` or `[address]:port`.

    Raises:
        ConfigError: it is no such thing.
    """
    import ipaddress

    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):
        host, port = text, "53"
    try:
        number = int(port) if port.isascii() and port.isdigit() else 0
        if 0 < number < 65_536:
            return str(ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))), number
    except ValueError:
        pass
    raise ConfigError("mail.resolver must be the address of a resolver, such as 127.0.0.1 or 127.0.0.1:5353")


def _asked(name: str, server: str) -> tuple[bytes, ...]:
    import dns.exception
    import dns.name
    import dns.resolver

    try:
        resolver = dns.resolver.Resolver(configure=not server)
        if server:
            address, resolver.port = split_server(server)
            resolver.nameservers = [address]
        answer = resolver.resolve(dns.name.from_text(f"{name}."), "TXT", search=False, lifetime=_TIMEOUT)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except (dns.exception.DNSException, OSError, ValueError) as error:
        raise NoAnswer from error
    return tuple(b"".join(record.strings)[:_MOST_BYTES] for record in answer)
