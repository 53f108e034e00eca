"""Responses of the integrity API."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from api.http.structs import ResponseStruct
from domain.integrity.base_rates import Measure
from domain.matches.facts import Clock

WARNING: Final = (
    "These figures prove nothing: they are a reason to look at matches. Among many people someone is always the most"
    " unusual; friends and clubs play together, habits and aids make times even, and ratings are uncertain."
)


class StandingShown(ResponseStruct, frozen=True):
    """A figure (`docs/organise/integrity.md`), compared with others.

    `beyond`: how many of the `count` comparable others are at least as unusual. `standsOut`: at most one in a hundred.
    """

    measure: Measure
    value: int
    count: int
    beyond: int
    stands_out: bool


class Named(ResponseStruct, frozen=True):
    """A person, by id and name."""

    id: str
    name: str


class ThinkerShown(ResponseStruct, frozen=True):
    """Thinking times of a person in matches of one kind."""

    person: Named
    title: str
    seats: int
    clock: Clock
    matches: int
    standings: tuple[StandingShown, ...]


class HelpingShown(ResponseStruct, frozen=True):
    """Possible help of one person for another, and their latest matches together."""

    helper: Named
    gainer: Named
    matches: int
    standings: tuple[StandingShown, ...]
    newest: tuple[UUID, ...]


class MeetingShown(ResponseStruct, frozen=True):
    """Meetings of two people, and their latest matches together."""

    people: tuple[Named, Named]
    matches: int
    standings: tuple[StandingShown, ...]
    newest: tuple[UUID, ...]


class SharedShown(ResponseStruct, frozen=True):
    """Two people with a shared address.

    `days`: number of such days in the last 30; `crowd`: the smallest number of people at the address.
    """

    people: tuple[Named, Named]
    days: int
    crowd: int


class SittingShown(ResponseStruct, frozen=True):
    """Thinking times of a person in one match."""

    person: Named
    decisions: int
    standings: tuple[StandingShown, ...]


class TallyShown(ResponseStruct, frozen=True):
    """Decisions compared with an analysis; fewer than ten have no figures.

    `best`: share of best choices, `good`: of choices graded good or best, both per mille; `lost`: winning chance lost
    per decision, in ten-thousandths.
    """

    decisions: int
    best: int | None = None
    good: int | None = None
    lost: int | None = None


class AgreementShown(ResponseStruct, frozen=True):
    """A person's decisions in one match compared with its analysis."""

    person: Named
    match_id: UUID
    title: str
    seats: int
    tally: TallyShown
    standings: tuple[StandingShown, ...]


class HabitShown(ResponseStruct, frozen=True):
    """A person's decisions in all analysed matches of a kind, each counted once."""

    person: Named
    title: str
    seats: int
    matches: int
    tally: TallyShown
    standings: tuple[StandingShown, ...]


class RateShown(ResponseStruct, frozen=True):
    """Average agreement at tables of a kind: of all analysed seats of people, or of bots."""

    who: Literal["people", "bots"]
    title: str
    table_seats: int
    seats: int
    tally: TallyShown


class LookShown(ResponseStruct, frozen=True):
    """An arbiter's access to statistics of the caller: time, role, and event or match if limited to one."""

    at: datetime
    role: str
    event: str | None
    match_id: UUID | None


class LooksShown(ResponseStruct, frozen=True):
    """Accesses that the person may know of, latest first.

    An access is hidden while a dispute that was open then is unresolved, for at most 90 days.
    """

    looks: tuple[LookShown, ...]


class FiguresShown(ResponseStruct, frozen=True):
    """The statistics for an official, most unusual first.

    `matches` were measured, the oldest of which ended at `since`; of all `figures` `marked` stand out, where chance
    alone would mark about `byChance`.
    """

    warning: str
    event: str | None
    matches: int
    since: datetime | None
    matches_min: int
    others_min: int
    figures: int
    marked: int
    by_chance: int
    thinkers: tuple[ThinkerShown, ...]
    helpings: tuple[HelpingShown, ...]
    meetings: tuple[MeetingShown, ...]
    addresses: tuple[SharedShown, ...]
    sees_addresses: bool
    """Whether shared addresses are shown: to arbiters of the whole service, not to arbiters of an event."""
    people_seen: int
    """Number of people with recorded addresses."""
    analysed: int
    """Number of analysed matches; others have no figures about agreement."""
    rates: tuple[RateShown, ...]
    habits: tuple[HabitShown, ...]
    agreements: tuple[AgreementShown, ...]
    sittings: tuple[SittingShown, ...] = ()
    match_analysed: bool | None = None
    """Whether the requested match is analysed."""
