"""Guards of all routes with a match in their path."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from api.matches.service import MATCHES


async def requires_table_access(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Raise `NoSuchMatch` if the caller may not see the private match in the path of the route.

    `OPTIONS` and routes without a match id are exempt: the methods of a route are the same for all matches.
    """
    match_id = connection.path_params.get("match_id")
    if isinstance(match_id, UUID) and connection.scope.get("method") != "OPTIONS":
        await MATCHES.of(connection).reading.require_access(match_id, connection.user)
