"""Seats that the service gave to another player, and whether the log explains it (docs/specifications/facts.md)."""

from typing import Final

from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Actor, SeatReplaced

REASON_FORMAT: Final = 3
"""Log format from which the service states why it replaces a player."""


def entrant_of(match: Match, seat: int) -> Actor | None:
    """Return the player to whom the seat belongs: the entrant for whom a substitute plays, or who began there."""
    info = match.seats[seat]
    return info.stands_in_for or (match.starters[seat].actor if match.starters else info.actor)


def is_explained(match: Match, fact: SeatReplaced) -> bool:
    """Return whether a seat was replaced by its player, or by the service for a reason that the log supports.

    Supported are a time-out, a no-show, a substitute for the entrant of the seat, the return of this entrant, and an
    erased account at a table without resignation. Earlier formats state no reasons.
    """
    if fact.by != SERVICE or match.format < REASON_FORMAT:
        return True
    entrant = entrant_of(match, fact.seat)
    return {
        "time_out": True,
        "no_show": True,
        "substitute": fact.stands_in_for == entrant,
        "returned": fact.actor == entrant,
        "erased": match.table.resigning is False,
    }.get(fact.reason, False)
