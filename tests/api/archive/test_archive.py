"""The archive and the explorer by API and on pages: results, invalid searches, erased people."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from domain.eventstore.application import Matches
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import SERVICE, Table
from projections.platform.clock import now
from tests.api.leagues.test_leagues import open_league, resign_first_seats
from tests.api.service import Member, Person, catch_up, open_tables
from tests.seeding import new_id

BOT: Final = "bot:random@1"
NAME: Final = "Margalida"


def plays(client: TestClient[Any], person: Person, table: Table | None = None) -> Match:
    """Play a whole match of a person against a bot, both choosing the first legal action."""
    matches: Matches = MATCHES.of(client).writer.matches
    match = matches.open(new_id(), title="el_grande", seats=2, by=person.id, at=now(), table=table)
    match = matches.take_seat(match.id, 0, person.id, at=now())
    match = matches.take_seat(match.id, 1, BOT, at=now())
    match = matches.ready(match.id, 0, person.id, at=now())
    while not match.is_over:
        seat = seats_to_act(match)[0]
        actor = SERVICE if seat == SERVICE_SEAT else match.seats[seat].actor
        assert actor is not None
        action = legal_actions(match, seat)[0]
        match = matches.act(match.id, seat, actor, action, expected_version=match.version, at=now())
    return match


class World:
    """An ended public match, a private one, and their player."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.person = Member(client, NAME)
        self.match = plays(client, self.person)
        self.private = plays(client, self.person, Table(public=False))
        self.running = self.person.opens(2, title="el_grande")
        catch_up(client)


@pytest.fixture(scope="module")
def world(service: TestClient[Any]) -> World:
    return World(service)


def find_matches(client: TestClient[Any], query: str) -> Any:
    response = client.get(f"/api/archive?{query}")
    assert response.status_code == 200, response.text
    return response.json()["matches"]


def test_a_match_is_found_by_its_properties(client: TestClient[Any], world: World) -> None:
    assert world.match.result is not None
    (match,) = find_matches(client, "")
    (by_everything,) = find_matches(
        client,
        f"player={NAME}&withPlayer={BOT}&title=el_grande&seats=2&edition=2023&who=people&rated=false&since=2020-01-01"
        f"&score={max(world.match.result.scores)}&lengthMax={world.match.version}&things=power/1&end=played",
    )

    assert match == by_everything
    assert match["matchId"] == str(world.match.id)
    assert [seat["score"] for seat in match["seats"]] == list(world.match.result.scores)
    assert [seat["player"]["name"] for seat in match["seats"]] == [NAME, "Random bot"]
    assert (
        find_matches(client, "who=bots")
        == find_matches(client, "title=la_granja")
        == find_matches(client, "until=2020-01-01")
        == []
    )
    assert (
        find_matches(client, "rating=100")
        == find_matches(client, f"event={new_id()}")
        == find_matches(client, "event=Copa")
        == []
    )


def test_league_matches_are_found_by_the_name_and_id_of_the_league(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    league = open_league(ann, name="Liga de Sóller")
    ann.post(f"{league}/seasons", {"name": "Spring"})
    for person in (ann, ben):
        person.post(f"{league}/entries", {})
    for step in ("draw", "rounds"):
        ann.post(f"{league}/{step}", {})
    open_tables(client)
    resign_first_seats(client, ann.get(f"{league}/seasons/1")[1], ann, ben)

    (by_name,) = find_matches(client, "event=de%20S%C3%93LLER")

    assert by_name["event"] == league.rpartition("/")[2]
    assert [by_name] == find_matches(client, f"event={by_name['event']}")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("player=Nobody%20here", "No player is called “Nobody here”"),
        ("player=%F0%9F%8F%A0%3Cb%3E%22%27%3B--", "No player is called"),
        ("title=chess", "There is no game “chess”"),
        ("things=power/1", "Choose a game to search for its cards and buildings."),
        (
            "title=el_grande&things=pawn/1",
            "Unknown kind: 'pawn'. Choose from: power, home, king, castillo, action_card",
        ),
        ("title=el_grande&things=" + ",".join(["home/granada"] * 6), "Search for at most 5 cards and buildings"),
        ("seats=9", "Invalid search"),
        ("since=yesterday", "since"),
        ("opening=xyz", "opening"),
        ("colour=red", "unknown query parameters: colour"),
    ],
)
def test_an_invalid_search_gives_an_error(client: TestClient[Any], world: World, query: str, expected: str) -> None:
    response = client.get(f"/api/archive?{query}")

    assert response.status_code == 400
    assert expected in response.text


@pytest.mark.parametrize("query", ["things=home/%00", "player=%FF%FE", "player=" + "x" * 5_000])
def test_malformed_bytes_are_rejected(client: TestClient[Any], world: World, query: str) -> None:
    assert client.get(f"/api/archive?{query}").status_code == 400
    assert client.get(f"/archive?{query}").status_code == 400


def test_people_are_not_found_by_id_and_erased_ones_not_at_all(own_client: TestClient[Any]) -> None:
    person = Member(own_client, NAME)
    plays(own_client, person)
    catch_up(own_client)
    assert own_client.get(f"/api/archive?player={person.id}").status_code == 400
    assert len(find_matches(own_client, f"player={NAME}")) == 1

    assert person.delete("/me")[0] in {200, 204}

    assert own_client.get(f"/api/archive?player={NAME}").status_code == 400
    assert own_client.get(f"/api/archive?player={person.id}").status_code == 400
    (match,) = find_matches(own_client, "")
    assert match["seats"][0]["player"] == {"kind": "person", "id": "", "name": "deleted account"}
    page = own_client.get("/archive").text
    assert person.id not in page
    assert NAME not in page


def test_the_explorer_counts_people_and_bots_separately(client: TestClient[Any], world: World) -> None:
    people = client.get("/api/explorer/el_grande/2?who=people").json()
    bots = client.get("/api/explorer/el_grande/2?who=bots").json()
    assert world.match.result is not None

    homes = [next(kind["things"] for kind in side["kinds"] if kind["kind"] == "home") for side in (people, bots)]
    assert [[each["came"]["times"] for each in side] for side in homes] == [[1], [1]]
    margin = world.match.result.scores[0] - world.match.result.scores[1]
    assert [side[0]["came"]["meanMargin"] for side in homes] == [margin, -margin]
    assert people["sizes"] == [2]
    assert client.get("/api/explorer/chess/2").status_code == 404
    assert client.get("/api/explorer/el_grande/9").status_code == 404


def test_openings_lead_to_later_openings_and_matches(client: TestClient[Any], world: World) -> None:
    key, depth = "", 0
    while True:
        moves = [
            move
            for kind in ("people", "bots")
            for move in client.get(f"/api/explorer/el_grande/2/openings?who={kind}&opening={key}").json()["moves"]
        ]
        if not moves:
            break
        (move,) = moves
        assert move["words"]
        assert move["action"]["type"].startswith("el_grande.")
        key, depth = move["opening"], depth + 1

    assert depth == 6
    assert [match["matchId"] for match in find_matches(client, f"opening={key}")] == [str(world.match.id)]


def test_the_actions_played_at_a_position(client: TestClient[Any], world: World) -> None:
    def fetch_played(match_id: UUID | str, version: int) -> Any:
        return client.get(f"/api/matches/{match_id}/at/{version}/played")

    started = world.match.started_version
    assert started is not None
    first, late = fetch_played(world.match.id, started).json(), fetch_played(world.match.id, started + 40).json()

    assert len(first["moves"]) == 1
    powers = [each for each in first["choices"] if each["kind"] == "power"]
    assert {each["number"] for each in powers} == {1}
    assert sum(bool(each["people"]) for each in powers) == sum(bool(each["bots"]) for each in powers) == 1
    assert late["opening"] is None
    assert late["moves"] == []
    assert fetch_played(world.running, 1).json()["choices"] == []
    assert fetch_played(world.private.id, started).status_code == 404
    assert fetch_played(world.match.id, 99_999).status_code == 404


def test_pages_show_results_and_errors_of_searches(client: TestClient[Any], world: World) -> None:
    page = client.get(f"/archive?player={NAME}&title=el_grande&since=2020-01-01")
    assert page.status_code == 200
    assert f'value="{NAME}"' in page.text
    assert f"/tables/{world.match.id}/replay" in page.text
    assert str(world.private.id) not in page.text
    assert "No matches found." in client.get("/archive?seats=5").text

    refusal = client.get("/archive?player=%3Cscript%3E")
    assert refusal.status_code == 400
    assert "No player is called “&lt;script&gt;”" in refusal.text
    assert "<script>&#39;" not in refusal.text

    explorer = client.get("/explorer/el_grande?who=people").text
    assert "Round 9" in explorer
    assert "Home regions" in explorer
    assert client.get("/explorer").status_code == 200
    assert client.get("/explorer/chess").status_code == 404
    assert "First move" in client.get("/explorer/el_grande/openings?seats=2").text
    replay = client.get(f"/tables/{world.match.id}/replay?at={world.match.started_version}").text
    assert "Position statistics" in replay
