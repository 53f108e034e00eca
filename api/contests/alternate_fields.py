"""Fields for alternates in the forms of plans."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from domain.contests.alternates import ALTERNATES_MAX, HOURS_MAX, AlternateRule

AlternateHours = Annotated[int, msgspec.Meta(ge=0, le=HOURS_MAX)]
"""The time to answer an offer; 0: no alternates."""
AlternateCount = Annotated[int, msgspec.Meta(ge=1, le=ALTERNATES_MAX)]
ALTERNATES: Final = AlternateRule()
"""The rule with the default bounds."""


def alternates_of(hours: int, count: int) -> AlternateRule | None:
    """Return the rule of a form; None for 0 hours."""
    return AlternateRule(hours=hours, most=count) if hours else None
