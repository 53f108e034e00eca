"""Holidays of players in correspondence matches: the announced absences of each seat, with the person away."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Column, Index, bindparam, delete, select

from domain.kernel.values import Value
from domain.matches.facts import Actor, MatchEnded, MatchForked, Resigned, RulingGiven, SeatReplaced, Voided
from domain.matches.play.absences import MICROSECONDS, AbsenceAnnounced, AbsenceEnded
from projections.follow import FollowedStep
from projections.platform.database import Row
from projections.platform.statements import any_of, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "absences"
SHAPE: Final = "1"
SLICED: Final = True
ABSENCES: Final = read_model(
    "absences",
    Column("match_id", TEXT, primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("first_us", NUMBER, primary_key=True),
    Column("last_us", NUMBER, nullable=False),
    Column("person", TEXT, nullable=False),
    Column("event", TEXT, nullable=False),
)
TABLES: Final = by_name(ABSENCES)
Index("absences_by_person", ABSENCES.c.person, ABSENCES.c.last_us)
Index("absences_by_event", ABSENCES.c.event, ABSENCES.c.last_us)

CHANGING: Final = (AbsenceAnnounced, AbsenceEnded, Resigned, SeatReplaced, MatchForked, MatchEnded, Voided, RulingGiven)
"""Facts that add, shorten or end absences."""
COLUMNS: Final = ABSENCES.c
WRITE: Final = upsert(ABSENCES)
READ_MATCHES: Final = select(COLUMNS.match_id, COLUMNS.seat, COLUMNS.first_us, COLUMNS.person).where(
    COLUMNS.match_id.in_(any_of("match_ids"))
)
FORGET: Final = delete(ABSENCES).where(
    COLUMNS.match_id == bindparam("match_id"),
    COLUMNS.seat == bindparam("seat"),
    COLUMNS.first_us == bindparam("first_us"),
)
ENDS_LATER: Final = COLUMNS.last_us > bindparam("since")
READ_PERSON: Final = select(ABSENCES).where(COLUMNS.person == bindparam("person"), ENDS_LATER)
READ_EVENT: Final = (
    select(ABSENCES)
    .where(COLUMNS.event == bindparam("event"), COLUMNS.event != "", ENDS_LATER)
    .order_by(COLUMNS.first_us, COLUMNS.person)
)


class AbsentPerson(Value, frozen=True, order=True):
    """An absence of a person at a seat of a match, in microseconds."""

    match_id: UUID
    seat: int
    first: int
    last: int
    person: Actor
    event: str


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store the absences of each match after the last step that changed them; none is longer than its match."""
    announced = {
        (step.line_id, step.fact.seat, step.fact.first * MICROSECONDS): step.match.seats[step.fact.seat].actor or ""
        for step in steps
        if isinstance(step.fact, AbsenceAnnounced)
    }
    changed = {step.line_id: step for step in steps if isinstance(step.fact, CHANGING)}
    lines = {line_id: dict[tuple[int, int], Actor]() for line_id in changed}
    if changed:
        for name, seat, first, person in transaction.rows(READ_MATCHES, match_ids=[str(each) for each in changed]):
            lines[UUID(name)][seat, first] = person
    for (line_id, seat, first), person in announced.items():
        lines[line_id][seat, first] = person
    for line_id, step in changed.items():
        match, name, people = step.match, str(line_id), lines[line_id]
        for seat, first in sorted(people.keys() - {(each.seat, each.first) for each in match.absences}):
            transaction.change(FORGET, match_id=name, seat=seat, first_us=first)
        for each in match.absences:
            # A line that continues after a ruling inherits the absences of the line before.
            person = people.get((each.seat, each.first), match.seats[each.seat].actor or "")
            transaction.change(
                WRITE,
                match_id=name,
                seat=each.seat,
                first_us=each.first,
                last_us=each.last,
                person=person,
                event=match.table.event_id,
            )


def of_person(store: ReadStore, person: Actor, since: int = 0) -> tuple[AbsentPerson, ...]:
    """Return the absences of a person that end after a time (microseconds), by match, seat and start."""
    return tuple(sorted(absent_person(row) for row in store.rows(READ_PERSON, person=person, since=since)))


def in_event(store: ReadStore, event: UUID, since: int) -> tuple[AbsentPerson, ...]:
    """Return the absences at the tables of an event that end after a time (microseconds), earliest first."""
    return tuple(absent_person(row) for row in store.rows(READ_EVENT, event=str(event), since=since))


def absent_person(row: Row) -> AbsentPerson:
    """Convert a row."""
    match_id, seat, first, last, person, event = row
    return AbsentPerson(UUID(match_id), seat, first, last, person, event)
