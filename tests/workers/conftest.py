"""A Valkey of our own for tests of queues, and a place for the socket of a service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.embedded import socket_folder
from ops.throwaway import valkey_server
from tests.domain.matches.postgres import fresh_database, postgres_server
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
def hosts(tmp_path: Path, redis_url: str) -> Iterator[House]:
    """Roles of a house on several hosts, beside a PostgreSQL of their own."""
    with postgres_server() as server:
        log, reads = fresh_database(server, "log"), fresh_database(server, "reads")
        with house(tmp_path, log, reads, redis_url) as found:
            yield found
