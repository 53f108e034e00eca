"""A provider as another sign-in method: added, used, listed and removed by its owner."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from api.accounts.access import FRESH
from api.accounts.provider import PROVIDER
from api.http.cookies import SESSION
from tests.api.accounts.sign_in_clients import AGAIN, ANN, BEN, Provider, ProviderClient, is_refused_with, people_of
from tests.api.service import PASSWORD, account_of


def test_a_sign_in_method_is_added_and_the_last_one_stays(user: ProviderClient, provider: Provider) -> None:
    user.sends("/sign-up", ANN)
    ann = user.me
    response = user.comes("/account/identities", "/account")
    assert response.url.path == "/account"
    assert "<code>s-1</code>" in user.text
    (linked,) = PROVIDER.of(user.client).identities(account_of(user.client, ann["id"]))
    user.leaves()
    user.comes()
    assert user.me == ann

    user.goes("/account")
    user.sends("/account/password/none", {"password": PASSWORD})
    assert "This is the only way" in user.sends("/account/identities/remove", {"identity": linked.id}).text
    user.goes("/account")
    user.sends("/account/password/first", {"newPassword": PASSWORD})
    user.sends("/account/identities/remove", {"identity": linked.id})

    assert "No linked accounts yet." in user.text
    user.leaves()
    assert user.comes().url.path == "/sign-in/name"


def test_an_identity_belongs_to_one_account(user: ProviderClient) -> None:
    user.comes()
    user.sends("/sign-in/name", {"name": "Ann"})
    user.leaves()
    user.sends("/sign-up", BEN)

    response = user.comes("/account/identities", "/account")

    assert is_refused_with(response, 409, "This sign-in method already belongs to another account.")
    assert user.me["name"] == "Ben"


def test_an_identity_is_added_only_by_the_same_person_in_a_recent_session(user: ProviderClient) -> None:
    people = people_of(user)
    user.sends("/sign-up", ANN)
    path = user.goes_there("/account/identities", "/account")
    user.goes("/sign-in")
    user.sends("/sign-up", BEN)
    assert is_refused_with(user.arrives(path), 409, AGAIN)

    ben = people.by_name("Ben")
    assert ben is not None
    old = people.access.start_session(ben, datetime.now(UTC) - FRESH - timedelta(minutes=1))
    user.client.cookies.set(SESSION, old, domain="testserver.local")
    user.goes("/account")
    assert "You can link an account only shortly after signing in." in user.text
    assert is_refused_with(user.sends("/account/identities"), 403, "sign in again to do this.")
    assert people.rows("SELECT * FROM identities") == []


def test_erasing_an_account_removes_its_identities(user: ProviderClient) -> None:
    user.comes()
    user.sends("/sign-in/name", {"name": "Ann"})
    people = people_of(user)

    people.erase(user.me["id"])

    assert people.rows("SELECT * FROM identities") == []
    user.leaves()
    assert user.comes().url.path == "/sign-in/name"


def test_the_api_lists_and_removes_identities(user: ProviderClient) -> None:
    user.sends("/sign-up", ANN)
    user.comes("/account/identities", "/account")
    secret = user.client.post("/api/tokens", json=ANN).json()["secret"]
    headers = {"Authorization": f"Bearer {secret}"}

    (linked,) = user.client.get("/api/me/identities", headers=headers).json()["identities"]
    gone = user.client.delete(f"/api/me/identities/{linked['id']}", headers=headers)

    assert linked["subject"] == "s-1"
    assert gone.status_code == 204
    assert user.client.get("/api/me/identities", headers=headers).json() == {"identities": []}
    assert user.client.get("/api/me/passkeys", headers=headers).json() == {"passkeys": []}
