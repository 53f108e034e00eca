"""Rows of figures as answers show them: names in the place of ids."""

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
    @property
    def standings(self) -> tuple[Standing, ...]: ...


class OfPerson(Protocol):
    @property
    def person(self) -> Actor: ...


def named(person: Actor, names: Names) -> Named:
    return Named(person, names[person])


def both(one: Actor, two: Actor, names: Names) -> tuple[Named, Named]:
    return named(one, names), named(two, names)


def standings_shown(row: Row) -> tuple[StandingShown, ...]:
    return tuple(
        StandingShown(each.measure, each.value, each.count, each.beyond, each.stands_out) for each in row.standings
    )


def thinker_shown(each: Thinker, names: Names) -> ThinkerShown:
    kind = each.kind
    return ThinkerShown(
        named(each.person, names), kind.title, kind.seats, kind.clock, each.matches, standings_shown(each)
    )


def helping_shown(each: Helping, names: Names, newest: tuple[UUID, ...]) -> HelpingShown:
    return HelpingShown(
        named(each.helper, names), named(each.gainer, names), each.matches, standings_shown(each), newest
    )


def meeting_shown(each: Meeting, names: Names, newest: tuple[UUID, ...]) -> MeetingShown:
    return MeetingShown(both(each.one, each.two, names), each.matches, standings_shown(each), newest)


def sitting_shown(each: Sitting, names: Names) -> SittingShown:
    return SittingShown(named(each.person, names), each.decisions, standings_shown(each))


def tally_shown(tally: Tally) -> TallyShown:
    figures = tally.figures
    return TallyShown(tally.decisions, figures.get("best"), figures.get("good"), figures.get("lost"))


def agreement_shown(each: Agreement, names: Names) -> AgreementShown:
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
    pool = each.pool
    return HabitShown(
        named(each.person, names), pool.title, pool.seats, each.matches, tally_shown(each.tally), standings_shown(each)
    )


def rate_shown(each: Rate) -> RateShown:
    return RateShown(
        "bots" if each.bots else "people", each.pool.title, each.pool.seats, each.seats, tally_shown(each.tally)
    )
