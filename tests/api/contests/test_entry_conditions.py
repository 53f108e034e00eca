"""Conditions of entry over the API, for a tournament and a league by the same routes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.names import NAME_LENGTH_MAX
from api.accounts.people import PEOPLE
from api.contests.entrants import CONTEST_STORE
from api.contests.schemas import LIST_BYTES_MAX, LISTED_MAX, REASON_MAX
from api.matches.service import MATCHES
from api.tournaments.acts import ACT_WORDS
from domain.roles.audit import AUDIT, AUDIT_STREAM, EventActed
from tests.api.leagues.test_leagues import open_league
from tests.api.service import Member, Person, catch_up, play_rounds, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app

OpenContest = Callable[..., str]
TOURNAMENT: dict[str, Any] = {
    "name": "Autumn cup",
    "title": "la_granja",
    "size": 2,
    "stages": [{"kind": "swiss", "rounds": 2}],
}
FEW = 3
WORD = "between the olive trees"


def a_tournament(person: Person, **plan: Any) -> str:
    status, event = person.post("/tournaments", {"plan": {**TOURNAMENT, **plan}})
    assert status == 201, event
    return f"/tournaments/{event['eventId']}"


def a_league(person: Person, **plan: Any) -> str:
    """Open a league that takes entries for its first season."""
    path = open_league(person, **plan)
    assert person.post(f"{path}/seasons", {"name": "Spring"})[0] == 201
    return path


@pytest.fixture
def cleo(client: TestClient[Any]) -> Person:
    return Person(client)


CONTESTS = (a_tournament, a_league)
both = pytest.mark.parametrize("open_contest", CONTESTS)


def contest_of(path: str) -> str:
    return f"/contests/{path.rpartition('/')[2]}"


def put(person: Person, path: str, wanted: Any) -> tuple[int, Any]:
    response = person.client.put(f"/api{path}", json=wanted, headers=person.headers)
    return response.status_code, response.json()


def enter(caller: Person, path: str, **wanted: Any) -> tuple[int, str, str]:
    """Enter a contest; return status, code and detail of a refusal."""
    status, body = caller.post(f"{path}/entries", wanted)
    return status, body.get("code", ""), body.get("detail", "")


def entry_body(path: str, person: Person) -> dict[str, str]:
    """Return the field that names a person whom an organiser enters."""
    return {"person" if path.startswith("/tournaments") else "player": person.id}


def rate(client: TestClient[Any], winner: Person, loser: Person) -> None:
    match_id = start_match(winner, loser, table={"rated": True, "clock": {"kind": "per_move", "seconds": 600}})
    play_rounds((winner, loser), match_id, 2)
    assert loser.post(f"/matches/{match_id}/resignation", {})[0] in {200, 201}
    catch_up(client)


@both
def test_a_rating_outside_the_band_is_refused_with_its_value(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    good, bad = Member(client, f"Good {open_contest.__name__}"), Member(client, f"Bad {open_contest.__name__}")
    rate(client, good, bad)
    points = {each.id: ann.get(f"/players/{each.id}")[1]["overall"][0]["points"] for each in (good, bad)}
    least = points[good.id]
    band = {"title": "la_granja", "least": least, "most": 3000}
    path = open_contest(ann, conditions={"ratings": [band]})

    status, code, detail = enter(bad, path)

    assert (status, code) == (409, "contest/rating")
    assert detail == f"your rating in La Granja is {points[bad.id]}; this event is for {least} to 3000"
    assert enter(ann, path)[1:] == (
        "contest/unrated",
        f"you have no rating in La Granja; this event is for ratings from {least}",
    )
    assert enter(good, path)[0] == 201


@both
def test_the_page_of_conditions_says_which_the_reader_meets(
    client: TestClient[Any], ann: Person, ben: Person, open_contest: OpenContest
) -> None:
    conditions = {"ratedMatches": 1, "leavingMax": 20, "countries": ["ES"]}
    path = contest_of(open_contest(ann, conditions=conditions))

    shown = {each["kind"]: each for each in ben.get(f"{path}/conditions")[1]["conditions"]}
    stranger = client.get(f"/api{path}/conditions").json()

    assert [(kind, each["isMet"]) for kind, each in shown.items()] == [
        ("rated_matches", False),
        ("leaving", True),
        ("country", False),
    ]
    assert shown["rated_matches"]["least"] == 1
    assert shown["leaving"]["most"] == 20
    assert shown["country"]["countries"] == ["ES"]
    assert "you have not stated a country" in shown["country"]["refusal"]
    assert [each["isMet"] for each in stranger["conditions"]] == [None] * 3
    assert (stranger["people"], stranger["hasPassword"]) == (None, None)


@both
def test_a_stated_country_lets_a_person_in(
    client: TestClient[Any], ann: Person, ben: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann, conditions={"countries": ["ES", "FR"]})
    countries = PEOPLE.of(client).countries
    countries.set_country(ben.id, "DE")
    refused = enter(ben, path)
    countries.set_country(ben.id, "FR")

    assert refused == (409, "contest/country", "your country is DE; this event is for players from ES, FR")
    assert enter(ben, path)[0] == 201


@both
def test_an_organiser_lets_someone_in_with_a_reason_on_the_record(
    client: TestClient[Any], ann: Person, ben: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann, conditions={"ratedMatches": 5})
    status, code, detail = enter(ann, path, **entry_body(path, ben))
    assert (status, code) == (409, "contest/condition_unmet")
    assert detail == (
        "they have 0 rated matches of La Granja; this event is for people with at least 5; "
        "waive the conditions and give a reason to let them in"
    )

    assert enter(ann, path, **entry_body(path, ben), reason="A guest of the club.")[1] == "contest/condition_unmet"
    assert enter(ann, path, **entry_body(path, ben), waive=True)[0] in {409, 422}
    assert enter(ann, path, **entry_body(path, ben), reason="A guest of the club.", waive=True)[0] in {200, 201}
    season = {} if path.startswith("/tournaments") else {"season": 1}
    assert ben.accepts(path, season)[0] in {200, 201}
    catch_up(client)
    acts = ben.get(f"{path}/record")[1]["acts"]

    assert [(each["kind"], each["reason"]) for each in acts] == [("person_invited", "A guest of the club.")]


@both
def test_a_password_is_stored_as_a_hash_and_only_its_existence_is_in_the_plan(
    client: TestClient[Any], ann: Person, ben: Person, cleo: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann)
    contest = contest_of(path)
    assert put(ben, f"{contest}/password", {"password": WORD})[1]["code"] == "role/missing"
    assert (
        put(ann, f"{contest}/conditions", {"conditions": {"password": True}})[1]["detail"] == "set the password first"
    )

    status, shown = put(ann, f"{contest}/password", {"password": WORD})

    assert (status, shown["hasPassword"]) == (200, True)
    assert enter(ben, path)[1:] == ("contest/password_missing", "this event requires a password")
    assert enter(ben, path, password="a wrong word")[1:] == (
        "contest/password_wrong",
        "this is not the password of this event",
    )
    assert enter(ben, path, password=WORD)[0] == 201
    matches = MATCHES.of(client).writer.matches
    records = [bytes(record.body).decode() for record in matches.streams.records(UUID(path.rpartition("/")[2]))]
    assert any('"password":true' in record for record in records)
    assert not any(WORD in record for record in records)
    hashed = CONTEST_STORE.of(client).password_of(UUID(path.rpartition("/")[2])) or ""
    assert hashed.startswith("$argon2id$")
    assert put(ann, f"{contest}/password", {"password": ""})[1]["hasPassword"] is False
    assert enter(cleo, path)[0] == 201


@both
def test_a_change_of_private_data_has_one_line_with_its_reason_in_the_audit_trail(
    client: TestClient[Any], ann: Person, ben: Person, open_contest: OpenContest
) -> None:
    contest = contest_of(open_contest(ann))
    for wanted in ({"password": WORD, "reason": "First."}, {"password": f"{WORD}!", "reason": " It got around. "}):
        assert put(ann, f"{contest}/password", wanted)[0] == 200
    for person, reason in ((ben, "Club only."), (ann, "Ben is ill.")):
        assert put(ann, f"{contest}/list", {"people": [person.id], "reason": reason})[0] == 200

    assert audit_of(client, contest) == [
        ("plan_changed", "First."),
        ("entry_password_set", "It got around."),
        ("plan_changed", "Club only."),
        ("entry_list_set", "Ben is ill."),
    ]
    assert {act for act, _ in audit_of(client, contest)} <= ACT_WORDS.keys()


def audit_of(client: TestClient[Any], contest: str) -> list[tuple[str, str]]:
    """Return the kind and the reason of each line about a contest in the audit trail."""
    records = MATCHES.of(client).writer.matches.streams.records(AUDIT_STREAM)
    found = [fact for fact in map(AUDIT.read, records) if isinstance(fact, EventActed)]
    return [(fact.act, fact.reason) for fact in found if fact.event == contest.rpartition("/")[2]]


def test_private_data_of_a_drawn_season_is_changed_with_a_reason(ann: Person, ben: Person, cleo: Person) -> None:
    path = a_league(ann)
    assert put(ann, f"{contest_of(path)}/password", {"password": WORD})[0] == 200
    for person in (ben, cleo):
        assert enter(person, path, password=WORD)[0] == 201
    assert ann.post(f"{path}/draw", {})[0] in {200, 201}

    for reason, status in (("", 422), ("It got around.", 200)):
        assert put(ann, f"{contest_of(path)}/password", {"password": "another word", "reason": reason})[0] == status


def test_the_longest_list_of_names_fits_into_the_body() -> None:
    names = ["\U0001f600" * NAME_LENGTH_MAX] * LISTED_MAX

    assert len(json.dumps({"people": names, "reason": "\U0001f600" * REASON_MAX})) <= LIST_BYTES_MAX


@both
def test_only_people_on_the_list_enter_and_only_organisers_see_it(
    client: TestClient[Any], ann: Person, ben: Person, cleo: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann)
    contest = contest_of(path)
    status, unknown = put(ann, f"{contest}/list", {"people": ["Nobody at all"]})
    assert (status, unknown["detail"]) == (404, "no account with the id or name 'Nobody at all'")
    assert put(ann, f"{contest}/conditions", {"conditions": {"listed": True}})[0] == 422

    status, shown = put(ann, f"{contest}/list", {"people": [ben.id, ben.id]})

    assert (status, [each["id"] for each in shown["people"]]) == (200, [ben.id])
    assert ben.get(f"{contest}/conditions")[1]["people"] is None
    assert enter(cleo, path)[1] == "contest/not_listed"
    assert enter(ben, path)[0] == 201
    PEOPLE.of(client).erase(ben.id)
    assert CONTEST_STORE.of(client).list_of(UUID(path.rpartition("/")[2])) == ()
    assert put(ann, f"{contest}/list", {"people": []})[1]["conditions"] == []


@both
def test_changed_conditions_are_in_the_plan_and_equal_ones_change_nothing(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann)
    wanted = {"conditions": {"ratedMatches": 3, "countries": ["FR", "ES"]}}

    assert put(ann, f"{contest_of(path)}/conditions", wanted)[0] == 200
    plan, version = ann.get(path)[1]["plan"], ann.get(path)[1]["version"]
    assert put(ann, f"{contest_of(path)}/conditions", wanted)[0] == 200
    status, refusal = put(ann, f"{contest_of(path)}/conditions", {"conditions": {"countries": ["XX"]}})

    assert plan["conditions"]["ratedMatches"] == 3
    assert plan["conditions"]["countries"] == ["ES", "FR"]
    assert ann.get(path)[1]["version"] == version
    assert status in {409, 422}
    assert refusal["detail"] == "there is no country with the code 'XX'"


def test_an_unknown_contest_has_no_conditions(ann: Person) -> None:
    assert ann.get(f"/contests/{UUID(int=5)}/conditions")[0] == 404


def test_a_withdrawn_entry_returns_without_the_password(client: TestClient[Any], ann: Person, ben: Person) -> None:
    path = a_tournament(ann)
    put(ann, f"{contest_of(path)}/password", {"password": WORD})
    assert enter(ben, path, password=WORD)[0] == 201
    assert ben.post(f"{path}/entries/e1/withdrawal", {})[0] == 201

    assert ben.post(f"{path}/entries/e1/return", {})[0] == 201


@pytest.fixture
def strict_client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    settings = msgspec.structs.replace(settings_in(tmp_path), guesses_per_hour=FEW)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


@both
def test_guesses_of_a_password_are_limited(strict_client: TestClient[Any], open_contest: OpenContest) -> None:
    """They are counted by account and by address, until one is right."""
    ann, ben = Person(strict_client), Person(strict_client)
    path = open_contest(ann)
    put(ann, f"{contest_of(path)}/password", {"password": WORD})

    for _ in range(FEW - 1):
        assert enter(ben, path, password="a wrong word")[0] == 409
    assert enter(Person(strict_client), path, password=WORD)[0] == 201, "right: the address may try again"
    assert enter(ben, path, password="a wrong word")[0] == 409
    assert enter(ben, path, password=WORD)[0] == 429, "by account"
    other = Person(strict_client)
    for _ in range(FEW - 1):
        assert enter(other, path, password="a wrong word")[0] == 409
    assert enter(Person(strict_client), path, password=WORD)[0] == 429, "by address"


@both
def test_a_plan_states_no_password_list_or_club_that_is_not_known(ann: Person, open_contest: OpenContest) -> None:
    kind, plan = plan_of(ann, open_contest(ann))
    for conditions, detail in (
        ({"password": True}, "set its password"),
        ({"listed": True}, "set its list of names"),
        ({"clubs": [str(UUID(int=7))]}, f"there is no club {UUID(int=7)}"),
    ):
        status, refusal = ann.post(f"/{kind}", {"plan": plan | {"conditions": conditions}})
        assert (status, detail in refusal["detail"]) == (422, True), refusal


def plan_of(person: Person, path: str) -> tuple[str, dict[str, Any]]:
    """Return the kind of a contest, as in its path, and its plan."""
    kind = path.split("/")[1]
    return kind, person.get(path)[1]["plan"]
