"""Base of the union of circuit facts, and the key of a contest."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec

from domain.kernel.bounds import TEXT_MAX
from domain.kernel.values import Value, tagger

Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]
ContestKind = Literal["tournament", "season", "circuit"]
SEASON_MAX = 1_000


class CircuitFact(Value, frozen=True, tag_field="type", tag=tagger("circuit"), omit_defaults=True):
    """Base of the facts of a circuit; fields at their defaults are not written."""


class ContestKey(Value, frozen=True, omit_defaults=True):
    """A tournament, a season of a league (by its number, from 1), or a circuit; `id` is the stream."""

    kind: ContestKind
    id: UUID
    season: Annotated[int, msgspec.Meta(ge=0, le=SEASON_MAX)] = 0

    @property
    def name(self) -> str:
        """The key as a text."""
        return f"{self.id}/{self.season}" if self.season else str(self.id)
