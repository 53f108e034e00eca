"""Dated rules of rating: the edition that applies to a match."""

from datetime import datetime
from enum import IntEnum

from domain.kernel.values import Value


class Edition(IntEnum):
    """An edition of the rules of rating; a match keeps the edition in force when it started."""

    UNRESTRICTED = 0
    """Every rated match counts in full."""
    FAIR = 1
    """The first rules of fair play."""
    REVISED = 2
    """The second edition of these rules, which requires rounds of play (docs/play/fair-play.md)."""


class RatingRules(Value, frozen=True):
    """The dates on which a service introduced its rules of rating; None: not introduced."""

    fair_since: datetime | None = None
    revised_since: datetime | None = None

    def edition(self, started_at: datetime | None) -> Edition:
        """Return the edition for a match that started at this time.

        A match without a start, or started before fair play, is unrestricted.
        """
        if started_at is None or self.fair_since is None or started_at < self.fair_since:
            return Edition.UNRESTRICTED
        is_revised = self.revised_since is not None and started_at >= self.revised_since
        return Edition.REVISED if is_revised else Edition.FAIR


UNRESTRICTED: RatingRules = RatingRules()
"""The rules of a service that has recorded no date."""
