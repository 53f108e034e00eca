"""A provider as another sign-in method: added, used, listed and removed by its owner."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from api.accounts.access import FRESH
from api.accounts.provider import PROVIDER
from api.http.cookies import SESSION
from tests.api.accounts.sign_in_clients import AGAIN, ANN, BEN, Provider, ProviderClient, is_refused_with, people_of
from tests.api.service import PASSWORD, account_of


def test_a_sign_in_method_is_added_and_the_last_one_stays(comer: ProviderClient, provider: Provider) -> None:
    comer.sends("/sign-up", ANN)
    ann = comer.me
    answer = comer.comes("/account/identities", "/account")
    assert answer.url.path == "/account"
    assert "<code>s-1</code>" in comer.text
    (linked,) = PROVIDER.of(comer.client).identities(account_of(comer.client, ann["id"]))
    comer.leaves()
    comer.comes()
    assert comer.me == ann

    comer.goes("/account")
    comer.sends("/account/password/none", {"password": PASSWORD})
    assert "This is the only way" in comer.sends("/account/identities/remove", {"identity": linked.id}).text
    comer.goes("/account")
    comer.sends("/account/password/first", {"newPassword": PASSWORD})
    comer.sends("/account/identities/remove", {"identity": linked.id})

    assert "No linked accounts yet." in comer.text
    comer.leaves()
    assert comer.comes().url.path == "/sign-in/name"


def test_an_identity_belongs_to_one_account(comer: ProviderClient) -> None:
    comer.comes()
    comer.sends("/sign-in/name", {"name": "Ann"})
    comer.leaves()
    comer.sends("/sign-up", BEN)

    answer = comer.comes("/account/identities", "/account")

    assert is_refused_with(answer, 409, "This sign-in method already belongs to another account.")
    assert comer.me["name"] == "Ben"


def test_an_identity_is_added_only_by_the_same_person_in_a_recent_session(comer: ProviderClient) -> None:
    people = people_of(comer)
    comer.sends("/sign-up", ANN)
    path = comer.goes_there("/account/identities", "/account")
    comer.goes("/sign-in")
    comer.sends("/sign-up", BEN)
    assert is_refused_with(comer.arrives(path), 409, AGAIN)

    ben = people.by_name("Ben")
    assert ben is not None
    old = people.access.start_session(ben, datetime.now(UTC) - FRESH - timedelta(minutes=1))
    comer.client.cookies.set(SESSION, old, domain="testserver.local")
    comer.goes("/account")
    assert "You can link an account only shortly after signing in." in comer.text
    assert is_refused_with(comer.sends("/account/identities"), 403, "sign in again to do this.")
    assert people.rows("SELECT * FROM identities") == []


def test_erasing_an_account_removes_its_identities(comer: ProviderClient) -> None:
    comer.comes()
    comer.sends("/sign-in/name", {"name": "Ann"})
    people = people_of(comer)

    people.erase(comer.me["id"])

    assert people.rows("SELECT * FROM identities") == []
    comer.leaves()
    assert comer.comes().url.path == "/sign-in/name"


def test_the_api_lists_and_removes_identities(comer: ProviderClient) -> None:
    comer.sends("/sign-up", ANN)
    comer.comes("/account/identities", "/account")
    secret = comer.client.post("/api/tokens", json=ANN).json()["secret"]
    headers = {"Authorization": f"Bearer {secret}"}

    (linked,) = comer.client.get("/api/me/identities", headers=headers).json()["identities"]
    gone = comer.client.delete(f"/api/me/identities/{linked['id']}", headers=headers)

    assert linked["subject"] == "s-1"
    assert gone.status_code == 204
    assert comer.client.get("/api/me/identities", headers=headers).json() == {"identities": []}
    assert comer.client.get("/api/me/passkeys", headers=headers).json() == {"passkeys": []}
