"""Push endpoints: allowed and forbidden addresses."""

from ipaddress import ip_address

import pytest

from domain.notifications.endpoints import EndpointRefused, is_public, read_endpoint


def test_a_public_endpoint_has_an_address() -> None:
    assert read_endpoint("https://push.example.org/send/abc").origin == "https://push.example.org"
    assert read_endpoint("https://push.example.org:8443/x").origin == "https://push.example.org:8443"
    assert read_endpoint("https://[2606:4700::1]/x").origin == "https://[2606:4700::1]"
    assert read_endpoint("https://8.8.8.8/x").address == "8.8.8.8:443"


@pytest.mark.parametrize(
    "url",
    [
        "http://push.example.org/x",
        "ftp://push.example.org/x",
        "push.example.org/x",
        "https:///x",
        "https://user:word@push.example.org/x",
        "https://push.example.org:99999/x",
        "https://push.example.org/a b",
        "https://push.example.org/\u00e9",
        "https://localhost/x",
        "https://intranet/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://2130706433/x",
        "https://0x7f.0.0.1/x",
        "https://0x7f.1/x",
        "https://10.0.0.1/x",
        "https://192.168.1.1/x",
        "https://172.16.0.1/x",
        "https://169.254.169.254/latest",
        "https://100.64.0.1/x",
        "https://0.0.0.0/x",
        "https://224.0.0.1/x",
        "https://[::1]/x",
        "https://[fe80::1]/x",
        "https://[fc00::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://[2002:7f00:1::]/x",
        "https://[64:ff9b::7f00:1]/x",
        "https://[ff02::1]/x",
        "https://[fec0::1]/x",
        "https://[::127.0.0.1]/x",
        "https://[64:ff9b:1::a00:1]/x",
        "https://[64:ff9b::8.8.8.8]/x",
        "https://[2001:db8::1]/x",
        "https://[3fff::1]/x",
        "https://[100::1]/x",
        "https://192.0.0.8/x",
        "https://192.88.99.1/x",
        "https://198.18.0.1/x",
        "https://203.0.113.5/x",
        "https://255.255.255.255/x",
    ],
)
def test_private_and_insecure_endpoints_are_refused(url: str) -> None:
    with pytest.raises(EndpointRefused):
        read_endpoint(url)


def test_an_allowed_place_may_be_private_at_its_port_only() -> None:
    assert read_endpoint("https://127.0.0.1:8443/x", {"127.0.0.1:8443"}).port == 8443
    with pytest.raises(EndpointRefused, match=r"127\.0\.0\.1 is not on the public internet"):
        read_endpoint("https://127.0.0.1:8444/x", {"127.0.0.1:8443"})


def test_addresses_inside_other_addresses_are_checked() -> None:
    assert is_public(ip_address("::ffff:8.8.8.8"))
    assert not is_public(ip_address("::ffff:192.168.0.1"))
    assert not is_public(ip_address("2001:0:4136:e378:8000:63bf:3fff:fdd2".replace("3fff:fdd2", "80ff:fffe")))
