"""The HTTP server of a witness, without a framework."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final

import uvicorn

from domain.transparency.witnessing import REQUEST_BYTES_MAX
from ops.connections import protocol_for
from ops.transparency.witness import Answer, Witness
from projections.platform.descriptors import raise_descriptor_limit
from projections.platform.settings import Settings

GRACE_SECONDS: Final = 2
CHECKPOINT: Final = "/checkpoint"
REFUSED: Final = "/refused"
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
NOT_THERE: Final = Answer(404, "not found\n")
TOO_LARGE: Final = Answer(413, f"request body larger than {REQUEST_BYTES_MAX:,} bytes\n")


class TooLarge(Exception):
    """The error of a request body that is too large."""


async def body_of(receive: Receive) -> bytes:
    """Read the body; raise `TooLarge` beyond `REQUEST_BYTES_MAX`."""
    body, has_more = b"", True
    while has_more:
        message = await receive()
        body += message.get("body", b"")
        has_more = message.get("more_body", False)
        if len(body) > REQUEST_BYTES_MAX:
            raise TooLarge
    return body


def application(witness: Witness) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Return the ASGI application of a witness: its key at `/`, `/add-checkpoint`, `/reset`, and the state of logs.

    The state is the latest checkpoint and the refused requests. Other paths give 404, another method than POST for the
    two 405, and too large a body 413.
    """
    posts: Mapping[str, Callable[[bytes], Answer]] = {
        "/add-checkpoint": witness.add_checkpoint,
        "/reset": witness.reset,
    }

    async def answer_to(scope: Scope, receive: Receive) -> Answer:
        method, path = str(scope["method"]), str(scope["path"])
        if path in posts:
            if method != "POST":
                return Answer(405, "method not allowed: use POST\n")
            return await asyncio.to_thread(posts[path], await body_of(receive))
        if method not in {"GET", "HEAD"}:
            return NOT_THERE
        if path == "/":
            return Answer(200, f"{witness.key}\n")
        if path.endswith(REFUSED):
            return await asyncio.to_thread(witness.serve_refused, path[1 : -len(REFUSED)])
        if path.endswith(CHECKPOINT):
            return await asyncio.to_thread(witness.checkpoint, path[1 : -len(CHECKPOINT)])
        return NOT_THERE

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            response = await answer_to(scope, receive)
        except TooLarge:
            response = TOO_LARGE
        content = response.body.encode()
        headers = [(b"content-type", response.content_type.encode()), (b"content-length", str(len(content)).encode())]
        if response.status in {405, 413}:
            headers.append((b"allow", b"POST") if response.status == 405 else (b"connection", b"close"))
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else content})

    return app


def server_of(witness: Witness, settings: Settings | None = None) -> uvicorn.Server:
    """Return the server of a witness, to be run with a bound socket."""
    config = uvicorn.Config(
        application(witness),
        loop="uvloop",
        **protocol_for(settings or Settings()),
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    return uvicorn.Server(config)


def serve(witness: Witness, listener: socket.socket) -> None:
    """Serve until the process is stopped."""
    raise_descriptor_limit()
    server_of(witness).run(sockets=[listener])
