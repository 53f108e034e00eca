"""The circuits around a tournament or a league."""

from __future__ import annotations

from uuid import UUID

from api.matches.service import MatchService
from projections import circuits
from projections.circuits import CircuitAround


async def find_circuits(tables: MatchService, contest_id: UUID) -> tuple[CircuitAround, ...]:
    """Return the circuits for which a tournament or a league counts, or whose final it is, oldest first."""
    return await tables.writer.read_model(circuits.circuits_around, contest_id)
