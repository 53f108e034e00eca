"""Bot accounts: who may have one, where they play, and in which lists they appear."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.service import Member, Person, catch_up, make_operator, play_rounds, start_match
from tests.seeding import next_name

RATED: Any = {"rated": True, "clock": {"kind": "increment", "seconds": 600, "increment": 20}}
PLAN: Any = {"name": "Cup", "title": "la_granja", "size": 2, "table": {}}


@pytest.fixture
def program(client: TestClient[Any]) -> Member:
    """Return a new bot account."""
    member = Member(client, next_name("Engine"))
    assert member.post("/me/bot", {})[0] == 204
    return member


@pytest.fixture
def cleo(client: TestClient[Any]) -> Member:
    return Member(client, next_name("Cleo"))


@pytest.fixture
def members(client: TestClient[Any]) -> list[Member]:
    """Return three more people without bot accounts."""
    return [Member(client, next_name(name)) for name in ("Late", "Left", "Plays")]


def tournament(organiser: Member, **table: Any) -> str:
    """Open a tournament with this table and return its path."""
    return f"/tournaments/{organiser.post('/tournaments', {'plan': {**PLAN, 'table': table}})[1]['eventId']}"


def registering_league(organiser: Member) -> str:
    """Open a league with open registration and return its path."""
    league = f"/leagues/{organiser.post('/leagues', {'plan': PLAN})[1]['leagueId']}"
    assert organiser.post(f"{league}/seasons", {"name": "Spring"})[0] == 201
    return league


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["code"]


def test_a_bot_account_may_sit_only_at_tables_that_allow_bots(cleo: Member, program: Member) -> None:
    plain, welcoming = cleo.opens(2), cleo.opens(2, table={"programs": True})

    refusal = program.post(f"/matches/{plain}/seats", {"seat": 1})
    own = program.post("/matches", {"title": "la_granja", "seats": 2})
    program.sits(welcoming, 1)

    assert [code(refusal), code(own)] == [(403, "seat/no_bots")] * 2
    shown = cleo.get(f"/matches/{welcoming}")[1]["seats"][1]["player"]
    assert (shown["id"], shown["name"]) == (program.id, f"{program.name} (bot)")
    assert program.get("/me")[1]["role"] == "bot"


def test_pages_and_lists_mark_bot_accounts(program: Member) -> None:
    shown = f"{program.name} (bot)"

    assert f"<h1>{shown}</h1>" in program.client.get(f"/players/{program.id}").text
    assert program.get(f"/players/{program.id}")[1]["player"]["name"] == shown


def test_guests_officials_and_seated_players_cannot_become_bot_accounts(ann: Person, cleo: Member) -> None:
    assert code(ann.post("/me/bot", {})) == (409, "account/no_bot")
    match_id = cleo.opens(2)
    cleo.sits(match_id, 0)
    catch_up(cleo.client)
    assert code(cleo.post("/me/bot", {})) == (409, "account/no_bot")
    cleo.delete(f"/matches/{match_id}/seats/0")
    catch_up(cleo.client)
    make_operator(cleo.client, cleo.id)
    assert code(cleo.post("/me/bot", {})) == (409, "account/no_bot")


def test_rated_matches_with_bots_count_in_separate_rankings(cleo: Member, program: Member) -> None:
    match_id = start_match(cleo, program, table={**RATED, "programs": True})
    play_rounds((cleo, program), match_id, 2)
    program.post(f"/matches/{match_id}/resignation", {})
    catch_up(cleo.client)

    entries = cleo.get(f"/matches/{match_id}/entries?after=0")[1]["entries"]
    begun = next(each["body"] for each in entries if each["body"]["type"] == "match_started")
    assert begun["programs"] == [1]
    lists = {(each["title"], each["seats"]) for each in cleo.get("/rankings")[1]["pools"]}
    assert lists == {("la_granja~bots", 2)}
    rated = cleo.get("/rankings/la_granja~bots/2")[1]["people"]
    assert {each["player"]["name"] for each in rated} == {cleo.name, f"{program.name} (bot)"}
    assert cleo.client.get("/rankings/la_granja~bots/2").status_code == 200
    assert code(cleo.post("/me/bot", {})) == (409, "account/no_bot"), "who has played rated stays a person"


def test_events_accept_bots_if_their_tables_do(cleo: Member, program: Member) -> None:
    plain, welcoming = tournament(cleo), tournament(cleo, programs=True)

    own = program.post(f"{plain}/entries", {})
    entered = cleo.post(f"{plain}/entries", {"person": program.id})
    assert [code(own), code(entered)] == [(409, "event/no_bots")] * 2
    assert entered[1]["detail"] == f"{program.name!r} is a bot account, and this event does not allow bots"
    assert entered[1]["values"] == {"name": program.name}
    assert program.post(f"{welcoming}/entries", {})[0] == 201


def upload_players(person: Member, path: str, rows: str) -> tuple[int, Any]:
    headers = person.headers | {"Content-Type": "text/csv"}
    response = person.client.post(f"/api{path}/files/players", content=rows.encode(), headers=headers)
    return response.status_code, response.json()


def test_a_file_with_a_rejected_bot_enters_no_one(cleo: Member, program: Member) -> None:
    event, league = tournament(cleo), registering_league(cleo)

    entered = upload_players(cleo, event, f"name,person\nCleo,{cleo.id}\n,{program.name}\n")
    joined = upload_players(cleo, league, f"player,seeding\n{cleo.id},1\n{program.name},2\n")

    for status, refusal in (entered, joined):
        assert (status, refusal["code"]) == (422, "tournament/import_refused")
        assert refusal["detail"].startswith(f"row 2: {program.name!r} is a bot account")
    assert cleo.get(event)[1]["entries"] == []
    assert cleo.get(league)[1]["entered"] == []


def test_participants_of_events_without_bots_cannot_become_bot_accounts(
    cleo: Member, members: list[Member], client: TestClient[Any]
) -> None:
    late, leaving, playing = members
    plain, welcoming, league = tournament(cleo), tournament(cleo, programs=True), registering_league(cleo)
    assert late.post(f"{welcoming}/entries", {})[0] == 201
    assert leaving.post(f"{plain}/entries", {})[0] == 201
    assert playing.post(f"{league}/entries", {})[0] == 201

    # Checked before the read models know the entries, and again afterwards.
    refusals = [leaving.post("/me/bot", {}), playing.post("/me/bot", {})]
    catch_up(client)
    refusals += [leaving.post("/me/bot", {}), playing.post("/me/bot", {})]

    assert [code(answer) for answer in refusals] == [(409, "account/no_bot")] * 4
    assert {answer[1]["detail"] for answer in refusals} == {
        "you play in 'Cup', which does not allow bot accounts; withdraw, or wait until it has ended"
    }
    assert late.post("/me/bot", {})[0] == 204
    entry = leaving.get(plain)[1]["entries"][0]["entry"]
    assert leaving.post(f"{plain}/entries/{entry}/withdrawal", {})[0] == 201
    assert leaving.post("/me/bot", {})[0] == 204
    assert playing.delete(f"{league}/entries/{playing.id}")[0] == 200
    assert playing.post("/me/bot", {})[0] == 204


def test_a_bot_account_cannot_have_a_role(cleo: Member, program: Member) -> None:
    event = cleo.post("/tournaments", {"plan": PLAN})[1]["eventId"]

    assert code(cleo.post("/roles", {"person": program.id, "role": "arbiter", "event": event})) == (403, "role/refused")
