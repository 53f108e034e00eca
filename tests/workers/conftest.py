"""A Valkey of our own for tests of queues, and a place for the socket of a service."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ops.embedded import socket_folder
from ops.throwaway import valkey_server
from tests.workers.roles import House, house


@pytest.fixture
def redis_url() -> Iterator[str]:
    """An empty Valkey on a private socket."""
    with valkey_server() as url:
        yield url


@pytest.fixture
def dead_redis_url(tmp_path: Path) -> str:
    """Where no Valkey is."""
    return f"unix://{tmp_path / 'nobody.sock'}"


@pytest.fixture
def socket_path() -> Iterator[Path]:
    """A path short enough for a unix socket; whoever binds it leaves the file behind."""
    folder = socket_folder()
    yield folder / "service.sock"
    (folder / "service.sock").unlink()
    folder.rmdir()


@pytest.fixture
def hosts(tmp_path: Path, redis_url: str, another_postgres: Callable[[], str]) -> Iterator[House]:
    """Roles of a house on several hosts."""
    with house(tmp_path, another_postgres(), another_postgres(), redis_url) as found:
        yield found
