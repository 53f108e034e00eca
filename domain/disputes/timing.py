"""By when a dispute is to be ruled on, and until when its ruling can be appealed."""

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
"""How long a ruling at a live table can be appealed, whether it is over or not, and any other."""


def due_at(dispute: Dispute, match: Match) -> datetime:
    """When a dispute should have been ruled on that waits since its raising or appeal; `match` is the line that
    counts."""
    return dispute.waits_since + (TARGET_LIVE if is_live(match.table.clock) and not match.is_over else TARGET_SLOW)


def appealable_until(dispute: Dispute, match: Match) -> datetime | None:
    """Until when the ruling can be appealed; nothing where there is none, or it has been."""
    if dispute.status != "ruled":
        return None
    return dispute.rulings[-1].at + (APPEAL_LIVE if is_live(match.table.clock) else APPEAL_SLOW)


def check_in_time(dispute: Dispute, match: Match, at: datetime) -> None:
    """`AppealRefused` where the ruling cannot be appealed any more."""
    until = appealable_until(dispute, match)
    if until is not None and at > until:
        raise AppealRefused(f"the ruling could be appealed until {until:%Y-%m-%d %H:%M} UTC")
