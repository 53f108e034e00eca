"""Dated rules of rating: which edition applies to a match."""

from datetime import datetime
from enum import IntEnum

from domain.kernel.values import Value


class Edition(IntEnum):
    """An edition of the rules of rating; a match keeps the edition that was in force when it started."""

    UNRESTRICTED = 0
    """Every rated match counts in full."""
    FAIR = 1
    """The rules of fair play as they were first written."""
    REVISED = 2
    """The same, closed against results without play (docs/play/fair-play.md, "The second edition")."""


class RatingRules(Value, frozen=True):
    """The dates on which a service introduced its rules of rating; None: not introduced."""

    fair_since: datetime | None = None
    revised_since: datetime | None = None

    def edition(self, started_at: datetime | None) -> Edition:
        """Return the edition for a match that started at this time."""
        if started_at is None or self.fair_since is None or started_at < self.fair_since:
            return Edition.UNRESTRICTED
        is_revised = self.revised_since is not None and started_at >= self.revised_since
        return Edition.REVISED if is_revised else Edition.FAIR


UNRESTRICTED: RatingRules = RatingRules()
"""The rules of a service that has recorded no date."""
