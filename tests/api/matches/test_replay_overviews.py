"""Overviews of ended matches are computed once per language; overviews of running matches are never cached."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from api.matches.pages.replay_overview import OVERVIEWS
from tests.api.matches.test_logs import follow
from tests.api.service import Person, start_match

Client = TestClient[Any]


@pytest.fixture
def client(own_client: Client) -> Client:
    return own_client


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    match_id = start_match(ann, ben)
    follow(ann)
    return match_id


def ends(person: Person, match_id: str) -> None:
    person.post(f"/matches/{match_id}/resignation", {})
    follow(person)


def replay(person: Person, match_id: str, language: str = "en", query: str = "") -> str:
    headers = person.headers | {"Accept-Language": language}
    response = person.client.get(f"/tables/{match_id}/replay?{query}", headers=headers)
    assert response.status_code == 200
    return response.text


def uses(person: Person) -> tuple[int, int]:
    counts: tuple[int, int] = OVERVIEWS.of(person.client).count_uses()
    return counts


def test_the_overview_of_an_ended_match_is_computed_once_for_all_readers(ann: Person, match_id: str) -> None:
    ends(ann, match_id)
    last = ann.get(f"/matches/{match_id}")[1]["version"]
    first, outsider = replay(ann, match_id), Person(ann.client)
    assert uses(ann) == (0, 1)

    again, other_entry, other_reader = (
        replay(ann, match_id),
        replay(ann, match_id, query=f"at={last}"),
        replay(outsider, match_id),
    )

    assert uses(ann) == (3, 1)
    assert again == first
    assert other_entry != first
    assert "replay-told" in other_reader


def test_every_language_has_its_own_overview(ann: Person, match_id: str) -> None:
    ends(ann, match_id)
    english, german = replay(ann, match_id), replay(ann, match_id, "de")

    assert uses(ann) == (0, 2)
    assert english != german
    assert (replay(ann, match_id), replay(ann, match_id, "de")) == (english, german)


def test_the_overview_of_a_running_match_is_never_cached(ann: Person, ben: Person, match_id: str) -> None:
    for reader in (ann, ben, Person(ann.client)):
        replay(reader, match_id)
    assert uses(ann) == (0, 0)

    running = replay(ann, match_id)
    ends(ann, match_id)

    assert replay(ann, match_id) != running
    assert uses(ann) == (0, 1)


def test_an_overview_before_its_narration_is_complete_is_not_cached(ann: Person, match_id: str) -> None:
    ann.post(f"/matches/{match_id}/resignation", {})
    incomplete = replay(ann, match_id)
    follow(ann)

    assert replay(ann, match_id) != incomplete
    assert uses(ann) == (0, 2)
