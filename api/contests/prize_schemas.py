"""Requests and responses about prizes."""

from __future__ import annotations

from typing import Annotated

import msgspec

from api.contests.schemas import ReasonOfChange
from api.http.structs import RequestStruct, ResponseStruct
from domain.contests.prizes import Prizes


class SetPrizes(RequestStruct, frozen=True):
    """New prizes; needs a reason once a round is public."""

    prizes: Prizes
    reason: ReasonOfChange = ""


class SetDivisionPrizes(SetPrizes, frozen=True, kw_only=True):
    """New prizes of a division, from 1, for each of its groups; needs a reason once a round is open."""

    division: Annotated[int, msgspec.Meta(ge=1)] = 1


class AwardShown(ResponseStruct, frozen=True):
    """An award: an amount in the smallest unit of the currency, and a text for other prizes."""

    entry: str
    name: str
    rank: int
    amount: int
    prize: str
