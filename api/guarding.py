"""The guards of every route, in the order in which they run."""

from __future__ import annotations

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from api.disputes.guards import shields_what_ifs
from api.integrity.addresses import notes_addresses
from api.matches.guards import shields_private_tables
from api.web.guards import within_scopes
from api.web.inputs import has_meaning
from api.web.limits import within_limits

ENTRY_GUARDS: Final = (has_meaning, within_limits, within_scopes, notes_addresses)
"""Guards that check or count a request once."""
STANDING_GUARDS: Final = (shields_private_tables, shields_what_ifs)
"""Guards whose answer can change while a stream is open; every live stream runs them again."""
GUARDS: Final = (*ENTRY_GUARDS, *STANDING_GUARDS)


async def guarded(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Run the guards. They are one guard to the framework, which copies the handler for each."""
    for guard in GUARDS:
        await guard(connection, handler)
