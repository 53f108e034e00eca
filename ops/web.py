"""A web process: public server, private port for workers on other hosts, and graceful shutdown of both."""

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
"""Grace period of a shutdown in seconds; an open stream would otherwise block it."""
FAILED: Final = 1
SWITCH_SECONDS: Final = 0.001
"""Switch interval of threads in seconds; a request switches between the event loop and a thread several times.

The interpreter's default is five times as long.
"""


class Sockets(msgspec.Struct, frozen=True):
    """Bound sockets of a web process.

    `are_kept`: another process keeps the sockets open and passes them to the next web process, so that no client must
    go elsewhere.
    """

    public: tuple[socket.socket, ...]
    door: socket.socket | None = None
    are_kept: bool = False


def build_config(application: Any, settings: Settings, *, is_door: bool = False, **overrides: object) -> uvicorn.Config:
    """Return the configuration of a server, of the private port with `is_door`; `overrides` replace its defaults.

    Forwarded addresses are trusted only from configured proxies, and on the private port not at all; the server's
    default would trust every local process. Request ids are handled before addresses are replaced.
    """
    if settings.proxies and not is_door:
        application = ProxyHeadersMiddleware(application, trusted_hosts=list(settings.proxies))
    defaults: dict[str, Any] = {"lifespan": "on", **protocol_for(settings)}
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
        **(defaults | overrides),
    )


def private_config(application: object, settings: Settings) -> uvicorn.Config:
    """Return the configuration of the private port: TLS, with client certificates if an authority is set."""
    return build_config(
        load("api.http.guards", "mark_worker_port")(application),
        settings,
        is_door=True,
        lifespan="off",
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
        ssl_ca_certs=settings.tls_ca,
        ssl_cert_reqs=ssl.CERT_NONE if settings.tls_ca is None else ssl.CERT_REQUIRED,
    )


class ReportingServer(uvicorn.Server):
    """A server that ignores signals, because there are two of them, and reports when it accepts requests."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start and set `is_up`."""
        await super().startup(sockets)
        self.is_up.set()


def run_web(
    application: object,
    settings: Settings,
    sockets: Sockets,
    draining: Draining,
    on_ready: Callable[[], None] = lambda: None,
) -> int:
    """Serve until SIGTERM or SIGINT, then drain; return the exit code, `FAILED` if a server stopped without a signal.

    `on_ready` is called when all servers accept requests.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    raise_descriptor_limit()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(serve_both(application, settings, sockets, draining, on_ready))


async def serve_both(
    application: object, settings: Settings, sockets: Sockets, draining: Draining, on_ready: Callable[[], None]
) -> int:
    """Serve the public sockets and, once they accept requests, the private port until a signal.

    Returns the exit code. Afterwards both serve for `drain_seconds` more, unless another process keeps the sockets.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    servers = [ReportingServer(build_config(application, settings))]
    serving = [asyncio.create_task(servers[0].serve(list(sockets.public)))]
    await wait_for_first(servers[0].is_up.wait(), serving)
    if not servers[0].started:
        return FAILED
    if sockets.door is not None:
        servers.append(ReportingServer(private_config(application, settings)))
        serving.append(asyncio.create_task(servers[1].serve([sockets.door])))
        await wait_for_first(servers[1].is_up.wait(), serving)
    if all(server.started for server in servers):
        on_ready()
        await wait_for_first(stop.wait(), serving)
    draining.begin()
    if stop.is_set() and not sockets.are_kept:
        await wait_for_first(asyncio.sleep(settings.drain_seconds), serving)
    for server in servers:
        server.should_exit = True
    await asyncio.gather(*serving)
    return 0 if stop.is_set() else FAILED


async def wait_for_first(awaitable: Any, serving: Sequence[asyncio.Task[None]]) -> None:
    """Wait until the awaitable is done or a server stops; cancel the wait for the former."""
    future = asyncio.ensure_future(awaitable)
    await asyncio.wait((future, *serving), return_when=asyncio.FIRST_COMPLETED)
    future.cancel()
