"""A web process from its first request to its last: the public server, the door for workers of other hosts, and how
both come to an end without a request that fails."""

from __future__ import annotations

import asyncio
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import uvicorn
import uvloop
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from api.http.draining import Draining
from api.http.request_ids import RequestIds
from domain.kernel.loading import load
from ops.connections import protocol_for
from projections.platform.descriptors import raise_descriptor_limit
from projections.platform.settings import Settings

GRACE_SECONDS: Final = 2
"""An open stream would otherwise keep the server from stopping."""
FAILED: Final = 1
SWITCH_SECONDS: Final = 0.001
"""A thread that draws gives way to the event loop after so long, and the loop to a thread: a request changes between
them several times, and waits so long each time at the most. The interpreter's own interval is five times that."""


class Sockets(msgspec.Struct, frozen=True):
    """Where a web process is reached, all bound already; `are_kept`: somebody else holds them open and hands them to
    the next process, so that nobody need be sent elsewhere."""

    public: tuple[socket.socket, ...]
    door: socket.socket | None = None
    are_kept: bool = False


def build_config(application: Any, settings: Settings, *, is_door: bool = False, **more: object) -> uvicorn.Config:
    """How the application is served. Without proxies nobody is believed to ask for somebody else: the server's own
    default is to believe every caller on this machine. Who sends a request is looked at before that."""
    if settings.proxies and not is_door:
        application = ProxyHeadersMiddleware(application, trusted_hosts=list(settings.proxies))
    usual: dict[str, Any] = {"lifespan": "on", **protocol_for(settings)}
    return uvicorn.Config(
        RequestIds(
            application,
            settings.proxies,
            believes_all=is_door,
            traced_by=settings.token if settings.traces else "",
        ),
        loop="uvloop",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
        proxy_headers=False,
        log_config=None,
        **(usual | more),
    )


def door_config(application: object, settings: Settings) -> uvicorn.Config:
    """How it is served at the door: over TLS, to whoever shows a certificate of the house where one is asked for."""
    return build_config(
        load("api.http.guards", "by_door")(application),
        settings,
        is_door=True,
        lifespan="off",
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
        ssl_ca_certs=settings.tls_ca,
        ssl_cert_reqs=ssl.CERT_NONE if settings.tls_ca is None else ssl.CERT_REQUIRED,
    )


class ToldServer(uvicorn.Server):
    """A server that leaves the signals to us, because there are two, and says when it takes requests."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()


def run_web(
    application: object,
    settings: Settings,
    sockets: Sockets,
    draining: Draining,
    on_ready: Callable[[], None] = lambda: None,
) -> int:
    """Serves until SIGTERM or SIGINT, then drains; the exit code."""
    sys.setswitchinterval(SWITCH_SECONDS)
    raise_descriptor_limit()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(serve_both(application, settings, sockets, draining, on_ready))


async def serve_both(
    application: object, settings: Settings, sockets: Sockets, draining: Draining, on_ready: Callable[[], None]
) -> int:
    """The door opens when the application is there, and closes with the public server."""
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    servers = [ToldServer(build_config(application, settings))]
    serving = [asyncio.create_task(servers[0].serve(list(sockets.public)))]
    await first_of(servers[0].is_up.wait(), serving)
    if not servers[0].started:
        return FAILED
    if sockets.door is not None:
        servers.append(ToldServer(door_config(application, settings)))
        serving.append(asyncio.create_task(servers[1].serve([sockets.door])))
        await first_of(servers[1].is_up.wait(), serving)
    if all(server.started for server in servers):
        on_ready()
        await first_of(told.wait(), serving)
    draining.begin()
    if told.is_set() and not sockets.are_kept:
        await first_of(asyncio.sleep(settings.drain_seconds), serving)
    for server in servers:
        server.should_exit = True
    await asyncio.gather(*serving)
    return 0 if told.is_set() else FAILED


async def first_of(wanted: Any, serving: Sequence[asyncio.Task[None]]) -> None:
    """Until it has happened, or a server has ended by itself."""
    waiting = asyncio.ensure_future(wanted)
    await asyncio.wait((waiting, *serving), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
