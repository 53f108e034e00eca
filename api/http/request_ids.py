"""Who may say the id of a request: a proxy that is named, and whoever comes by a door of the house's own. And who may
say with which trace it goes on: a worker of the house alone, as a proxy passes on what strangers say."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_network
from typing import Any, Final

from litestar.types import ASGIApp

from projections.platform.networks import is_within
from projections.platform.telemetry.requests import GIVEN, RAW_HEADER, accepted
from projections.platform.telemetry.spans import GIVEN_TRACE, TRACEPARENT

TRACE: Final = TRACEPARENT.encode()
TOKEN: Final = b"authorization"


class RequestIds:
    """Takes ids over from who is believed. It stands before what rewrites the address of the caller."""

    def __init__(
        self, application: ASGIApp, proxies: tuple[str, ...], *, believes_all: bool = False, traced_by: str = ""
    ) -> None:
        """`traced_by`: the token of those whose traces are gone on with; empty: nobody's are."""
        self._application = application
        self._bearer = f"Bearer {traced_by}".encode() if traced_by else b""
        self._proxies = [ip_network(each) for each in proxies]
        self._believes_all = believes_all

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Passes on what is asked."""
        if scope["type"] == "http" and self._is_believed(scope):
            given = next((value for name, value in scope["headers"] if name == RAW_HEADER), None)
            if (request := accepted(given)) is not None:
                scope = {**scope, "state": {**scope.get("state", {}), GIVEN: request}}
            if self._bearer:
                scope = self._with_trace(scope)
        await self._application(scope, receive, send)

    def _with_trace(self, scope: Any) -> Any:
        """With the trace that a worker goes on with, if it is one who asks."""
        headers = dict(scope["headers"])
        given = headers.get(TRACE, b"")
        if not given or not self._is_own(scope) or not compare_digest(headers.get(TOKEN, b""), self._bearer):
            return scope
        return {**scope, "state": {**scope.get("state", {}), GIVEN_TRACE: given.decode("latin-1")}}

    def _is_own(self, scope: Any) -> bool:
        """Whether it comes by a door of the house's own."""
        return self._believes_all or (scope["server"] is not None and scope["server"][1] is None)

    def _is_believed(self, scope: Any) -> bool:
        if self._is_own(scope):
            return True
        return bool(self._proxies and scope["client"]) and is_within(scope["client"][0], self._proxies)
