"""The terms of a ranking list: the matches for a place, and the months without a match after which it is lost."""

from typing import Annotated, Final

from msgspec import Meta

from domain.kernel.values import Value

PROVISIONAL_MATCHES: Final = 10
"""The number of matches below which a rating is provisional and has no place."""
INACTIVE_PERIODS: Final = 6
"""The number of whole periods without a match after which a player has no place."""


class Terms(Value, frozen=True):
    """The terms of a list."""

    minimum_matches: Annotated[int, Meta(ge=1, le=1_000)] = PROVISIONAL_MATCHES
    """The number of matches below which a player has no place."""
    inactive_months: Annotated[int, Meta(ge=1, le=120)] = INACTIVE_PERIODS
    """The number of whole months without a match after which a player has no place."""

    def is_provisional(self, matches: int) -> bool:
        """Return whether a player with this number of matches is provisional."""
        return matches < self.minimum_matches

    def inactive_since(self, last_period: int) -> int:
        """Return the first period in which a player is inactive whose last match was in `last_period`."""
        return last_period + self.inactive_months + 1


STANDARD: Final = Terms()
"""The terms of the lists by title and table size."""
