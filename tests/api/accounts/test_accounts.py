"""Accounts, guests, sessions and tokens."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.access import NoSuchToken
from api.accounts.names import BadName, NameTaken, ReservedName
from api.accounts.people import PEOPLE, People, WrongCredentials
from api.http.languages import use_language
from tests.api.service import PASSWORD, Person, start_match

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that counts are exact."""
    return own_client


def test_signing_in_ignores_the_case_of_the_name(people: People) -> None:
    ann = people.create("Ann  Lee", PASSWORD, AT)

    assert people.check("ANN LEE", PASSWORD) == ann


@pytest.mark.parametrize(("name", "password"), [("Ann", "wrong password"), ("Nobody", PASSWORD)])
def test_a_wrong_name_and_a_wrong_password_give_the_same_error(people: People, name: str, password: str) -> None:
    people.create("Ann", PASSWORD, AT)

    with pytest.raises(WrongCredentials, match="wrong name or password"):
        people.check(name, password)


def test_names_are_unique(people: People) -> None:
    people.create("Ann", PASSWORD, AT)

    with pytest.raises(NameTaken, match="'ann'"):
        people.create("ann", PASSWORD, AT)


def test_an_invisible_name_is_rejected(people: People) -> None:
    with pytest.raises(BadName):
        people.create("An\u200bn", PASSWORD, AT)


def test_a_guest_who_gets_a_name_keeps_the_id(people: People) -> None:
    guest = people.create_guest(AT)

    account = people.claim(guest, "Ann", PASSWORD, AT)

    assert account.id == guest.id
    assert people.check("Ann", PASSWORD) == account


def test_the_first_day_of_an_account_begins_when_a_guest_signs_up(people: People) -> None:
    """Time as a guest does not count: prepared guests cannot be used to raise ratings."""
    guest = people.create_guest(AT)
    signed_up = AT + timedelta(days=2)
    assert people.standing(guest.id, signed_up) == "guest"

    people.claim(guest, "Ann", PASSWORD, signed_up)

    assert people.standing(guest.id, signed_up + timedelta(hours=23)) == "provisional"
    assert people.standing(guest.id, signed_up + timedelta(hours=24)) == ""


def test_a_guest_cannot_sign_in_by_name(people: People) -> None:
    guest = people.create_guest(AT)

    with pytest.raises(WrongCredentials):
        people.check(guest.name, "")


def test_a_session_can_be_ended_and_expires(people: People) -> None:
    ann = people.create("Ann", PASSWORD, AT)
    first, second = people.access.start_session(ann, AT), people.access.start_session(ann, AT)

    people.access.end_session(first)

    assert people.access.session(first, AT) is None
    assert people.access.session(second, AT) == ann
    assert people.access.session(second, AT + timedelta(days=31)) is None


def test_using_a_session_extends_it(people: People) -> None:
    ann = people.create("Ann", PASSWORD, AT)
    session = people.access.start_session(ann, AT)

    for day in (10, 20, 45, 70):
        assert people.access.session(session, AT + timedelta(days=day)) == ann

    assert people.access.session(session, AT + timedelta(days=101)) is None


def test_a_revoked_token_is_invalid(people: People) -> None:
    ann = people.create("Ann", PASSWORD, AT)
    token, secret = people.access.issue_token(ann, "my bot", AT)
    bearer = people.access.bearer(secret, AT)
    assert bearer is not None
    assert bearer.person == ann

    people.access.revoke_token(ann.id, token.id)

    assert people.access.bearer(secret, AT) is None
    with pytest.raises(NoSuchToken):
        people.access.revoke_token(ann.id, token.id)


def test_only_the_id_of_an_erased_person_remains(people: People) -> None:
    ann = people.create("Ann", PASSWORD, AT)
    session, (_, token) = people.access.start_session(ann, AT), people.access.issue_token(ann, "", AT)

    people.erase(ann.id)

    assert people.find(ann.id) is None
    assert people.access.session(session, AT) is None
    assert people.access.bearer(token, AT) is None
    assert people.names([ann.id]) == {ann.id: "deleted account"}


def test_the_store_holds_no_password_and_no_secret(people: People, tmp_path: Path) -> None:
    ann = people.create("Ann", PASSWORD, AT)
    session, (_, token) = people.access.start_session(ann, AT), people.access.issue_token(ann, "", AT)
    people.close()

    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    for secret in (PASSWORD, session, token):
        assert secret.encode() not in stored


def test_a_token_identifies_the_caller(client: TestClient[Any]) -> None:
    account = {"name": "Ann", "password": PASSWORD}
    created = client.post("/api/accounts", json=account)
    token = client.post("/api/tokens", json=account | {"label": "my bot"}).json()["secret"]

    me = client.get("/api/me", headers={"Authorization": f"Bearer {token}"})

    assert created.status_code == 201
    assert me.json() == {"person": created.json(), "role": "player", "isGuest": False, "isService": False}


def test_an_unknown_token_is_refused(client: TestClient[Any]) -> None:
    response = client.get("/api/me", headers={"Authorization": "Bearer esp_nothing"})

    assert response.status_code == 401
    assert response.json()["code"] == "caller/unknown"
    assert "WWW-Authenticate" in response.headers


def test_a_person_can_erase_their_account(ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    assert ann.delete("/me") == (204, None)

    assert ann.get("/me")[0] == 401
    seat = ben.get(f"/matches/{match_id}")[1]["seats"][0]
    assert seat["player"] == {"kind": "person", "id": ann.id, "name": "deleted account"}


def test_tokens_are_listed_without_secrets_and_revoked(ann: Person) -> None:
    (token,) = ann.get("/tokens")[1]["tokens"]
    assert set(token) == {"id", "label", "created", "scopes", "ends", "used"}

    assert ann.delete(f"/tokens/{token['id']}")[0] == 204

    assert ann.get("/tokens")[0] == 401


@pytest.mark.parametrize(
    ("account", "status", "code"),
    [
        ({"name": "Ann", "password": PASSWORD}, 409, "account/name_taken"),
        ({"name": "A", "password": PASSWORD}, 400, "account/bad_name"),
        ({"name": "Cid", "password": "short"}, 400, "account/bad_password"),
        ({"name": "Cid"}, 400, "request/malformed"),
    ],
)
def test_a_bad_account_is_refused_by_code(client: TestClient[Any], account: Any, status: int, code: str) -> None:
    PEOPLE.of(client).create("Ann", PASSWORD, AT)

    response = client.post("/api/accounts", json=account)

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"


def test_guest_names_are_localised_and_account_names_are_not(people: People) -> None:
    ann, guest = people.create("Ann", PASSWORD, AT), people.create_guest(AT)
    number = guest.name.removeprefix("Guest ")

    with use_language("cs"):
        assert people.names([ann.id, guest.id]) == {ann.id: "Ann", guest.id: f"Host {number}"}
    with use_language("uk"):
        assert people.find(guest.id) == msgspec.structs.replace(guest, name=f"Гість {number}")
    assert people.by_name(f"gast {number}") == people.by_name(f"Guest {number}") == people.find(guest.id)
    assert people.by_name("Gast 000000") is None


def test_guest_names_are_reserved_in_every_language(people: People) -> None:
    guest = people.create_guest(AT)
    number = guest.name.removeprefix("Guest ")

    for name in (guest.name, f"Gość {number}", "Gast", "guest of honour"):
        with pytest.raises(ReservedName):
            people.create(name, PASSWORD, AT)
    with pytest.raises(ReservedName):
        people.claim(guest, f"Guest {number}", PASSWORD, AT)
    assert people.create("Gaston", PASSWORD, AT).name == "Gaston"
