"""What a match waits for a limited time only: players who must get ready, and a pause that comes to its end."""

from datetime import datetime
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.batch import Batch
from domain.matches.errors import StaleVersion
from domain.matches.facts import SERVICE, Resumed, SeatLeft, SeatReady, ShareCommitted
from domain.matches.opening import free_seat, ready_deadline, stand_in
from domain.matches.playing import resume
from domain.matches.sharing import late_seats


def deadline(match: Match) -> datetime | None:
    """When the service must do something if nobody else has."""
    return match.pause_until if match.status == "paused" else ready_deadline(match)


def overdue(match: Match, at: datetime) -> SeatLeft | ShareCommitted | SeatReady | Resumed | None:
    """What the service does at a time, if the match waits no longer."""
    absent = [seat for seat in late_seats(match) if match.seats[seat].share_by == "service"]
    if match.status == "waiting" and absent:
        return stand_in(match, absent[0])
    over = deadline(match)
    if over is None or at < over:
        return None
    if match.status == "paused":
        return resume(match, SERVICE)
    late = late_seats(match)[0]
    return stand_in(match, late) if match.status == "waiting" else free_seat(match, late, SERVICE, at)


def pass_deadline(matches: Matches, match_id: UUID, *, expected_version: int, at: datetime) -> Match:
    """All that is due of a match at this very version, in one transaction; nothing, if it is too early."""

    def compose(batch: Batch) -> Match:
        match = batch.match(match_id)
        if match.version != expected_version:
            sentence = f"the match {match_id} stands at version {match.version}, not {expected_version}"
            raise StaleVersion(sentence, match.version)
        while (fact := overdue(match, at)) is not None:
            match = batch.add(match_id, fact)
        return match

    return matches.transact(compose, at=at)
