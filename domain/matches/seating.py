"""The match of a table of a tournament or league: opened, and everybody in their seat, in one transaction.

Such a seat is reserved (`domain.matches.reserved`): its entrant sits there, or a substitute whom an organiser names.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.batch import Batch
from domain.matches.errors import MatchExists
from domain.matches.facts import SERVICE, Actor, Standing, Table
from domain.matches.lineage import official
from domain.matches.opening import limited, open_match, ready, take_seat
from domain.matches.playing import replace_seat


def seat_match(
    batch: Batch,
    title: AnyTitle,
    match_id: UUID,
    *,
    of: UUID,
    table: Table,
    options: dict[str, str],
    players: Sequence[Actor],
    entrants: Sequence[Actor],
    seed: bytes,
) -> Match:
    """The match of a table with its players by seat; `of` is the tournament or league, `entrants` are those whose
    seats they are. What is there already stays as it is: of a match that has begun, the line that counts."""
    if batch.has(match_id):
        match = official(batch, match_id)
        if match.table.event_id != str(of):
            raise MatchExists(f"another match has the id {match_id}")
    else:
        terms = replace(limited(table), event=str(of))
        fact = open_match(title, seats=len(players), options=options, table=terms, by=SERVICE, seed=seed)
        match = batch.open(match_id, title, fact)
    for seat, (actor, entrant) in enumerate(zip(players, entrants, strict=True)):
        if match.status == "open" and match.seats[seat].actor is None:
            match = sit_down(batch, match, seat, actor, "" if actor == entrant else entrant)
    return match


def sit_down(batch: Batch, match: Match, seat: int, actor: Actor, stands_in_for: Actor) -> Match:
    """A player takes a seat of a match that has not begun; a bot is ready at once."""
    return batch.append(match.id, lambda line: take_seat(line, seat, actor, stands_in_for=stands_in_for))


def seat_substitute(batch: Batch, match: Match, seat: int, actor: Actor, stands_in_for: Actor) -> Match:
    """Somebody else plays for a seat from now on, before the start or after it."""
    return batch.append(match.id, lambda line: replace_seat(line, seat, SERVICE, actor, stands_in_for))


def start_without(batch: Batch, match: Match, standing: Callable[[Actor, datetime], Standing]) -> Match:
    """The match begins: for those who are not ready the service opens its own share of luck, and says so."""
    for seat, info in enumerate(match.seats):
        if match.status == "open" and not info.ready and info.actor is not None:
            known = standing(info.actor, batch.at)
            match = batch.append(match.id, partial(ready, seat=seat, by=SERVICE, standing=known))
    return match
