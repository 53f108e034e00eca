"""The tournaments and leagues that are finals of circuits, for the policy of duties."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Column, bindparam, delete, select

from domain.circuits.fact_base import ContestKey
from projections.platform.statements import insert_new
from projections.platform.store import Transaction
from projections.platform.tables import TEXT, read_model

EVENT_FINALS: Final = read_model(
    "event_finals",
    Column("final_id", TEXT, primary_key=True),
    Column("circuit_id", TEXT, primary_key=True),
)
COLUMNS: Final = EVENT_FINALS.c
READ: Final = select(COLUMNS.circuit_id).where(COLUMNS.final_id == bindparam("final_id")).order_by(COLUMNS.circuit_id)
ADD: Final = insert_new(EVENT_FINALS)
FORGET: Final = delete(EVENT_FINALS).where(COLUMNS.circuit_id == bindparam("circuit_id"))


def name_final(transaction: Transaction, circuit_id: str, final: ContestKey | None) -> None:
    """Store the final of a circuit, which replaces an earlier one; None: it has none."""
    transaction.change(FORGET, circuit_id=circuit_id)
    if final is not None:
        transaction.change(ADD, final_id=str(final.id), circuit_id=circuit_id)


def circuits_of(transaction: Transaction, event_id: str) -> Sequence[str]:
    """Return the circuits whose final is this tournament, or a season of this league."""
    return [str(circuit_id) for (circuit_id,) in transaction.rows(READ, final_id=event_id)]
