"""Maximum lengths of pauses by agreement and for disputes."""

from datetime import timedelta
from typing import Final

import msgspec

from domain.matches.aggregate import Match
from domain.matches.facts import is_live

PAUSE_LIMIT_FORMAT: Final = 3
"""From this log format on, every pause for a dispute has a maximum length."""

DISPUTE_LIVE: Final = timedelta(minutes=15)
DISPUTE_SLOW: Final = timedelta(days=1)
"""Maximum pauses for a dispute, at live tables and others. Arbiters should rule within this time."""


def pause_length(match: Match, *, is_agreed: bool, is_disputed: bool) -> timedelta | None:
    """Return the longest duration of a pause for a dispute or by agreement, or None if table or format set no limit."""
    if is_disputed:
        length = DISPUTE_LIVE if is_live(match.table.clock) else DISPUTE_SLOW
        return length if match.format >= PAUSE_LIMIT_FORMAT else None
    limit = match.table.pause_seconds
    return timedelta(seconds=limit) if is_agreed and limit is not msgspec.UNSET else None
