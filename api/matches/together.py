"""A table for people who have been paired: opened, and everybody sat down, in one command that can be repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from api.matches.admission import Applicant, admit, welcome
from api.matches.wire import OpenMatch
from domain.matches.aggregate import Match, seat_of
from domain.matches.application import Matches
from domain.matches.errors import MatchError
from domain.matches.facts import Actor, ShareBy, Table
from domain.matches.opening import limited
from domain.ratings.errors import RatedRefused


def require_welcome(
    matches: Matches, match_id: UUID, table: Table, player: Actor, applicant: Applicant | None, *, at: datetime
) -> None:
    """Refuses somebody who may not sit down there."""
    welcome(matches, table, player, at)
    admit(matches, table, applicant, match_id, at=at)


def unwelcome(
    matches: Matches, match_id: UUID, table: Table, applicants: Mapping[Actor, Applicant | None], *, at: datetime
) -> tuple[Actor, ...]:
    """Those who may not sit down there."""
    refused = []
    for player, applicant in applicants.items():
        try:
            require_welcome(matches, match_id, table, player, applicant, at=at)
        except (MatchError, RatedRefused):
            refused.append(player)
    return tuple(refused)


def seat_together(
    matches: Matches,
    match_id: UUID,
    wanted: OpenMatch,
    players: Sequence[Actor],
    applicants: Mapping[Actor, Applicant | None],
    own_luck: frozenset[Actor],
    *,
    at: datetime,
) -> Match | None:
    """The table with these players, in the order of its seats, whatever of that is done already; nothing, where one of
    them may not sit down."""
    table = limited(wanted.table)
    if unwelcome(matches, match_id, table, applicants, at=at):
        return None
    match = matches.open(
        match_id,
        title=wanted.title,
        seats=wanted.seats,
        options=wanted.options,
        by=players[0],
        at=at,
        table=table,
    )
    for seat, player in enumerate(players):
        if match.status == "open" and match.seats[seat].actor is None and seat_of(match, player) is None:
            share_by: ShareBy = "awaited" if player in own_luck else "service"
            match = matches.take_seat(match_id, seat, player, at=at, share_by=share_by)
    return match
