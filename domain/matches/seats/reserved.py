"""Seats at the tables of tournaments and leagues are reserved: nobody leaves one, and none is ever freed.

Older logs have such seats that were left and taken by others; they stand every examination.
"""

from domain.matches.aggregate import Match, info_of
from domain.matches.errors import SeatReserved


def unreserved(match: Match, seat: int) -> Match:
    """The match, if its seats are for whoever comes and goes."""
    if match.table.event_id == "":
        return match
    info = info_of(match, seat)
    held = "is kept for an entrant" if info.actor is None else f"belongs to {info.stands_in_for or info.actor!r}"
    raise SeatReserved(
        f"seat {seat} of the match {match.id} {held}: nobody leaves the table of an event, and its organiser names"
        " substitutes"
    )
