"""The list of events: what is played, by whom, how far it has come; and in which events somebody takes part."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.tournaments import facts
from domain.tournaments.state import TOURNAMENT
from projections.follow import Happening, Recorded
from projections.paging import LIMIT, Page, end_of, page_of
from projections.store import ReadStore, Transaction

NAME: Final = "tournaments"
SHAPE: Final = "1"
TABLES: Final = {
    "tournaments": """CREATE TABLE {tournaments} (event_id TEXT PRIMARY KEY, opened INTEGER NOT NULL,
        status TEXT NOT NULL, title TEXT NOT NULL, detail BLOB NOT NULL)""",
    "tournament_players": """CREATE TABLE {tournament_players} (player TEXT NOT NULL, event_id TEXT NOT NULL,
        entry TEXT NOT NULL, opened INTEGER NOT NULL, PRIMARY KEY (player, event_id, entry))""",
}
INDEXES: Final = ("CREATE INDEX tournaments_by_status ON tournaments (status, opened)",)

READ_ONE: Final = "SELECT detail FROM {tournaments} WHERE event_id = ?"
WRITE: Final = (
    "INSERT INTO {tournaments} (event_id, opened, status, title, detail) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (event_id) DO UPDATE SET status = excluded.status, title = excluded.title, detail = excluded.detail"
)
WRITE_PLAYER: Final = (
    "INSERT INTO {tournament_players} (player, event_id, entry, opened) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (player, event_id, entry) DO NOTHING"
)
READ: Final = "SELECT detail FROM tournaments WHERE opened < ? ORDER BY opened DESC LIMIT ?"
READ_STATUS: Final = "SELECT detail FROM tournaments WHERE status = ? AND opened < ? ORDER BY opened DESC LIMIT ?"
READ_PLAYER: Final = (
    "SELECT DISTINCT detail, tournaments.opened FROM tournament_players"
    " JOIN tournaments ON tournaments.event_id = tournament_players.event_id"
    " WHERE player = ? AND tournaments.opened < ? ORDER BY tournaments.opened DESC LIMIT ?"
)


class Listed(Value, frozen=True, kw_only=True):
    """An event in the list. `opened` is the position of its first record."""

    event_id: UUID
    opened: int
    opened_at: datetime
    organiser: Actor
    name: str
    title: str
    size: int
    registration: str
    status: str = "registering"
    entries: int = 0
    rounds: int = 0
    """How many rounds have begun."""


LISTED: Final = msgspec.json.Decoder(Listed)


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """One row for every event, as its newest record leaves it."""
    rows: dict[UUID, Listed] = {}
    for happening in happenings:
        if not isinstance(happening, Recorded) or not TOURNAMENT.owns(happening.record):
            continue
        event_id, fact = happening.record.stream_id, TOURNAMENT.read(happening.record)
        known = rows.get(event_id) or read(transaction, event_id)
        rows[event_id] = listed(known, happening, fact)
        if isinstance(fact, facts.EntryMade) and fact.actor:
            opened = rows[event_id].opened
            transaction.change(WRITE_PLAYER, fact.actor, str(event_id), fact.entry, opened)
    for row in rows.values():
        detail = msgspec.json.encode(row, order="deterministic")
        transaction.change(WRITE, str(row.event_id), row.opened, row.status, row.title, detail)


def read(transaction: Transaction, event_id: UUID) -> Listed | None:
    rows = transaction.rows(READ_ONE, str(event_id))
    return LISTED.decode(rows[0][0]) if rows else None


def listed(known: Listed | None, happening: Recorded, fact: facts.Fact) -> Listed:
    """The row after one more fact; most change nothing here."""
    if isinstance(fact, facts.TournamentOpened):
        plan = fact.plan
        return Listed(
            event_id=happening.record.stream_id,
            opened=happening.position,
            opened_at=happening.record.timestamp,
            organiser=fact.by,
            name=plan.name,
            title=plan.title,
            size=plan.size,
            registration=plan.registration,
        )
    assert known is not None
    if isinstance(fact, facts.PlanChanged):
        plan = fact.plan
        return replace(known, name=plan.name, title=plan.title, size=plan.size, registration=plan.registration)
    if isinstance(fact, facts.EntryMade | facts.EntryReturned):
        return replace(known, entries=known.entries + 1)
    if isinstance(fact, facts.EntryWithdrawn):
        return replace(known, entries=known.entries - 1)
    if isinstance(fact, facts.RoundPublished):
        return replace(known, status="running", rounds=fact.round)
    if isinstance(fact, facts.TournamentEnded):
        return replace(known, status="ended")
    return known


def get(store: ReadStore, event_id: UUID) -> Listed | None:
    """One event."""
    rows = store.rows(READ_ONE.format_map({"tournaments": "tournaments"}), str(event_id))
    return LISTED.decode(rows[0][0]) if rows else None


def events(store: ReadStore, status: str | None = None, limit: int = LIMIT, before: int | None = None) -> Page[Listed]:
    """The events, the newest first; their key is `opened`."""
    wanted = (end_of(before), limit + 1)
    rows = store.rows(READ, *wanted) if status is None else store.rows(READ_STATUS, status, *wanted)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda listed: listed.opened)


def events_of(store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None) -> Page[Listed]:
    """The events somebody takes part in, the newest first."""
    rows = store.rows(READ_PLAYER, player, end_of(before), limit + 1)
    return page_of([LISTED.decode(row[0]) for row in rows], limit, lambda listed: listed.opened)
