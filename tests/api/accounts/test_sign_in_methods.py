"""Several sign-in methods of one account: adding, removing, limits, and keeping the last one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.access import FRESH
from api.accounts.passkey_service import PASSKEY_SERVICE
from api.accounts.people import People
from api.accounts.sign_in_methods import (
    MINUTES,
    PASSKEYS_MAX,
    NewPasskey,
    NoSuchCeremony,
    PasskeyRefused,
    PasskeyWrong,
    SignInMethods,
)
from api.http.cookies import CEREMONY, SESSION
from tests.api.accounts.sign_in_clients import ANN, WRONG, Authenticator, PasskeyClient, is_refused_with, people_of
from tests.api.http.forms import TOKEN, Visitor
from tests.api.service import PASSWORD, account_of, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_guest_cannot_have_a_passkey(own_client: TestClient[Any]) -> None:
    holder = PasskeyClient(own_client)
    holder.sends("/guest")

    response = own_client.post("/account/passkeys/begin", data={"_csrf_token": TOKEN.findall(holder.text)[0]})

    assert is_refused_with(response, 422, "This passkey could not be added. Try again.")
    assert "data-passkey" not in holder.goes("/account")


def test_a_passkey_sign_in_ends_the_guest_session(holder: PasskeyClient) -> None:
    holder.sends("/guest")
    before = holder.client.cookies[SESSION]

    holder.goes("/sign-in")
    options = holder.begins("/sign-in/passkey/begin")
    holder.sends("/sign-in/passkey", {"credential": holder.device.signs(options)})

    assert holder.me["name"] == "Ann"
    assert holder.client.cookies[SESSION] != before
    assert people_of(holder).access.session(before, datetime.now(UTC)) is None


def test_a_passkey_sign_in_returns_to_the_previous_page_only(holder: PasskeyClient) -> None:
    for back, path in (("/rankings", "/rankings"), ("//elsewhere.example/", "/"), ("https://elsewhere.example/", "/")):
        holder.goes("/sign-in")
        credential = holder.device.signs(holder.begins("/sign-in/passkey/begin"))
        came = holder.sends(f"/sign-in/passkey?back={back}", {"credential": credential})
        assert came.url.path == path
        assert came.url.host == "testserver.local"
        holder.leaves()


def test_adding_a_passkey_needs_a_recent_session(holder: PasskeyClient) -> None:
    people = people_of(holder)
    ann = people.by_name("Ann")
    assert ann is not None
    long_ago = datetime.now(UTC) - FRESH - timedelta(minutes=1)
    holder.client.cookies.set(SESSION, people.access.start_session(ann, long_ago), domain="testserver.local")
    assert "data-passkey=" not in holder.goes("/account")
    assert "Sign in again" in holder.text

    response = holder.client.post("/account/passkeys/begin", data={"_csrf_token": TOKEN.findall(holder.text)[0]})

    assert is_refused_with(response, 403, "sign in again to do this.")


def test_an_account_may_have_only_a_passkey_and_cannot_remove_it(holder: PasskeyClient) -> None:
    holder.comes_back()
    holder.goes("/account")
    assert holder.sends("/account/password/none", {"password": "wrong horse"}).status_code == 401
    assert holder.sends("/account/password/none", {"password": PASSWORD}).status_code == 200
    assert "This account has no password." in holder.text
    assert holder.me["name"] == "Ann"
    (passkey,) = PASSKEY_SERVICE.of(holder.client).passkeys(account_of(holder.client, holder.me["id"]))

    response = holder.sends("/account/passkeys/remove", {"passkey": passkey.id})

    assert is_refused_with(response, 409, "This is the only way to sign in to this account.")
    holder.leaves()
    assert holder.sends("/sign-in", ANN).status_code == 401
    assert holder.comes_back().status_code == 200
    assert not people_of(holder).find(holder.me["id"]).is_guest  # type: ignore[union-attr]
    holder.goes("/account")
    assert holder.sends("/account/password/first", {"newPassword": "short"}).status_code == 400
    assert holder.sends("/account/password/first", {"newPassword": PASSWORD}).status_code == 200
    holder.sends("/account/passkeys/remove", {"passkey": passkey.id})
    assert "You have no passkeys yet." in holder.text
    holder.leaves()
    holder.sends("/sign-in", ANN)
    assert holder.me["name"] == "Ann"


def test_the_only_password_cannot_be_removed(own_client: TestClient[Any]) -> None:
    holder = PasskeyClient(own_client)
    holder.signs_up(ANN)
    holder.goes("/account")

    assert is_refused_with(holder.sends("/account/password/none", {"password": PASSWORD}), 409, "This is the only way")
    holder.leaves()
    assert holder.sends("/sign-in", ANN).status_code == 200


def test_replacing_a_password_needs_the_current_one(holder: PasskeyClient) -> None:
    holder.comes_back()
    holder.goes("/account")

    assert holder.sends("/account/password/first", {"newPassword": "another horse"}).status_code == 401
    holder.leaves()
    assert holder.sends("/sign-in", ANN).status_code == 200


def test_without_a_password_a_token_needs_a_recent_session(holder: PasskeyClient) -> None:
    wanted = {"label": "Bot", "scopes": "read", "days": "30"}
    holder.comes_back()
    holder.goes("/account")
    assert holder.sends("/account/tokens", wanted).status_code == 401
    holder.sends("/account/password/none", {"password": PASSWORD})
    assert 'id="secret"' in holder.sends("/account/tokens", wanted).text
    people = people_of(holder)
    ann = people.by_name("Ann")
    assert ann is not None
    old = people.access.start_session(ann, datetime.now(UTC) - FRESH - timedelta(minutes=1))
    holder.client.cookies.set(SESSION, old, domain="testserver.local")
    holder.goes("/account")

    assert is_refused_with(holder.sends("/account/tokens", wanted), 403, "sign in again to do this.")


def test_erasing_an_account_removes_its_passkeys(holder: PasskeyClient) -> None:
    people = people_of(holder)
    ann = people.by_name("Ann")
    assert ann is not None

    people.erase(ann.id)

    assert is_refused_with(holder.comes_back(), 401, WRONG)
    assert people.rows("SELECT * FROM passkeys") == []


def test_wrong_passkey_responses_are_limited(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), guesses_per_hour=3)
    with TestClient(create_app(settings, entropy())) as client:
        holder = PasskeyClient(client)
        holder.signs_up(ANN)
        holder.adds()
        holder.leaves()
        right, holder.device.key = holder.device.key, Authenticator().key

        answers = [holder.comes_back().status_code for _ in range(4)]
        holder.device.key = right
        last = holder.comes_back()

    assert answers == [401, 401, 401, 429]
    assert last.status_code == 429
    assert int(last.headers["retry-after"]) > 0


def test_a_valid_passkey_response_resets_the_limit(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), guesses_per_hour=2)
    with TestClient(create_app(settings, entropy())) as client:
        holder = PasskeyClient(client)
        holder.signs_up(ANN)
        holder.adds()

        for _ in range(4):
            holder.leaves()
            assert holder.comes_back().status_code == 200


def test_passkeys_are_bound_to_the_configured_origin(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), address="https://esporles.example", secure_cookies=True)
    with TestClient(create_app(settings, entropy()), base_url="https://esporles.example") as client:
        holder = PasskeyClient(client)
        holder.device.domain, holder.device.origin = "esporles.example", "https://esporles.example"
        holder.signs_up(ANN)
        holder.goes("/account")
        options = client.post("/account/passkeys/begin", data={"_csrf_token": TOKEN.findall(holder.text)[0]})
        cookie = options.headers["set-cookie"]
        credential = holder.device.makes(options.json())
        holder.sends("/account/passkeys", {"credential": credential})

        assert options.json()["rp"]["id"] == "esporles.example"
        assert cookie.startswith(f"__Host-{CEREMONY}=")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
        assert 'data-origin="https://esporles.example"' in holder.text
        assert holder.text.count('name="passkey"') == 1


def test_a_service_without_a_domain_offers_no_passkeys(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), address="http://192.0.2.7:8000")
    with TestClient(create_app(settings, entropy())) as client:
        visitor = Visitor(client)

        assert 'data-passkey="' not in visitor.goes("/sign-in")
        response = client.post("/sign-in/passkey/begin", data={"_csrf_token": TOKEN.findall(visitor.text)[0]})
        assert response.status_code == 422


@pytest.fixture
def methods(people: People, people_place: Path | str) -> Any:
    ann = people.create("Ann", PASSWORD, AT)
    methods = SignInMethods(people_place, "localhost", "")
    yield methods, ann.id
    methods.close()


def test_a_ceremony_expires(methods: tuple[SignInMethods, str]) -> None:
    store, ann = methods
    secret = store.begin_ceremony("add passkey", ann, {"challenge": "c"}, AT)
    late = AT + timedelta(minutes=MINUTES["add passkey"])

    assert store.find_ceremony("add passkey", secret, late).facts == {"challenge": "c"}
    with pytest.raises(NoSuchCeremony):
        store.find_ceremony("add passkey", secret, late + timedelta(seconds=1))
    store.begin_ceremony("use passkey", None, {}, late + timedelta(seconds=1))
    assert len(store.rows("SELECT * FROM ceremonies")) == 1


def test_only_one_of_two_uses_with_the_same_count_is_accepted(methods: tuple[SignInMethods, str]) -> None:
    store, ann = methods
    store.store_passkey(ann, NewPasskey("c", "k", 3), "", AT)
    known = store.key("c")

    store.note_use("c", known, 4, AT)

    with pytest.raises(PasskeyWrong):
        store.note_use("c", known, 4, AT)


def test_passkeys_per_account_are_limited(methods: tuple[SignInMethods, str]) -> None:
    store, ann = methods
    for number in range(PASSKEYS_MAX):
        store.store_passkey(ann, NewPasskey(f"c{number}", "k", 0), "", AT)

    with pytest.raises(PasskeyRefused, match="at most 20"):
        store.store_passkey(ann, NewPasskey("one more", "k", 0), "", AT)


def test_a_passkey_of_another_domain_is_listed_but_no_sign_in_method(
    methods: tuple[SignInMethods, str], people_place: Path | str
) -> None:
    store, ann = methods
    store.store_passkey(ann, NewPasskey("c", "k", 0), "Old", AT)
    moved = SignInMethods(people_place, "esporles.example", "")

    assert [each.domain for each in moved.passkeys(ann)] == ["localhost"]
    assert moved.credentials(ann) == ()
    with pytest.raises(PasskeyWrong):
        moved.key("c")
    moved.close()
