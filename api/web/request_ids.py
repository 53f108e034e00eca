"""Who may say the id of a request: a proxy that is named, and whoever comes by a door of the house's own."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any, Final

from projections.telemetry.requests import GIVEN, HEADER, accepted

REQUEST_ID: Final = HEADER.lower().encode()


class RequestIds:
    """Takes ids over from who is believed. It stands before what rewrites the address of the caller."""

    def __init__(self, application: Any, proxies: tuple[str, ...], *, believes_all: bool = False) -> None:
        self._application = application
        self._proxies = [ip_network(each) for each in proxies]
        self._believes_all = believes_all

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Passes on what is asked."""
        if scope["type"] == "http" and self._is_believed(scope):
            given = next((value for name, value in scope["headers"] if name == REQUEST_ID), None)
            if (request := accepted(given)) is not None:
                scope = {**scope, "state": {**scope.get("state", {}), GIVEN: request}}
        await self._application(scope, receive, send)

    def _is_believed(self, scope: Any) -> bool:
        is_private = scope["server"] is not None and scope["server"][1] is None
        if self._believes_all or is_private:
            return True
        return bool(self._proxies and scope["client"]) and any(
            ip_address(scope["client"][0]) in network for network in self._proxies
        )
