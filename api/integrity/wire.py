"""What the answers of the integrity screen look like."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from api.http.wire import Wire
from domain.integrity.base import Measure
from domain.matches.facts import Clock

WARNING: Final = (
    "These figures prove nothing: they are a reason to look at matches. Among many people somebody always stands"
    " outermost; friends and clubs play together, habits and aids make times even, and ratings are uncertain."
)


class StandingShown(Wire, frozen=True):
    """A figure (`docs/organise/integrity.md`), and how many of the `count` others that can be compared are at least as
    unusual: `beyond`. `standsOut`: at most one of a hundred."""

    measure: Measure
    value: int
    count: int
    beyond: int
    stands_out: bool


class Named(Wire, frozen=True):
    """Somebody, by id and name."""

    id: str
    name: str


class ThinkerShown(Wire, frozen=True):
    """How long somebody thinks in matches of one kind."""

    person: Named
    title: str
    seats: int
    clock: Clock
    matches: int
    standings: tuple[StandingShown, ...]


class HelpingShown(Wire, frozen=True):
    """What may be help of one for another, and their newest matches together."""

    helper: Named
    gainer: Named
    matches: int
    standings: tuple[StandingShown, ...]
    newest: tuple[UUID, ...]


class MeetingShown(Wire, frozen=True):
    """How two people meet, and their newest matches together."""

    people: tuple[Named, Named]
    matches: int
    standings: tuple[StandingShown, ...]
    newest: tuple[UUID, ...]


class SharedShown(Wire, frozen=True):
    """Two people who came from the same address on so many of the last 30 days, and how many people in all did where it
    was fewest."""

    people: tuple[Named, Named]
    days: int
    crowd: int


class SittingShown(Wire, frozen=True):
    """How long somebody thought in one match."""

    person: Named
    decisions: int
    standings: tuple[StandingShown, ...]


class TallyShown(Wire, frozen=True):
    """Decisions that were compared with an analysis. Of fewer than ten nothing is said but how many they were. `best`:
    its best choice was played, `good`: the best or one graded good, both per mille; `lost`: the chance to win that was
    given away per decision, in ten-thousandths."""

    decisions: int
    best: int | None = None
    good: int | None = None
    lost: int | None = None


class AgreementShown(Wire, frozen=True):
    """Somebody's own decisions in one match against its analysis."""

    person: Named
    match_id: UUID
    title: str
    seats: int
    tally: TallyShown
    standings: tuple[StandingShown, ...]


class HabitShown(Wire, frozen=True):
    """The same over all analysed matches of a kind, each decision counted once."""

    person: Named
    title: str
    seats: int
    matches: int
    tally: TallyShown
    standings: tuple[StandingShown, ...]


class RateShown(Wire, frozen=True):
    """How often anybody agrees at tables of a kind: all seats of people that are analysed, or of bots."""

    who: Literal["people", "bots"]
    title: str
    table_seats: int
    seats: int
    tally: TallyShown


class LookShown(Wire, frozen=True):
    """A look of an arbiter at figures of the caller: when, and by which role; in an event, at a match, or over all."""

    at: datetime
    role: str
    event: str | None
    match_id: UUID | None


class LooksShown(Wire, frozen=True):
    """Looks that the person may know of, latest first.

    A look is hidden while a dispute that was open then still waits, for 90 days at most.
    """

    looks: tuple[LookShown, ...]


class FiguresShown(Wire, frozen=True):
    """The figures an official asked for, the most unusual first, and what they stand in: `matches` were measured, the
    oldest of which ended at `since`; of the `figures` of everybody `marked` are marked as standing out, where chance
    alone would mark about `byChance`."""

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
    """Whether shared addresses are shown; arbiters of the whole service see them, arbiters of an event do not."""
    people_seen: int
    """How many people's addresses are known of these days."""
    analysed: int
    """Of how many of the matches there is an analysis; of the others nothing is said about agreement."""
    rates: tuple[RateShown, ...]
    habits: tuple[HabitShown, ...]
    agreements: tuple[AgreementShown, ...]
    sittings: tuple[SittingShown, ...] = ()
    match_analysed: bool | None = None
    """Whether the match that was asked for is analysed."""
