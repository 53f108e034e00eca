"""What happens to a league: the tagged union every record of its stream holds one of."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from domain.designs.shapes import Round as Tables
from domain.kernel.bounds import NAME_MAX
from domain.kernel.values import Value
from domain.leagues.fact import LeagueFact, Text
from domain.leagues.invited import InvitationDeclined, InvitationWithdrawn, PlayerInvited
from domain.leagues.plan import LeaguePlan
from domain.matches.facts import Actor
from domain.signatures.acts import Signed

SeasonName = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]


class GroupDrawn(Value, frozen=True, omit_defaults=True):
    """A group: its players by their numbers in the schedule, and the schedule, whatever later code would draw."""

    division: int
    players: tuple[Actor, ...]
    rounds: tuple[Tables, ...]
    built: str


class LeagueOpened(LeagueFact, frozen=True):
    by: Actor
    plan: LeaguePlan


class LeaguePlanChanged(LeagueFact, frozen=True):
    by: Actor
    plan: LeaguePlan
    reason: Text = ""


class SeasonOpened(LeagueFact, frozen=True):
    """Registration for the next season is open."""

    by: Actor
    name: SeasonName


class PlayerEntered(LeagueFact, frozen=True):
    """`seeding` orders newcomers: their rating's points when they entered."""

    by: Actor
    actor: Actor
    seeding: int = 0


class PlayerLeft(LeagueFact, frozen=True):
    """Before the draw, the entry is gone; after it, the place wants a substitute."""

    by: Actor
    actor: Actor
    reason: Text = ""


class SeasonDrawn(LeagueFact, frozen=True):
    by: Actor
    groups: tuple[GroupDrawn, ...]
    plan: LeaguePlan
    """As it was then: a season is played to its end by the plan it began with."""


class RoundOpened(LeagueFact, frozen=True):
    """The matches of a round, of all groups, are to be played until the deadline."""

    by: Actor
    round: int
    deadline: datetime


class DeadlineMoved(LeagueFact, frozen=True):
    by: Actor
    round: int
    deadline: datetime
    reason: Text = ""


class SubstituteNamed(LeagueFact, frozen=True):
    """From a round on somebody else plays for a place of a group; the points are the place's."""

    by: Actor
    group: int
    place: int
    actor: Actor
    from_round: int
    reason: Text = ""


class FixtureRuled(LeagueFact, frozen=True):
    """A table that cannot be played to its end: its places and points by seat; `void`: it counts for nobody."""

    by: Actor
    round: int
    group: int
    table: int
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    void: bool = False
    reason: Text = ""
    signed: Signed | None = None


class ResultEntered(LeagueFact, frozen=True):
    """The result of a table played face to face, by seat: marked, and unverified."""

    by: Actor
    round: int
    group: int
    table: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Text = ""
    signed: Signed | None = None


class PenaltyGiven(LeagueFact, frozen=True):
    """Sixtieths of a point taken from a place of a group in its table; a negative number gives them back."""

    by: Actor
    group: int
    place: int
    sixtieths: int
    reason: Text
    signed: Signed | None = None


class ImportNoted(LeagueFact, frozen=True):
    """A file of the season came in; the same file again changes nothing."""

    by: Actor
    kind: Literal["results"]
    digest: str
    count: int


class SeasonClosed(LeagueFact, frozen=True):
    by: Actor
    signed: Signed | None = None


class LeagueAnnounced(LeagueFact, frozen=True):
    by: Actor
    text: Text


Fact = (
    LeagueOpened
    | LeaguePlanChanged
    | PlayerInvited
    | InvitationDeclined
    | InvitationWithdrawn
    | SeasonOpened
    | PlayerEntered
    | PlayerLeft
    | SeasonDrawn
    | RoundOpened
    | DeadlineMoved
    | SubstituteNamed
    | FixtureRuled
    | ResultEntered
    | PenaltyGiven
    | ImportNoted
    | SeasonClosed
    | LeagueAnnounced
)
