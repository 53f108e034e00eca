"""HTTP status and code of errors of ranking lists."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.rankings.errors import ContentMissing, MonthNotReady, RankingRefused


class NoSuchList(Exception):
    """No ranking list has this key, or the list has no such month or player."""


REFUSALS: Final[Refusals] = {
    NoSuchList: (404, "ranking/unknown_list"),
    RankingRefused: (409, "ranking/refused"),
    MonthNotReady: (409, "ranking/not_ready"),
    ContentMissing: (409, "ranking/content_missing"),
}
"""Error -> HTTP status and code."""
