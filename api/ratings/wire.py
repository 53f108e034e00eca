"""Rankings and players' ratings as answers show them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.wire import Listing, Wire
from api.matches.wire import PlayerShown


class PoolShown(Wire, frozen=True):
    title: str
    seats: int
    results: int


class PoolsShown(Wire, frozen=True):
    """Where there are rankings; `pending` results are known and not rated yet."""

    model: str
    pools: tuple[PoolShown, ...]
    pending: int


class RatedShown(Wire, frozen=True):
    """A line of a ranking; no place: provisional, inactive, or a bot among people. `month`: of the last match."""

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


class RankingShown(Listing, frozen=True):
    """The list of a month (or of today): a page of the people; the few bots are listed apart, all of them."""

    title: str
    seats: int
    month: str
    people: tuple[RatedShown, ...]
    bots: tuple[RatedShown, ...]


class MovedShown(Wire, frozen=True):
    """What a match did to a rating; of a private table, its players alone are told which match it was."""

    match_id: UUID | None
    title: str
    seats: int
    ended_at: datetime
    place: int
    points: int
    points_before: int


class PlayerRating(Wire, frozen=True):
    title: str
    seats: int
    rated: RatedShown


class OverallShown(Wire, frozen=True):
    """A title at tables of all sizes: the points of each weighed by the matches behind them."""

    title: str
    points: int
    matches: int


class LeavingShown(Wire, frozen=True):
    """Of a person's last matches with other people, at most fifty, how many they left: their time ran out, they
    resigned in the first two rounds, did not come, or let a bot play on. `share` is in per cent, rounded up."""

    matches: int
    left: int
    share: int
    timed_out: int
    resigned: int
    no_show: int
    abandoned: int


class PlayerPage(Listing, frozen=True):
    """A player's ratings, and a page of the matches they come from, the newest first."""

    player: PlayerShown
    ratings: tuple[PlayerRating, ...]
    overall: tuple[OverallShown, ...]
    history: tuple[MovedShown, ...]
    leaving: LeavingShown | None
    """A bot has none."""
