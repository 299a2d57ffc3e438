"""Which addresses are hosts of the public internet, and which are of this machine, its network, or nobody's.

Sources: the IANA registries of special-purpose addresses for IPv4 and IPv6 (RFC 6890 and what was added since), RFC 4291, RFC 6052,
RFC 8215, RFC 5214. An IPv6 address is public only in 2000::/3 and outside what is listed; each form that carries another address and can be
known by its look is refused. NAT64 with a prefix that a network took out of 2000::/3 (RFC 6052, section 2.2) looks like any other address.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_OWN_4 = tuple(
    map(IPv4Network, ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"))
)  # this machine, private networks, a provider's own
_OWN_6 = (IPv6Network("::1/128"), IPv6Network("fc00::/7"))
_NOT_PUBLIC_4 = (
    *_OWN_4,
    *map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network, and on many systems this machine
            "169.254.0.0/16",  # link-local: metadata services of clouds
            "168.63.129.16/32",  # a metadata service at an address that looks public
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation, with the next two
            "198.51.100.0/24",
            "203.0.113.0/24",
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # 6to4 relays
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    ),
)
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""What stands before an IPv4 address at the end of an address of ISATAP (RFC 5214, section 6.1)."""
_METADATA = frozenset(map(ip_address, ("100.100.100.200", "fd00:ec2::254", "fd20:ce::254", "fd00:c1::a9fe:a9fe")))
"""Metadata services of clouds in ranges that a home's hosts may have, too."""


def is_public(address: str) -> bool:
    """Whether an address may be asked that nobody named in the configuration."""
    found = _parsed(address)
    match found:
        case IPv4Address():
            return not any(found in each for each in _NOT_PUBLIC_4)
        case IPv6Address():
            is_isatap = int(found) >> 32 & 0xFFFF_FFFF in _ISATAP
            return found in _PUBLIC_6 and not is_isatap and not any(found in each for each in _NOT_PUBLIC_6)
        case _:
            return False


def is_own(address: str) -> bool:
    """Whether an address may be that of a host that the configuration names: of this machine or its network, or public."""
    found = _parsed(address)
    match found:
        case IPv4Address():
            own = any(found in each for each in _OWN_4)
        case IPv6Address():
            own = any(found in each for each in _OWN_6)
        case _:
            return False
    return is_public(address) or (own and found not in _METADATA)


def literal(host: str) -> str | None:
    """The address that a host is written as, without brackets; None if it is a name."""
    inner = host.removeprefix("[").removesuffix("]")
    return None if _parsed(inner) is None else inner


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    if "%" in address:  # of one interface alone
        return None
    try:
        return ip_address(address)
    except ValueError:
        return None
