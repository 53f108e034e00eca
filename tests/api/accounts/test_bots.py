"""An account that is marked as that of a bot: who may, where it plays, and on which lists."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.followers import catch_up, make_operator
from tests.api.house import Member, Person, play_rounds, started
from tests.seeding import next_name

RATED: Any = {"rated": True, "clock": {"kind": "increment", "seconds": 600, "increment": 20}}
PLAN = {"name": "Cup", "title": "la_granja", "size": 2}


@pytest.fixture
def program(client: TestClient[Any]) -> Member:
    """An account that has just been marked."""
    member = Member(client, next_name("Engine"))
    assert member.post("/me/bot", {})[0] == 204
    return member


@pytest.fixture
def cleo(client: TestClient[Any]) -> Member:
    return Member(client, next_name("Cleo"))


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["code"]


def test_a_bot_sits_down_only_where_bots_are_taken_and_is_named_as_one(cleo: Member, program: Member) -> None:
    plain, welcoming = cleo.opens(2), cleo.opens(2, table={"programs": True})

    refused = program.post(f"/matches/{plain}/seats", {"seat": 1})
    own = program.post("/matches", {"title": "la_granja", "seats": 2})
    program.sits(welcoming, 1)

    assert [code(refused), code(own)] == [(403, "seat/no_bots")] * 2
    shown = cleo.get(f"/matches/{welcoming}")[1]["seats"][1]["player"]
    assert (shown["id"], shown["name"]) == (program.id, f"{program.name} (bot)")
    assert program.get("/me")[1]["role"] == "bot"


def test_the_page_of_the_account_and_its_lists_name_it_as_a_bot(program: Member) -> None:
    shown = f"{program.name} (bot)"

    assert f"<h1>{shown}</h1>" in program.client.get(f"/players/{program.id}").text
    assert program.get(f"/players/{program.id}")[1]["player"]["name"] == shown


def test_who_sits_at_a_table_a_guest_and_an_official_are_not_marked(ann: Person, cleo: Member) -> None:
    assert code(ann.post("/me/bot", {})) == (409, "account/no_bot")
    match_id = cleo.opens(2)
    cleo.sits(match_id, 0)
    catch_up(cleo.client)
    assert code(cleo.post("/me/bot", {})) == (409, "account/no_bot")
    cleo.delete(f"/matches/{match_id}/seats/0")
    catch_up(cleo.client)
    make_operator(cleo.client, cleo.id)
    assert code(cleo.post("/me/bot", {})) == (409, "account/no_bot")


def test_a_rated_match_with_a_bot_counts_on_lists_of_its_own(cleo: Member, program: Member) -> None:
    match_id = started(cleo, program, table={**RATED, "programs": True})
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


def test_events_take_bots_where_their_tables_do(cleo: Member, program: Member) -> None:
    plain = cleo.post("/tournaments", {"plan": PLAN})[1]["eventId"]
    welcoming = cleo.post("/tournaments", {"plan": {**PLAN, "table": {"programs": True}}})[1]["eventId"]

    assert code(program.post(f"/tournaments/{plain}/entries", {})) == (403, "seat/no_bots")
    assert code(cleo.post(f"/tournaments/{plain}/entries", {"person": program.id})) == (403, "seat/no_bots")
    assert program.post(f"/tournaments/{welcoming}/entries", {})[0] == 201


def test_a_bot_holds_no_role(cleo: Member, program: Member) -> None:
    event = cleo.post("/tournaments", {"plan": PLAN})[1]["eventId"]

    assert code(cleo.post("/roles", {"person": program.id, "role": "arbiter", "event": event})) == (403, "role/refused")
