"""Shared addresses: salted hashes, deleted after thirty days and with their person."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import pytest

from api.accounts.people import People
from api.integrity.addresses import (
    ADDRESSES,
    CROWD_MAX,
    KEPT_DAYS,
    SALT_BYTES,
    Addresses,
    AddressRecorder,
    DailySalt,
    SharedAddress,
    is_identifying,
)
from ops.temporary_service import valkey_server
from projections.platform.valkey import async_valkey
from tests.api.service import PATIENCE_SECONDS, Sockets, behind_sockets, settings_in

AT = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
HOME, ELSEWHERE = "203.0.113.9", "203.0.113.10"


def days(count: int) -> timedelta:
    return timedelta(days=count)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Return the location of an accounts database, of either kind."""
    return tmp_path / "people.db" if request.param == "sqlite" else str(request.getfixturevalue("fresh_postgres"))


@pytest.fixture
def people(database: Path | str) -> Iterator[People]:
    with closing(People(database)) as people:
        yield people


@pytest.fixture
def store(database: Path | str, people: People) -> Iterator[Addresses]:
    with closing(Addresses(database)) as store:
        yield store


def guests(people: People, count: int) -> list[str]:
    return sorted(people.create_guest(AT).id for _ in range(count))


def note_all(notes: AddressRecorder, *observations: tuple[str, str, datetime]) -> None:
    async def note() -> None:
        for person, address, at in observations:
            await notes.record(person, address, at)

    asyncio.run(note())


def test_people_share_an_address_on_common_days(people: People, store: Addresses) -> None:
    ann, ben, cleo = guests(people, 3)
    notes = AddressRecorder(store, DailySalt(""))
    note_all(notes, (ann, HOME, AT), (ben, HOME, AT), (cleo, ELSEWHERE, AT), (ann, HOME, AT))
    tomorrow = AT + days(1)
    note_all(notes, (ann, HOME, tomorrow), (ben, HOME, tomorrow), (cleo, HOME, tomorrow))

    assert set(store.find_shared(tomorrow)) == {
        SharedAddress(ann, ben, 2, 2),
        SharedAddress(ann, cleo, 1, 3),
        SharedAddress(ben, cleo, 1, 3),
    }
    assert store.count_people(tomorrow) == 3
    assert asyncio.run(notes.find_shared(tomorrow, [ann, ben])) == ((SharedAddress(ann, ben, 2, 2),), 3)


def test_hashes_of_an_address_differ_by_day(people: People, store: Addresses) -> None:
    (ann,) = guests(people, 1)
    note_all(AddressRecorder(store, DailySalt("")), (ann, HOME, AT), (ann, HOME, AT + days(1)))
    hashes = [row[0] for row in store.rows("SELECT hash FROM address_uses")]

    assert len(set(hashes)) == 2
    assert not any(hashlib.sha256(known + HOME.encode()).hexdigest()[:32] in hashes for known in (b"", b"salt"))
    assert not any(HOME in str(row) for row in store.rows("SELECT * FROM address_uses"))
    assert not [row for row in store.rows("SELECT name, value FROM secrets") if "salt" in row[0]]


def test_hashes_are_deleted_after_thirty_days(people: People, store: Addresses) -> None:
    ann, ben = guests(people, 2)
    note_all(AddressRecorder(store, DailySalt("")), (ann, HOME, AT), (ben, HOME, AT))
    last = AT + days(KEPT_DAYS)

    assert store.delete_old(last) == 0
    assert len(store.find_shared(last)) == 1
    assert store.find_shared(last + days(1)) == ()
    assert store.delete_old(last + days(1)) == 2
    assert store.rows("SELECT * FROM address_uses") == []
    assert store.delete_old(last + days(1)) == 0


def test_erasing_a_person_deletes_their_hashes(people: People, store: Addresses) -> None:
    ann, ben = guests(people, 2)
    note_all(AddressRecorder(store, DailySalt("")), (ann, HOME, AT), (ben, HOME, AT))
    people.erase(ann)

    assert [row[0] for row in store.rows("SELECT person FROM address_uses")] == [ben]
    assert store.find_shared(AT) == ()


def test_deleted_hashes_are_overwritten_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "people.db"
    with closing(People(file)) as people, closing(Addresses(file)) as store:
        (ann,) = guests(people, 1)
        note_all(AddressRecorder(store, DailySalt("")), (ann, HOME, AT))
        ((hashed,),) = store.rows("SELECT hash FROM address_uses")
    assert hashed.encode() in file.read_bytes()
    with closing(Addresses(file)) as store:
        store.delete_old(AT + days(KEPT_DAYS + 1))
    assert hashed.encode() not in file.read_bytes()
    assert not (tmp_path / "people.db-wal").exists()


def test_crowds_are_not_shared_addresses(people: People, store: Addresses) -> None:
    everybody = guests(people, CROWD_MAX + 1)
    notes = AddressRecorder(store, DailySalt(""))
    note_all(notes, *((person, HOME, AT) for person in everybody[:-1]))
    assert len(store.find_shared(AT)) == CROWD_MAX * (CROWD_MAX - 1) // 2
    note_all(notes, (everybody[-1], HOME, AT))
    assert store.find_shared(AT) == ()


def test_failures_to_record_are_ignored(people: People, store: Addresses) -> None:
    """For a person who was erased a moment ago."""
    (ann,) = guests(people, 1)
    people.erase(ann)
    note_all(AddressRecorder(store, DailySalt("")), (ann, HOME, AT))
    assert store.count_people(AT) == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "::/64", "unknown", "testclient", "0.0.0.0"])
def test_local_addresses_are_not_identifying(address: str) -> None:
    assert not is_identifying(address)
    assert is_identifying(HOME)
    assert is_identifying("2001:db8::/64")


def test_processes_share_the_salt_by_valkey_until_the_day_ends() -> None:
    async def both(server: str, at: datetime) -> tuple[bytes, bytes, int]:
        one, two, redis = DailySalt(server), DailySalt(server), async_valkey(server)
        try:
            salts = await one.salt_at(at), await two.salt_at(at)
            return *salts, max([await redis.ttl(key) for key in await redis.keys("*salt*")], default=0)
        finally:
            await one.close()
            await two.close()
            await redis.aclose()

    with valkey_server() as server:
        one, two, seconds = asyncio.run(both(server, AT))
        later = asyncio.run(both(server, AT + days(1)))[0]
    assert one == two != later
    assert 0 < seconds <= 60


def test_a_process_without_valkey_has_a_separate_salt(dead_redis_url: str) -> None:
    async def alone(server: str) -> list[bytes]:
        salt = DailySalt(server)
        try:
            return [await salt.salt_at(AT), await salt.salt_at(AT), await salt.salt_at(AT + days(1))]
        finally:
            await salt.close()

    for server in ("", dead_redis_url):
        one, same, next_day = asyncio.run(alone(server))
        assert one == same != next_day
        assert len(one) == SALT_BYTES


# Tests through the service.

PEOPLE = ("Ann", "Ben", "Cleo")


def send_change(sockets: Sockets, token: str, forwarded: str | None) -> int:
    """Send a change through the proxy, with a forwarded address."""
    connection = HTTPConnection("127.0.0.1", sockets.port, timeout=PATIENCE_SECONDS)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if forwarded is not None:
        headers["X-Forwarded-For"] = forwarded
    connection.request("POST", "/api/matches", json.dumps({"title": "la_granja", "seats": 2}), headers)
    status = connection.getresponse().status
    connection.close()
    return status


def list_shared(sockets: Sockets) -> list[set[str]]:
    notes = ADDRESSES.of(sockets)
    names: Any = sockets.people.names
    return [set(names([each.one, each.two]).values()) for each in notes.store.find_shared(datetime.now(UTC))]


@pytest.mark.parametrize("trusts", [True, False])
def test_only_a_trusted_proxy_forwards_addresses(tmp_path: Path, trusts: bool) -> None:
    """Other senders of the header are not trusted, and the proxy's address is not recorded."""
    settings = settings_in(tmp_path)
    if trusts:
        settings = msgspec.structs.replace(settings, proxies=("127.0.0.1",))
    with behind_sockets(tmp_path, settings) as sockets:
        tokens = [sockets.token_of(name) for name in PEOPLE]
        for token, forwarded in zip(tokens, (HOME, HOME, None), strict=True):
            assert send_change(sockets, token, forwarded) == 201

        assert list_shared(sockets) == ([{"Ann", "Ben"}] if trusts else [])
