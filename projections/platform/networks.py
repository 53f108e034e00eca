"""IP addresses of callers: the network that a caller is counted by, and membership in configured networks."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

NETWORK_BITS: Final = 64
"""Prefix length by which IPv6 callers are counted: a provider assigns at least such a network to one customer."""


def read_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is, an IPv4-mapped one as IPv4; `None` for a name."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (address.ipv4_mapped if address.version == 6 else None) or address


def network_of(host: str) -> str:
    """Return the IPv4 address or the IPv6 network of `NETWORK_BITS` that a caller is counted by.

    A name is returned unchanged; an IPv4-mapped address counts as IPv4.
    """
    address = read_address(host)
    if address is None:
        return host
    return str(address if address.version == 4 else ip_network((int(address), NETWORK_BITS), strict=False))


def is_within(host: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Return whether a host is an address in one of these networks."""
    address = read_address(host)
    return address is not None and any(address in network for network in networks)
