"""Errors in the addresses of rules and cards."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals


class NoSuchPiece(Exception):
    """The rules have no such paragraph, or the title no such card, tile or building."""


REFUSALS: Final[Refusals] = {
    NoSuchPiece: (404, "piece/unknown"),
}
"""The status and the wire code of each error."""
