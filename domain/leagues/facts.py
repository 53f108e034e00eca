"""Facts of a league: the tagged union of the records in its stream."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from domain.contests.prizes import Prizes
from domain.designs.shapes import Round as Tables
from domain.kernel.bounds import NAME_MAX
from domain.kernel.values import Value
from domain.leagues.contest_facts import SharedFact
from domain.leagues.fact_base import LeagueFact, Text
from domain.leagues.invitation_facts import InvitationDeclined, InvitationWithdrawn, PlayerInvited
from domain.leagues.plan import LeaguePlan
from domain.matches.facts import Actor
from domain.signatures.acts import Signed

SeasonName = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]


class GroupDrawn(Value, frozen=True, omit_defaults=True):
    """A group: its players by number in the schedule, and the schedule, independent of later code."""

    division: int
    players: tuple[Actor, ...]
    rounds: tuple[Tables, ...]
    built: str


class LeagueOpened(LeagueFact, frozen=True):
    """The league was opened."""

    by: Actor
    plan: LeaguePlan


class LeaguePlanChanged(LeagueFact, frozen=True):
    """The plan changed."""

    by: Actor
    plan: LeaguePlan
    reason: Text = ""


class SeasonOpened(LeagueFact, frozen=True):
    """Registration for the next season was opened.

    By a schedule until `entry_closes`, for a season that starts at `starts`.
    """

    by: Actor
    name: SeasonName
    starts: datetime | None = None
    entry_closes: datetime | None = None


class SeasonPostponed(LeagueFact, frozen=True):
    """Too few players have entered a scheduled season: registration continues."""

    starts: datetime
    entry_closes: datetime
    reason: Text


class PlayerEntered(LeagueFact, frozen=True):
    """A player entered; `seeding` orders newcomers by the rating points at that time.

    `waiting`: all places are taken, and the player gets the next free place before the draw. `reason`: of an organiser
    who enters despite the conditions. `club_id`: the club of which the player was a member.
    """

    by: Actor
    actor: Actor
    seeding: int = 0
    waiting: bool = False
    reason: Text = ""
    club_id: UUID | None = None


class PlayerPromoted(LeagueFact, frozen=True):
    """A waiting player got a place."""

    actor: Actor


class PlayerLeft(LeagueFact, frozen=True):
    """A player left: before the draw the entry is removed, after it the place needs a substitute."""

    by: Actor
    actor: Actor
    reason: Text = ""


class DrawProposed(LeagueFact, frozen=True):
    """Registration for a scheduled season is closed, and these groups are proposed."""

    groups: tuple[GroupDrawn, ...]


class DrawChanged(LeagueFact, frozen=True):
    """An organiser changed the proposed groups."""

    by: Actor
    groups: tuple[GroupDrawn, ...]
    reason: Text


class SeasonDrawn(LeagueFact, frozen=True):
    """The groups of the season were drawn."""

    by: Actor
    groups: tuple[GroupDrawn, ...]
    plan: LeaguePlan
    """The plan of the season until its end, whatever changes later."""


class RoundOpened(LeagueFact, frozen=True):
    """The matches of a round were opened in all groups, to be played until the deadline."""

    by: Actor
    round: int
    deadline: datetime


class DeadlineMoved(LeagueFact, frozen=True):
    """The deadline of a round was moved."""

    by: Actor
    round: int
    deadline: datetime
    reason: Text = ""


class PlayersReminded(LeagueFact, frozen=True):
    """The players of unfinished tables were reminded of a deadline, this many minutes before it."""

    round: int
    deadline: datetime
    minutes: int


class DeadlinePassed(LeagueFact, frozen=True):
    """The deadline of a round was enforced at every table.

    `until`: when the tables that still have no result are decided, or examined again.
    """

    round: int
    deadline: datetime
    until: datetime | None = None


class SubstituteNamed(LeagueFact, frozen=True):
    """A substitute plays for a place of a group from a round on; points belong to the place.

    With `until` the former player plays again after that round.
    """

    by: Actor
    group: int
    place: int
    actor: Actor
    from_round: int
    reason: Text = ""
    until: int = 0


class FixtureRuled(LeagueFact, frozen=True):
    """A ruling on a table that cannot be finished: places and points by seat; `void`: it does not count.

    `overdue`: the seats placed last for owing a decision at the deadline, the longest overdue first. `bot`: the bot
    that played on from the last position, `lines`: the points of each line by seat.
    """

    by: Actor
    round: int
    group: int
    table: int
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    void: bool = False
    reason: Text = ""
    signed: Signed | None = None
    overdue: tuple[int, ...] = ()
    bot: Actor = ""
    lines: tuple[tuple[int, ...], ...] = ()


class TableLeftToBots(LeagueFact, frozen=True):
    """Bots play on at a table without a result; `until`: when the scores decide if they have not."""

    by: Actor
    round: int
    group: int
    table: int
    until: datetime
    reason: Text
    signed: Signed | None = None


class ResultEntered(LeagueFact, frozen=True):
    """The unverified result of a face-to-face table, by seat."""

    by: Actor
    round: int
    group: int
    table: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Text = ""
    signed: Signed | None = None


class PrizesSet(LeagueFact, frozen=True):
    """The prizes of a division changed, for each of its groups; has a reason once a round is open.

    They hold for the latest season and, until they change, for later ones.
    """

    by: Actor
    division: int
    prizes: Prizes
    reason: Text = ""


class PenaltyGiven(LeagueFact, frozen=True):
    """Sixtieths of a point deducted from a place of a group; a negative number gives them back."""

    by: Actor
    group: int
    place: int
    sixtieths: int
    reason: Text
    signed: Signed | None = None


class ImportNoted(LeagueFact, frozen=True):
    """A file of the season was imported; the same file again changes nothing."""

    by: Actor
    kind: Literal["results"]
    digest: str
    count: int


class SeasonClosed(LeagueFact, frozen=True):
    """The season was closed."""

    by: Actor
    signed: Signed | None = None


class LeagueAnnounced(LeagueFact, frozen=True):
    """An announcement of the organiser."""

    by: Actor
    text: Text


Fact = (
    LeagueOpened
    | LeaguePlanChanged
    | PlayerInvited
    | InvitationDeclined
    | InvitationWithdrawn
    | SeasonOpened
    | SeasonPostponed
    | PlayerEntered
    | PlayerPromoted
    | PlayerLeft
    | DrawProposed
    | DrawChanged
    | SeasonDrawn
    | RoundOpened
    | DeadlineMoved
    | PlayersReminded
    | DeadlinePassed
    | TableLeftToBots
    | SubstituteNamed
    | FixtureRuled
    | ResultEntered
    | PrizesSet
    | PenaltyGiven
    | ImportNoted
    | SeasonClosed
    | LeagueAnnounced
    | SharedFact
)
