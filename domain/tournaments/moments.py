"""The point of a record in the stream of a tournament."""

from datetime import datetime
from typing import Any, NamedTuple

from domain.tournaments.errors import TournamentRefused


class Moment(NamedTuple):
    """The point of a record: its time, the digest of the record before it, and the fact in that record."""

    at: datetime
    previous: bytes
    before: Any


def require_time(due: datetime | None, moment: Moment) -> None:
    """Raise `TournamentRefused` before a step is due; None: it is due at once."""
    if due is not None and moment.at < due:
        raise TournamentRefused(f"the service does this from {due.isoformat()} on")
