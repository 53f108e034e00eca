"""The response about the next duty of a tournament, for the service's workers."""

from __future__ import annotations

from uuid import UUID

import msgspec

from api.contests.bot_lines import TableLeftShown
from api.http.structs import ResponseStruct


class TournamentOwedShown(ResponseStruct, frozen=True, kw_only=True):
    """The next duty of a tournament, for the service's workers."""

    event_id: UUID
    version: int
    step: str
    problem: msgspec.Raw
    round: int = 0
    tables: int = 0
    way: str = ""
    with_bots: tuple[TableLeftShown, ...] = ()
    """The tables at which bots play on, for the step `adjudicate`."""
