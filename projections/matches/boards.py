"""The current board of every match as a spectator sees it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, bindparam, select

from domain.kernel.values import Value
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.log.entries import microseconds
from domain.matches.rulings.ruling import counted_result
from projections.data import VIEWS
from projections.follow import FollowedStep, moment
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "boards"
SHAPE: Final = "2"
SLICED: Final = True
BOARDS: Final = read_model(
    "boards",
    Column("match_id", TEXT, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("at", NUMBER, nullable=False),
    Column("head", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("phase", TEXT, nullable=False),
    Column("to_act", BYTES, nullable=False),
    Column("scores", BYTES, nullable=False),
    Column("ranking", BYTES, nullable=False),
    Column("view", BYTES, nullable=False),
)
TABLES: Final = by_name(BOARDS)

WRITE: Final = upsert(BOARDS, kept=("title",))
READ: Final = select(BOARDS).where(BOARDS.c.match_id == bindparam("match_id"))

SEATS: Final = msgspec.json.Decoder(tuple[int, ...])
PLACES: Final = msgspec.json.Decoder(tuple[int, ...] | None)


class Board(Value, frozen=True):
    """A match as everyone may see it; `view` is the spectator's view as JSON, `null` before the start."""

    match_id: UUID
    version: int
    at: datetime
    head: str
    status: str
    title: str
    phase: str
    to_act: tuple[int, ...]
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    view: msgspec.Raw


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store the last position of every match, as a spectator may see it."""
    for step in {step.line_id: step for step in steps}.values():
        match = step.match
        transaction.change(
            WRITE,
            match_id=str(step.line_id),
            version=match.version,
            at=microseconds(match.timestamp),
            head=match.head,
            status=match.status,
            title=match.title,
            phase=phase_of(match),
            to_act=msgspec.json.encode(seats_to_act(match)),
            scores=msgspec.json.encode(scores_of(match)),
            ranking=msgspec.json.encode(ranking_of(match)),
            view=VIEWS.compress(msgspec.json.encode(step.spectator_view)),
        )


def phase_of(match: Match) -> str:
    """Return the current phase in the title's words, or an empty string before the start."""
    return "" if match.state is None else match.definition.rules.phase(match.state)


def scores_of(match: Match) -> tuple[int, ...]:
    """Return the public scores so far; empty before the start and for a replaced line.

    A finished match has its counted result, a void one its scores.
    """
    if match.state is None or match.status == "superseded":
        return ()
    if match.is_over and (result := counted_result(match)) is not None:
        return result.scores
    rules = match.definition.rules
    return rules.scores(match.state) if match.status == "void" else rules.open_scores(match.state)


def ranking_of(match: Match) -> tuple[int, ...] | None:
    """Return the final ranking after rulings, or None while the match runs or if another line replaced it."""
    result = counted_result(match) if match.is_over and match.status != "superseded" else None
    return None if result is None else result.ranking


def get(store: ReadStore, match_id: UUID) -> Board | None:
    """Return the board of a match, or None if its first entry has not been processed yet."""
    for row in store.rows(READ, match_id=str(match_id)):
        known_id, version, at, head, status, title, phase, to_act, scores, ranking, compressed_view = row
        return Board(
            match_id=UUID(known_id),
            version=version,
            at=moment(at),
            head=head,
            status=status,
            title=title,
            phase=phase,
            to_act=SEATS.decode(to_act),
            scores=SEATS.decode(scores),
            ranking=PLACES.decode(ranking),
            view=msgspec.Raw(VIEWS.decompress(compressed_view)),
        )
    return None
