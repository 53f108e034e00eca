"""Guards of every address with a match in it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from api.matches.service import MATCHES


async def shields_private_tables(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Every address with a match in it: a private table answers as if it were not there, except to its own people.
    What can be done at an address is the same for all matches."""
    match_id = connection.path_params.get("match_id")
    if isinstance(match_id, UUID) and connection.scope.get("method") != "OPTIONS":
        await MATCHES.of(connection).reading.require_sight(match_id, connection.user)
