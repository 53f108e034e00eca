"""Random places for an event table whose deadline has passed (docs/specifications/chance.md).

They are a draw from the luck of the match: its seed was fixed when the table was opened, and its players contributed
shares. So no one chooses the places, and anyone can verify them once the match is over.
"""

from typing import Final

from domain.kernel.chance import SeededChance
from domain.matches.aggregate import Match
from domain.matches.seats.luck_shares import luck_key

LABEL: Final = "deadline/places"
"""The label of the draw; no title uses it."""


def places_by_lot(match: Match) -> tuple[int, ...] | None:
    """Return random places by seat, or None if the log has no seed or is of format 1.

    Before the start, the service's shares replace shares that are not open yet.
    """
    key = match.key
    if key is None and match.format > 1:
        key = luck_key(match)
    if key is None:
        return None
    seats = tuple(range(len(match.seats)))
    order = SeededChance(key).draw(LABEL, seats, len(seats))
    return tuple(1 + order.index(seat) for seat in seats)
