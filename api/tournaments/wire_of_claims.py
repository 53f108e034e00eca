"""What requests and answers about results that players enter themselves look like on the wire."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec

from api.http.wire import Asked, Short, Wire
from api.tournaments.wire import Places, Scores

Code = Annotated[str, msgspec.Meta(max_length=12)]


class ClaimResult(Asked, frozen=True, kw_only=True):
    """What a table face to face came to, by seats, as the player of one entry says; `code` is that of the entry. The
    same `key` again is the same message. Without places they follow from the scores. `sure`: the places are meant,
    though they contradict the scores."""

    entry: Short
    code: Code
    scores: Scores
    places: Places = ()
    key: UUID
    sure: bool = False

    @property
    def ranking(self) -> tuple[int, ...]:
        """The places that were given, or those that follow from the scores."""
        return self.places or tuple(1 + sum(other > score for other in self.scores) for score in self.scores)


class ClaimedShown(Wire, frozen=True):
    """How the table stands after it: `status` is waiting (for others to say the same), counts, or contradicted (an
    organiser decides); how many say the same, and how many have to."""

    status: str
    agreed: int
    needed: int
