"""The aims of a pairing, in the order of their weight."""

from typing import Final

HARD: Final = "forbidden"
REPEATS: Final = "repeats"
FAMILIES: Final = "families"
CLUBS: Final = "clubs"
SHORT: Final = "short"
SCORES: Final = "scores"
SEATS: Final = "seats"
LEVELS: Final = (HARD, REPEATS, FAMILIES, CLUBS, SHORT, SCORES)
"""Those that are sums over pairs and persons; the seats come after them."""
ALL_LEVELS: Final = (*LEVELS, SEATS)
