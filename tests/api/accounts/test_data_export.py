"""Export of personal data as JSON and ZIP, and erasure on the account page."""

from __future__ import annotations

import json
import zipfile
from functools import partial
from io import BytesIO
from typing import Any, Final
from uuid import UUID

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.contests.entrants import CONTEST_STORE
from api.contests.sanction_texts import SANCTION_TEXTS, SanctionText
from api.puzzles.scores import PUZZLE_SCORES
from tests.api.archive.test_archive import plays
from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD, Member, catch_up, start_match
from tests.notifications.away import Subscription
from tests.signing import Pen

SECTIONS: Final = {
    "account",
    "role",
    "guest",
    "clubs",
    "holidays",
    "preferences",
    "sessions",
    "tokens",
    "passkeys",
    "identities",
    "keys",
    "notifications",
    "messages",
    "reports",
    "boundaries",
    "friends",
    "puzzles",
    "localGuests",
    "quickPairing",
    "photos",
    "country",
    "entryLists",
    "sanctions",
    "figuresRead",
    "matches",
    "ratings",
    "habits",
    "studies",
    "tournaments",
    "leagues",
}
SUBSCRIPTION: Final = Subscription("https://push.example.org/francina").registration


def create_personal_data(client: TestClient[Any], person: Member, other: Member) -> str:
    """Give a person data of every kind and return a room with their messages."""
    PEOPLE.of(client).store_preferences(person.id, "theme-dark.sound-all")
    put = partial(client.put, headers=person.headers)
    assert put("/api/me/notifications/address", json={"address": "francina@players.example"}).status_code == 200
    assert put("/api/me/notifications", json={"mail": {"turn": "daily"}}).status_code == 200
    assert person.post("/me/notifications/devices", SUBSCRIPTION)[0] == 201
    assert put(f"/api/friends/{other.id}").status_code == 204
    assert put(f"/api/talk/boundaries/{other.id}", json={"kind": "mute"}).status_code == 204
    PUZZLE_SCORES.of(client).record_answer(person.id, "p1", 1500, solved=True)
    room = f"/talk/players/{start_match(person, other)}"
    assert person.post(room, {"words": "=1+1"})[0] == 201
    assert person.post(room, {"phrase": "hello"})[0] == 201
    message_id = other.post(room, {"words": "something bad"})[1]["id"]
    assert person.post(f"/talk/messages/{message_id}/reports", {"reason": "bad"})[0] == 204
    assert person.post("/me/keys", {"key": Pen("Francina").key})[0] in {200, 201}
    PEOPLE.of(client).countries.set_country(person.id, "ES")
    CONTEST_STORE.of(client).set_list(UUID(int=9), [person.id])
    SANCTION_TEXTS.of(client).add(SanctionText(UUID(int=10), person.id, "league/9", "Left.", "Ill.", "Agreed."))
    quick_pairing = {"title": "el_grande", "seats": 2, "clock": "turn-86400"}
    assert put("/api/quick/place", json=quick_pairing).status_code == 200
    return str(message_id)


def test_the_export_contains_all_data_and_no_secret(client: TestClient[Any]) -> None:
    person, other = Member(client, "Francina"), Member(client, "Bartomeu")
    match = plays(client, person)
    own = person.opens(2, table={"public": False})
    person.sits(own, 0)
    assert person.post(f"/matches/{match.id}/annotations", {"title": "For myself", "visibility": "private"})[0] == 201
    reported = create_personal_data(client, person, other)
    catch_up(client)

    status, everything = person.get("/me/data")
    packed = client.get("/api/me/data.zip", headers=person.headers)

    assert (status, everything.keys()) == (200, SECTIONS)
    assert everything["account"] == {"id": person.id, "name": "Francina"}
    assert {str(match.id), own} < {each["matchId"] for each in everything["matches"]}
    ended = next(each for each in everything["matches"] if each["matchId"] == str(match.id))
    assert match.result is not None
    assert (ended["seat"], ended["place"], ended["score"]) == (0, match.result.ranking[0], match.result.scores[0])
    assert [each["name"] for each in everything["studies"]] == ["For myself"]
    assert {each["kind"] for each in everything["habits"]} <= {"region", "action_card"}
    assert (everything["preferences"]["theme"], everything["preferences"]["sound"]) == ("dark", "all")
    assert [each["key"] for each in everything["keys"]] == [Pen("Francina").key]
    notifications = everything["notifications"]
    assert (notifications["address"]["address"], notifications["mail"]["turn"]) == ("francina@players.example", "daily")
    assert len(notifications["devices"]) == 1
    assert [(each["words"], each["phrase"]) for each in everything["messages"]] == [("", "hello"), ("=1+1", "")]
    assert [(each["message"], each["reason"]) for each in everything["reports"]] == [(reported, "bad")]
    assert [each["person"]["name"] for each in everything["boundaries"]] == ["Bartomeu"]
    assert [each["person"]["name"] for each in everything["friends"]["followed"]] == ["Bartomeu"]
    assert (everything["puzzles"]["answered"], everything["puzzles"]["answers"]) == (1, {"p1": True})
    quick_pairing = everything["quickPairing"]
    assert ("el_grande" in quick_pairing["pool"], quick_pairing["ownLuck"], quick_pairing["matchId"]) == (
        True,
        False,
        None,
    )
    assert (everything["country"], everything["entryLists"]) == ("ES", [str(UUID(int=9))])
    sanction = {"sanction": str(UUID(int=10)), "series": "league/9", "reason": "Left.", "appeal": "Ill."}
    assert everything["sanctions"] == [{**sanction, "answer": "Agreed."}]
    assert len(everything["tokens"]) == 1
    secrets = (person.token, SUBSCRIPTION["auth"], SUBSCRIPTION["p256dh"], "something bad")
    assert not [secret for secret in secrets if secret in json.dumps(everything)]
    assert packed.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(BytesIO(packed.content)) as archive:
        assert archive.namelist() == ["account.json", "matches.csv", "ratings.csv", "messages.csv"]
        assert json.loads(archive.read("account.json")) == everything
        assert str(match.id) in archive.read("matches.csv").decode()
        assert "'=1+1" in archive.read("messages.csv").decode()


def test_the_export_needs_a_known_caller(client: TestClient[Any]) -> None:
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
