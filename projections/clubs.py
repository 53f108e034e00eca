"""Clubs: their sizes, members, open requests and invitations, and events, by club and by person."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, delete, select, update

from domain.clubs import facts
from domain.clubs.facts import EventKind
from domain.clubs.state import CLUB, Club, ClubRole
from domain.kernel.values import Value
from domain.matches.facts import Actor
from projections.follow import FollowedRecord, LogEvent
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import any_of, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "clubs"
SHAPE: Final = "1"
CLUBS: Final = read_model(
    "clubs",
    Column("club_id", TEXT, primary_key=True),
    Column("members", NUMBER, nullable=False),
    Column("is_open", NUMBER, nullable=False),
    Column("state", BYTES, nullable=False),
)
CLUB_PEOPLE: Final = read_model(
    "club_people",
    Column("person", TEXT, primary_key=True),
    Column("club_id", TEXT, primary_key=True),
    Column("standing", TEXT, nullable=False),
    Column("is_member", NUMBER, nullable=False),
    Column("since", NUMBER, nullable=False),
)
CLUB_EVENTS: Final = read_model(
    "club_events",
    Column("event_id", TEXT, primary_key=True),
    Column("club_id", TEXT, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("added", NUMBER, nullable=False),
)
TABLES: Final = by_name(CLUBS, CLUB_PEOPLE, CLUB_EVENTS)
"""`since` and `added` are positions in the log; a member keeps `since` when the role changes."""
Index("club_people_of_club", CLUB_PEOPLE.c.club_id, CLUB_PEOPLE.c.is_member, CLUB_PEOPLE.c.since)
Index("club_people_of_person", CLUB_PEOPLE.c.person, CLUB_PEOPLE.c.is_member, CLUB_PEOPLE.c.since)
Index("club_events_of_club", CLUB_EVENTS.c.club_id, CLUB_EVENTS.c.kind, CLUB_EVENTS.c.added)

STATE: Final = msgspec.json.Decoder(Club)
PEOPLE: Final = CLUB_PEOPLE.c
EVENTS: Final = CLUB_EVENTS.c
OF_CLUB: Final = CLUBS.c.club_id == bindparam("club_id")
READ: Final = select(CLUBS.c.state).where(OF_CLUB)
READ_ROWS: Final = select(CLUBS.c.club_id, CLUBS.c.members, CLUBS.c.is_open).where(CLUBS.c.club_id.in_(any_of("ids")))
WRITE: Final = upsert(CLUBS)
IS_PERSON: Final = PEOPLE.person == bindparam("person")
IS_RELATION: Final = (IS_PERSON, PEOPLE.club_id == bindparam("club_id"))
WRITE_RELATION: Final = upsert(CLUB_PEOPLE)
WRITE_ROLE: Final = update(CLUB_PEOPLE).where(*IS_RELATION).values(standing=bindparam("standing"))
FORGET_RELATION: Final = delete(CLUB_PEOPLE).where(*IS_RELATION)
READ_MEMBERS: Final = (
    select(PEOPLE.person, PEOPLE.standing, PEOPLE.since)
    .where(PEOPLE.club_id == bindparam("club_id"), PEOPLE.is_member == 1, PEOPLE.since < bindparam("before"))
    .order_by(PEOPLE.since.desc())
    .limit(bindparam("limit"))
)
READ_CLUBS: Final = (
    select(PEOPLE.club_id, PEOPLE.standing)
    .where(IS_PERSON, PEOPLE.is_member == 1)
    .order_by(PEOPLE.since)
    .limit(bindparam("limit"))
)
READ_WAITING: Final = (
    select(PEOPLE.club_id)
    .where(IS_PERSON, PEOPLE.is_member == 0, PEOPLE.standing == bindparam("standing"))
    .order_by(PEOPLE.since.desc())
    .limit(bindparam("limit"))
)
READ_RELATIONS: Final = select(PEOPLE.club_id).where(IS_PERSON).order_by(PEOPLE.since)
WRITE_EVENT: Final = upsert(CLUB_EVENTS)
FORGET_EVENT: Final = delete(CLUB_EVENTS).where(
    EVENTS.event_id == bindparam("event_id"), EVENTS.club_id == bindparam("club_id")
)
READ_EVENTS: Final = (
    select(EVENTS.event_id, EVENTS.added)
    .where(EVENTS.club_id == bindparam("club_id"), EVENTS.kind == bindparam("kind"), EVENTS.added < bindparam("before"))
    .order_by(EVENTS.added.desc())
    .limit(bindparam("limit"))
)
READ_CLUBS_OF_EVENT: Final = (
    select(EVENTS.club_id)
    .where(EVENTS.event_id == bindparam("event_id"))
    .order_by(EVENTS.added)
    .limit(bindparam("limit"))
)
MEMBER_ROLES: Final = frozenset({"member", "organiser", "owner"})


class KnownClubs(Value, frozen=True):
    """The clubs to which a person belongs, or has a request or an invitation, up to a log position."""

    position: int
    club_ids: tuple[UUID, ...]


class ClubRow(Value, frozen=True):
    """A club in a list."""

    members: int
    is_open: bool


class MemberRow(Value, frozen=True):
    """A member in a list; `since` is the position in the log at which the person joined."""

    person: Actor
    role: ClubRole
    since: int


class EventRow(Value, frozen=True):
    """An event in the list of a club; `added` is the position in the log at which it was added."""

    event_id: UUID
    added: int


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the state, people and events of every club; items of other kinds are ignored."""
    states: dict[UUID, Club] = {}
    for event in events:
        if not isinstance(event, FollowedRecord) or not CLUB.owns(event.record):
            continue
        club_id, fact = event.record.stream_id, CLUB.read(event.record)
        previous = states.get(club_id) or read(transaction, club_id)
        states[club_id] = state = CLUB.evolve(previous, event.record, fact)
        for person in people_changed(previous, fact):
            write_relation(transaction, previous, state, person, event.position)
        if isinstance(fact, facts.EventAdded):
            row = {"event_id": str(fact.event), "club_id": str(club_id), "kind": fact.kind, "added": event.position}
            transaction.change(WRITE_EVENT, **row)
        elif isinstance(fact, facts.EventRemoved):
            transaction.change(FORGET_EVENT, event_id=str(fact.event), club_id=str(club_id))
    for club_id, state in states.items():
        encoded = msgspec.json.encode(state, order="deterministic")
        values = {"members": len(state.members), "is_open": int(state.is_open), "state": encoded}
        transaction.change(WRITE, club_id=str(club_id), **values)


def read(transaction: Transaction, club_id: UUID) -> Club | None:
    """Return the stored state of a club, or None."""
    rows = transaction.rows(READ, club_id=str(club_id))
    return STATE.decode(rows[0][0]) if rows else None


def people_changed(previous: Club | None, fact: facts.Fact) -> tuple[Actor, ...]:
    """Return the people whose relation to the club a fact can change, sorted."""
    found = {getattr(fact, "actor", ""), getattr(fact, "by", "")}
    if previous is not None:
        found.add(previous.owner)
        if isinstance(fact, facts.ClubClosed):
            found |= previous.requests.keys() | {each.actor for each in previous.invitations.open}
    return tuple(sorted(found - {""}))


def write_relation(transaction: Transaction, previous: Club | None, state: Club, person: Actor, position: int) -> None:
    """Store the relation of a person to a club, if it changed."""
    before = relation_of(previous, person)
    after = relation_of(state, person)
    key = {"person": person, "club_id": str(state.id)}
    if after == before:
        return
    if not after:
        transaction.change(FORGET_RELATION, **key)
    elif {before, after} <= MEMBER_ROLES:
        transaction.change(WRITE_ROLE, standing=after, **key)
    else:
        is_member = int(after in MEMBER_ROLES)
        transaction.change(WRITE_RELATION, standing=after, is_member=is_member, since=position, **key)


def relation_of(club: Club | None, person: Actor) -> str:
    """Return the relation of a person to a club; a removed person has none."""
    standing = club.standing(person) if club is not None else ""
    return "" if standing == "removed" else standing


def rows_of(store: ReadStore, club_ids: Iterable[UUID]) -> Mapping[UUID, ClubRow]:
    """Return the rows of the known clubs among these."""
    ids = [str(each) for each in club_ids]
    found = store.rows(READ_ROWS, ids=ids) if ids else []
    return {UUID(club_id): ClubRow(members, bool(is_open)) for club_id, members, is_open in found}


def members_of(store: ReadStore, club_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[MemberRow]:
    """Return a page of the members of a club, latest first; the key is `since`."""
    rows = store.rows(READ_MEMBERS, club_id=str(club_id), before=end_of(before), limit=limit + 1)
    return page_of([MemberRow(*row) for row in rows], limit, lambda member: member.since)


def clubs_of(store: ReadStore, person: Actor, limit: int = LIMIT) -> tuple[tuple[UUID, ClubRole], ...]:
    """Return the clubs of a person with the role there, the longest membership first."""
    rows = store.rows(READ_CLUBS, person=person, limit=limit)
    return tuple((UUID(club_id), role) for club_id, role in rows)


def invitations_of(store: ReadStore, person: Actor, limit: int = LIMIT) -> tuple[UUID, ...]:
    """Return the clubs to which a person has an open invitation, latest first."""
    rows = store.rows(READ_WAITING, person=person, standing="invited", limit=limit)
    return tuple(UUID(club_id) for (club_id,) in rows)


def requests_of(store: ReadStore, person: Actor, limit: int = LIMIT) -> tuple[UUID, ...]:
    """Return the clubs that a person has asked to join, latest first."""
    rows = store.rows(READ_WAITING, person=person, standing="asked", limit=limit)
    return tuple(UUID(club_id) for (club_id,) in rows)


def load_known_clubs(store: ReadStore, person: Actor) -> KnownClubs:
    """Return the clubs to which a person has any relation, as known up to a log position."""
    position = store.least_offset(NAME)
    return KnownClubs(position, tuple(UUID(club_id) for (club_id,) in store.rows(READ_RELATIONS, person=person)))


def events_of(
    store: ReadStore, club_id: UUID, kind: EventKind, limit: int = LIMIT, before: int | None = None
) -> Page[EventRow]:
    """Return a page of the events of a club of one kind, latest first; the key is `added`."""
    rows = store.rows(READ_EVENTS, club_id=str(club_id), kind=kind, before=end_of(before), limit=limit + 1)
    return page_of([EventRow(UUID(event), added) for event, added in rows], limit, lambda event: event.added)


def clubs_of_event(store: ReadStore, event_id: UUID, limit: int = LIMIT) -> tuple[UUID, ...]:
    """Return the clubs that list an event, in order of the lists."""
    rows = store.rows(READ_CLUBS_OF_EVENT, event_id=str(event_id), limit=limit)
    return tuple(UUID(club_id) for (club_id,) in rows)
