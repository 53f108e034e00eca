"""Refusals of analyses on the wire."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.analyses.report import NotAnalysed

REFUSALS: Final[Refusals] = {
    NotAnalysed: (409, "analysis/not_possible"),
}
"""The status and the code on the wire for each refusal."""
