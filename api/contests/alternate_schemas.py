"""Requests and responses about alternates."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.contests.schemas import Password, ReasonOfChange
from api.http.structs import RequestStruct, ResponseStruct, ShortGiven
from api.matches.schemas import PlayerShown
from domain.contests.absences import ROUNDS_MAX
from domain.contests.alternates import Answer, Strength

RoundNumber = Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MAX)]


class ListAlternate(RequestStruct, frozen=True):
    """An alternate; people who join by themselves have their rating points as `strength`.

    Organisers state the strength and a reason; stronger alternates come first. `waive`: the person need not meet
    the conditions of entry. `password`: of the event.
    """

    strength: Strength | None = None
    reason: ReasonOfChange = ""
    waive: bool = False
    password: Password = ""


class AnswerOffer(RequestStruct, frozen=True):
    """The caller's answer to the offer of a place."""

    place: ShortGiven
    round: RoundNumber
    accept: bool = False


class AlternateShown(ResponseStruct, frozen=True):
    """An alternate, in the order of being asked."""

    player: PlayerShown
    strength: int


class OfferShown(ResponseStruct, frozen=True, kw_only=True):
    """The offer of a place from a round on, answered before `ends`.

    `until`: its last round; 0: until the end. `out`: the name of the player of the place.
    """

    player: PlayerShown
    place: str
    out: str
    round: int
    until: int
    ends: datetime
    answer: Answer


class AlternatesShown(ResponseStruct, frozen=True, kw_only=True):
    """The alternates of a contest, and the offers to the caller, for organisers to all.

    `hours`: the time to answer an offer; 0: the contest has no alternates. `is_listed`: the caller is one.
    """

    contest_id: UUID
    zone: str
    hours: int
    most: int
    alternates: tuple[AlternateShown, ...]
    offers: tuple[OfferShown, ...]
    is_listed: bool
    is_playing: bool
