"""The match of a table of a tournament or league: opened, and everybody in their seat, in one transaction."""

from collections.abc import Sequence
from uuid import UUID

from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.batch import Batch
from domain.matches.errors import MatchExists
from domain.matches.facts import SERVICE, Actor, Table
from domain.matches.lineage import official
from domain.matches.opening import limited, open_match, take_seat


def seat_match(
    batch: Batch,
    title: AnyTitle,
    match_id: UUID,
    *,
    of: UUID,
    table: Table,
    options: dict[str, str],
    players: Sequence[Actor],
    seed: bytes,
) -> Match:
    """The match of a table with its players by seat; `of` is the tournament or league. What is there already stays as
    it is: of a match that has begun, the line that counts."""
    if batch.has(match_id):
        match = official(batch, match_id)
        if match.table.event_id != str(of):
            raise MatchExists(f"another match has the id {match_id}")
    else:
        terms = replace(limited(table), event=str(of))
        fact = open_match(title, seats=len(players), options=options, table=terms, by=SERVICE, seed=seed)
        match = batch.open(match_id, title, fact)
    for seat, actor in enumerate(players):
        if match.status == "open" and match.seats[seat].actor is None:
            match = sit_down(batch, match, seat, actor)
    return match


def sit_down(batch: Batch, match: Match, seat: int, actor: Actor) -> Match:
    """A player takes a seat of a match that has not begun; a bot is ready at once."""
    return batch.append(match.id, lambda line: take_seat(line, seat, actor))
