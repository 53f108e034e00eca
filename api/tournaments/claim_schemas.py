"""Requests and responses about results that players enter."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import RequestStruct, ResponseStruct, Short
from api.tournaments.schemas import Places, Scores
from domain.standings.results import places_by_score

Code = Annotated[str, msgspec.Meta(max_length=12)]


class ClaimResult(RequestStruct, frozen=True, kw_only=True):
    """The result of a face-to-face table by seats, as the player of an entry claims it; `code` is the entry's.

    The same `key` again is a retry. Without places they follow from the scores. `sure`: accept places that contradict
    the scores.
    """

    entry: Short
    code: Code
    scores: Scores
    places: Places = ()
    key: UUID
    sure: bool = False

    @property
    def ranking(self) -> tuple[int, ...]:
        """The given places, or the places by scores."""
        return self.places or places_by_score(self.scores)


class ClaimedShown(ResponseStruct, frozen=True):
    """The state of the table: `status` is waiting (for agreement), counts, or contradicted (an organiser decides).

    `agreed` of `needed` players have entered the same.
    """

    status: str
    agreed: int
    needed: int
