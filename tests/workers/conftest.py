"""A Valkey of our own for tests of queues, and a place for the socket of a service."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from ops.embedded import socket_folder, valkey_command
from tests.domain.matches.postgres import fresh_database, postgres_server
from tests.workers.roles import House, house

CONNECT_RETRIES = 200
CONNECT_RETRY_SECONDS = 0.05


@pytest.fixture
def redis_url() -> Iterator[str]:
    """An empty Valkey on a private socket."""
    folder = socket_folder()
    socket = folder / "valkey.sock"
    process = subprocess.Popen(valkey_command(socket, folder / "valkey.log"))
    url = f"unix://{socket}"
    try:
        retry = Retry(ConstantBackoff(CONNECT_RETRY_SECONDS), CONNECT_RETRIES)
        with Redis.from_url(url, retry=retry) as connection:
            connection.ping()
        yield url
    finally:
        process.kill()
        process.wait()
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


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
