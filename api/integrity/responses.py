"""Conversion of statistics to responses, with names added to ids."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from api.accounts.display_names import Names
from api.integrity.schemas import (
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
from domain.integrity.base_rates import Comparison
from domain.integrity.pairs import Helping, Meeting
from domain.integrity.person_times import MatchTimes, PersonTimes
from domain.matches.facts import Actor


class FiguresRow(Protocol):
    """A row with figures."""

    @property
    def standings(self) -> tuple[Comparison, ...]:
        """The figures of the row."""
        ...


class PersonRow(Protocol):
    """A row about one person."""

    @property
    def person(self) -> Actor:
        """The person of the row."""
        ...


def encode_person(person: Actor, names: Names) -> Named:
    """Return id and name of a person."""
    return Named(person, names[person])


def encode_pair(one: Actor, two: Actor, names: Names) -> tuple[Named, Named]:
    """Return ids and names of two people."""
    return encode_person(one, names), encode_person(two, names)


def encode_standings(row: FiguresRow) -> tuple[StandingShown, ...]:
    """Convert the figures of a row."""
    return tuple(
        StandingShown(each.measure, each.value, each.count, each.beyond, each.stands_out) for each in row.standings
    )


def encode_thinker(each: PersonTimes, names: Names) -> ThinkerShown:
    """Convert thinking times in matches of one kind."""
    kind = each.kind
    return ThinkerShown(
        encode_person(each.person, names), kind.title, kind.seats, kind.clock, each.matches, encode_standings(each)
    )


def encode_helping(each: Helping, names: Names, newest: tuple[UUID, ...]) -> HelpingShown:
    """Convert possible help between two people."""
    return HelpingShown(
        encode_person(each.helper, names),
        encode_person(each.gainer, names),
        each.matches,
        encode_standings(each),
        newest,
    )


def encode_meeting(each: Meeting, names: Names, newest: tuple[UUID, ...]) -> MeetingShown:
    """Convert meetings of two people."""
    return MeetingShown(encode_pair(each.one, each.two, names), each.matches, encode_standings(each), newest)


def encode_sitting(each: MatchTimes, names: Names) -> SittingShown:
    """Convert thinking times in one match."""
    return SittingShown(encode_person(each.person, names), each.decisions, encode_standings(each))


def encode_tally(tally: Tally) -> TallyShown:
    """Convert a comparison with analyses; few decisions have no figures."""
    figures = tally.figures
    return TallyShown(tally.decisions, figures.get("best"), figures.get("good"), figures.get("lost"))


def encode_agreement(each: Agreement, names: Names) -> AgreementShown:
    """Convert a comparison for one match."""
    match = each.played
    return AgreementShown(
        encode_person(each.person, names),
        match.match_id,
        match.title,
        len(match.seats),
        encode_tally(each.tally),
        encode_standings(each),
    )


def encode_habit(each: Habit, names: Names) -> HabitShown:
    """Convert a comparison over all matches of a kind."""
    pool = each.pool
    return HabitShown(
        encode_person(each.person, names),
        pool.title,
        pool.seats,
        each.matches,
        encode_tally(each.tally),
        encode_standings(each),
    )


def encode_rate(each: Rate) -> RateShown:
    """Convert a rate of agreement."""
    return RateShown(
        "bots" if each.bots else "people", each.pool.title, each.pool.seats, each.seats, encode_tally(each.tally)
    )
