"""The view of each person at a table: the board with that seat's hand and choices.

Bots read their view through the service, which folds the log, so their seats have no row.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, bindparam, delete, select

from domain.kernel.values import Value
from domain.matches.aggregate import view
from projections.data import VIEWS
from projections.follow import FollowedStep
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "farms"
SHAPE: Final = "3"
SLICED: Final = True
FARMS: Final = read_model(
    "farms",
    Column("match_id", TEXT, primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("head", TEXT, nullable=False),
    Column("view", BYTES, nullable=False),
)
TABLES: Final = by_name(FARMS)

OF_MATCH: Final = FARMS.c.match_id == bindparam("match_id")
WRITE: Final = upsert(FARMS)
FORGET: Final = delete(FARMS).where(OF_MATCH, FARMS.c.version < bindparam("version"))
"""Deletes views of players whose seat a bot has taken."""
READ: Final = select(FARMS).where(OF_MATCH, FARMS.c.seat == bindparam("seat"))


class SeatView(Value, frozen=True):
    """A match as one seat may see it; `view` is the seat's view as JSON, `null` before the match has started."""

    match_id: UUID
    seat: int
    version: int
    head: str
    view: msgspec.Raw


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store each person's view of the last position of every match; views of earlier positions are deleted."""
    for step in {step.line_id: step for step in steps}.values():
        match, name = step.match, str(step.line_id)
        for seat, info in enumerate(match.seats):
            if info.is_person:
                compressed_view = VIEWS.compress(msgspec.json.encode(view(match, seat)))
                transaction.change(
                    WRITE, match_id=name, seat=seat, version=match.version, head=match.head, view=compressed_view
                )
        transaction.change(FORGET, match_id=name, version=match.version)


def get(store: ReadStore, match_id: UUID, seat: int) -> SeatView | None:
    """Return the view of a seat, which only the player there may see, or None."""
    for known_id, known_seat, version, head, compressed_view in store.rows(READ, match_id=str(match_id), seat=seat):
        return SeatView(UUID(known_id), known_seat, version, head, msgspec.Raw(VIEWS.decompress(compressed_view)))
    return None
