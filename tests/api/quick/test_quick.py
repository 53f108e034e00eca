"""Quick pairing by API and in the store."""

from __future__ import annotations

import threading
from asyncio import gather
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from litestar.testing import TestClient

from api.accounts.people import People
from api.http.cookies import SESSION
from api.http.ids import IDS
from api.matches.service import MATCHES
from api.quick.pairing import PAIRING, Pairing
from api.quick.pools import QuickPool, pools_of
from api.quick.store import PoolStore
from api.talk.store import TalkStore
from domain.matches.errors import NotAllowed
from domain.titles import TITLES
from projections.platform.clock import now
from projections.platform.pubsub import PubSubClient
from tests.api.service import Member, Person, session_of
from tests.seeding import entropy, new_id, next_name

AT = datetime(2026, 1, 1, tzinfo=UTC)
CASUAL = {"title": "la_granja", "seats": 2, "clock": "match-600-20", "rated": False}
RATED = {**CASUAL, "rated": True}
TWO = QuickPool("la_granja", 2, "match-600-20", rated=False)
POOLS = pools_of(TITLES)


def enters(person: Person, wanted: dict[str, Any]) -> tuple[int, Any]:
    response = person.client.put("/api/quick/place", json=wanted, headers=person.headers)
    return response.status_code, response.json()


def leaves(person: Person) -> None:
    assert person.delete("/quick/place")[0] == 204


def place_of(person: Person) -> Any:
    return person.get("/quick")[1]["place"]


def looks(client: TestClient[Any], later: timedelta = timedelta(0)) -> None:
    """Run the pairing now, which the service would do a moment later."""
    with client.portal() as portal:
        portal.call(PAIRING.of(client).pair_waiting, now() + later)


def waiting(person: Person, wanted: dict[str, Any]) -> int:
    return sum(
        pool["waiting"]
        for pool in person.get("/quick")[1]["pools"]
        if all(pool[name] == value for name, value in wanted.items())
    )


@pytest.fixture
def cleo(client: TestClient[Any]) -> Member:
    return Member(client, next_name("Cleo"))


@pytest.fixture
def dora(client: TestClient[Any]) -> Member:
    return Member(client, next_name("Dora"))


def test_two_waiting_players_get_a_table_and_must_get_ready(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    status, body = enters(cleo, RATED)
    counted = waiting(dora, RATED)
    enters(dora, RATED)
    looks(client)

    table = place_of(cleo)["matchId"]
    match = dora.get(f"/matches/{table}")[1]
    assert (status, body["place"]["matchId"], counted) == (200, None, 1)
    assert place_of(dora)["matchId"] == table
    assert {seat["player"]["id"] for seat in match["seats"]} == {cleo.id, dora.id}
    assert (match["status"], match["table"]["rated"], match["table"]["clock"]["seconds"]) == ("open", True, 600)
    assert waiting(dora, RATED) == 0
    for person in (cleo, dora):
        person.is_ready(table)
    assert cleo.get(f"/matches/{table}")[1]["status"] == "running"
    assert enters(cleo, RATED)[1]["code"] == "rated/live_table"


def test_a_paired_table_has_no_opener_and_closes_when_both_leave(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    for person in (ann, ben):
        enters(person, CASUAL)
    looks(client)
    table = place_of(ann)["matchId"]
    seats = {each["player"]["id"]: each["seat"] for each in ann.get(f"/matches/{table}")[1]["seats"]}

    for person, other in ((ann, ben), (ben, ann)):
        away = person.delete(f"/matches/{table}/seats/{seats[other.id]}")
        assert (away[0], away[1]["code"]) == (403, "seat/not_yours")
        client.cookies = {SESSION: session_of(client, person.id)}
        assert ">Remove<" not in client.get(f"/tables/{table}").text
    client.cookies.clear()
    assert ben.delete(f"/matches/{table}/seats/{seats[ben.id]}")[0] == 200
    assert ann.post(f"/matches/{table}/seats", {"seat": seats[ben.id], "bot": "random"})[0] == 403
    assert ann.get(f"/matches/{table}")[1]["status"] == "open"
    ann.delete(f"/matches/{table}/seats/{seats[ann.id]}")
    assert ann.get(f"/matches/{table}")[1]["status"] == "void"


def test_concurrent_pairings_make_one_table_and_lose_no_place(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    pairing, match_id = PAIRING.of(client), new_id()
    for person in (cleo, dora):
        pairing.store.enter(person.id, POOLS[TWO.key], 1000, now())
    pairing.store.pair(POOLS, now(), lambda: match_id)

    async def look_twice() -> None:
        await gather(pairing.pair_waiting(now()), pairing.pair_waiting(now()))

    with client.portal() as portal:
        portal.call(look_twice)

    match = cleo.get(f"/matches/{match_id}")[1]
    assert sorted(seat["player"]["id"] for seat in match["seats"]) == sorted((cleo.id, dora.id))
    assert [place_of(person)["matchId"] for person in (cleo, dora)] == [str(match_id)] * 2


def test_a_player_waits_in_one_pool_and_can_leave(client: TestClient[Any], ann: Person, ben: Person) -> None:
    enters(ann, {**CASUAL, "seats": 3})
    enters(ann, CASUAL)
    enters(ben, {**CASUAL, "seats": 3})
    looks(client)
    three = waiting(ben, {**CASUAL, "seats": 3})
    leaves(ben)
    leaves(ann)
    enters(ben, CASUAL)
    looks(client)

    assert (three, place_of(ann), place_of(ben)["matchId"]) == (1, None, None)
    leaves(ben)


def test_blocked_players_are_not_paired(client: TestClient[Any], cleo: Member, dora: Member) -> None:
    block = {"kind": "block"}
    client.put(f"/api/talk/boundaries/{cleo.id}", json=block, headers=dora.headers)
    for person in (cleo, dora):
        enters(person, CASUAL)
    looks(client)
    apart = place_of(cleo)["matchId"], place_of(dora)["matchId"]
    third = Person(client)
    enters(third, CASUAL)
    looks(client)

    assert apart == (None, None)
    assert place_of(third)["matchId"] == place_of(cleo)["matchId"] != place_of(dora)["matchId"]
    leaves(dora)


def test_rated_pools_need_an_account_and_unknown_pools_are_named(ann: Person) -> None:
    assert enters(ann, RATED)[1]["code"] == "rated/guest"
    status, problem = enters(ann, {**CASUAL, "seats": 5})
    assert (status, problem["code"]) == (403, "match/not_allowed")
    assert "'la_granja.5.match-600-20.casual'" in problem["detail"]
    assert enters(ann, {**CASUAL, "clock": "none"})[0] == 400
    assert place_of(ann) is None


def test_a_player_who_sat_elsewhere_is_removed_and_the_other_keeps_waiting(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    clock = {"kind": "increment", "seconds": 600, "increment": 20}
    enters(cleo, RATED)
    since = place_of(cleo)["since"]
    enters(dora, {**RATED, "clock": "match-1500-30"})
    match_id = dora.opens(2, table={"clock": clock, "rated": True})
    dora.sits(match_id, 0)
    PAIRING.of(client).store.enter(dora.id, POOLS["la_granja.2.match-600-20.rated"], 1000, now())
    looks(client)

    assert (place_of(dora), place_of(cleo)["since"], place_of(cleo)["matchId"]) == (None, since, None)
    leaves(cleo)
    assert dora.delete(f"/matches/{match_id}/seats/0")[0] == 200


def test_an_unknown_visitor_is_paired_as_a_guest(client: TestClient[Any]) -> None:
    page = client.get("/")
    assert "Quick pairing" in page.text
    token = client.cookies["csrftoken"]
    form = {"_csrf_token": token, "pool": TWO.key, "ownLuck": "false"}
    waits = client.post("/quick", data=form)

    assert waits.url.path == "/quick"
    assert "Waiting for a table." in waits.text
    response = client.post("/quick/leave", data={"_csrf_token": client.cookies["csrftoken"]})
    assert "Waiting for a table." not in response.text
    assert client.post("/quick", data={**form, "pool": "chess.2"}).status_code == 403


# Tests of the store with several processes, kills and expired places.


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    server: str = request.getfixturevalue("fresh_postgres") if getattr(request, "param", "") == "server" else ""
    return server or tmp_path / "people.db"


@pytest.fixture
def stores(database: Path | str) -> Any:
    """Return two stores on one database with eight people."""
    with ExitStack() as stack:
        people = stack.enter_context(closing(People(database, entropy())))
        ids = [people.create_guest(AT).id for _ in range(8)]
        yield *(stack.enter_context(closing(PoolStore(database))) for _ in range(2)), ids, database


@pytest.mark.parametrize("database", ["file", "server"], indirect=True)
def test_concurrent_processes_make_one_table(stores: Any) -> None:
    first, second, ids, _ = stores
    barrier = threading.Barrier(2)

    def meet(store: PoolStore, person: str) -> None:
        barrier.wait()
        store.enter(person, TWO, 1000, AT)
        store.pair(POOLS, AT, uuid4)

    for one, other in zip(ids[::2], ids[1::2], strict=True):
        with ThreadPoolExecutor(2) as threads:
            for done in [threads.submit(meet, first, one), threads.submit(meet, second, other)]:
                done.result()
        tables = first.find_unmade()
        assert [sorted(each.person for each in table) for table in tables.values()] == [sorted((one, other))]
        for match_id in tables:
            second.record_made(match_id, AT)


def test_a_pairing_survives_a_kill(stores: Any) -> None:
    first, second, ids, _ = stores
    for person in ids[:2]:
        first.enter(person, TWO, 1000, AT)
    assert first.can_pair(POOLS, AT)
    match_id = new_id()
    assert first.pair(POOLS, AT, lambda: match_id) == 1

    assert not second.can_pair(POOLS, AT)
    assert set(second.find_unmade()) == {match_id}
    with pytest.raises(NotAllowed, match="your table is being created"):
        second.enter(ids[0], TWO, 1000, AT)
    second.leave(ids[0])
    second.cancel_table(match_id, [ids[0]])
    assert (second.find_place(ids[0]), second.find_unmade(), second.counts(AT)[TWO.key].waiting) == (None, {}, 1)


def test_an_expired_place_is_not_paired(stores: Any) -> None:
    store, _, ids, _ = stores
    store.enter(ids[0], TWO, 1000, AT)
    store.renew_place(ids[0], AT + timedelta(seconds=25))
    alive = store.counts(AT + timedelta(seconds=50))[TWO.key]
    store.enter(ids[1], TWO, 1000, AT + timedelta(seconds=56))

    assert (alive.waiting, alive.since) == (1, AT)
    assert store.renew_place(ids[0], AT + timedelta(seconds=56)) is None
    assert store.pair(POOLS, AT + timedelta(seconds=56), uuid4) == 0
    assert store.find_place(ids[0]) is None, "the lost place is cleared away"
    store.enter(ids[1], TWO, 1000, AT + timedelta(seconds=60))
    assert store.find_place(ids[1]).since == AT + timedelta(seconds=56), "the same pool again keeps the place"


def test_a_place_in_a_pool_of_another_version_is_none(stores: Any) -> None:
    store, _, ids, _ = stores
    store.enter(ids[0], TWO, 1000, AT)
    with store.transaction() as database:
        database.change("UPDATE pooled SET pool = ?", (TWO.key.replace(TWO.clock, "match-60-0"),))

    assert store.renew_place(ids[0], AT) is None
    assert store.pair(POOLS, AT, uuid4) == 0


def test_blocks_apply_both_ways_and_erasing_a_person_deletes_their_place(stores: Any) -> None:
    store, other, ids, database = stores
    with closing(TalkStore(database)) as talk:
        talk.set_boundary(ids[1], ids[0], "block", AT)
        talk.set_boundary(ids[2], ids[0], "mute", AT)
    for person in ids[:2]:
        store.enter(person, TWO, 1000, AT)
    apart = store.can_pair(POOLS, AT + timedelta(seconds=29))
    store.enter(ids[2], TWO, 1000, AT)

    assert (apart, store.can_pair(POOLS, AT)) == (False, True)
    with closing(People(database, entropy())) as people:
        people.erase(ids[0])
    assert (other.find_place(ids[0]), other.counts(AT)[TWO.key].waiting) == (None, 2)


def test_no_table_is_made_with_an_erased_player(stores: Any, client: TestClient[Any]) -> None:
    """Uses pools that the service does not know, because it would make the table before the erasure."""
    store, _, (ann, ben, *_), database = stores
    tables, match_id = MATCHES.of(client), new_id()
    for person in (ann, ben):
        store.enter(person, POOLS["el_grande.2.match-600-20.casual"], 1000, now())
    assert store.pair(POOLS, now(), lambda: match_id) == 1
    with closing(People(database, entropy())) as people:
        people.erase(ben)

    with closing(PubSubClient("", (), lambda _: None)) as pubsub, client.portal() as portal:
        portal.call(Pairing(store, tables, tables.notifier, pubsub, IDS.of(client)).pair_waiting, now())

    assert store.find_place(ann).match_id is None
    assert client.get(f"/api/matches/{match_id}").status_code == 404


def test_places_in_unknown_pools_are_released(client: TestClient[Any], ann: Person, ben: Person) -> None:
    pairing = PAIRING.of(client)
    gone = QuickPool("chess", 2, "match-600-20", rated=False)
    for person in (ann, ben):
        pairing.store.enter(person.id, gone, 1000, now())
    pairing.store.pair({gone.key: gone}, now(), lambda: UUID(int=7))
    looks(client)

    assert pairing.store.find_place(ann.id) is None
