"""Studies of matches that count are closed until the match has ended; no public list names a private match."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.matches.service import MATCHES
from tests.api.disputes.test_disputes import raises, rules
from tests.api.service import Member, Person, catch_up, start_match

RATED: Final = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
TITLE: Final = "Take the Carter now"


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    return own_client


@pytest.fixture
def anna(client: TestClient[Any]) -> Member:
    return Member(client, "Anna")


@pytest.fixture
def bea(client: TestClient[Any]) -> Member:
    return Member(client, "Bea")


@pytest.fixture
def cleo(client: TestClient[Any]) -> Member:
    """Return a spectator who writes a study."""
    return Member(client, "Cleo")


def writes(person: Person, match_id: str, visibility: str = "public") -> str:
    status, study = person.post(f"/matches/{match_id}/annotations", {"title": TITLE, "visibility": visibility})
    assert status == 201, study
    assert person.post(f"/studies/{study['id']}/comments", {"entry": 1, "text": "Do it."})[0] == 201
    catch_up(person.client)
    return str(study["id"])


def reads(person: Person, study_id: str) -> list[int]:
    """Return the statuses of every address that shows a study."""
    paths = [f"/api/studies/{study_id}{part}" for part in ("", "/file", "/report", "/position?entry=1")]
    paths += [f"/studies/{study_id}{part}" for part in ("", "/report", "/place?entry=1")]
    return [person.client.get(path, headers=person.headers, follow_redirects=False).status_code for path in paths]


def lists(person: Person, match_id: str, author: Person) -> list[bool]:
    """Return for each list whether the title of the study is in it."""
    paths = [f"/api/matches/{match_id}/annotations", "/api/studies", "/api/studies?mine=true", "/studies"]
    paths += [f"/players/{author.id}", f"/tables/{match_id}/replay?at=1", "/api/me/data"]
    answers = [person.client.get(path, headers=person.headers) for path in paths]
    assert all(answer.status_code in {200, 404} for answer in answers), answers
    return [TITLE in answer.text for answer in answers]


def changes(person: Person, study_id: str, **wanted: Any) -> int:
    return person.client.patch(f"/api/studies/{study_id}", json=wanted, headers=person.headers).status_code


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_the_study_of_a_rated_match_opens_when_it_has_ended(
    anna: Member, bea: Member, cleo: Member, visibility: str
) -> None:
    match_id = start_match(anna, bea, table=RATED)
    study_id = writes(cleo, match_id, visibility)
    outsider = Person(anna.client)

    for reader in (anna, bea, outsider):
        assert set(reads(reader, study_id)) == {403}
        assert not any(lists(reader, match_id, cleo))
    assert anna.get(f"/studies/{study_id}")[1]["code"] == "study/closed"
    assert reads(cleo, study_id)[0] == 200

    anna.post(f"/matches/{match_id}/resignation", {})
    catch_up(anna.client)

    assert reads(anna, study_id)[0] == reads(outsider, study_id)[0] == 200
    is_listed = visibility == "public"
    assert lists(anna, match_id, cleo) == [is_listed, is_listed, False, is_listed, is_listed, is_listed, False]


def test_a_player_may_not_read_as_a_co_author(anna: Member, bea: Member, cleo: Member) -> None:
    match_id = start_match(anna, bea, table=RATED)
    study_id = writes(cleo, match_id, "private")
    helper = Member(anna.client, "Dora")
    assert changes(cleo, study_id, add=["Anna", "Dora"]) == 200
    catch_up(anna.client)

    assert set(reads(anna, study_id)) == {403}
    assert not any(lists(anna, match_id, cleo))
    assert anna.post(f"/studies/{study_id}/comments", {"entry": 1, "text": "Thanks"})[0] == 403
    assert reads(helper, study_id)[0] == 200


def test_players_keep_private_notes(anna: Member, bea: Member, cleo: Member) -> None:
    match_id = start_match(anna, bea, table=RATED)
    study_id = writes(anna, match_id)

    assert reads(anna, study_id)[0] == 200
    assert set(reads(bea, study_id)) == set(reads(cleo, study_id)) == {403}
    assert changes(anna, study_id, add=["Cleo"]) == 422


def test_the_study_of_a_replaced_line_is_closed_until_the_line_in_its_place_has_ended(
    client: TestClient[Any], anna: Member, bea: Member, cleo: Member
) -> None:
    PEOPLE.of(client).set_role(cleo.id, "operator")
    match_id = start_match(anna, bea, table=RATED)
    for _ in range(4):
        (anna, bea)[anna.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id)
    version = anna.get(f"/matches/{match_id}")[1]["version"]
    study_id = writes(Member(client, "Dora"), match_id)
    status, ruled = rules(cleo, raises(anna, match_id, version), {"type": "line_resumed", "version": version - 1})
    assert status == 201, ruled
    catch_up(client)
    match = MATCHES.of(client).writer.matches.get(UUID(match_id))

    assert match.status == "superseded"
    assert set(reads(anna, study_id)) == {403}
    assert not any(lists(anna, match_id, Member(client, "Eva")))
    anna.post(f"/matches/{match.docket.superseded_by}/resignation", {})
    catch_up(client)
    assert reads(anna, study_id)[0] == 200


def test_a_public_study_of_a_private_match_is_not_listed_for_outsiders(anna: Member, bea: Member, cleo: Member) -> None:
    match_id = start_match(anna, bea, table={"public": False})
    anna.post(f"/matches/{match_id}/resignation", {})
    study_id = writes(anna, match_id)

    assert not any(lists(cleo, match_id, anna))
    assert set(reads(cleo, study_id)) == {404}
    assert lists(bea, match_id, anna) == [True, False, False, False, False, True, False]
    assert lists(anna, match_id, anna) == [True, True, True, True, False, True, True]
