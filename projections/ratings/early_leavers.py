"""Whether players stayed to the end of their matches: by player, the counted matches, latest first.

Lines that replace others by a ruling are followed; forks and imported matches are ignored.
"""

from collections.abc import Sequence
from typing import Final, cast

from sqlalchemy import Column, Index, bindparam, delete, insert, select

from domain.matches.facts import Actor, MatchForked, MatchOpened
from domain.matches.log.entries import microseconds
from domain.ratings.leaving import MATCHES_COUNTED_MAX, Leaving, LeavingHabit, habit_of, stays_of
from projections.follow import FollowedStep
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "leavings"
SHAPE: Final = "1"
LEAVING_LINES: Final = read_model(
    "leaving_lines",
    Column("line_id", TEXT, primary_key=True),
    Column("match_id", TEXT, nullable=False),
)
LEAVING_MATCHES: Final = read_model(
    "leaving_matches",
    Column("match_id", TEXT, primary_key=True),
    Column("line_id", TEXT, nullable=False),
    Column("ended", NUMBER),
)
LEAVINGS: Final = read_model(
    "leavings",
    Column("player", TEXT, primary_key=True),
    Column("ended", NUMBER, nullable=False),
    Column("match_id", TEXT, primary_key=True),
    Column("leaving", TEXT, nullable=False),
)
TABLES: Final = by_name(LEAVING_LINES, LEAVING_MATCHES, LEAVINGS)
Index("leavings_of_player", LEAVINGS.c.player, LEAVINGS.c.ended, LEAVINGS.c.match_id)
Index("leavings_of_match", LEAVINGS.c.match_id)

MATCHES: Final = LEAVING_MATCHES.c
READ_MATCH: Final = (
    select(MATCHES.match_id, MATCHES.line_id, MATCHES.ended)
    .join(LEAVING_LINES, LEAVING_LINES.c.match_id == MATCHES.match_id)
    .where(LEAVING_LINES.c.line_id == bindparam("line_id"))
)
WRITE_LINE: Final = insert(LEAVING_LINES)
WRITE_MATCH: Final = upsert(LEAVING_MATCHES)
FORGET: Final = delete(LEAVINGS).where(LEAVINGS.c.match_id == bindparam("match_id"))
WRITE: Final = insert(LEAVINGS)

READ: Final = (
    select(LEAVINGS.c.leaving)
    .where(LEAVINGS.c.player == bindparam("player"))
    .order_by(LEAVINGS.c.ended.desc(), LEAVINGS.c.match_id.desc())
    .limit(MATCHES_COUNTED_MAX)
)


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store for every match its official line and, once that is over, the leavings of its players.

    A fork by a ruling becomes the official line, without leavings until it is over. Imported matches are ignored.
    """
    for step in steps:
        if isinstance(step.fact, MatchOpened) and not step.imported:
            begin(transaction, str(step.line_id), str(step.line_id))
        elif isinstance(step.fact, MatchForked) and step.fact.ruling:
            for match_id, _, _ in transaction.rows(READ_MATCH, line_id=step.fact.parent):
                begin(transaction, str(step.line_id), match_id)
        elif step.match.is_over:
            count(transaction, step)


def begin(transaction: Transaction, line_id: str, match_id: str) -> None:
    """Make the line the official line of a running match, and delete the leavings of the line before."""
    transaction.change(WRITE_LINE, line_id=line_id, match_id=match_id)
    transaction.change(WRITE_MATCH, match_id=match_id, line_id=line_id, ended=None)
    transaction.change(FORGET, match_id=match_id)


def count(transaction: Transaction, step: FollowedStep) -> None:
    """Replace the leavings of a finished line if it is the official one; the time of the first end stays."""
    for match_id, line_id, ended in transaction.rows(READ_MATCH, line_id=str(step.line_id)):
        if line_id == str(step.line_id):
            ended_us = microseconds(step.match.timestamp) if ended is None else ended
            transaction.change(WRITE_MATCH, match_id=match_id, line_id=line_id, ended=ended_us)
            transaction.change(FORGET, match_id=match_id)
            for stay in stays_of(step.match):
                transaction.change(WRITE, player=stay.player, ended=ended_us, match_id=match_id, leaving=stay.leaving)


def of_player(store: ReadStore, player: Actor) -> LeavingHabit:
    """Return the record of a player's leaving in recent matches."""
    return habit_of(cast("Leaving", leaving) for (leaving,) in store.rows(READ, player=player))
