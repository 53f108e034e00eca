"""Requests and responses about leagues. Groups, rounds and tables count from 1."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from api.contests.bot_lines import TableLeftShown
from api.contests.schemas import ClubOfEntry, Password
from api.http.structs import Listing, RequestStruct, ResponseStruct, Short, ShortGiven
from api.matches.schemas import PlayerShown
from api.tournaments.schemas import Reason
from domain.kernel.texts import ONE_LINE
from domain.leagues.fact_base import Text
from domain.leagues.invitation_facts import InvitedTo
from domain.leagues.plan import LeaguePlan

NUMBER_MAX = 1_000
SCORE_MAX = 100_000
Number = Annotated[int, msgspec.Meta(ge=1, le=NUMBER_MAX)]
PersonName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=ONE_LINE)]
Score = Annotated[int, msgspec.Meta(ge=-SCORE_MAX, le=SCORE_MAX)]
Places = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=5)], ...], msgspec.Meta(max_length=5)]
Scores = Annotated[tuple[Score, ...], msgspec.Meta(max_length=5)]
Seats = Annotated[int, msgspec.Meta(ge=1, le=5)]


class OpenLeague(RequestStruct, frozen=True):
    """A request to open a league as its organiser. `official`: another organiser and arbiter, by id or name.

    A plan without `table` has rated tables with a clock; only organisers of the service may open it.
    """

    plan: LeaguePlan
    official: Short = ""


class ChangeLeague(RequestStruct, frozen=True):
    """A change of the plan from the next season; needs a reason once groups have been drawn."""

    plan: LeaguePlan
    reason: Reason = ""


class OpenSeason(RequestStruct, frozen=True):
    """A season to open."""

    name: ShortGiven


class NameOfPlayer(RequestStruct, frozen=True):
    """A person by id or name, or a bot by its full name; null: the caller."""

    player: PersonName | None = None


class EnterLeague(NameOfPlayer, frozen=True):
    """An entry for the next season.

    `waive`: the player need not meet the conditions, for the `reason` of the organiser. `password`: of the league.
    `club_id`: the club for which the caller enters, of several; without it a club of the conditions, or the first.
    """

    reason: Reason = ""
    waive: bool = False
    password: Password = ""
    club_id: UUID | None = None


class AnswerLeagueInvitation(RequestStruct, frozen=True):
    """An answer to an invitation: to the league, to a season, or to a place in a group.

    Only `season` is set for a season; `group`, `place` and `from_round` too for a place, as the league lists them.
    """

    accept: bool
    season: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] = 0
    group: Number = 1
    place: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] = 0
    from_round: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] = 0

    @property
    def to(self) -> InvitedTo:
        """The target of the invitation."""
        return InvitedTo(self.season, self.group - 1, self.place, self.from_round)


class MoveDeadline(RequestStruct, frozen=True):
    """A new deadline of a round."""

    round: Number
    deadline: Annotated[datetime, msgspec.Meta(tz=True)]
    reason: Text


class NameSubstitute(RequestStruct, frozen=True):
    """A substitute: `player` takes the place of `out` from a round on."""

    group: Number
    out: PersonName
    player: PersonName
    from_round: Number
    reason: Text


class SwapInDraw(RequestStruct, frozen=True):
    """Two players of the proposed draw who change places."""

    player: PersonName
    other: PersonName
    reason: Text


class MoveInDraw(RequestStruct, frozen=True):
    """A player of the proposed draw who moves to another group."""

    player: PersonName
    group: Number
    reason: Text


class RuleFixture(RequestStruct, frozen=True):
    """A ruling: places and points by seat, or `void`: the table does not count."""

    group: Number
    round: Number
    table: Number
    places: Places = ()
    scores: Scores = ()
    void: bool = False
    reason: Text = ""


class GiveFixture(RequestStruct, frozen=True):
    """The result of a face-to-face table: places and points by seat.

    `sure`: accept places that contradict the points. `reason`: for a late or replaced result.
    """

    group: Number
    round: Number
    table: Number
    places: Places
    scores: Scores
    sure: bool = False
    reason: Reason = ""


class PenaliseInLeague(RequestStruct, frozen=True):
    """Sixtieths of a point to deduct from a player, by id or name; negative numbers give them back."""

    player: PersonName
    sixtieths: Annotated[int, msgspec.Meta(ge=-60_000, le=60_000)]
    reason: Reason


class AnnounceToLeague(RequestStruct, frozen=True):
    """An announcement."""

    text: Text


class LeagueListed(ResponseStruct, frozen=True):
    """A league in a list."""

    league_id: UUID
    name: str
    title: str
    size: int
    season: int | None
    status: str | None
    players: int


class LeaguesShown(Listing, frozen=True):
    """Leagues, latest first."""

    leagues: tuple[LeagueListed, ...]


class LeagueActShown(ResponseStruct, frozen=True, kw_only=True):
    """An act of an organiser; `version` is the record of the league that holds it.

    `players`: at the table by seat, or the holder of the place, for whom `substitute` plays.
    """

    version: int
    at: datetime
    by: str
    by_name: str
    kind: str
    reason: str
    season: int | None
    season_name: str
    group: int | None
    round: int | None
    table: int | None
    players: tuple[PlayerShown, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    void: bool
    was_scores: tuple[int, ...]
    was_places: tuple[int, ...]
    was_void: bool
    late: bool
    deadline: datetime | None
    was_deadline: datetime | None
    substitute: PlayerShown | None
    sixtieths: int


class LeagueRecordShown(Listing, frozen=True):
    """The acts of the organisers of a league, latest first."""

    acts: tuple[LeagueActShown, ...]


class LeagueNoticeShown(ResponseStruct, frozen=True):
    """An announcement."""

    at: datetime
    text: str


class LeagueInvitationShown(ResponseStruct, frozen=True):
    """An invitation to the league, to a `season`, or (`from_round`) to the place of `out` in a group.

    `group` and `place` identify the place. `answer`: open or declined.
    """

    player: PlayerShown
    by: PlayerShown
    season: int
    group: int
    place: int
    from_round: int
    out: PlayerShown | None
    answer: str
    reason: str
    seeding: int


class SeasonListed(ResponseStruct, frozen=True):
    """A season in a list; with a schedule, registration closes at `entry_closes` and the first round `starts`."""

    number: int
    name: str
    status: str
    players: int
    rounds: int
    rounds_opened: int
    drawn_at: datetime | None
    closed_at: datetime | None
    starts: datetime | None
    entry_closes: datetime | None


class ChampionShown(ResponseStruct, frozen=True):
    """The medallists of a season."""

    season: int
    name: str
    champions: tuple[PlayerShown, ...]
    seconds: tuple[PlayerShown, ...]
    thirds: tuple[PlayerShown, ...]


class PlacedShown(ResponseStruct, frozen=True):
    """A player's final rank in a season."""

    season: int
    division: str
    rank: int


class CareerShown(ResponseStruct, frozen=True):
    """A player's ranks in all closed seasons, and podium places in the first division."""

    player: PlayerShown
    seasons: tuple[PlacedShown, ...]
    firsts: int
    seconds: int
    thirds: int


class LeagueShown(ResponseStruct, frozen=True):
    """A league; `head` is the digest of its latest record.

    `entered`, `clubs` and `waiting` (for a place) are about the latest season. `careers`: players with the best podiums
    first.
    `invitations`: organisers see every open or declined invitation, other callers their own open ones. `rated`: tables
    that open now are rated; the plan asks for it, and an organiser of the service opened the league.
    `registration_opens`: when the service opens registration for the next season, once the latest one is over.
    """

    league_id: UUID
    version: int
    head: str
    organiser: PlayerShown
    plan: LeaguePlan
    rated: bool
    seasons: tuple[SeasonListed, ...]
    entered: tuple[PlayerShown, ...]
    clubs: tuple[ClubOfEntry, ...]
    waiting: tuple[PlayerShown, ...]
    invitations: tuple[LeagueInvitationShown, ...]
    hall_of_fame: tuple[ChampionShown, ...]
    careers: tuple[CareerShown, ...]
    notices: tuple[LeagueNoticeShown, ...]
    registration_opens: datetime | None


class TableAt(ResponseStruct, frozen=True):
    """A table; all numbers from 1."""

    group: int
    round: int
    table: int


class TakeLeagueStep(RequestStruct, frozen=True):
    """An automatic step."""

    step: Literal["register", "propose", "draw", "round", "remind", "expire", "close", "offer"]
    expected_version: int


class LeagueOwedShown(ResponseStruct, frozen=True):
    """The next duty of a league, for the service's workers.

    `tables`: some of the tables to open; `with_bots`: those at which bots play on, for the step `adjudicate`.
    """

    league_id: UUID
    version: int
    step: str
    tables: tuple[TableAt, ...]
    with_bots: tuple[TableLeftShown, ...] = ()
