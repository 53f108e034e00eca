"""Responses about the prizes of a tournament."""

from __future__ import annotations

from uuid import UUID

from api.contests.prize_schemas import AwardShown
from api.http.structs import ResponseStruct
from domain.contests.prizes import Prizes


class AwardsShown(ResponseStruct, frozen=True):
    """The awards by the current standings; `is_final`: the event has ended."""

    event_id: UUID
    prizes: Prizes
    is_final: bool
    awards: tuple[AwardShown, ...]
