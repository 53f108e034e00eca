"""Lists of tournaments, and tournaments by player."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, delete, insert, select

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.tournaments import facts
from domain.tournaments.acts import Act, act_of
from domain.tournaments.contest_facts import AlternateListed
from domain.tournaments.invitations import holds
from domain.tournaments.state import TOURNAMENT, Tournament
from projections.follow import FollowedRecord, LogEvent
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "tournaments"
SHAPE: Final = "10"
TOURNAMENTS: Final = read_model(
    "tournaments",
    Column("event_id", TEXT, primary_key=True),
    Column("opened", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("organiser", TEXT, nullable=False),
    Column("detail", BYTES, nullable=False),
    Column("state", BYTES, nullable=False),
)
TOURNAMENT_PLAYERS: Final = read_model(
    "tournament_players",
    Column("player", TEXT, primary_key=True),
    Column("event_id", TEXT, primary_key=True),
    Column("entry", TEXT, primary_key=True),
    Column("opened", NUMBER, nullable=False),
)
TOURNAMENT_INVITED: Final = read_model(
    "tournament_invited",
    Column("player", TEXT, primary_key=True),
    Column("event_id", TEXT, primary_key=True),
)
TOURNAMENT_ACTS: Final = read_model(
    "tournament_acts",
    Column("event_id", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
    Column("act", BYTES, nullable=False),
)
TABLES: Final = by_name(TOURNAMENTS, TOURNAMENT_PLAYERS, TOURNAMENT_INVITED, TOURNAMENT_ACTS)
"""`state` is the fold of the records; `detail` is the row of the list, derived from it."""
Index("tournaments_by_status", TOURNAMENTS.c.status, TOURNAMENTS.c.opened)
Index("tournaments_by_organiser", TOURNAMENTS.c.organiser)
Index("tournaments_by_opening", TOURNAMENTS.c.opened)
Index("tournaments_of_player", TOURNAMENT_PLAYERS.c.player, TOURNAMENT_PLAYERS.c.opened)

COLUMNS: Final = TOURNAMENTS.c
PLAYERS: Final = TOURNAMENT_PLAYERS.c
INVITED: Final = TOURNAMENT_INVITED.c
OF_TOURNAMENT: Final = COLUMNS.event_id == bindparam("event_id")
READ_ONE: Final = select(COLUMNS.detail).where(OF_TOURNAMENT)
READ_STATE: Final = select(COLUMNS.opened, COLUMNS.state).where(OF_TOURNAMENT)
WRITE: Final = upsert(TOURNAMENTS, kept=("opened", "organiser"))
WRITE_PLAYER: Final = insert_new(TOURNAMENT_PLAYERS)
WRITE_INVITED: Final = insert_new(TOURNAMENT_INVITED)
FORGET_INVITED: Final = delete(TOURNAMENT_INVITED).where(
    INVITED.player == bindparam("player"), INVITED.event_id == bindparam("event_id")
)
WRITE_ACT: Final = insert(TOURNAMENT_ACTS)
READ_ACTS: Final = (
    select(TOURNAMENT_ACTS.c.act)
    .where(TOURNAMENT_ACTS.c.event_id == bindparam("event_id"), TOURNAMENT_ACTS.c.version < bindparam("before"))
    .order_by(TOURNAMENT_ACTS.c.version.desc())
    .limit(bindparam("limit"))
)
NEWEST: Final = select(COLUMNS.detail).order_by(COLUMNS.opened.desc()).limit(bindparam("limit"))
IS_BEFORE: Final = COLUMNS.opened < bindparam("before")
READ: Final = NEWEST.where(IS_BEFORE)
READ_STATUS: Final = READ.where(COLUMNS.status == bindparam("status"))
READ_INVITED: Final = NEWEST.join(TOURNAMENT_INVITED, INVITED.event_id == COLUMNS.event_id).where(
    INVITED.player == bindparam("player")
)
OF_PLAYER: Final = PLAYERS.player == bindparam("player")
BY_PLAYER: Final = TOURNAMENTS.join(TOURNAMENT_PLAYERS, PLAYERS.event_id == COLUMNS.event_id)
READ_PLAYER: Final = (
    select(COLUMNS.detail, COLUMNS.opened)
    .distinct()
    .select_from(BY_PLAYER)
    .where(OF_PLAYER, IS_BEFORE)
    .order_by(COLUMNS.opened.desc())
    .limit(bindparam("limit"))
)
READ_UNENDED: Final = (
    select(COLUMNS.event_id, COLUMNS.opened)
    .distinct()
    .select_from(BY_PLAYER)
    .where(OF_PLAYER, COLUMNS.status != "ended")
    .order_by(COLUMNS.opened)
)


NAMED_MAX: Final = 20
SEARCHED_MAX: Final = 2_000
"""The number of the latest tournaments whose names are searched."""
READ_NAMED: Final = select(COLUMNS.event_id, COLUMNS.detail).order_by(COLUMNS.opened.desc()).limit(SEARCHED_MAX)
READ_OPENED: Final = select(COLUMNS.detail).where(COLUMNS.organiser == bindparam("organiser")).order_by(COLUMNS.opened)


class TournamentRow(Value, frozen=True, kw_only=True):
    """A tournament in the list; `opened` is the position of its first record."""

    event_id: UUID
    opened: int
    opened_at: datetime
    organiser: Actor
    name: str
    title: str
    size: int
    registration: str
    status: str
    entries: int
    rounds: int
    """Number of rounds that have begun."""


LISTED: Final = msgspec.json.Decoder(TournamentRow)
STATE: Final = msgspec.json.Decoder(Tournament)
ACT: Final = msgspec.json.Decoder(Act)


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the state and list entry of every tournament, its acts, players and invited accounts.

    Players who withdraw stay, and alternates are players without an entry. Accounts no longer invited are deleted.
    Items of other kinds are ignored.
    """
    states: dict[UUID, tuple[int, Tournament]] = {}
    invited: dict[UUID, frozenset[Actor]] = {}
    for event in events:
        if not isinstance(event, FollowedRecord) or not TOURNAMENT.owns(event.record):
            continue
        event_id, fact = event.record.stream_id, TOURNAMENT.read(event.record)
        opened, previous = states.get(event_id) or read(transaction, event_id) or (event.position, None)
        if previous is not None and (act := act_of(previous, event.record, fact)) is not None:
            encoded = msgspec.json.encode(act, order="deterministic")
            transaction.change(WRITE_ACT, event_id=str(event_id), version=act.version, act=encoded)
        invited.setdefault(event_id, list_invited(previous) if previous is not None else frozenset())
        states[event_id] = opened, TOURNAMENT.evolve(previous, event.record, fact)
        if isinstance(fact, facts.EntryMade) and fact.actor:
            transaction.change(WRITE_PLAYER, player=fact.actor, event_id=str(event_id), entry=fact.entry, opened=opened)
        elif isinstance(fact, AlternateListed):
            transaction.change(WRITE_PLAYER, player=fact.player, event_id=str(event_id), entry="", opened=opened)
    for opened, state in states.values():
        row = row_of(opened, state)
        name = str(row.event_id)
        transaction.change(
            WRITE,
            event_id=name,
            opened=opened,
            status=row.status,
            title=row.title,
            organiser=row.organiser,
            detail=msgspec.json.encode(row, order="deterministic"),
            state=msgspec.json.encode(state, order="deterministic"),
        )
        removed = ({"player": player, "event_id": name} for player in sorted(invited[state.id] - list_invited(state)))
        transaction.change_all(FORGET_INVITED, removed)
        added = ({"player": player, "event_id": name} for player in sorted(list_invited(state) - invited[state.id]))
        transaction.change_all(WRITE_INVITED, added)


def list_invited(state: Tournament) -> frozenset[Actor]:
    """Return the accounts with an open invitation that can still be accepted."""
    return frozenset(each.actor for each in state.invitations.open if holds(state, each))


def read(transaction: Transaction, event_id: UUID) -> tuple[int, Tournament] | None:
    """Return the opening position and the state of a tournament, or None."""
    rows = transaction.rows(READ_STATE, event_id=str(event_id))
    return (rows[0][0], STATE.decode(rows[0][1])) if rows else None


def row_of(opened: int, state: Tournament) -> TournamentRow:
    """Return the list entry of a tournament, counting its current participants and published rounds."""
    plan = state.plan
    return TournamentRow(
        event_id=state.id,
        opened=opened,
        opened_at=state.opened_at,
        organiser=state.organiser,
        name=plan.name,
        title=plan.title,
        size=plan.size,
        registration=plan.registration,
        status=state.status,
        entries=len(state.taking_part),
        rounds=len(state.played_rounds),
    )


def get(store: ReadStore, event_id: UUID) -> TournamentRow | None:
    """Return a tournament, or None."""
    rows = store.rows(READ_ONE, event_id=str(event_id))
    return LISTED.decode(rows[0][0]) if rows else None


def tournaments(
    store: ReadStore, status: str | None = None, limit: int = LIMIT, before: int | None = None
) -> Page[TournamentRow]:
    """Return a page of tournaments, of one status if given, latest first; the key is `opened`."""
    page_bounds = {"before": end_of(before), "limit": limit + 1}
    rows = store.rows(READ, **page_bounds) if status is None else store.rows(READ_STATUS, status=status, **page_bounds)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda tournament: tournament.opened)


def tournaments_of(
    store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None
) -> Page[TournamentRow]:
    """Return a page of the tournaments a player entered, latest first, also withdrawn; empty for an unknown player.

    The key is `opened`.
    """
    rows = store.rows(READ_PLAYER, player=player, before=end_of(before), limit=limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda tournament: tournament.opened)


def invitations_of(store: ReadStore, player: Actor, limit: int = LIMIT) -> tuple[TournamentRow, ...]:
    """Return the tournaments to which an account has an open invitation, latest first."""
    return tuple(LISTED.decode(detail) for (detail,) in store.rows(READ_INVITED, player=player, limit=limit))


def list_unfinished(store: ReadStore, player: Actor) -> tuple[UUID, ...]:
    """Return the unfinished tournaments a player entered, oldest first."""
    return tuple(UUID(event_id) for event_id, _ in store.rows(READ_UNENDED, player=player))


def tournaments_opened_by(store: ReadStore, person: Actor) -> tuple[tuple[UUID, datetime], ...]:
    """Return the tournaments a person opened, with their times, oldest first."""
    rows = (LISTED.decode(row[0]) for row in store.rows(READ_OPENED, organiser=person))
    return tuple((row.event_id, row.opened_at) for row in rows)


def acts_of(store: ReadStore, event_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Act]:
    """Return a page of the organisers' acts, latest first; the key is the version."""
    rows = store.rows(READ_ACTS, event_id=str(event_id), before=end_of(before), limit=limit + 1)
    return page_of([ACT.decode(row[0]) for row in rows], limit, lambda act: act.version)


def find_by_name(store: ReadStore, name: str) -> tuple[str, ...]:
    """Return the ids of at most `NAMED_MAX` of the latest tournaments whose name contains this text, in any case."""
    folded_name = name.casefold()
    found = (event for event, detail in store.rows(READ_NAMED) if folded_name in LISTED.decode(detail).name.casefold())
    return tuple(islice(found, NAMED_MAX))
