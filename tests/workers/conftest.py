"""A Valkey of our own for tests of queues, and a place for the socket of a service."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from ops.embedded import socket_folder, valkey_command

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
