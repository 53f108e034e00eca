"""Refusals of leagues on the wire."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.leagues.plan import LeagueRefused

REFUSALS: Final[Refusals] = {
    LeagueRefused: (409, "league/refused"),
}
"""The status and the code on the wire for each refusal."""
