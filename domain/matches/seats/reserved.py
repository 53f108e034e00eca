"""Reserved seats of tournaments and leagues: they are never left or freed.

In older logs such seats were left and retaken; audits still accept this.
"""

from domain.matches.aggregate import Match, info_of
from domain.matches.errors import SeatReserved


def require_unreserved(match: Match, seat: int) -> Match:
    """Return the match; raise `SeatReserved` if it is of an event, whose seats are reserved."""
    if match.table.event_id == "":
        return match
    info = info_of(match, seat)
    status_text = (
        "is reserved for an entrant" if info.actor is None else f"belongs to {info.stands_in_for or info.actor!r}"
    )
    raise SeatReserved(
        f"seat {seat} of match {match.id} {status_text}: players cannot leave an event table; the organiser appoints"
        " substitutes"
    )
