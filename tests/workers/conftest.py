"""Valkey and a service on several hosts, for tests of workers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ops.temporary_service import valkey_server
from tests.workers.roles import Deployment, deployment


@pytest.fixture
def redis_url() -> Iterator[str]:
    """Provide an empty Valkey on a private socket."""
    with valkey_server() as url:
        yield url


@pytest.fixture
def hosts(tmp_path: Path, redis_url: str, another_postgres: Callable[[], str]) -> Iterator[Deployment]:
    """Provide the processes of a service on several hosts."""
    with deployment(tmp_path, another_postgres(), another_postgres(), redis_url) as hosts:
        yield hosts
