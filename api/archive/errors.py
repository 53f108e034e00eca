"""Errors of archive searches."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals


class SearchRefused(Exception):
    """The search is invalid; the message names the fault."""


class NothingExplored(Exception):
    """The explorer does not exist."""


REFUSALS: Final[Refusals] = {
    SearchRefused: (400, "archive/search"),
    NothingExplored: (404, "explorer/unknown"),
}
"""Error -> HTTP status and code."""
