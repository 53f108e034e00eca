"""Tables for paired players: opened and seated in one idempotent transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from api.matches.admission import Applicant, admit, require_table_allows_bots
from api.matches.schemas import OpenMatch
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.aggregate import Match
from domain.matches.entropy import server_seed
from domain.matches.errors import MatchError
from domain.matches.facts import SERVICE, Actor, ShareBy, Table
from domain.matches.seats.event_tables import open_table
from domain.matches.seats.opening import take_seat, with_pause_limits
from domain.matches.titles import find_title
from domain.ratings.errors import RatedRefused


def require_welcome(
    matches: Matches, match_id: UUID, table: Table, player: Actor, applicant: Applicant | None, *, at: datetime
) -> None:
    """Raise the refusal of a player who may not sit at the table: `ProgramUnwelcome`, or as `admit` does."""
    require_table_allows_bots(matches, table, player, at)
    admit(matches, table, applicant, match_id, at=at)


def find_unwelcome(
    matches: Matches, match_id: UUID, table: Table, applicants: Mapping[Actor, Applicant | None], *, at: datetime
) -> tuple[Actor, ...]:
    """Return the players who may not sit at the table, in the order of `applicants`."""
    unwelcome = []
    for player, applicant in applicants.items():
        try:
            require_welcome(matches, match_id, table, player, applicant, at=at)
        except (MatchError, RatedRefused):
            unwelcome.append(player)
    return tuple(unwelcome)


def seat_together(
    matches: Matches,
    match_id: UUID,
    request: OpenMatch,
    players: Sequence[Actor],
    applicants: Mapping[Actor, Applicant | None],
    own_luck: frozenset[Actor],
    *,
    at: datetime,
) -> Match | None:
    """Open a table and seat these players, in seat order, in one transaction, or return the existing table.

    Return None if one of them may not sit there. The players in `own_luck` commit to their share of luck later.
    """
    if matches.lines.has(match_id):
        return matches.get(match_id)
    table = with_pause_limits(request.table)
    if find_unwelcome(matches, match_id, table, applicants, at=at):
        return None
    title, seed = find_title(matches.titles, request.title), server_seed(matches.entropy, match_id)

    def compose(batch: Batch) -> Match:
        if batch.has(match_id):
            return batch.match(match_id)
        match = open_table(
            batch,
            title,
            match_id,
            seats=request.seats,
            options=request.options,
            table=table,
            by=SERVICE,
            seed=seed,
            paired=True,
        )
        for seat, player in enumerate(players):
            share_by: ShareBy = "awaited" if player in own_luck else "service"
            match = batch.add(match_id, take_seat(match, seat, player, share_by=share_by, keys=batch.keys_of(player)))
        return match

    return matches.transact(compose, at=at)
