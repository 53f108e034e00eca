"""The status page of a monitor: the last look as HTML, as JSON and as metrics."""

from __future__ import annotations

import html
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import structlog
import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ops.connections import protocol_for
from ops.transparency.monitor import Look, Monitor
from projections.platform.settings import Settings

log = structlog.get_logger("monitor")

GRACE_SECONDS: Final = 2
HTML_TYPE: Final = "text/html; charset=utf-8"
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class MonitorThread:
    """Checks a log every `seconds`; `latest` is the last result, None before the first."""

    def __init__(self, monitor: Monitor, seconds: float) -> None:
        self._monitor, self._seconds = monitor, seconds
        self._is_closing, self._logged = threading.Event(), set[tuple[str, str]]()
        self.latest: Look | None = None
        self._thread = threading.Thread(target=self._run, name="monitor", daemon=True)

    def start(self) -> None:
        """Start looking."""
        self._thread.start()

    def close(self, seconds: float) -> None:
        """Stop after the current look, and wait for it for at most `seconds`."""
        self._is_closing.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self._is_closing.is_set():
            try:
                self.latest = self._monitor.look()
                self._log(self.latest)
                pause = self._seconds if self.latest.is_complete else 0.0
            except Exception:
                log.exception("cannot look at the log")
                pause = self._seconds
            self._is_closing.wait(pause)

    def _log(self, look: Look) -> None:
        """Log each problem of a look, and each finding once."""
        for condition in look.conditions:
            log.warning("the log has a problem", kind=condition.kind, reason=condition.reason)
        for finding in look.findings:
            if (finding.kind, finding.reason) not in self._logged:
                self._logged.add((finding.kind, finding.reason))
                log.error("the log broke a promise", kind=finding.kind, reason=finding.reason, evidence=finding.file)


class LookMetrics(Collector):
    """Metrics of the last look."""

    def __init__(self, thread: MonitorThread) -> None:
        self._thread = thread

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics; none before the first look."""
        look = self._thread.latest
        if look is None:
            return
        yield GaugeMetricFamily("esporles_monitor_good", "1 if nothing is wrong and nothing ever was", look.is_good)
        yield GaugeMetricFamily("esporles_monitor_leaves", "Verified leaves of the log", look.size)
        yield GaugeMetricFamily("esporles_monitor_look_timestamp_seconds", "Time of the last look", look.seconds)
        yield GaugeMetricFamily("esporles_monitor_findings", "Broken promises of the log", len(look.findings))
        yield GaugeMetricFamily("esporles_monitor_conditions", "Present problems of the log", len(look.conditions))


def moment(seconds: int) -> str:
    """Return a Unix time as text in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"


def page(url: str, look: Look | None) -> str:
    """Return the status page."""
    lines = ["not looked at yet"] if look is None else describe_look(look)
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    title = f"Monitor of {html.escape(url)}"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
    return f"{head}<h1>{title}</h1><ul>{items}</ul>"


def describe_look(look: Look) -> list[str]:
    """Describe a check in lines: the log, its size and root, present faults, and all findings."""
    state = "good" if look.is_good else "NOT GOOD"
    lines = [
        f"{state}: {look.origin or 'no checkpoint yet'}, {look.size} leaves verified, looked at {moment(look.seconds)}"
    ]
    if not look.is_complete:
        lines.append("more leaves are being fetched")
    if look.root:
        lines.append(f"root {look.root}")
    lines += [f"{each.kind}: {each.reason}" for each in look.conditions]
    lines += [f"{each.kind} at {moment(each.seconds)}: {each.reason}; evidence/{each.file}" for each in look.findings]
    return lines


def application(url: str, thread: MonitorThread) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Return the ASGI application: `/`, `/status.json` and `/metrics`; other paths give 404."""
    registry = CollectorRegistry()
    registry.register(LookMetrics(thread))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        if scope["type"] != "http":
            return
        contents: dict[str, Callable[[], tuple[str, bytes]]] = {
            "/": lambda: (HTML_TYPE, page(url, thread.latest).encode()),
            "/status.json": lambda: ("application/json", msgspec.json.encode(thread.latest)),
            "/metrics": lambda: (CONTENT_TYPE_LATEST, generate_latest(registry)),
        }
        make = contents.get(str(scope["path"])) if scope["method"] in {"GET", "HEAD"} else None
        kind, content = make() if make else ("text/plain; charset=utf-8", b"not found\n")
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200 if make else 404, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else content})

    return app


def server_of(url: str, thread: MonitorThread, settings: Settings | None = None) -> uvicorn.Server:
    """Return the server of the status page, to be run with a bound socket."""
    config = uvicorn.Config(
        application(url, thread),
        loop="uvloop",
        **protocol_for(settings or Settings()),
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    return uvicorn.Server(config)


def serve(url: str, monitor: Monitor, seconds: float, listener: socket.socket) -> None:
    """Check the log every `seconds` and serve the status page until the process is stopped."""
    thread = MonitorThread(monitor, seconds)
    thread.start()
    try:
        server_of(url, thread).run(sockets=[listener])
    finally:
        thread.close(GRACE_SECONDS)
