"""Links for other people contain the configured origin, whatever the `Host` header."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from litestar.testing import TestClient

from api.http.page_responses import is_local_host
from tests.api.matches.test_private import Reader
from tests.api.service import Person, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

ORIGIN: Final = "https://esporles.example"
EVIL: Final = "evil.example"
API: Final = Path(__file__).parents[3] / "api"


def client_of(folder: Path, address: str) -> TestClient[Any]:
    settings = msgspec.structs.replace(settings_in(folder), address=address)
    return TestClient(create_app(settings, entropy()))


@pytest.fixture
def client_with_origin(tmp_path: Path) -> Iterator[TestClient[Any]]:
    with client_of(tmp_path, ORIGIN) as client:
        yield client


@pytest.fixture
def client_without_origin(tmp_path: Path) -> Iterator[TestClient[Any]]:
    """Start a service without a configured origin."""
    with client_of(tmp_path, "") as client:
        yield client


class Guest(Reader):
    """A client that sends a given host name."""

    def __init__(self, client: TestClient[Any], person: Person, host: str) -> None:
        super().__init__(client, person)
        self.host = host

    def goes(self, path: str) -> Any:
        self.client.headers["Host"] = self.host
        return super().goes(path)


def pages(client: TestClient[Any], host: str) -> list[str]:
    """Return the page of a new invitation and the page of challenges, requested from the host."""
    ann = Person(client)
    private, public = (ann.opens(2, table={"public": is_public}) for is_public in (False, True))
    reader, page = Guest(client, ann, host), f"/tables/{private}/invitations"
    return [reader.sends(page, page).text, reader.goes(f"/tables/{public}/challenges").text]


def test_a_configured_origin_is_in_all_links(client_with_origin: TestClient[Any]) -> None:
    for text in pages(client_with_origin, EVIL):
        assert f"{ORIGIN}/" in text
        assert EVIL not in text


def test_without_an_origin_a_foreign_host_is_not_trusted(client_without_origin: TestClient[Any]) -> None:
    for text in pages(client_without_origin, EVIL):
        assert "http://localhost:8000/" in text
        assert EVIL not in text


@pytest.mark.parametrize("host", ["localhost:8123", "192.168.1.5:8123", "[::1]:8123", "club-desk:8123", "desk.local"])
def test_without_an_origin_a_local_host_is_trusted(client_without_origin: TestClient[Any], host: str) -> None:
    for text in pages(client_without_origin, host):
        assert f"http://{host}/" in text


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.9",
        "192.168.1.5",
        "169.254.7.7",
        "100.64.0.1",
        "100.127.255.254",
        "::1",
        "fd00::7",
        "fe80::7",
        "::ffff:192.168.1.5",
        "club-desk",
        "Arbitration",
        "3rd-desk",
        "desk.local",
        "desk.local.",
        "desk.hall.lan",
        "desk.home.arpa",
        "desk.internal",
        "desk.localhost",
    ],
)
def test_hosts_of_a_local_network_are_nearby(host: str) -> None:
    assert is_local_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        ".",
        "8.8.8.8",
        "100.128.0.1",
        "2606:4700::1",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "134744072",
        "0x08080808",
        "0x",
        "8.8.2056",
        "desk.example",
        "localhost.evil.example",
        "evil.example.",
        "local.evil.example",
        "home.arpa.evil.example",
        ".local",
        "a b",
        "-",
        "desk_1",
        "evil.example/desk.local",
    ],
)
def test_hosts_of_the_internet_are_not_nearby(host: str) -> None:
    """Browsers read a whole number as an IPv4 address."""
    assert not is_local_host(host)


def test_no_other_link_uses_the_host_header() -> None:
    found = [
        str(path.relative_to(API))
        for path in sorted(API.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"request.base_url", "request.url.netloc"}
    ]
    assert found == ["http/page_responses.py"]
