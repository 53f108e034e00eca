"""A service and a Valkey for tests of what is seen of them."""

from tests.api.conftest import client, service
from tests.workers.conftest import redis_url

__all__ = ["client", "redis_url", "service"]
