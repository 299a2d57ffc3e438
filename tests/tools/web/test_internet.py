"""Which addresses are hosts of the public internet."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.tools.web.internet import is_own, is_public, literal

REFUSED = {
    "this network": "0.0.0.0",
    "this network, another": "0.1.2.3",
    "this machine": "127.0.0.1",
    "this machine, another": "127.255.255.254",
    "a private network": "10.0.0.1",
    "a private network of twelve bits": "172.31.255.255",
    "a private network at home": "192.168.1.1",
    "a provider's own": "100.64.0.1",
    "a metadata service": "169.254.169.254",
    "a metadata service in a provider's own": "100.100.100.200",
    "a metadata service that looks public": "168.63.129.16",
    "protocol assignments": "192.0.0.170",
    "documentation": "192.0.2.1",
    "documentation, second": "198.51.100.7",
    "documentation, third": "203.0.113.7",
    "benchmarks": "198.19.0.1",
    "a relay of 6to4": "192.88.99.1",
    "multicast": "224.0.0.1",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "nobody in IPv6": "::",
    "this machine in IPv6": "::1",
    "mapped": "::ffff:127.0.0.1",
    "mapped, and public": "::ffff:93.184.215.14",
    "mapped, in letters": "::ffff:7f00:1",
    "translated": "::ffff:0:127.0.0.1",
    "compatible": "::127.0.0.1",
    "6to4": "2002:7f00:1::",
    "Teredo": "2001:0:7f00:1::",
    "NAT64": "64:ff9b::7f00:1",
    "NAT64 of a network's own": "64:ff9b:1::7f00:1",
    "ISATAP": "2a00:1450:4001:800:0:5efe:a00:1",
    "ISATAP, said to be unique": "2a00:1450:4001:800:200:5efe:a00:1",
    "discarded": "100::1",
    "unique local": "fd00::1",
    "a metadata service in unique local": "fd00:ec2::254",
    "link-local": "fe80::1",
    "link-local with a zone": "fe80::1%eth0",
    "site-local": "fec0::1",
    "multicast in IPv6": "ff02::1",
    "documentation in IPv6": "2001:db8::1",
    "documentation in IPv6, second": "3fff::1",
    "ORCHID": "2001:20::1",
    "segments of routing": "5f00::1",
    "outside what is given out": "4000::1",
    "no address": "www.example",
    "a number": "2130706433",
    "three parts": "127.1",
    "octal": "0177.0.0.1",
    "nothing": "",
}


@pytest.mark.parametrize("address", REFUSED.values(), ids=REFUSED)
def test_what_is_not_of_the_internet_is_refused(address: str) -> None:
    """By the registries of special addresses; each form that carries another address is refused with whatever it carries."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "93.184.215.14",
        "172.32.0.1",
        "100.128.0.1",
        "223.255.255.254",
        "2606:4700::1",
        "2a00:1450::1",
        "2001:4860::8888",
        "2a00:1450::5efe:0:0:1",
        "2a00:1450::100:5efe:a00:1",
    ],
)
def test_hosts_of_the_internet(address: str) -> None:
    """Also those right beside what is refused."""
    assert is_public(address)
    assert is_own(address)


@pytest.mark.parametrize(
    ("address", "may_be"),
    [
        ("127.0.0.1", True),
        ("192.168.1.1", True),
        ("10.1.2.3", True),
        ("100.64.0.1", True),
        ("::1", True),
        ("fd12::1", True),
        ("169.254.169.254", False),
        ("100.100.100.200", False),
        ("fd00:ec2::254", False),
        ("fe80::1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::ffff:192.168.1.1", False),
        ("www.example", False),
    ],
)
def test_a_host_that_the_configuration_names_may_be_of_a_network_of_its_own(address: str, *, may_be: bool) -> None:
    """But no metadata service, and nothing that is not one host."""
    assert is_own(address) is may_be


@given(st.ip_addresses())
def test_nothing_is_taken_for_public_that_the_standard_library_does_not(address: IPv4Address | IPv6Address) -> None:
    """It reads the same registries, of another year, and keeps addresses that are carried apart."""
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_multicast
        assert getattr(address, "ipv4_mapped", None) is None
        assert getattr(address, "sixtofour", None) is None
        assert getattr(address, "teredo", None) is None


def test_a_host_that_is_written_as_an_address() -> None:
    """Brackets are how a URL writes it."""
    assert [literal(each) for each in ("[::1]", "1.2.3.4", "www.example", "1.2.3.4.5")] == [
        "::1",
        "1.2.3.4",
        None,
        None,
    ]
