"""HTTP status and code of league errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.leagues.plan import LeagueRefused

REFUSALS: Final[Refusals] = {
    LeagueRefused: (409, "league/refused"),
}
"""Error -> HTTP status and code."""
