"""Rated tables over the API and on pages: what could never count is refused where it is opened or taken a seat at."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.app import create_app
from api.http.clock import now
from api.http.cookies import SESSION
from api.matches.service import MATCHES
from domain.ratings.leaving import FEW
from tests.api.house import (
    Answer,
    Member,
    Person,
    behind_sockets,
    catch_up,
    make_operator,
    session_of,
    settings_in,
    started,
)
from tests.api.http.forms import Visitor
from tests.api.matches.test_concurrency import at_once
from tests.seeding import entropy

LIVE: Final[Any] = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
SLOW: Final[Any] = {"rated": True, "clock": {"kind": "correspondence", "seconds": 86_400}}
SLOW_MAX: Final = 2


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A service that lets nobody sit at more than two rated correspondence tables."""
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


# A clock


def test_a_rated_table_without_a_clock_is_refused_by_name(cleo: Member) -> None:
    refused = opening(cleo, {"rated": True})

    assert code(refused) == (422, "rated/no_clock")
    assert "not the clock 'none'" in refused[1]["detail"]
    assert opening(cleo, {})[0] == opening(cleo, LIVE)[0] == 201


def test_the_form_says_beside_the_clock_that_a_rated_table_has_one(client: TestClient[Any], cleo: Member) -> None:
    visitor = signed_in(client, cleo)
    visitor.goes("/open/la_granja")
    wanted = {"title": "la_granja", "seats": "2", "rated": "true", "clock": "none"}
    refused = visitor.sends("/tables", wanted)

    assert refused.status_code == 422
    field = re.search(r'<select name="clock"[^>]*aria-invalid="true"', visitor.text)
    assert field is not None
    assert "A rated table has a clock. Choose one" in visitor.text
    assert "waiting for players" in visitor.sends("/tables", wanted | {"clock": "turn-86400"}).text


def signed_in(client: TestClient[Any], person: Person) -> Visitor:
    """The person at a browser."""
    client.cookies.set(SESSION, session_of(client, person.id))
    return Visitor(client)


@pytest.mark.parametrize("kind", ["tournaments", "leagues"])
def test_a_plan_whose_tables_would_never_count_is_refused_too(cleo: Member, kind: str) -> None:
    plan: Any = {"name": "Cup", "title": "la_granja", "size": 2, "table": {"rated": True}}
    plan |= {"smallest": 2, "stages": [{"kind": "swiss", "rounds": 2}]} if kind == "tournaments" else {}
    refused = cleo.post(f"/{kind}", {"plan": plan})

    assert code(refused) == (422, "rated/no_clock")
    make_operator(cleo.client, cleo.id)
    status, opened = cleo.post(f"/{kind}", {"plan": plan | {"table": SLOW}})
    assert status == 201
    path = f"/{kind}/{opened.get('eventId') or opened['leagueId']}/plan"
    method = "PUT" if kind == "tournaments" else "POST"
    changed = cleo.client.request(method, f"/api{path}", json={"plan": plan}, headers=cleo.headers)
    assert (changed.status_code, changed.json()["code"]) == (422, "rated/no_clock")


# Guests


def test_a_guest_neither_opens_a_rated_table_nor_sits_down_there(ann: Person, cleo: Member) -> None:
    refused = opening(ann, LIVE)
    match_id = cleo.opens(2, table=LIVE)
    seat = sitting(ann, match_id, 1)

    assert code(refused) == code(seat) == (403, "rated/guest")
    assert "sign up first" in seat[1]["detail"]
    assert sitting(cleo, match_id)[0] == 201
    assert ann.get(f"/matches/{match_id}")[1]["seats"][1]["player"] is None


def test_somebody_unknown_is_told_to_sign_up_before_a_guest_is_made(client: TestClient[Any], cleo: Member) -> None:
    match_id = cleo.opens(2, table=LIVE)
    visitor = Visitor(client)
    visitor.goes(f"/tables/{match_id}")
    refused = visitor.sends(f"/tables/{match_id}/sit", {"seat": "1"})

    assert refused.status_code == 403
    assert "Guests do not play rated matches. Sign up first" in visitor.text
    visitor.goes("/open/la_granja")
    opened = visitor.sends("/tables", {"title": "la_granja", "seats": "2", "rated": "true", "clock": "turn-86400"})
    assert opened.status_code == 403
    assert not client.get("/api/me").json()["isGuest"]


# As many at once as one person can play


def test_nobody_sits_at_two_rated_live_tables(cleo: Member, dora: Member) -> None:
    first, other = cleo.opens(2, table=LIVE), dora.opens(2, table=LIVE)
    assert sitting(cleo, first)[0] == 201

    refused = sitting(cleo, other)
    assert code(refused) == (409, "rated/live_table")
    assert first in refused[1]["detail"]
    assert code(opening(cleo, LIVE)) == (409, "rated/live_table")
    assert sitting(cleo, cleo.opens(2, table={**LIVE, "rated": False}))[0] == 201
    assert sitting(cleo, cleo.opens(2, table=SLOW))[0] == 201

    assert cleo.delete(f"/matches/{first}/seats/0")[0] == 200
    assert sitting(cleo, other)[0] == 201


@pytest.mark.parametrize("is_known", [False, True])
def test_of_rated_correspondence_tables_one_may_have_as_many_as_the_service_says(
    client: TestClient[Any], cleo: Member, dora: Member, is_known: bool
) -> None:
    """Whether the read models know of the tables already or only the log does."""
    running = [started(cleo, dora, table=SLOW) for _ in range(SLOW_MAX)]
    if is_known:
        catch_up(client)

    refused = opening(cleo, SLOW)
    assert code(refused) == (409, "rated/too_many")
    assert refused[1]["values"] == {"tables": SLOW_MAX, "most": SLOW_MAX}
    assert cleo.post(f"/matches/{running[0]}/resignation", {})[0] == 201
    assert opening(cleo, SLOW)[0] == 201


def test_of_two_requests_at_the_same_time_one_finds_room(tmp_path: Path) -> None:
    """Seats at two rated live tables, asked for at the same moment."""
    with behind_sockets(tmp_path) as house:
        host, player = (house.token_of(name) for name in ("Ann", "Ben"))
        wanted = {"title": "la_granja", "seats": 2, "table": LIVE}
        tables = [house.ask("POST", "/matches", wanted, host)[1]["matchId"] for _ in range(4)]
        paths = [f"/matches/{match_id}/seats" for match_id in tables]
        answers = at_once([partial(house.ask, "POST", path, {"seat": 1}, player) for path in paths])

    assert sorted(status for status, _ in answers) == [201, 409, 409, 409]
    assert {answer["code"] for status, answer in answers if status == 409} == {"rated/live_table"}


def test_who_sits_at_two_rated_live_tables_after_all_is_ready_at_neither(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    """As where two processes have written to one database at the same time."""
    tables = [dora.opens(2, table=LIVE) for _ in range(2)]
    for match_id in tables:
        MATCHES.of(client).writer.matches.take_seat(UUID(match_id), 0, cleo.id, at=now())

    assert [code(cleo.post(f"/matches/{match_id}/ready", {})) for match_id in tables] == [(409, "rated/live_table")] * 2
    assert cleo.delete(f"/matches/{tables[1]}/seats/0")[0] == 200
    assert cleo.post(f"/matches/{tables[0]}/ready", {})[0] == 201


# Private ones


def test_a_private_rated_table_is_public_once_its_match_has_started(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    stranger = Person(client)
    match_id = cleo.opens(2, table={**LIVE, "public": False})
    assert stranger.get(f"/matches/{match_id}")[0] == 404
    cleo.sits(match_id, 0)
    page = signed_in(client, cleo).goes(f"/tables/{match_id}")
    assert "Once the match has started, everybody may watch: it is rated." in page
    client.cookies.clear()
    assert dora.post("/invitations", {"secret": cleo.invites(match_id)})[0] == 201
    dora.sits(match_id, 1)
    assert stranger.get(f"/matches/{match_id}")[0] == 404

    cleo.is_ready(match_id)
    dora.is_ready(match_id)
    catch_up(client)

    assert stranger.get(f"/matches/{match_id}")[1]["table"]["public"] is True
    assert match_id in {each["matchId"] for each in stranger.get("/matches")[1]["matches"]}


def test_what_a_client_says_of_that_changes_nothing(cleo: Member, dora: Member) -> None:
    unrated = started(cleo, dora, table={"public": False, "publicOnceStarted": True})
    rated = started(cleo, dora, table={**LIVE, "public": False, "publicOnceStarted": False})

    assert cleo.get(f"/matches/{unrated}")[1]["table"]["public"] is False
    assert cleo.get(f"/matches/{rated}")[1]["table"]["public"] is True


# Who leaves


def test_the_page_of_a_player_says_how_often_they_left_and_a_table_may_ask_for_less(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    for number in range(FEW):
        match_id = started(cleo, dora)
        assert (dora if number < 2 else cleo).post(f"/matches/{match_id}/resignation", {})[0] == 201
    strict = cleo.opens(2, table={"leavingMax": 30})
    open_to_all = cleo.opens(2)
    assert sitting(dora, strict, 1)[0] == 201
    assert dora.delete(f"/matches/{strict}/seats/1")[0] == 200
    catch_up(client)

    habit = client.get(f"/api/players/{dora.id}").json()["leaving"]
    assert (habit["matches"], habit["left"], habit["share"], habit["resigned"]) == (FEW, 2, 40, 2)
    page = Visitor(client).goes(f"/players/{dora.id}")
    assert "Left before the end: 2 of the last 5 matches with other people (40 %)." in page
    refused = sitting(dora, strict, 1)
    assert code(refused) == (403, "seat/leaves_too_often")
    assert refused[1]["values"] == {"left": 2, "matches": FEW, "share": 40, "most": 30}
    assert code(opening(dora, {"leavingMax": 39})) == (403, "seat/leaves_too_often")
    assert sitting(dora, open_to_all, 1)[0] == opening(dora, {"leavingMax": 40})[0] == 201


def test_who_leaves_too_often_reads_the_own_share_and_the_bound(
    client: TestClient[Any], cleo: Member, dora: Member
) -> None:
    for _ in range(FEW):
        assert dora.post(f"/matches/{started(cleo, dora)}/resignation", {})[0] == 201
    strict = cleo.opens(2, table={"leavingMax": 30})
    catch_up(client)
    visitor = signed_in(client, dora)

    assert "players who leave at most so many of their matches: 30 %" in visitor.goes(f"/tables/{strict}")
    assert visitor.sends(f"/tables/{strict}/sit", {"seat": "1"}).status_code == 403
    assert "5 of the last 5 (100 %). This table asks for at most 30 %." in visitor.text
    opened = visitor.sends("/tables", {"title": "la_granja", "seats": "2", "leavingMax": "30"})
    assert opened.status_code == 403


def test_a_bot_has_no_habit(client: TestClient[Any]) -> None:
    assert client.get("/api/players/bot:random@1").json()["leaving"] is None


def test_the_page_of_rankings_has_the_rules_with_the_number_of_this_service(client: TestClient[Any]) -> None:
    page = Visitor(client).goes("/rankings")

    assert f"Allowed by correspondence: {SLOW_MAX}." in page
    assert "A private table is public once its rated match has started." in page
    assert "how many of the last fifty matches with other people the player left" in page
