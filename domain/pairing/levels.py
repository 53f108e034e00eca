"""The aims of a pairing, by priority."""

from typing import Final

HARD: Final = "forbidden"
REPEATS: Final = "repeats"
FAMILIES: Final = "families"
CLUBS: Final = "clubs"
SHORT: Final = "short"
SCORES: Final = "scores"
SEATS: Final = "seats"
LEVELS: Final = (HARD, REPEATS, FAMILIES, CLUBS, SHORT, SCORES)
"""The levels that are sums over pairs and players; seats follow after them."""
ALL_LEVELS: Final = (*LEVELS, SEATS)
