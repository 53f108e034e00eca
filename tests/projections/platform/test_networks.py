"""Callers are counted by an IPv4 address or an IPv6 network, however their address is written."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from projections.platform.networks import is_within, network_of


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::7", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_a_caller_is_counted_by_an_address_or_a_network(host: str, network: str) -> None:
    assert network_of(host) == network


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("10.1.2.3", True),
        ("::ffff:10.1.2.3", True),
        ("2001:db8::9", True),
        ("11.1.2.3", False),
        ("2001:db9::9", False),
        ("testclient", False),
        ("", False),
    ],
)
def test_an_address_is_within_networks_of_its_own_kind(host: str, expected: bool) -> None:
    networks = [ip_network("10.0.0.0/8"), ip_network("2001:db8::/32")]

    assert is_within(host, networks) is expected
