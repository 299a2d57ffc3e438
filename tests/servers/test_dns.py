"""The name server that tests ask answers what was put into it."""

from __future__ import annotations

import dns.resolver
import pytest
from tests.servers.dns import dns_server


def test_it_answers_what_was_put_into_it() -> None:
    """Addresses and texts; other kinds of a known name have no data, other names do not exist, and questions are kept."""
    with dns_server() as server:
        server.put("Mail.example", "A", "192.0.2.1", "192.0.2.2")
        server.put("_dmarc.mail.example", "TXT", '"v=DMARC1; p=none"')
        server.put_turns("turning.example", "A", ["192.0.2.3"], ["192.0.2.4"])
        server.broken.add("broken.example")
        asks = server.resolver()

        assert {each.to_text() for each in asks.resolve("mail.example.", "A")} == {"192.0.2.1", "192.0.2.2"}
        assert [each.strings for each in asks.resolve("_dmarc.mail.example.", "TXT")] == [(b"v=DMARC1; p=none",)]
        turned = [[each.to_text() for each in asks.resolve("turning.example.", "A")] for _ in range(3)]
        assert turned == [["192.0.2.3"], ["192.0.2.4"], ["192.0.2.4"]]
        with pytest.raises(dns.resolver.NoAnswer):
            asks.resolve("mail.example.", "AAAA")
        with pytest.raises(dns.resolver.NXDOMAIN):
            asks.resolve("other.example.", "A")
        with pytest.raises(dns.resolver.NoNameservers):
            asks.resolve("broken.example.", "A")
        assert server.asked[0] == ("mail.example", "A")


def test_a_silent_name_is_not_answered() -> None:
    """Whoever asks runs out of time."""
    with dns_server() as server:
        server.silent.add("silent.example")
        with pytest.raises(dns.resolver.LifetimeTimeout):
            server.resolver(0.2).resolve("silent.example.", "A")
