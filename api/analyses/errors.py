"""HTTP status and code of analysis errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.analyses.report import NotAnalysed

REFUSALS: Final[Refusals] = {
    NotAnalysed: (409, "analysis/not_possible"),
}
"""Error -> HTTP status and code."""
