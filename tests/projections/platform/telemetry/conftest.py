"""A service, Valkey and a collector for tests of telemetry."""

from collections.abc import Iterator

import pytest

from tests.api.conftest import client, service
from tests.projections.platform.telemetry.collector import Collector, collecting
from tests.workers.conftest import redis_url

__all__ = ["client", "redis_url", "service"]


@pytest.fixture
def collector() -> Iterator[Collector]:
    """Provide a collector of traces."""
    with collecting() as found:
        yield found
