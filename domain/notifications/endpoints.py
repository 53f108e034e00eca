"""Validation of push endpoints: https only, at public addresses.

Otherwise a user could make the service send requests into the operator's network.
"""

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple
from urllib.parse import urlsplit

HTTPS_PORT: Final = 443
GLOBAL_UNICAST: Final = ip_network("2000::/3")
"""The part of IPv6 that is assigned to the public internet (RFC 4291, 2.4).

Outside are site-local addresses (`fec0::/10`), addresses that a translator turns into IPv4 (NAT64, `64:ff9b::/96`) and
IPv4-compatible addresses.
"""
NOT_ROUTED: Final = tuple(ip_network(each) for each in ("3fff::/20", "192.0.0.0/24", "192.88.99.0/24"))
"""Networks that `is_global` of some Python versions accepts by mistake.

Documentation (RFC 9637), protocol assignments (RFC 6890) and relays of 6to4 (RFC 7526).
"""


class EndpointRefused(Exception):
    """An endpoint that must not be contacted."""


class Endpoint(NamedTuple):
    """The address at which a push service accepts messages."""

    url: str
    host: str
    port: int

    @property
    def address(self) -> str:
        """The address as `HOST:PORT`."""
        return f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of the URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}" if self.port == HTTPS_PORT else f"https://{host}:{self.port}"


def read_endpoint(url: str, allowed: Collection[str] = ()) -> Endpoint:
    """Parse an endpoint; raise `EndpointRefused` unless it is https and not at a private address.

    User names, blanks and characters outside ASCII are refused too. `allowed`: `HOST:PORT` of endpoints that
    may be anywhere.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError:
        raise EndpointRefused("the address of the push service cannot be read") from None
    if parts.scheme != "https" or not host or parts.username is not None:
        raise EndpointRefused(f"the address of the push service is not one of https: {parts.scheme}://{host}")
    if any(ord(character) <= ord(" ") or ord(character) > ord("~") for character in url):
        raise EndpointRefused("the address of the push service has characters that no address has")
    endpoint = Endpoint(url, host, port)
    if endpoint.address not in allowed and not may_be_public(host):
        raise EndpointRefused(f"the push service {host} is not on the public internet")
    return endpoint


def may_be_public(host: str) -> bool:
    """Return whether a host is a public address, or a name with a dot whose last part does not begin with a digit.

    The addresses of names are checked before anything is sent.
    """
    try:
        return is_public(ip_address(host))
    except ValueError:
        # Some resolvers accept other spellings of a number as an address: 0x7f.1, 2130706433.
        last = host.rstrip(".").rpartition(".")[2]
        return "." in host.strip(".") and not last[:1].isdigit()


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the address, or the IPv4 address inside it, belongs to the public internet."""
    if isinstance(address, IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if embedded is not None:
            return is_public(embedded)
        if address not in GLOBAL_UNICAST:
            return False
    is_assigned = not any(address in network for network in NOT_ROUTED)
    return is_assigned and address.is_global and not address.is_multicast and not address.is_reserved
