"""Responses about the seasons of leagues. Groups, rounds and tables count from 1."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.structs import ResponseStruct
from api.leagues.schemas import SeasonListed
from api.matches.schemas import PlayerShown
from api.tournaments.standing_schemas import CellShown
from domain.contests.prizes import Prizes


class LeagueLineShown(ResponseStruct, frozen=True):
    """A row of a group table; `points` are sixtieths.

    `moves`: -1 promoted, 1 relegated, 0 stays, if the season ended now. `cells`: the opened rounds, with the ranks of
    opponents.
    """

    rank: int
    player: PlayerShown
    drawn: PlayerShown
    points: int
    points_text: str
    penalty: int
    penalty_text: str
    played: int
    wins: int
    tie_breaks: tuple[int, ...]
    moves: int
    cells: tuple[CellShown, ...]


class FixtureShown(ResponseStruct, frozen=True):
    """A table of the schedule; `unverified`: a face-to-face table with a manually entered result.

    `absent`: seats of absent players; `handed_over`: seats that their player left to a bot by choice. `scores` are the
    points of the board; `counted_scores` leave out the points of bots for absent players.
    """

    group: int
    round: int
    table: int
    players: tuple[PlayerShown, ...]
    match_id: UUID | None
    places: tuple[int, ...]
    scores: tuple[int, ...]
    is_over: bool
    ruled: bool
    void: bool
    unverified: bool
    absent: tuple[int, ...]
    handed_over: tuple[int, ...]
    counted_scores: tuple[int, ...]


class DesignShown(ResponseStruct, frozen=True):
    """How even the schedule of a group is."""

    built: str
    meetings_min: int
    meetings_max: int
    seats_min: int
    seats_max: int
    tables: int


class GroupShown(ResponseStruct, frozen=True):
    """A group of a season."""

    group: int
    division: str
    design: DesignShown
    lines: tuple[LeagueLineShown, ...]


class RoundTables(ResponseStruct, frozen=True):
    """An opened round: the number of tables that have a match or a manual result, and of all.

    Matches are opened one by one after the round.
    """

    round: int
    opened: int
    tables: int


class ProposedGroupShown(ResponseStruct, frozen=True):
    """A group of a proposed draw, which organisers can change until the season starts."""

    group: int
    division: str
    players: tuple[PlayerShown, ...]


class DivisionPrizes(ResponseStruct, frozen=True):
    """The prizes of a division, which each of its groups awards."""

    division: int
    name: str
    prizes: Prizes


class SeasonAwardShown(ResponseStruct, frozen=True):
    """An award of a group: an amount in the smallest unit of the currency, and a text for other prizes."""

    group: int
    rank: int
    player: PlayerShown
    amount: int
    currency: str
    prize: str


class SeasonAwardsShown(ResponseStruct, frozen=True):
    """The prizes of a season by division, and the awards by the current group tables; `is_final`: it is closed."""

    league_id: UUID
    season: int
    is_final: bool
    divisions: tuple[DivisionPrizes, ...]
    awards: tuple[SeasonAwardShown, ...]


class SeasonShown(ResponseStruct, frozen=True):
    """A season; `proposed`: the groups before the draw of a season with a schedule.

    `next_round`: when the service opens the next round of a season with a schedule.
    """

    league_id: UUID
    version: int
    season: SeasonListed
    deadlines: tuple[datetime, ...]
    rounds: tuple[RoundTables, ...]
    proposed: tuple[ProposedGroupShown, ...]
    groups: tuple[GroupShown, ...]
    fixtures: tuple[FixtureShown, ...]
    next_round: datetime | None
