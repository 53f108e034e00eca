"""Places in pools, in the accounts database: shared by all processes, kept across restarts, erased with a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, func, insert, null, or_, select, update

from api.accounts.store import Store
from api.accounts.tables.quick import POOLED
from api.accounts.tables.talk import BOUNDARIES
from api.quick.pools import CLOCKS, QuickPool
from domain.matches.errors import NotAllowed
from domain.matches.facts import Actor, Clock
from domain.quick import Pair, WaitingPlayer, find_groups, presence_timeout
from projections.platform.database import Row

COLUMNS: Final = POOLED.c

OF_PERSON: Final = select(POOLED).where(COLUMNS.person == bindparam("person"))
IS_WAITING: Final = and_(COLUMNS.match_id.is_(None), COLUMNS.kept_until >= bindparam("at"))
WAITING: Final = select(POOLED).where(IS_WAITING).order_by(COLUMNS.since, COLUMNS.person).limit(bindparam("limit"))
COUNTS: Final = (
    select(COLUMNS.pool, func.count(), func.min(COLUMNS.since))
    .where(IS_WAITING)
    .group_by(COLUMNS.pool)
    .order_by(COLUMNS.pool)
)
UNMADE: Final = (
    select(POOLED).where(COLUMNS.match_id.is_not(None), COLUMNS.made.is_(None)).order_by(COLUMNS.since, COLUMNS.person)
)
ANYBODY: Final = select(COLUMNS.person).limit(1)
EVERYBODY: Final = select(COLUMNS.person)
APART: Final = select(BOUNDARIES.c.person, BOUNDARIES.c.other).where(
    BOUNDARIES.c.kind == "block", BOUNDARIES.c.person.in_(EVERYBODY), BOUNDARIES.c.other.in_(EVERYBODY)
)
MAY_GO: Final = or_(COLUMNS.match_id.is_(None), COLUMNS.made.is_not(None))
HAS_LAPSED: Final = and_(COLUMNS.kept_until < bindparam("at"), MAY_GO)
LAPSED: Final = ANYBODY.where(HAS_LAPSED)
FORGET_LAPSED: Final = delete(POOLED).where(HAS_LAPSED)
ENTER: Final = insert(POOLED).values(
    {name: bindparam(name) for name in ("person", "pool", "strength", "own_luck", "since", "kept_until")}
)
REPLACE: Final = delete(POOLED).where(COLUMNS.person == bindparam("person"))
LEAVE: Final = REPLACE.where(MAY_GO)
KEEP: Final = (
    update(POOLED)
    .where(COLUMNS.person == bindparam("person"), COLUMNS.match_id.is_(None))
    .values(kept_until=bindparam("kept_until"))
)
PAIR: Final = update(POOLED).where(COLUMNS.person == bindparam("person")).values(match_id=bindparam("match_id"))
IS_UNMADE: Final = and_(COLUMNS.match_id == bindparam("match_id"), COLUMNS.made.is_(None))
NOTE_MADE: Final = update(POOLED).where(IS_UNMADE).values(made=bindparam("made"), kept_until=bindparam("kept_until"))
REMOVE: Final = REPLACE.where(IS_UNMADE)
PUT_BACK: Final = update(POOLED).where(IS_UNMADE).values(match_id=null())
CONSIDERED_MAX: Final = 1_000
"""Maximum number of waiting people considered at once, longest wait first."""
MADE_REMEMBERED_FOR: Final = timedelta(minutes=5)
"""Time for which a made table is remembered."""
PRESENCE_INTERVAL: Final = timedelta(seconds=5)
"""Minimum interval between two records of presence."""


class PoolPlace(NamedTuple):
    """A person in a pool; `match_id` is set once paired, `is_made` once seated."""

    person: Actor
    pool: str
    strength: int
    own_luck: bool
    since: datetime
    kept_until: datetime
    match_id: UUID | None
    is_made: bool


class Count(NamedTuple):
    """Waiting people of a pool."""

    waiting: int
    since: datetime
    """The longest wait starts here."""


def place_of(row: Row) -> PoolPlace:
    """Convert a row."""
    person, pool, strength, own_luck, since, kept_until, match_id, made = row
    return PoolPlace(
        person,
        pool,
        strength,
        bool(own_luck),
        datetime.fromisoformat(since),
        datetime.fromisoformat(kept_until),
        UUID(match_id) if match_id else None,
        made is not None,
    )


class PoolStore(Store):
    """The places in all pools, at most one per person."""

    def enter(self, person: Actor, pool: QuickPool, strength: int, at: datetime, *, own_luck: bool = False) -> None:
        """Enter a pool and leave any other; entering the same pool keeps the time since when the person waits.

        Raise `NotAllowed` while the person's table is being made.
        """
        kept_until = (at + presence_timeout(CLOCKS[pool.clock])).isoformat()
        with self.transaction() as database:
            places = [place_of(row) for row in database.rows(OF_PERSON, person=person)]
            if places and places[0].match_id is not None and not places[0].is_made:
                raise NotAllowed("your table is being created")
            keeps_place = (
                places and places[0].pool == pool.key and places[0].match_id is None and places[0].kept_until >= at
            )
            since = places[0].since if keeps_place else at
            database.change(REPLACE, person=person)
            database.change(
                ENTER,
                person=person,
                pool=pool.key,
                strength=strength,
                own_luck=int(own_luck),
                since=since.isoformat(),
                kept_until=kept_until,
            )

    def leave(self, person: Actor) -> None:
        """Leave the pool; a paired person already has a table and must leave that."""
        with self.transaction() as database:
            database.change(LEAVE, person=person)

    def renew_place(self, person: Actor, at: datetime) -> PoolPlace | None:
        """Return a person's place as it was, and keep it; None if there is none, it was lost or its clock is unknown.

        It is stored again at most every `PRESENCE_INTERVAL`, and not while a table is made.
        """
        place = self.find_place(person)
        clock = None if place is None else find_clock(place.pool)
        if place is None or clock is None or place.kept_until < at:
            return None
        kept_until = at + presence_timeout(clock)
        if place.match_id is None and kept_until - place.kept_until >= PRESENCE_INTERVAL:
            with self.transaction() as database:
                database.change(KEEP, person=person, kept_until=kept_until.isoformat())
        return place

    def find_place(self, person: Actor) -> PoolPlace | None:
        """Return a person's place; None if there is none."""
        row = self.row(OF_PERSON, person=person)
        return None if row is None else place_of(row)

    def counts(self, at: datetime) -> dict[str, Count]:
        """Return the number of waiting people by pool key."""
        rows = self.rows(COUNTS, at=at.isoformat())
        return {pool: Count(count, datetime.fromisoformat(since)) for pool, count, since in rows}

    def has_people(self) -> bool:
        """Return whether any pool has people."""
        return self.row(ANYBODY) is not None

    def delete_lapsed(self, at: datetime) -> None:
        """Delete lost places, and places whose table was shown for long enough."""
        if self.row(LAPSED, at=at.isoformat()) is not None:
            with self.transaction() as database:
                database.change(FORGET_LAPSED, at=at.isoformat())

    def can_pair(self, pools: Mapping[str, QuickPool], at: datetime) -> bool:
        """Return whether a table can be made, without writing."""
        rows = self.rows(WAITING, at=at.isoformat(), limit=CONSIDERED_MAX)
        return any(tables_in(pools, rows, pairs_in(self.rows(APART)), at))

    def pair(self, pools: Mapping[str, QuickPool], at: datetime, new_id: Callable[[], UUID]) -> int:
        """Pair suitable people in one transaction and return the number of tables; lost places are deleted first.

        At most `CONSIDERED_MAX` people are considered. Concurrent processes never pair a person twice.
        """
        with self.transaction() as database:
            database.change(FORGET_LAPSED, at=at.isoformat())
            rows = database.rows(WAITING, at=at.isoformat(), limit=CONSIDERED_MAX)
            found = tables_in(pools, rows, pairs_in(database.rows(APART)), at)
            for table in found:
                match_id = str(new_id())
                database.change_all(PAIR, ({"match_id": match_id, "person": each.person} for each in table))
        return len(found)

    def find_unmade(self) -> dict[UUID, tuple[PoolPlace, ...]]:
        """Return the paired people whose table is not made yet, by match id."""
        found = defaultdict[UUID, list[PoolPlace]](list)
        for place in map(place_of, self.rows(UNMADE)):
            assert place.match_id is not None
            found[place.match_id].append(place)
        return {match_id: tuple(places) for match_id, places in found.items()}

    def record_made(self, match_id: UUID, at: datetime) -> None:
        """Record that everyone sits at the table."""
        with self.transaction() as database:
            kept_until = (at + MADE_REMEMBERED_FOR).isoformat()
            database.change(NOTE_MADE, match_id=str(match_id), made=at.isoformat(), kept_until=kept_until)

    def cancel_table(self, match_id: UUID, absent: Iterable[Actor]) -> None:
        """Cancel a table: the people in `absent` lose their places, the others keep waiting."""
        with self.transaction() as database:
            database.change_all(REMOVE, ({"person": person, "match_id": str(match_id)} for person in absent))
            database.change(PUT_BACK, match_id=str(match_id))


def find_clock(key: str) -> Clock | None:
    """Return the clock in a pool key; None if another version of the service stored it."""
    return next((clock for name, clock in CLOCKS.items() if name == key.split(".")[2]), None)


def pairs_in(rows: Iterable[Row]) -> frozenset[Pair]:
    """Return the pairs of people with a block."""
    return frozenset(frozenset((row[0], row[1])) for row in rows)


def tables_in(
    pools: Mapping[str, QuickPool], rows: Iterable[Row], blocking_pairs: frozenset[Pair], at: datetime
) -> list[tuple[WaitingPlayer, ...]]:
    """Return the tables that can be made of waiting people, without people who block each other at the same table.

    Places of unknown pools are left out.
    """
    waiting = defaultdict[str, list[WaitingPlayer]](list)
    for place in map(place_of, rows):
        waiting[place.pool].append(WaitingPlayer(place.person, place.strength, place.since))
    return [
        table
        for key, people in sorted(waiting.items())
        if key in pools
        for table in find_groups(people, pools[key].seats, CLOCKS[pools[key].clock], blocking_pairs, at)
    ]
