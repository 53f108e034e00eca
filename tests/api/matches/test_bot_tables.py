"""Limits on running tables with only bots and on unfinished tables with bots, per opener."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from domain.eventstore.application import Matches
from domain.matches.facts import SERVICE
from projections.platform.clock import now
from tests.api.http.forms import Visitor
from tests.api.matches.test_concurrency import run_at_once
from tests.api.service import Answer, Person, behind_sockets, catch_up, make_operator, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

MOST: Final = 2
MOST_WITH_BOTS: Final = 4
TOO_MANY: Final = (409, "seat/too_many_tables_with_bots")
REFUSED: Final = (409, "seat/too_many_bot_tables")


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Start a service that allows two running tables with only bots per person."""
    settings = settings_in(tmp_path_factory.mktemp("service"))
    settings = msgspec.structs.replace(settings, bot_tables_per_person=MOST)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


@pytest.fixture
def with_bots(tmp_path: Path) -> Iterator[TestClient[Any]]:
    """Start a service that allows four unfinished tables with bots per person."""
    settings = msgspec.structs.replace(settings_in(tmp_path), tables_with_bots_per_person=MOST_WITH_BOTS)
    with TestClient(create_app(settings, entropy())) as client:
        yield client


def code(answer: Answer) -> tuple[int, str]:
    return answer[0], answer[1].get("code", "")


def seats_bots(person: Person, match_id: str) -> Answer:
    """Seat bots on both seats of a table; return the last response."""
    assert person.post(f"/matches/{match_id}/seats", {"seat": 0, "bot": "random"})[0] == 201
    return person.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})


def opens_for_bots(person: Person) -> Answer:
    return seats_bots(person, person.opens(2))


def end(person: Person, match_id: str) -> None:
    """Void the match."""
    tables = MATCHES.of(person.client)
    person.client.blocking_portal.call(partial(tables.writer.execute, Matches.void, UUID(match_id), SERVICE, at=now()))


@pytest.mark.parametrize("is_followed", [True, False])
def test_another_table_of_bots_is_refused_with_the_bound(ann: Person, ben: Person, is_followed: bool) -> None:
    """The limit holds whether or not the read models are up to date."""
    for _ in range(MOST):
        assert opens_for_bots(ann)[0] == 201
    if is_followed:
        catch_up(ann.client)

    refusal = opens_for_bots(ann)

    assert code(refusal) == REFUSED
    assert "the limit is 2" in refusal[1]["detail"]
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


def test_the_limit_applies_when_a_bot_replaces_the_last_person(ann: Person) -> None:
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


def plays_bot(person: Person) -> Answer:
    """Open a table, sit down and seat a bot; return the last response."""
    match_id = person.opens(2)
    person.sits(match_id, 0)
    return person.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})


@pytest.mark.parametrize("is_followed", [True, False])
def test_tables_with_bots_are_bounded_too(with_bots: TestClient[Any], is_followed: bool) -> None:
    """Tables count whether or not they have started."""
    person, other = Person(with_bots), Person(with_bots)
    tables = [plays_bot(person)[1]["matchId"] for _ in range(MOST_WITH_BOTS)]
    person.post(f"/matches/{tables[0]}/ready", {})
    if is_followed:
        catch_up(with_bots)

    refusal = plays_bot(person)

    assert code(refusal) == TOO_MANY
    assert refusal[1]["values"] == {"tables": MOST_WITH_BOTS, "most": MOST_WITH_BOTS}
    assert plays_bot(other)[0] == 201
    end(person, tables[0])
    assert plays_bot(person)[0] == 201


def test_tables_left_by_resignation_count_until_they_end(with_bots: TestClient[Any]) -> None:
    person = Person(with_bots)
    for _ in range(MOST_WITH_BOTS):
        match_id = person.opens(3)
        person.sits(match_id, 0)
        for seat in (1, 2):
            person.post(f"/matches/{match_id}/seats", {"seat": seat, "bot": "random"})
        person.post(f"/matches/{match_id}/ready", {})
        assert person.post(f"/matches/{match_id}/resignation", {})[1]["status"] == "running"

    assert code(plays_bot(person)) == TOO_MANY


def test_pages_and_tables_on_one_device_and_forks_have_the_same_bound(with_bots: TestClient[Any]) -> None:
    person, visitor = Person(with_bots), Visitor(with_bots)
    for _ in range(MOST_WITH_BOTS - 1):
        plays_bot(person)
    parent = opens_for_bots(person)[1]["matchId"]
    players = [{"name": "Ana"}, {"name": "Bo"}, {"bot": "random"}]
    device = {"title": "la_granja", "seats": 3, "table": {"oneDevice": True}, "players": players}
    forked = {"at": 6, "luck": "same"}

    page = visitor.sends("/play", {"title": "la_granja"}, person.headers)
    on_device = person.post("/matches", device)
    end(person, parent)
    forks = [code(person.post(f"/matches/{parent}/forks", forked)) for _ in range(2)]

    assert page.status_code == 409
    assert f"{MOST_WITH_BOTS} of {MOST_WITH_BOTS}" in page.text
    assert code(on_device) == TOO_MANY
    assert forks == [(201, ""), TOO_MANY]


def test_an_operator_has_no_bound_of_tables_with_bots(with_bots: TestClient[Any]) -> None:
    person, visitor = Person(with_bots), Visitor(with_bots)
    make_operator(with_bots, person.id)

    statuses = {plays_bot(person)[0] for _ in range(MOST_WITH_BOTS + 1)}

    assert statuses == {201}
    assert visitor.sends("/play", {"title": "la_granja"}, person.headers).status_code == 200


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


def test_concurrent_requests_do_not_exceed_the_limit(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("sockets")
    settings = msgspec.structs.replace(settings_in(folder), bot_tables_per_person=MOST)
    with behind_sockets(folder, settings) as sockets:
        token = sockets.token_of("Ann")
        tables = []
        for _ in range(6):
            _, match = sockets.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)
            sockets.ask("POST", f"/matches/{match['matchId']}/seats", {"seat": 0, "bot": "random"}, token)
            tables.append(f"/matches/{match['matchId']}/seats")

        answers = run_at_once(
            [partial(sockets.ask, "POST", path, {"seat": 1, "bot": "random"}, token) for path in tables]
        )

    assert sorted(status for status, _ in answers) == [201] * MOST + [409] * (len(tables) - MOST)
