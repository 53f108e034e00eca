"""HTTP status and code of circuit errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.circuits.plan import CircuitRefused

REFUSALS: Final[Refusals] = {
    CircuitRefused: (409, "circuit/refused"),
}
"""Error -> HTTP status and code."""
