"""Trust in request ids and trace ids.

Request ids are accepted from configured proxies and on private sockets. Trace ids are accepted only from the service's
workers, because proxies forward the headers of strangers.
"""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_network
from typing import Any, Final

from litestar.types import ASGIApp

from projections.platform.networks import is_within
from projections.platform.telemetry.requests import GIVEN, RAW_HEADER, accept_request_id
from projections.platform.telemetry.spans import GIVEN_TRACE, TRACEPARENT

TRACE: Final = TRACEPARENT.encode()
TOKEN: Final = b"authorization"


class RequestIds:
    """ASGI middleware that accepts request ids from trusted senders.

    It must run before the client address is rewritten.
    """

    def __init__(
        self, application: ASGIApp, proxies: tuple[str, ...], *, believes_all: bool = False, traced_by: str = ""
    ) -> None:
        """Create the middleware; `traced_by` is the token of senders whose traces continue here, empty for none."""
        self._application = application
        self._bearer = f"Bearer {traced_by}".encode() if traced_by else b""
        self._proxies = [ip_network(each) for each in proxies]
        self._believes_all = believes_all

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request, with the sender's request id and trace if trusted."""
        if scope["type"] == "http" and self._is_trusted(scope):
            header = next((value for name, value in scope["headers"] if name == RAW_HEADER), None)
            if (request := accept_request_id(header)) is not None:
                scope = {**scope, "state": {**scope.get("state", {}), GIVEN: request}}
            if self._bearer:
                scope = self._with_trace(scope)
        await self._application(scope, receive, send)

    def _with_trace(self, scope: Any) -> Any:
        """Return the scope, with the sender's trace if a worker with the service's token uses a private socket."""
        headers = dict(scope["headers"])
        header = headers.get(TRACE, b"")
        if (
            not header
            or not self._uses_private_socket(scope)
            or not compare_digest(headers.get(TOKEN, b""), self._bearer)
        ):
            return scope
        return {**scope, "state": {**scope.get("state", {}), GIVEN_TRACE: header.decode("latin-1")}}

    def _uses_private_socket(self, scope: Any) -> bool:
        """Return whether the request uses a private socket."""
        return self._believes_all or (scope["server"] is not None and scope["server"][1] is None)

    def _is_trusted(self, scope: Any) -> bool:
        """Return whether the sender may set the request id: on a private socket, or from a configured proxy."""
        if self._uses_private_socket(scope):
            return True
        return bool(self._proxies and scope["client"]) and is_within(scope["client"][0], self._proxies)
