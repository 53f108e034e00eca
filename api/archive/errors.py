"""What is wrong with a search."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals


class SearchRefused(Exception):
    """The search cannot be made; the sentence names what is wrong with it."""


class NothingExplored(Exception):
    """No explorer is called so."""


REFUSALS: Final[Refusals] = {
    SearchRefused: (400, "archive/search"),
    NothingExplored: (404, "explorer/unknown"),
}
"""The status and the code on the wire for each refusal."""
