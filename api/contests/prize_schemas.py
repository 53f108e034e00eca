"""Requests and responses about prizes."""

from __future__ import annotations

from api.contests.schemas import ReasonOfChange
from api.http.structs import RequestStruct, ResponseStruct
from domain.contests.prizes import Prizes


class SetPrizes(RequestStruct, frozen=True):
    """New prizes; needs a reason once a round is public."""

    prizes: Prizes
    reason: ReasonOfChange = ""


class AwardShown(ResponseStruct, frozen=True):
    """An award: an amount in the smallest unit of the currency, and a text for other prizes."""

    entry: str
    name: str
    rank: int
    amount: int
    prize: str
