"""Pages of people by name: lookup, content, and erasure."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

import pytest
from litestar.testing import TestClient

from tests.api.archive.test_archive import plays
from tests.api.service import Member, catch_up

NAMES: Final = ("Margalida", "Øyvind", "Anna Maria", "100 %")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_found_by_name_and_by_id(client: TestClient[Any], name: str) -> None:
    person = Member(client, name)

    by_name, by_id = client.get(f"/players/{quote(name, safe='')}"), client.get(f"/players/{person.id}")

    assert (by_name.status_code, by_id.status_code) == (200, 200)
    assert f'<link rel="canonical" href="/players/{quote(name, safe="")}">' in by_id.text
    assert client.get(f"/api/players/{quote(name, safe='')}").json()["player"]["id"] == person.id
    assert client.get(f"/api/players/{quote(name, safe='')}/history.csv").status_code == 200


def test_lookalike_names_do_not_find_a_page(client: TestClient[Any]) -> None:
    Member(client, "Caterina")

    assert client.get("/players/caterina").status_code == 200
    assert client.get("/players/" + quote("Саterina")).status_code == 404
    assert client.get("/api/players/" + quote("\u202e<b>", safe="")).status_code == 404


def test_an_erased_person_has_no_page(client: TestClient[Any]) -> None:
    person = Member(client, "Biel")
    assert client.get("/players/Biel").status_code == 200

    assert person.delete("/me")[0] in {200, 204}

    assert client.get("/players/Biel").status_code == 404
    assert client.get(f"/players/{person.id}").status_code == 404


def test_a_page_shows_public_content_only(client: TestClient[Any]) -> None:
    person = Member(client, "Aina")
    match = plays(client, person)
    path = f"/matches/{match.id}/annotations"
    assert person.post(path, {"title": "For everybody", "visibility": "public"})[0] == 201
    assert person.post(path, {"title": "For myself", "visibility": "private"})[0] == 201
    public, private = person.opens(2), person.opens(2, table={"public": False})
    person.sits(public, 0)
    person.sits(private, 0)
    catch_up(client)

    page = client.get("/players/Aina").text

    assert 'href="/archive?title=el_grande&amp;player=Aina"' in page
    assert "For everybody" in page
    assert "For myself" not in page
    assert f"/tables/{public}" in page
    assert private not in page
