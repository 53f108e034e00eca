"""Shared network addresses of people by day, as salted hashes kept for 30 days.

The salt changes every day, is in no database and is discarded with its day; afterwards not even trying all addresses
reveals which one a hash belongs to. The hashes are in the accounts database, so that erasing a person deletes theirs.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from ipaddress import ip_network
from typing import Any, Final, NamedTuple

import structlog
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import and_, bindparam, delete, func, select

from api.accounts.store import Store
from api.accounts.tables.integrity import ADDRESS_USES
from api.http.app_state import AppKey
from api.http.guards import used_private_socket
from api.http.limits import REDIS_TIMEOUT_SECONDS, address_of
from projections.platform.clock import now
from projections.platform.database import ConstraintViolated, DatabaseUnavailable
from projections.platform.statements import insert_new
from projections.platform.valkey import async_valkey

KEPT_DAYS: Final = 30
CROWD_MAX: Final = 20
"""Maximum number of people at an address in a day; more are a hall, a school or a carrier, and reveal nothing."""
SALT_BYTES: Final = 32
HASH_CHARACTERS: Final = 32
FORGET_SECONDS: Final = 3_600
"""Seconds between two deletions of old days."""

KEEP: Final = insert_new(ADDRESS_USES)
IS_OLD: Final = ADDRESS_USES.c.day < bindparam("day")
IS_RECENT: Final = ADDRESS_USES.c.day >= bindparam("day")
OLD: Final = select(ADDRESS_USES.c.day).where(IS_OLD).limit(1)
FORGET: Final = delete(ADDRESS_USES).where(IS_OLD)
COUNT_PEOPLE: Final = select(func.count(ADDRESS_USES.c.person.distinct())).where(IS_RECENT)
ONE: Final = ADDRESS_USES.alias("one")
TWO: Final = ADDRESS_USES.alias("two")
CROWDS: Final = (
    select(ADDRESS_USES.c.day, ADDRESS_USES.c.hash, func.count().label("people"))
    .where(IS_RECENT)
    .group_by(ADDRESS_USES.c.day, ADDRESS_USES.c.hash)
    .having(func.count().between(2, bindparam("people_max")))
    .subquery("crowds")
)
SHARED: Final = (
    select(ONE.c.person, TWO.c.person, func.count(ONE.c.day.distinct()), func.min(CROWDS.c.people))
    .join_from(ONE, TWO, and_(TWO.c.day == ONE.c.day, TWO.c.hash == ONE.c.hash, TWO.c.person > ONE.c.person))
    .join(CROWDS, and_(CROWDS.c.day == ONE.c.day, CROWDS.c.hash == ONE.c.hash))
    .group_by(ONE.c.person, TWO.c.person)
    .order_by(ONE.c.person, TWO.c.person)
)

log = structlog.get_logger("addresses")


class SharedAddress(NamedTuple):
    """Two people with a shared address: number of days, and the smallest number of people at it."""

    one: str
    two: str
    days: int
    crowd: int


def first_day(at: datetime) -> str:
    """Return the oldest day to keep."""
    return (at.astimezone(UTC).date() - timedelta(days=KEPT_DAYS)).isoformat()


class Addresses(Store):
    """The hashes in the accounts database."""

    def record(self, person: str, address_hash: str, day: date) -> None:
        """Record that a person used the address on a day."""
        with self.transaction() as database:
            database.change(KEEP, day=day.isoformat(), hash=address_hash, person=person)

    def delete_old(self, at: datetime) -> int:
        """Delete days before the last `KEPT_DAYS`, and return the number of deleted rows."""
        if not self.rows(OLD, day=first_day(at)):
            return 0
        with self.transaction() as database:
            return database.change(FORGET, day=first_day(at))

    def find_shared(self, at: datetime) -> tuple[SharedAddress, ...]:
        """Return all pairs of people who shared an address in a day, except in crowds."""
        return tuple(SharedAddress(*row) for row in self.rows(SHARED, day=first_day(at), people_max=CROWD_MAX))

    def count_people(self, at: datetime) -> int:
        """Return the number of people with a recorded address."""
        return int(self.rows(COUNT_PEOPLE, day=first_day(at))[0][0])


def is_identifying(address: str) -> bool:
    """Return whether an address can identify someone: no for unreadable, unspecified and loopback addresses.

    Loopback belongs to an unconfigured proxy.
    """
    try:
        first = ip_network(address).network_address
    except ValueError:
        return False
    return not (first.is_loopback or first.is_unspecified)


class DailySalt:
    """The salt of the day, in Valkey if several processes share it, never on disk.

    Without Valkey a process draws its salt, and its hashes are comparable only with each other.
    """

    def __init__(self, server: str, patience_seconds: float = REDIS_TIMEOUT_SECONDS) -> None:
        self._redis: Redis | None = async_valkey(server, socket_timeout=patience_seconds) if server else None
        self._day: date | None = None
        self._salt = b""

    async def salt_at(self, at: datetime) -> bytes:
        """Return the salt of the day, discarding the previous one."""
        if self._day != at.date():
            self._salt, self._day = await self._fetch_salt(at), at.date()
        return self._salt

    async def _fetch_salt(self, at: datetime) -> bytes:
        """Return the day's salt, shared by all processes through Redis; without Redis, or if it fails, a random one."""
        new_salt = secrets.token_bytes(SALT_BYTES)
        if self._redis is None:
            return new_salt
        key = f"esporles/address-salt/{at.date().isoformat()}"
        day_end = datetime.combine(at.date() + timedelta(days=1), time(), UTC)
        try:
            await self._redis.set(key, new_salt.hex(), nx=True, ex=max(1, int((day_end - at).total_seconds())))
            found: Any = await self._redis.get(key)
        except (RedisError, OSError):
            return new_salt
        return new_salt if found is None else bytes.fromhex(found.decode())

    async def close(self) -> None:
        """Close the connection."""
        if self._redis is not None:
            await self._redis.connection_pool.disconnect()


class AddressRecorder:
    """Records the addresses of people, once per day, person and address."""

    def __init__(self, store: Addresses, salt: DailySalt) -> None:
        self.store = store
        self.salt: Final = salt
        self._day: date | None = None
        self._recorded = set[tuple[str, str]]()

    async def record(self, person: str, address: str, at: datetime) -> None:
        """Record, once a day, a hash of the address, never the address itself; failures do not reject the request.

        Loopback and unreadable addresses are ignored.
        """
        if not is_identifying(address):
            return
        at = at.astimezone(UTC)
        address_hash = hashlib.sha256(await self.salt.salt_at(at) + address.encode()).hexdigest()[:HASH_CHARACTERS]
        if self._day != at.date():
            self._day = at.date()
            self._recorded.clear()
        if (person, address_hash) in self._recorded:
            return
        self._recorded.add((person, address_hash))
        try:
            await asyncio.to_thread(self.store.record, person, address_hash, at.date())
        except (DatabaseUnavailable, ConstraintViolated):
            self._recorded.discard((person, address_hash))
            log.warning("cannot store a network address")

    async def forget_loop(self) -> None:
        """Delete old days at intervals until cancelled; an unavailable database is logged and tried again."""
        while True:
            try:
                await asyncio.to_thread(self.store.delete_old, now())
            except DatabaseUnavailable:
                log.warning("cannot delete old network addresses")
            await asyncio.sleep(FORGET_SECONDS)

    async def find_shared(self, at: datetime, people: Iterable[str]) -> tuple[tuple[SharedAddress, ...], int]:
        """Return the pairs of these people with shared addresses, and the number of all recorded people."""
        ids = frozenset(people)
        found = await asyncio.to_thread(self.store.find_shared, at)
        count = await asyncio.to_thread(self.store.count_people, at)
        return tuple(each for each in found if each.one in ids and each.two in ids), count


ADDRESSES: Final = AppKey[AddressRecorder]("addresses")


async def record_address(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Record the address of a person who changes something; a pipeline step for changes only.

    Visitors without an account and requests through the private socket are ignored.
    """
    if used_private_socket(connection):
        return
    person = connection.user.person if connection.scope.get("user") is not None else None
    if person is not None:
        notes = ADDRESSES.of(connection)
        await notes.record(person.id, address_of(connection), now())
