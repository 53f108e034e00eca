"""Responses of the ratings API."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.structs import CursorListing, ResponseStruct
from api.matches.schemas import PlayerShown


class PoolShown(ResponseStruct, frozen=True):
    """A pool with a ranking."""

    title: str
    seats: int
    results: int


class PoolsShown(ResponseStruct, frozen=True):
    """Pools with rankings; `pending` results are not rated yet."""

    model: str
    pools: tuple[PoolShown, ...]
    pending: int


class RatedShown(ResponseStruct, frozen=True):
    """A line of a ranking.

    It has no place if provisional or inactive, or for a bot among people. `month`: of the last match.
    """

    place: int | None
    player: PlayerShown
    points: int
    mean: float
    deviation: float
    matches: int
    wins: int
    best: int
    month: str
    provisional: bool
    inactive: bool


class RankingShown(CursorListing, frozen=True):
    """The ranking of a month or of today: a page of people, and all bots separately."""

    title: str
    seats: int
    month: str
    people: tuple[RatedShown, ...]
    bots: tuple[RatedShown, ...]


class MovedShown(ResponseStruct, frozen=True):
    """The rating change by a match; for a private table only its players see the match."""

    match_id: UUID | None
    title: str
    seats: int
    ended_at: datetime
    place: int
    points: int
    points_before: int


class PlayerRating(ResponseStruct, frozen=True):
    """A player's rating in a pool."""

    title: str
    seats: int
    rated: RatedShown


class OverallShown(ResponseStruct, frozen=True):
    """Rating in a title over all table sizes, weighted by matches."""

    title: str
    points: int
    matches: int


class LeavingShown(ResponseStruct, frozen=True):
    """Left matches among a person's last matches with other people, at most fifty.

    Reasons: time-out, resignation in the first two rounds, no-show, or a substitute bot. `share` is in percent, rounded
    up.
    """

    matches: int
    left: int
    share: int
    timed_out: int
    resigned: int
    no_show: int
    abandoned: int


class PlayerPage(CursorListing, frozen=True):
    """A player's ratings, and a page of rated matches, latest first."""

    player: PlayerShown
    ratings: tuple[PlayerRating, ...]
    overall: tuple[OverallShown, ...]
    history: tuple[MovedShown, ...]
    leaving: LeavingShown | None
    """Null for bots."""
