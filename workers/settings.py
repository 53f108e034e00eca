"""The settings by which workers reach the service and the queues."""

from pathlib import Path

import msgspec

from projections.platform.settings import Settings


class WorkerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The service's private socket or the URLs of its web hosts, the service token and the address of Redis."""

    socket: Path | None
    token: str
    redis: str
    services: tuple[str, ...] = ()
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


def worker_settings(settings: Settings) -> WorkerSettings:
    """Return the settings that workers need; raise `MissingSetting` if one of them is not set.

    These are Redis, the token and, without web hosts, the private socket.
    """
    settings.require("redis", "token")
    if not settings.services:
        settings.require("socket")
    return WorkerSettings(
        socket=settings.socket,
        token=settings.token,
        redis=settings.redis,
        services=settings.services,
        ca=settings.tls_ca,
        certificate=settings.tls_certificate,
        key=settings.tls_key,
    )
