"""Deadlines for rulings and appeals."""

from datetime import datetime, timedelta
from typing import Final

from domain.disputes.errors import AppealRefused
from domain.disputes.state import Dispute
from domain.matches.aggregate import Match
from domain.matches.facts import is_live
from domain.matches.play.pauses import DISPUTE_LIVE, DISPUTE_SLOW

TARGET_LIVE: Final = DISPUTE_LIVE
TARGET_SLOW: Final = DISPUTE_SLOW
"""Target for a ruling at a live table that is not over, and anywhere else; a pause for the dispute ends then."""
APPEAL_LIVE: Final = timedelta(hours=1)
APPEAL_SLOW: Final = timedelta(days=7)
"""Periods in which rulings at live tables, and at all others, can be appealed."""


def due_at(dispute: Dispute, match: Match) -> datetime:
    """Return when a ruling on a waiting dispute is due; `match` is the official line."""
    return dispute.waits_since + (TARGET_LIVE if is_live(match.table.clock) and not match.is_over else TARGET_SLOW)


def appealable_until(dispute: Dispute, match: Match) -> datetime | None:
    """Return when the appeal period ends, which is shorter at live clocks; None unless ruled and not appealed."""
    if dispute.status != "ruled":
        return None
    return dispute.rulings[-1].at + (APPEAL_LIVE if is_live(match.table.clock) else APPEAL_SLOW)


def check_in_time(dispute: Dispute, match: Match, at: datetime) -> None:
    """Raise `AppealRefused` if the appeal period is over; pass if there is none."""
    deadline = appealable_until(dispute, match)
    if deadline is not None and at > deadline:
        raise AppealRefused(f"the time to appeal ended on {deadline:%Y-%m-%d %H:%M} UTC")
