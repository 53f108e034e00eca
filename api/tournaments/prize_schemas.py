"""Requests and responses about prizes."""

from __future__ import annotations

from uuid import UUID

from api.http.structs import RequestStruct, ResponseStruct
from api.tournaments.schemas import Reason
from domain.contests.prizes import Prizes


class SetPrizes(RequestStruct, frozen=True):
    """New prizes; needs a reason once a round is public."""

    prizes: Prizes
    reason: Reason = ""


class AwardShown(ResponseStruct, frozen=True):
    """An award: an amount in the smallest unit of the currency, and a text for other prizes."""

    entry: str
    name: str
    rank: int
    amount: int
    prize: str


class AwardsShown(ResponseStruct, frozen=True):
    """The awards by the current standings; `is_final`: the event has ended."""

    event_id: UUID
    prizes: Prizes
    is_final: bool
    awards: tuple[AwardShown, ...]
