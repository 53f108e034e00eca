"""Tables that only bots play: few run at once for the person who opened them."""

from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.app import create_app
from api.matches.acting import now
from domain.matches.application import Matches
from domain.matches.facts import SERVICE
from tests.api.followers import catch_up, make_operator
from tests.api.house import Answer, Person, behind_sockets, settings_in
from tests.api.matches.test_concurrency import at_once
from tests.seeding import entropy

MOST: Final = 2
REFUSED: Final = (409, "seat/too_many_bot_tables")


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A service in which two tables of bots may run at once for one person."""
    settings = settings_in(tmp_path_factory.mktemp("service"))
    settings = msgspec.structs.replace(settings, bot_tables_per_person=MOST)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


def code(answer: Answer) -> tuple[int, str]:
    return answer[0], answer[1].get("code", "")


def seats_bots(person: Person, match_id: str) -> Answer:
    """Seat bots on both seats of a table; return the last answer."""
    assert person.post(f"/matches/{match_id}/seats", {"seat": 0, "bot": "random"})[0] == 201
    return person.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})


def opens_for_bots(person: Person) -> Answer:
    return seats_bots(person, person.opens(2))


def end(person: Person, match_id: str) -> None:
    """Void the match."""
    tables = person.client.app.state.tables
    person.client.blocking_portal.call(partial(tables.execute, Matches.void, UUID(match_id), SERVICE, at=now()))


@pytest.mark.parametrize("is_followed", [True, False])
def test_another_table_of_bots_is_refused_with_the_bound(ann: Person, ben: Person, is_followed: bool) -> None:
    """The bound holds whether the read models are up to date or not."""
    for _ in range(MOST):
        assert opens_for_bots(ann)[0] == 201
    if is_followed:
        catch_up(ann.client)

    refused = opens_for_bots(ann)

    assert code(refused) == REFUSED
    assert "2 at once are allowed" in refused[1]["detail"]
    assert opens_for_bots(ben)[0] == 201, "of each person for himself"


def test_a_table_of_bots_that_ended_makes_room(ann: Person) -> None:
    running = [opens_for_bots(ann)[1]["matchId"] for _ in range(MOST)]
    end(ann, running[0])

    assert opens_for_bots(ann)[0] == 201


def test_tables_where_a_person_plays_are_not_counted_and_may_be_opened(ann: Person) -> None:
    for _ in range(MOST):
        opens_for_bots(ann)

    for _ in range(MOST + 1):
        match_id = ann.opens(2)
        ann.sits(match_id, 0)
        assert ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})[0] == 201


def test_a_bot_does_not_take_over_from_the_last_person_at_an_own_table_beyond_the_bound(ann: Person) -> None:
    tables = []
    for _ in range(MOST + 1):
        match_id = ann.opens(2)
        ann.sits(match_id, 0)
        ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})
        ann.post(f"/matches/{match_id}/ready", {})
        tables.append(match_id)

    answers = [ann.post(f"/matches/{match_id}/seats/0/player", {"bot": "random"}) for match_id in tables]

    assert [answer[0] for answer in answers] == [201] * MOST + [409]
    assert code(answers[-1]) == REFUSED
    assert ann.post(f"/matches/{tables[-1]}/resignation", {})[0] == 201, "leaving is always possible"


def test_a_fork_that_only_bots_play_counts_as_a_table(ann: Person) -> None:
    parent = opens_for_bots(ann)[1]["matchId"]
    end(ann, parent)
    forked = {"at": 6, "luck": "same"}

    answers = [ann.post(f"/matches/{parent}/forks", forked) for _ in range(MOST + 1)]

    assert [answer[0] for answer in answers] == [201] * MOST + [409]
    assert code(answers[-1]) == REFUSED


def test_an_operator_opens_as_many_as_needed(ann: Person) -> None:
    make_operator(ann.client, ann.id)

    assert {opens_for_bots(ann)[0] for _ in range(MOST + 1)} == {201}


def test_of_many_requests_at_once_as_many_are_taken_as_the_bound_says(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("sockets")
    settings = msgspec.structs.replace(settings_in(folder), bot_tables_per_person=MOST)
    with behind_sockets(folder, settings) as sockets:
        token = sockets.token_of("Ann")
        tables = []
        for _ in range(6):
            _, match = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)
            sockets.ask("POST", f"/matches/{match['matchId']}/seats", {"seat": 0, "bot": "random"}, token)
            tables.append(f"/matches/{match['matchId']}/seats")

        answers = at_once([partial(sockets.ask, "POST", path, {"seat": 1, "bot": "random"}, token) for path in tables])

    assert sorted(status for status, _ in answers) == [201] * MOST + [409] * (len(tables) - MOST)
