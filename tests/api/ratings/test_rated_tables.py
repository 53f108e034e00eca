"""Rated tables by API and on pages: invalid ones are rejected when opened or joined."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION
from api.matches.service import MATCHES
from domain.ratings.leaving import LIMITED_MATCHES_MIN
from projections.platform.clock import now
from tests.api.http.forms import Visitor
from tests.api.matches.test_concurrency import run_at_once
from tests.api.service import (
    Answer,
    Member,
    Person,
    behind_sockets,
    catch_up,
    make_operator,
    session_of,
    settings_in,
    start_match,
)
from tests.seeding import entropy
from tests.service_app import create_app

LIVE: Final[Any] = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
SLOW: Final[Any] = {"rated": True, "clock": {"kind": "correspondence", "seconds": 86_400}}
SLOW_MAX: Final = 2


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Start a service with a limit of two rated correspondence tables per person."""
    settings = settings_in(tmp_path_factory.mktemp("service"))
    settings = msgspec.structs.replace(settings, rated_correspondence_max=SLOW_MAX)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


@pytest.fixture
def cleo(client: TestClient[Any], request: pytest.FixtureRequest) -> Member:
    return Member(client, f"Cleo {abs(hash(request.node.name)) % 100_000}")


@pytest.fixture
def dora(client: TestClient[Any], request: pytest.FixtureRequest) -> Member:
    return Member(client, f"Dora {abs(hash(request.node.name)) % 100_000}")


def opening(person: Person, table: Any) -> Answer:
    return person.post("/matches", {"title": "la_granja", "seats": 2, "table": table})


def sitting(person: Person, match_id: str, seat: int = 0) -> Answer:
    return person.post(f"/matches/{match_id}/seats", {"seat": seat})


def code(answer: Answer) -> tuple[int, str]:
    return answer[0], answer[1].get("code", "")


def test_a_rated_table_without_a_clock_is_rejected(cleo: Member) -> None:
    refusal = opening(cleo, {"rated": True})

    assert code(refusal) == (422, "rated/no_clock")
    assert "a rated table requires a clock, not 'none'" in refusal[1]["detail"]
    assert opening(cleo, {})[0] == opening(cleo, LIVE)[0] == 201


def test_the_form_shows_the_error_at_the_clock(client: TestClient[Any], cleo: Member) -> None:
    visitor = sign_in(client, cleo)
    visitor.goes("/open/la_granja")
    wanted = {"title": "la_granja", "seats": "2", "rated": "true", "clock": "none"}
    refusal = visitor.sends("/tables", wanted)

    assert refusal.status_code == 422
    field = re.search(r'<select name="clock"[^>]*aria-invalid="true"', visitor.text)
    assert field is not None
    assert "A rated table needs a time control. Choose one" in visitor.text
    assert "waiting for players" in visitor.sends("/tables", wanted | {"clock": "turn-86400"}).text


def sign_in(client: TestClient[Any], person: Person) -> Visitor:
    """Return a browser signed in as the person."""
    client.cookies.set(SESSION, session_of(client, person.id))
    return Visitor(client)


@pytest.mark.parametrize("kind", ["tournaments", "leagues"])
def test_a_plan_with_invalid_rated_tables_is_rejected(cleo: Member, kind: str) -> None:
    plan: Any = {"name": "Cup", "title": "la_granja", "size": 2, "table": {"rated": True}}
    plan |= {"smallest": 2, "stages": [{"kind": "swiss", "rounds": 2}]} if kind == "tournaments" else {}
    refusal = cleo.post(f"/{kind}", {"plan": plan})

    assert code(refusal) == (422, "rated/no_clock")
    make_operator(cleo.client, cleo.id)
    status, opened = cleo.post(f"/{kind}", {"plan": plan | {"table": SLOW}})
    assert status == 201
    path = f"/{kind}/{opened.get('eventId') or opened['leagueId']}/plan"
    method = "PUT" if kind == "tournaments" else "POST"
    changed = cleo.client.request(method, f"/api{path}", json={"plan": plan}, headers=cleo.headers)
    assert (changed.status_code, changed.json()["code"]) == (422, "rated/no_clock")


def test_a_guest_cannot_open_or_join_a_rated_table(ann: Person, cleo: Member) -> None:
    refusal = opening(ann, LIVE)
    match_id = cleo.opens(2, table=LIVE)
    seat = sitting(ann, match_id, 1)

    assert code(refusal) == code(seat) == (403, "rated/guest")
    assert "sign up first" in seat[1]["detail"]
    assert sitting(cleo, match_id)[0] == 201
    assert ann.get(f"/matches/{match_id}")[1]["seats"][1]["player"] is None


def test_an_unknown_visitor_must_sign_up_and_no_guest_is_created(client: TestClient[Any], cleo: Member) -> None:
    match_id = cleo.opens(2, table=LIVE)
    visitor = Visitor(client)
    visitor.goes(f"/tables/{match_id}")
    refusal = visitor.sends(f"/tables/{match_id}/sit", {"seat": "1"})

    assert refusal.status_code == 403
    assert "Guests cannot play rated matches. Sign up first" in visitor.text
    visitor.goes("/open/la_granja")
    opened = visitor.sends("/tables", {"title": "la_granja", "seats": "2", "rated": "true", "clock": "turn-86400"})
    assert opened.status_code == 403
    assert not client.get("/api/me").json()["isGuest"]


def test_a_player_cannot_join_two_rated_live_tables(cleo: Member, dora: Member) -> None:
    first, other = cleo.opens(2, table=LIVE), dora.opens(2, table=LIVE)
    assert sitting(cleo, first)[0] == 201

    refusal = sitting(cleo, other)
    assert code(refusal) == (409, "rated/live_table")
    assert first in refusal[1]["detail"]
    assert code(opening(cleo, LIVE)) == (409, "rated/live_table")
    assert sitting(cleo, cleo.opens(2, table={**LIVE, "rated": False}))[0] == 201
    assert sitting(cleo, cleo.opens(2, table=SLOW))[0] == 201

    assert cleo.delete(f"/matches/{first}/seats/0")[0] == 200
    assert sitting(cleo, other)[0] == 201


@pytest.mark.parametrize("is_known", [False, True])
def test_rated_correspondence_tables_per_player_are_limited(
    client: TestClient[Any], cleo: Member, dora: Member, is_known: bool
) -> None:
    """Whether only the log knows the tables, or the read models too."""
    running = [start_match(cleo, dora, table=SLOW) for _ in range(SLOW_MAX)]
    if is_known:
        catch_up(client)

    refusal = opening(cleo, SLOW)
    assert code(refusal) == (409, "rated/too_many")
    assert refusal[1]["values"] == {"tables": SLOW_MAX, "most": SLOW_MAX}
    assert cleo.post(f"/matches/{running[0]}/resignation", {})[0] == 201
    assert opening(cleo, SLOW)[0] == 201


def test_one_of_two_concurrent_seats_is_rejected(tmp_path: Path) -> None:
    """Two seats at rated live tables, requested concurrently."""
    with behind_sockets(tmp_path) as sockets:
        host, player = (sockets.token_of(name) for name in ("Ann", "Ben"))
        wanted = {"title": "la_granja", "seats": 2, "table": LIVE}
        tables = [sockets.ask("POST", "/matches", wanted, host)[1]["matchId"] for _ in range(4)]
        paths = [f"/matches/{match_id}/seats" for match_id in tables]
        answers = run_at_once([partial(sockets.ask, "POST", path, {"seat": 1}, player) for path in paths])

    assert sorted(status for status, _ in answers) == [201, 409, 409, 409]
    assert {answer["code"] for status, answer in answers if status == 409} == {"rated/live_table"}


def test_a_player_with_two_rated_live_tables_cannot_get_ready(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    """As after concurrent writes of two processes."""
    tables = [dora.opens(2, table=LIVE) for _ in range(2)]
    for match_id in tables:
        MATCHES.of(client).writer.matches.take_seat(UUID(match_id), 0, cleo.id, at=now())

    assert [code(cleo.post(f"/matches/{match_id}/ready", {})) for match_id in tables] == [(409, "rated/live_table")] * 2
    assert cleo.delete(f"/matches/{tables[1]}/seats/0")[0] == 200
    assert cleo.post(f"/matches/{tables[0]}/ready", {})[0] == 201


def test_a_private_rated_table_is_public_once_its_match_has_started(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    outsider = Person(client)
    match_id = cleo.opens(2, table={**LIVE, "public": False})
    assert outsider.get(f"/matches/{match_id}")[0] == 404
    cleo.sits(match_id, 0)
    page = sign_in(client, cleo).goes(f"/tables/{match_id}")
    assert "It is rated: anyone can watch once it has started." in page
    client.cookies.clear()
    assert dora.post("/invitations", {"secret": cleo.invites(match_id)})[0] == 201
    dora.sits(match_id, 1)
    assert outsider.get(f"/matches/{match_id}")[0] == 404

    cleo.is_ready(match_id)
    dora.is_ready(match_id)
    catch_up(client)

    assert outsider.get(f"/matches/{match_id}")[1]["table"]["public"] is True
    assert match_id in {each["matchId"] for each in outsider.get("/matches")[1]["matches"]}


def test_clients_cannot_set_when_a_table_becomes_public(cleo: Member, dora: Member) -> None:
    unrated = start_match(cleo, dora, table={"public": False, "publicOnceStarted": True})
    rated = start_match(cleo, dora, table={**LIVE, "public": False, "publicOnceStarted": False})

    assert cleo.get(f"/matches/{unrated}")[1]["table"]["public"] is False
    assert cleo.get(f"/matches/{rated}")[1]["table"]["public"] is True


def test_a_table_can_limit_the_share_of_left_matches(client: TestClient[Any], cleo: Member, dora: Member) -> None:
    for number in range(LIMITED_MATCHES_MIN):
        match_id = start_match(cleo, dora)
        assert (dora if number < 2 else cleo).post(f"/matches/{match_id}/resignation", {})[0] == 201
    strict = cleo.opens(2, table={"leavingMax": 30})
    open_to_all = cleo.opens(2)
    assert sitting(dora, strict, 1)[0] == 201
    assert dora.delete(f"/matches/{strict}/seats/1")[0] == 200
    catch_up(client)

    habit = client.get(f"/api/players/{dora.id}").json()["leaving"]
    assert (habit["matches"], habit["left"], habit["share"], habit["resigned"]) == (LIMITED_MATCHES_MIN, 2, 40, 2)
    page = Visitor(client).goes(f"/players/{dora.id}")
    assert "Left early: 2 of the last 5 matches with other people (40%)." in page
    refusal = sitting(dora, strict, 1)
    assert code(refusal) == (403, "seat/leaves_too_often")
    assert refusal[1]["values"] == {"left": 2, "matches": LIMITED_MATCHES_MIN, "share": 40, "most": 30}
    assert code(opening(dora, {"leavingMax": 39})) == (403, "seat/leaves_too_often")
    assert sitting(dora, open_to_all, 1)[0] == opening(dora, {"leavingMax": 40})[0] == 201


def test_a_rejected_player_sees_their_share_and_the_limit(client: TestClient[Any], cleo: Member, dora: Member) -> None:
    for _ in range(LIMITED_MATCHES_MIN):
        assert dora.post(f"/matches/{start_match(cleo, dora)}/resignation", {})[0] == 201
    strict = cleo.opens(2, table={"leavingMax": 30})
    catch_up(client)
    visitor = sign_in(client, dora)

    assert "players who leave at most 30 % of their matches" in visitor.goes(f"/tables/{strict}")
    assert visitor.sends(f"/tables/{strict}/sit", {"seat": "1"}).status_code == 403
    assert (
        "You left 5 of your last 5 matches with other people early (100 %). This table accepts at most 30 %."
        in visitor.text
    )
    opened = visitor.sends("/tables", {"title": "la_granja", "seats": "2", "leavingMax": "30"})
    assert opened.status_code == 403


def test_a_bot_has_no_record_of_left_matches(client: TestClient[Any]) -> None:
    assert client.get("/api/players/bot:random@1").json()["leaving"] is None


def test_the_rankings_page_shows_the_configured_limit(client: TestClient[Any]) -> None:
    page = Visitor(client).goes("/rankings")

    assert f"Correspondence tables allowed: {SLOW_MAX}." in page
    assert "A private table becomes public when its rated match starts." in page
    assert "how many of their last fifty matches with other people they left" in page
