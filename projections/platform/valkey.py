"""Connections to Valkey or Redis (`valkey_urls.py`)."""

from collections.abc import Container
from typing import Any, Final
from urllib.parse import unquote

from redis import Redis
from redis import asyncio as redis_asyncio
from redis.exceptions import RedisError
from redis.sentinel import Sentinel

from projections.platform.valkey_urls import NO_CLUSTER, SENTINEL, BadServer, sentinels_of

SENTINEL_SECONDS: Final = 1.0


def without_options(url: str, names: Container[str]) -> str:
    """Return the URL without the options of these names, which `from_url` would prefer to its arguments."""
    place, _, query = url.partition("?")
    kept = [option for option in query.split("&") if unquote(option.partition("=")[0]) not in names]
    return f"{place}?{'&'.join(kept)}"


def valkey(url: str, **options: object) -> Redis:
    """Return a client, which connects on first use, of a server or of the master that sentinels name.

    `options` replace the options in the URL. Raise `BadServer` for a bad URL of sentinels, `ValueError` for another
    bad URL.
    """
    if url.partition("://")[0] not in SENTINEL:
        return Redis.from_url(without_options(url, options), **options)
    sentinels = sentinels_of(url)
    quick = {"socket_timeout": SENTINEL_SECONDS, "socket_connect_timeout": SENTINEL_SECONDS, **sentinels.of_sentinels}
    sentinel = Sentinel(sentinels.addresses, sentinel_kwargs=quick)  # type: ignore[no-untyped-call]  # untyped in redis-py
    found: Redis = sentinel.master_for(sentinels.name, **{**sentinels.options, **options})  # type: ignore[no-untyped-call]
    return found


def async_valkey(url: str, **options: Any) -> redis_asyncio.Redis:
    """Return an asyncio client, as `valkey` does."""
    if url.partition("://")[0] not in SENTINEL:
        return redis_asyncio.Redis.from_url(without_options(url, options), **options)
    sentinels = sentinels_of(url)
    quick = {"socket_timeout": SENTINEL_SECONDS, "socket_connect_timeout": SENTINEL_SECONDS, **sentinels.of_sentinels}
    sentinel = redis_asyncio.Sentinel(sentinels.addresses, sentinel_kwargs=quick)  # type: ignore[no-untyped-call]
    found: redis_asyncio.Redis = sentinel.master_for(sentinels.name, **{**sentinels.options, **options})
    return found


def require_no_cluster(url: str) -> None:
    """Raise `BadServer` if the server belongs to a cluster; an unavailable server passes."""
    try:
        with valkey(url, socket_timeout=SENTINEL_SECONDS, socket_connect_timeout=SENTINEL_SECONDS) as server:
            is_cluster = bool(server.info("cluster").get("cluster_enabled"))
    except (RedisError, OSError):
        return
    if is_cluster:
        raise BadServer(NO_CLUSTER)
