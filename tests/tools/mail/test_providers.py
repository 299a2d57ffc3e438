"""Where an address's mail lies: by the table, or by what its domain says in DNS, which nobody vouches for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.servers.dns import DnsServer, dns_server

from armslength.tools.mail.providers import Place, Provider, announced_provider, known_provider


@pytest.fixture
def names() -> Iterator[DnsServer]:
    """A name server of the test's."""
    with dns_server() as made:
        yield made


def test_a_domain_that_is_well_known_is_asked_nowhere() -> None:
    """Its servers stand in a table, in any case of the address."""
    found = known_provider("Ada@GMX.de")
    assert found is not None
    assert (found.imap, found.smtp) == (Place("imap.gmx.net", 993), Place("mail.gmx.net", 465))
    assert known_provider("ada@example.org") is None


def test_a_domain_says_where_its_mail_lies(names: DnsServer) -> None:
    """With TLS from the start before one that begins without; by the lowest priority, and the largest weight of those."""
    names.put(
        "_imaps._tcp.example.org",
        "SRV",
        "20 0 993 late.example.org.",
        "10 1 993 light.example.org.",
        "10 9 994 mail.example.org.",
    )
    names.put("_imap._tcp.example.org", "SRV", "0 0 143 mail.example.org.")
    names.put("_submission._tcp.example.org", "SRV", "0 0 587 example.org.")
    assert announced_provider("ada@example.org", names.resolver()) == Provider(
        Place("mail.example.org", 994), Place("example.org", 587, "starttls")
    )


@pytest.mark.parametrize("host", ["evil.example", "example.org.evil.example", "notexample.org"])
def test_a_server_outside_of_the_domain_is_marked(names: DnsServer, host: str) -> None:
    """Whoever answers for the domain on the way could name one of his own, with a certificate that holds."""
    names.put("_imaps._tcp.example.org", "SRV", f"0 0 993 {host}.")
    found = announced_provider("ada@example.org", names.resolver())
    assert found is not None
    assert found.imap == Place(host, 993, is_within=False)


@pytest.mark.parametrize("record", ["0 0 993 .", "0 0 0 mail.example.org.", r"0 0 993 a\032b.example.org."])
def test_no_service_and_no_name_of_a_host_is_nothing(names: DnsServer, record: str) -> None:
    """A lone dot says that there is none."""
    names.put("_imaps._tcp.example.org", "SRV", record)
    assert announced_provider("ada@example.org", names.resolver()) is None


def test_where_nobody_answers_nothing_is_known(names: DnsServer) -> None:
    """Nor where the address has no domain that could be asked about."""
    names.broken.add("_imaps._tcp.example.org")
    assert announced_provider("ada@example.org", names.resolver(1.0)) is None
    assert announced_provider("ada@localhost", names.resolver()) is None
    assert announced_provider("ada@a b.example", names.resolver()) is None
