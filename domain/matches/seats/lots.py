"""Places by lot at a table whose deadline is over (docs/specifications/chance.md).

They are a draw from the luck of its match: from a seed that was fixed when the table was opened and from the shares of
its players, so that nobody has chosen them and everybody can draw them again once the match is over.
"""

from typing import Final

from domain.kernel.chance import SeededChance
from domain.matches.aggregate import Match
from domain.matches.seats.sharing import luck_key

LABEL: Final = "deadline/places"
"""No title has a draw of that name."""


def places_by_lot(match: Match) -> tuple[int, ...] | None:
    """Places by seat. Before the start the service's shares stand in for those that are not open yet. `None` where
    the seed is not in this log, or the match is of the first format."""
    key = match.key
    if key is None and match.format > 1:
        key = luck_key(match)
    if key is None:
        return None
    seats = tuple(range(len(match.seats)))
    drawn = SeededChance(key).draw(LABEL, seats, len(seats))
    return tuple(1 + drawn.index(seat) for seat in seats)
