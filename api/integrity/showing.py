"""Conversion of statistics to responses, with names added to ids."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from api.accounts.naming import Names
from api.integrity.wire import (
    AgreementShown,
    HabitShown,
    HelpingShown,
    MeetingShown,
    Named,
    RateShown,
    SittingShown,
    StandingShown,
    TallyShown,
    ThinkerShown,
)
from domain.integrity.agreement import Agreement, Habit, Rate, Tally
from domain.integrity.base import Standing
from domain.integrity.company import Helping, Meeting
from domain.integrity.people import Sitting, Thinker
from domain.matches.facts import Actor


class Row(Protocol):
    """A row with figures."""

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The figures of the row."""
        ...


class OfPerson(Protocol):
    """A row about one person."""

    @property
    def person(self) -> Actor:
        """The person of the row."""
        ...


def named(person: Actor, names: Names) -> Named:
    """Return id and name of a person."""
    return Named(person, names[person])


def both(one: Actor, two: Actor, names: Names) -> tuple[Named, Named]:
    """Return ids and names of two people."""
    return named(one, names), named(two, names)


def standings_shown(row: Row) -> tuple[StandingShown, ...]:
    """Convert the figures of a row."""
    return tuple(
        StandingShown(each.measure, each.value, each.count, each.beyond, each.stands_out) for each in row.standings
    )


def thinker_shown(each: Thinker, names: Names) -> ThinkerShown:
    """Convert thinking times in matches of one kind."""
    kind = each.kind
    return ThinkerShown(
        named(each.person, names), kind.title, kind.seats, kind.clock, each.matches, standings_shown(each)
    )


def helping_shown(each: Helping, names: Names, newest: tuple[UUID, ...]) -> HelpingShown:
    """Convert possible help between two people."""
    return HelpingShown(
        named(each.helper, names), named(each.gainer, names), each.matches, standings_shown(each), newest
    )


def meeting_shown(each: Meeting, names: Names, newest: tuple[UUID, ...]) -> MeetingShown:
    """Convert meetings of two people."""
    return MeetingShown(both(each.one, each.two, names), each.matches, standings_shown(each), newest)


def sitting_shown(each: Sitting, names: Names) -> SittingShown:
    """Convert thinking times in one match."""
    return SittingShown(named(each.person, names), each.decisions, standings_shown(each))


def tally_shown(tally: Tally) -> TallyShown:
    """Convert a comparison with analyses; few decisions have no figures."""
    figures = tally.figures
    return TallyShown(tally.decisions, figures.get("best"), figures.get("good"), figures.get("lost"))


def agreement_shown(each: Agreement, names: Names) -> AgreementShown:
    """Convert a comparison for one match."""
    played = each.played
    return AgreementShown(
        named(each.person, names),
        played.match_id,
        played.title,
        len(played.seats),
        tally_shown(each.tally),
        standings_shown(each),
    )


def habit_shown(each: Habit, names: Names) -> HabitShown:
    """Convert a comparison over all matches of a kind."""
    pool = each.pool
    return HabitShown(
        named(each.person, names), pool.title, pool.seats, each.matches, tally_shown(each.tally), standings_shown(each)
    )


def rate_shown(each: Rate) -> RateShown:
    """Convert a rate of agreement."""
    return RateShown(
        "bots" if each.bots else "people", each.pool.title, each.pool.seats, each.seats, tally_shown(each.tally)
    )
