"""Follows, presence and challenges."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import People
from api.friends.store import CHALLENGES_MAX, FOLLOWED_MAX, FRIENDS, FriendStore
from api.http.limits import CHALLENGES_PER_HOUR, CHALLENGES_TO_ONE_PER_DAY
from api.matches.service import MATCHES
from domain.matches.errors import NotAllowed
from projections.platform.clock import now
from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD, Member, Person, catch_up
from tests.seeding import entropy

AT = datetime(2026, 1, 1, tzinfo=UTC)
FOLLOWERS = 10_000


def put(person: Person, path: str, wanted: Any = None) -> tuple[int, Any]:
    response = person.client.put(f"/api{path}", json=wanted or {}, headers=person.headers)
    return response.status_code, response.json() if response.content else None


def fetch_followed(person: Person) -> dict[str, tuple[bool, bool]]:
    followed = person.get("/friends")[1]["followed"]
    return {each["person"]["id"]: (each["isFriend"], each["isHere"]) for each in followed}


def test_mutual_followers_are_friends(cleo: Member, dora: Member) -> None:
    assert put(cleo, f"/friends/{dora.id}")[0] == 204
    one_way = fetch_followed(cleo), fetch_followed(dora), dora.get("/friends")[1]["followers"]
    put(dora, f"/friends/{cleo.id}")

    assert one_way == ({dora.id: (False, False)}, {}, 1)
    assert fetch_followed(cleo) == {dora.id: (True, False)}
    assert cleo.delete(f"/friends/{dora.id}")[0] == 204
    assert (fetch_followed(cleo), fetch_followed(dora)) == ({}, {cleo.id: (False, False)})


def test_presence_is_visible_only_on_request(cleo: Member, dora: Member) -> None:
    put(cleo, f"/friends/{dora.id}")
    hidden = fetch_followed(cleo)[dora.id]
    put(dora, "/me/presence", {"visible": True})
    seen = fetch_followed(cleo)[dora.id]
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "mute"})
    put(dora, "/me/presence", {"visible": False})

    assert (hidden, seen, fetch_followed(cleo)[dora.id]) == ((False, False), (False, True), (False, False))


def test_a_block_ends_follows_and_prevents_new_ones(cleo: Member, dora: Member) -> None:
    put(cleo, f"/friends/{dora.id}")
    put(dora, f"/friends/{cleo.id}")
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})

    assert (fetch_followed(cleo), fetch_followed(dora)) == ({}, {})
    assert put(cleo, f"/friends/{dora.id}")[1]["code"] == "person/blocked"
    match_id = cleo.opens(2)
    assert cleo.post(f"/matches/{match_id}/challenges", {"person": dora.id})[1]["code"] == "person/blocked"


def test_a_challenge_shows_a_private_table_until_accepted(cleo: Member, dora: Member, ann: Person) -> None:
    match_id = cleo.opens(2, table={"public": False})
    cleo.sits(match_id, 0)
    before = dora.get(f"/matches/{match_id}")[0]

    assert cleo.post(f"/matches/{match_id}/challenges", {"person": dora.name})[0] == 204

    waiting = dora.get("/friends")[1]["challenges"]
    assert (before, [(each["matchId"], each["by"]["id"]) for each in waiting]) == (404, [(match_id, cleo.id)])
    assert ann.post(f"/matches/{match_id}/challenges", {"person": dora.id})[0] == 404
    dora.sits(match_id, 1)
    assert dora.get("/friends")[1]["challenges"] == []


def test_a_challenge_can_be_declined_or_withdrawn(cleo: Member, dora: Member) -> None:
    tables = [cleo.opens(2) for _ in range(2)]
    for match_id in tables:
        cleo.post(f"/matches/{match_id}/challenges", {"person": dora.id})

    assert dora.delete(f"/challenges/{tables[0]}")[0] == 204
    assert cleo.delete(f"/challenges/{tables[1]}")[0] == 204
    assert (cleo.get("/friends")[1]["challenges"], dora.get("/friends")[1]["challenges"]) == ([], [])


def test_a_challenge_from_a_persons_page_opens_a_private_table(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    visitor = Visitor(client)
    visitor.sends("/sign-in", {"name": cleo.name, "password": PASSWORD})
    assert "Follow" in visitor.goes(f"/players/{dora.id}")

    response = visitor.sends(f"/players/{dora.id}/challenges", {"title": "la_granja"})

    (waiting,) = dora.get("/friends")[1]["challenges"]
    match = dora.get(f"/matches/{waiting['matchId']}")[1]
    assert response.url.path == f"/tables/{waiting['matchId']}"
    assert (match["table"]["public"], len(match["seats"]), match["seats"][0]["player"]["id"]) == (False, 2, cleo.id)
    catch_up(client)
    assert f"/tables/{waiting['matchId']}/challenges" in visitor.goes(f"/players/{dora.id}")
    assert "/following" not in visitor.goes(f"/players/{cleo.id}"), "nobody follows oneself"
    put(dora, f"/talk/boundaries/{cleo.id}", {"kind": "block"})
    assert visitor.sends(f"/players/{dora.id}/challenges", {"title": "la_granja"}).status_code == 403
    assert visitor.sends(f"/players/{dora.id}/challenges", {"title": "chess"}).status_code in {400, 403, 404}


def test_a_challenge_above_the_limit_opens_no_table(client: TestClient[Any], cleo: Member, dora: Member) -> None:
    for number in range(CHALLENGES_MAX):
        FRIENDS.of(client).challenge(UUID(int=number), cleo.id, dora.id, now())
    matches, visitor = MATCHES.of(client).writer.matches, Visitor(client)
    visitor.sends("/sign-in", {"name": cleo.name, "password": PASSWORD})
    before = matches.last_position()

    response = visitor.sends(f"/players/{dora.id}/challenges", {"title": "la_granja"})

    assert 400 <= response.status_code < 500
    assert matches.last_position() == before


def test_following_oneself_or_an_unknown_person_is_rejected(cleo: Member) -> None:
    assert put(cleo, f"/friends/{cleo.id}")[1]["code"] == "match/not_allowed"
    assert put(cleo, "/friends/nobody")[1]["code"] == "person/unknown"


def test_ten_thousand_followers_are_counted_and_paginated(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    with closing(People(path, entropy())) as people, closing(FriendStore(path)) as friends:
        famous = people.create_guest(AT).id
        rows = [(f"{number:032x}", f"{number}", f"key {number}", AT.isoformat()) for number in range(FOLLOWERS)]
        with people.transaction() as database:
            sql = "INSERT INTO people (id, name, name_key, role, created, is_guest) VALUES (?, ?, ?, 'player', ?, 0)"
            database.change_all(sql, rows)
            sql = "INSERT INTO follows (person, other, created) VALUES (?, ?, ?)"
            database.change_all(sql, ((row[0], famous, AT.isoformat()) for row in rows))
            plan = database.rows(
                "EXPLAIN QUERY PLAN SELECT person FROM follows WHERE other = ? AND person > ? ORDER BY person LIMIT 50",
                (famous, ""),
            )

        assert friends.follower_count(famous) == FOLLOWERS
        first = friends.followers(famous, 50)
        assert (len(first), friends.followers(famous, 1, first[-1])) == (50, (f"{50:032x}",))
        assert ["INDEX follows_of_other" in step[3] for step in plan] == [True], "no page reads or sorts all of them"
        people.erase(*(row[0] for row in rows))
        assert friends.follower_count(famous) == 0


def test_challenges_are_limited_and_expire(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    with closing(People(path, entropy())) as people, closing(FriendStore(path)) as friends:
        ann, ben = (people.create_guest(AT).id for _ in range(2))
        for number in range(CHALLENGES_MAX):
            friends.challenge(UUID(int=number), ann, ben, AT)
        with pytest.raises(NotAllowed, match="you already have"):
            friends.challenge(UUID(int=99), ann, ben, AT)
        later = AT + timedelta(days=8)
        friends.challenge(UUID(int=99), ann, ben, later)

        assert [each.match_id for each in friends.challenges(ben, later)] == [UUID(int=99)]


def test_at_the_limit_a_challenge_can_be_repeated(tmp_path: Path) -> None:
    place = tmp_path / "people.db"
    with closing(People(place, entropy())) as people, closing(FriendStore(place)) as friends:
        ann, ben, cleo = (people.create_guest(AT).id for _ in range(3))
        for number in range(CHALLENGES_MAX):
            friends.challenge(UUID(int=number), ann, ben, AT)

        friends.challenge(UUID(int=0), ann, ben, AT)

        assert len(friends.challenges(ben, AT)) == CHALLENGES_MAX
        with pytest.raises(NotAllowed, match="you already have"):
            friends.challenge(UUID(int=0), ann, cleo, AT)


def test_at_the_limit_a_follow_can_be_repeated(tmp_path: Path) -> None:
    place = tmp_path / "people.db"
    with closing(People(place, entropy())) as people, closing(FriendStore(place)) as friends:
        ann, first, last, *others = (people.create_guest(AT).id for _ in range(FOLLOWED_MAX + 2))
        for other in (first, *others):
            friends.follow(ann, other, AT)

        friends.follow(ann, first, AT)

        assert len(friends.list_followed(ann)) == FOLLOWED_MAX
        with pytest.raises(NotAllowed, match="you can follow at most"):
            friends.follow(ann, last, AT)


def test_too_many_challenges_are_rejected_before_opening_a_table(cleo: Member, dora: Member) -> None:
    table, emil = cleo.opens(2), Person(cleo.client)
    cleo.sits(table, 0)
    for number in range(CHALLENGES_PER_HOUR):
        other = dora if number < CHALLENGES_TO_ONE_PER_DAY else emil
        assert cleo.post(f"/matches/{table}/challenges", {"person": other.id})[0] == 204

    status, problem = cleo.post(f"/matches/{table}/challenges", {"person": emil.id})

    assert (status, problem["detail"].partition(";")[0]) == (429, "too many challenges in an hour")


def test_challenges_from_one_account_to_another_are_limited(cleo: Member, dora: Member) -> None:
    table = cleo.opens(2)
    for _ in range(CHALLENGES_TO_ONE_PER_DAY):
        assert cleo.post(f"/matches/{table}/challenges", {"person": dora.id})[0] == 204

    status, problem = cleo.post(f"/matches/{table}/challenges", {"person": dora.id})

    assert (status, problem["code"]) == (429, "caller/too_many_requests")
    assert f"at most {CHALLENGES_TO_ONE_PER_DAY} challenges a day" in problem["detail"]


def test_presence_expires(client: TestClient[Any], cleo: Member) -> None:
    friends = FRIENDS.of(client)
    friends.record_presence(cleo.id, AT)
    friends.show_presence(cleo.id, AT)
    friends.record_presence(cleo.id, AT + timedelta(minutes=5))

    assert friends.find_present([cleo.id], AT + timedelta(minutes=6)) == {cleo.id}
    assert friends.find_present([cleo.id], AT + timedelta(minutes=9)) == frozenset()
    assert friends.find_present([], now()) == frozenset()
