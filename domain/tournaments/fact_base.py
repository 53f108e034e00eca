"""Base class and text types of the facts of a tournament."""

from typing import Annotated
from uuid import UUID

import msgspec

from domain.kernel.bounds import NAME_MAX, TEXT_MAX
from domain.kernel.messages import Message
from domain.kernel.values import Value, tagger


class TournamentFact(Value, frozen=True, tag_field="type", tag=tagger("tournament"), omit_defaults=True):
    """Base of the facts of a tournament; fields at their default are not encoded."""


Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]
Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class SeatedAnew(Value, frozen=True):
    """A table of a public round with other players: its number, its entries and its new match."""

    table: int
    entries: tuple[str, ...]
    match: UUID
    reasons: tuple[Message, ...] = ()
