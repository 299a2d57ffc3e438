"""A name server on loopback, over UDP: answers what a test puts into it, and keeps what it was asked.

    with dns_server() as dns:
        dns.put("mail.example", "A", "192.0.2.1", "192.0.2.2")
        dns.put("_dmarc.mail.example", "TXT", '"v=DMARC1; p=none"')
        dns.resolver().resolve("mail.example", "A")

What was never put does not exist (NXDOMAIN, or no data where the name has records of another kind). Several records of a name come in
any order, as from a real server.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.resolver
import dns.rrset

_TTL = 60


@dataclass
class DnsServer:
    """The server. `asked`: each question, `(name, type)`, in order, names in lower case and without a dot at the end.

    `silent` and `broken`: names that are not answered, or with SERVFAIL. `turns`: names whose answers follow one another, the last
    staying, by `(name, type)`.
    """

    port: int
    records: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    turns: dict[tuple[str, str], list[list[str]]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)
    spoils: Callable[[bytes], bytes] = field(default=lambda wire: wire)
    """What is done to the bytes of each answer before they leave."""

    def put(self, name: str, kind: str, *texts: str) -> None:
        """The records of a name, as a zone file writes them. A text of more than 255 bytes is split: `"one" "two"`."""
        self.records[name.lower().rstrip("."), kind] = list(texts)

    def put_turns(self, name: str, kind: str, *answers: list[str]) -> None:
        """The first question gets the first of these answers, and so on; the last stays."""
        self.turns[name.lower().rstrip("."), kind] = list(answers)

    def resolver(self, seconds: float = 5.0) -> dns.resolver.Resolver:
        """A resolver that asks this server alone."""
        made = dns.resolver.Resolver(configure=False)
        made.nameservers, made.port, made.lifetime, made.timeout = ["127.0.0.1"], self.port, seconds, seconds
        return made

    def answer(self, wire: bytes) -> bytes | None:
        """The answer to a question, None where none is given."""
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        kind = dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        if name in self.silent:
            return None
        response = dns.message.make_response(query, recursion_available=True)
        texts = self._texts(name, kind)
        if name in self.broken:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif texts:
            response.answer.append(dns.rrset.from_text_list(question.name, _TTL, dns.rdataclass.IN, kind, texts))
        elif not any(known == name for known, _ in (*self.records, *self.turns)):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return self.spoils(response.to_wire(max_size=65_000))

    def _texts(self, name: str, kind: str) -> list[str]:
        turns = self.turns.get((name, kind))
        if turns:
            return turns.pop(0) if len(turns) > 1 else turns[0]
        return self.records.get((name, kind), [])


@contextmanager
def dns_server() -> Iterator[DnsServer]:
    """A server on a free port of 127.0.0.1, stopped at the end."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        server = DnsServer(listening.getsockname()[1])

        def serve() -> None:
            while True:
                wire, asker = listening.recvfrom(65_535)
                if wire == _STOP:
                    return
                answered = server.answer(wire)
                if answered is not None:
                    listening.sendto(answered, asker)

        serving = threading.Thread(target=serve, name="dns", daemon=True)
        serving.start()
        try:
            yield server
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stopping:
                stopping.sendto(_STOP, ("127.0.0.1", server.port))
            serving.join()


_STOP = b"stop"
