"""Everything of one's own taken along, as JSON and as a ZIP, and the account erased from its page."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from typing import Any

from litestar.testing import TestClient

from tests.api.archive.test_archive import plays
from tests.api.followers import catch_up
from tests.api.house import PASSWORD, Member
from tests.api.web.forms import Visitor


def test_everything_is_taken_along_and_no_secret_with_it(client: TestClient[Any]) -> None:
    person = Member(client, "Francina")
    match = plays(client, person)
    own = person.opens(2, table={"public": False})
    person.sits(own, 0)
    assert person.post(f"/matches/{match.id}/annotations", {"title": "For myself", "visibility": "private"})[0] == 201
    catch_up(client)

    status, everything = person.get("/me/data")
    packed = client.get("/api/me/data.zip", headers=person.headers)

    assert status == 200
    assert everything["account"] == {"id": person.id, "name": "Francina"}
    assert {each["matchId"] for each in everything["matches"]} == {str(match.id), own}
    ended = next(each for each in everything["matches"] if each["matchId"] == str(match.id))
    assert match.result is not None
    assert (ended["seat"], ended["place"], ended["score"]) == (0, match.result.ranking[0], match.result.scores[0])
    assert [each["name"] for each in everything["studies"]] == ["For myself"]
    assert {each["kind"] for each in everything["habits"]} <= {"region", "action_card"}
    assert person.token not in json.dumps(everything)
    assert packed.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(BytesIO(packed.content)) as archive:
        assert archive.namelist() == ["account.json", "matches.csv", "ratings.csv"]
        assert json.loads(archive.read("account.json")) == everything
        assert str(match.id) in archive.read("matches.csv").decode()


def test_nobody_unknown_takes_anything_along(client: TestClient[Any]) -> None:
    assert client.get("/api/me/data").status_code == 401
    assert client.get("/api/me/data.zip").status_code == 401


def test_an_account_is_erased_from_its_page_with_its_password(client: TestClient[Any]) -> None:
    Member(client, "Jaume")
    visitor = Visitor(client)
    visitor.sends("/sign-in", {"name": "Jaume", "password": PASSWORD})
    assert "/api/me/data.zip" in visitor.goes("/account")

    assert visitor.sends("/account/erase", {"password": "something else"}).status_code == 401
    assert client.get("/players/Jaume").status_code == 200
    visitor.sends("/account/erase", {"password": PASSWORD})

    assert client.get("/players/Jaume").status_code == 404
    assert "Jaume" not in visitor.goes("/")
