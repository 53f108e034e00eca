"""Requests about leagues, rankings and players, and their answers. Groups, rounds and tables count from 1."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.wire import Asked, Listing, Short, ShortGiven, Wire
from api.matches.wire import PlayerShown
from api.tournaments.wire import Reason
from api.tournaments.wire_of_standings import CellShown
from domain.kernel.texts import ONE_LINE
from domain.leagues.fact import Text
from domain.leagues.invited import InvitedTo
from domain.leagues.plan import LeaguePlan

NUMBER_MAX = 1_000
SCORE_MAX = 100_000
Number = Annotated[int, msgspec.Meta(ge=1, le=NUMBER_MAX)]
PersonName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=ONE_LINE)]
Score = Annotated[int, msgspec.Meta(ge=-SCORE_MAX, le=SCORE_MAX)]
Places = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=5)], ...], msgspec.Meta(max_length=5)]
Scores = Annotated[tuple[Score, ...], msgspec.Meta(max_length=5)]
Seats = Annotated[int, msgspec.Meta(ge=1, le=5)]


class OpenLeague(Asked, frozen=True):
    """A league to be opened by its organiser. `official`: somebody else, by id or name, who organises and arbitrates it
    too. A plan without `table` has rated tables with a clock; only organisers of the service may open it.
    """

    plan: LeaguePlan
    official: Short = ""


class ChangeLeague(Asked, frozen=True):
    """Another plan, from the next season on; once groups have been drawn, with the reason."""

    plan: LeaguePlan
    reason: Reason = ""


class OpenSeason(Asked, frozen=True):
    name: ShortGiven


class NameOfPlayer(Asked, frozen=True):
    """Somebody by id or name, or a bot by its full name; nobody: the caller."""

    player: PersonName | None = None


class AnswerLeagueInvitation(Asked, frozen=True):
    """The answer to an invitation: without numbers to the league; with `season` to that season; with `group` (from 1),
    `place` and `from_round` too to the place that a league shows with them."""

    accept: bool
    season: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] = 0
    group: Number = 1
    place: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] = 0
    from_round: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] = 0

    @property
    def to(self) -> InvitedTo:
        return InvitedTo(self.season, self.group - 1, self.place, self.from_round)


class MoveDeadline(Asked, frozen=True):
    round: Number
    deadline: Annotated[datetime, msgspec.Meta(tz=True)]
    reason: Text


class NameSubstitute(Asked, frozen=True):
    """`player` takes the place of `out` from a round on."""

    group: Number
    out: PersonName
    player: PersonName
    from_round: Number
    reason: Text


class RuleFixture(Asked, frozen=True):
    """Places and points by seat, or `void`: the table counts for nobody."""

    group: Number
    round: Number
    table: Number
    places: Places = ()
    scores: Scores = ()
    void: bool = False
    reason: Text = ""


class GiveFixture(Asked, frozen=True):
    """The result of a table played face to face: places and points by seat. `sure`: the places are meant, though they
    contradict the points. After the deadline of the round, or in the place of another result, with the reason."""

    group: Number
    round: Number
    table: Number
    places: Places
    scores: Scores
    sure: bool = False
    reason: Reason = ""


class PenaliseInLeague(Asked, frozen=True):
    """Sixtieths of a point taken from somebody's place, by id or name; a negative number gives them back."""

    player: PersonName
    sixtieths: Annotated[int, msgspec.Meta(ge=-60_000, le=60_000)]
    reason: Reason


class AnnounceToLeague(Asked, frozen=True):
    text: Text


class LeagueListed(Wire, frozen=True):
    league_id: UUID
    name: str
    title: str
    size: int
    season: int | None
    status: str | None
    players: int


class LeaguesShown(Listing, frozen=True):
    """Leagues, the newest first."""

    leagues: tuple[LeagueListed, ...]


class LeagueActShown(Wire, frozen=True, kw_only=True):
    """What an organiser did: `kind` says what, `version` is the record of the league that holds it. `players`: those of
    the table by seat, or whose place it is; `substitute`: who plays for it."""

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
    """The acts of the organisers of a league, the newest first."""

    acts: tuple[LeagueActShown, ...]


class LeagueNoticeShown(Wire, frozen=True):
    at: datetime
    text: str


class LeagueInvitationShown(Wire, frozen=True):
    """An invitation: to the league, with `season` to that season, with `from_round` to the place of `out` in a group of
    it, which `group` and `place` name. `answer`: open, or declined."""

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


class SeasonListed(Wire, frozen=True):
    number: int
    name: str
    status: str
    players: int
    rounds: int
    rounds_opened: int
    drawn_at: datetime | None
    closed_at: datetime | None


class ChampionShown(Wire, frozen=True):
    season: int
    name: str
    champions: tuple[PlayerShown, ...]
    seconds: tuple[PlayerShown, ...]
    thirds: tuple[PlayerShown, ...]


class PlacedShown(Wire, frozen=True):
    """Where somebody came in a season."""

    season: int
    division: str
    rank: int


class CareerShown(Wire, frozen=True):
    """A player's way through the seasons that are over, and the places on the podium of the first division."""

    player: PlayerShown
    seasons: tuple[PlacedShown, ...]
    firsts: int
    seconds: int
    thirds: int


class LeagueShown(Wire, frozen=True):
    """A league; `head` is the digest of its latest record.

    `careers`: players with the best podiums first. `invitations`: organisers see every open or declined invitation,
    other callers their own open ones.

    `rated`: tables that open now are rated; the plan asks for it, and an organiser of the service opened the league.
    """

    league_id: UUID
    version: int
    head: str
    organiser: PlayerShown
    plan: LeaguePlan
    rated: bool
    seasons: tuple[SeasonListed, ...]
    entered: tuple[PlayerShown, ...]
    invitations: tuple[LeagueInvitationShown, ...]
    hall_of_fame: tuple[ChampionShown, ...]
    careers: tuple[CareerShown, ...]
    notices: tuple[LeagueNoticeShown, ...]


class LeagueLineShown(Wire, frozen=True):
    """A place of a group. `points` are sixtieths; `moves`: -1 up, 1 down, 0 stays, if the season ended so. `cells`: the
    way through the rounds that are open, each with the ranks of those met."""

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


class FixtureShown(Wire, frozen=True):
    """A table of the schedule; `unverified`: it was played face to face, and its result was entered by the
    organiser.

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


class TableAt(Wire, frozen=True):
    """A table; all numbers from 1."""

    group: int
    round: int
    table: int


class LeagueOwedShown(Wire, frozen=True):
    """What a league waits for, for the service itself; `tables`: the next that are to be opened, not always all."""

    league_id: UUID
    version: int
    step: str
    tables: tuple[TableAt, ...]


class DesignShown(Wire, frozen=True):
    """How even the schedule of a group is, counted."""

    built: str
    meetings_min: int
    meetings_max: int
    seats_min: int
    seats_max: int
    tables: int


class GroupShown(Wire, frozen=True):
    group: int
    division: str
    design: DesignShown
    lines: tuple[LeagueLineShown, ...]


class RoundTables(Wire, frozen=True):
    """A round that is open: how many of its tables have their match or a result by hand, and how many there are. The
    matches are opened one after the other, soon after the round."""

    round: int
    opened: int
    tables: int


class SeasonShown(Wire, frozen=True):
    league_id: UUID
    version: int
    season: SeasonListed
    deadlines: tuple[datetime, ...]
    rounds: tuple[RoundTables, ...]
    groups: tuple[GroupShown, ...]
    fixtures: tuple[FixtureShown, ...]
