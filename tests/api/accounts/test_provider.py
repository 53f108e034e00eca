"""Sign-in with a provider over HTTP: known people are signed in, invalid responses are rejected."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import RSAKey
from litestar.testing import TestClient

from api.http.app_state import SETTINGS
from api.http.cookies import CEREMONY, SESSION
from tests.api.accounts.sign_in_clients import (
    AGAIN,
    ANN,
    AWAY,
    CLIENT,
    REFUSED,
    SECRET,
    Provider,
    ProviderClient,
    is_refused_with,
    people_of,
    providing,
    settings_with,
)
from tests.api.service import PASSWORD
from tests.seeding import entropy
from tests.service_app import create_app


def test_a_new_person_chooses_a_name_and_is_recognised_later(user: ProviderClient, provider: Provider) -> None:
    user.goes("/sign-in?back=/rankings")
    assert "Sign in with Chess Club" in user.text
    response = user.comes("/sign-in/provider?back=/rankings")
    assert response.url.path == "/sign-in/name"
    assert 'value="Ann"' in user.text
    assert not user.me

    response = user.sends("/sign-in/name", {"name": "Anna of the club"})

    assert response.url.path == "/rankings"
    anna = user.me
    assert anna["name"] == "Anna of the club"
    assert not people_of(user).find(anna["id"]).is_guest  # type: ignore[union-attr]
    user.leaves()
    provider.person["preferred_username"] = "somebody else by now"
    assert user.comes().url.path == "/"
    assert user.me == anna
    assert CEREMONY not in user.client.cookies


def test_the_chosen_name_must_follow_the_rules(user: ProviderClient, provider: Provider) -> None:
    people_of(user).create("Ann", PASSWORD, datetime.now(UTC))
    provider.person["email"] = "ann@club.example"
    user.comes()

    for name, status in (("Ann", 409), ("ANN", 409), ("Аnn", 400), ("Ann\u200b", 400), ("bot:greedy", 400), ("A", 400)):
        assert user.sends("/sign-in/name", {"name": name}).status_code == status, name
        assert 'name="name"' in user.text
    people_of(user).create("BOB", PASSWORD, datetime.now(UTC))
    assert user.sends("/sign-in/name", {"name": "ВОВ"}).status_code == 409
    assert "looks like the name of another account" in user.text
    assert not user.me
    assert user.sends("/sign-in/name", {"name": "Ann of the club"}).status_code == 200
    assert user.me["name"] == "Ann of the club"


def test_people_with_the_same_name_at_the_provider_get_separate_accounts(
    user: ProviderClient, provider: Provider
) -> None:
    user.comes()
    user.sends("/sign-in/name", {"name": "Ann"})
    first = user.me
    user.leaves()
    provider.person = {"sub": "s-2", "preferred_username": "Ann", "email": "ann@club.example"}

    assert user.comes().url.path == "/sign-in/name"
    assert user.sends("/sign-in/name", {"name": "Ann"}).status_code == 409
    user.sends("/sign-in/name", {"name": "Annabel"})

    assert user.me["name"] == "Annabel"
    assert user.me["id"] != first["id"]


def test_converting_a_guest_keeps_the_id_and_ends_old_sessions(user: ProviderClient) -> None:
    user.sends("/guest")
    guest, old = user.me["id"], user.client.cookies[SESSION]
    user.comes()

    user.sends("/sign-in/name", {"name": "Ann"})

    assert user.me == {"id": guest, "name": "Ann"}
    assert people_of(user).access.session(old, datetime.now(UTC)) is None


def test_a_guest_with_a_known_identity_switches_to_its_account(user: ProviderClient) -> None:
    user.comes()
    user.sends("/sign-in/name", {"name": "Ann"})
    ann = user.me
    user.leaves()
    user.sends("/guest")
    old = user.client.cookies[SESSION]

    user.comes()

    assert user.me == ann
    assert people_of(user).access.session(old, datetime.now(UTC)) is None


LIES: dict[str, Callable[[Provider], None]] = {
    "wrong nonce": lambda provider: provider.lies.update(nonce="another"),
    "no nonce": lambda provider: provider.lies.update(nonce=None),
    "wrong audience": lambda provider: provider.lies.update(aud="somebody else"),
    "no audience": lambda provider: provider.lies.update(aud=None),
    "for several, by another": lambda provider: provider.lies.update(aud=[CLIENT, "x"], azp="x"),
    "for several, by nobody": lambda provider: provider.lies.update(aud=[CLIENT, "x"]),
    "wrong issuer": lambda provider: provider.lies.update(iss="https://elsewhere.example"),
    "no issuer": lambda provider: provider.lies.update(iss=None),
    "expired": lambda provider: provider.lies.update(exp=1_700_000_000),
    "without an end": lambda provider: provider.lies.update(exp=None),
    "from the future": lambda provider: provider.lies.update(iat=4_000_000_000),
    "nobody": lambda provider: provider.lies.update(sub=None),
    "nobody at all": lambda provider: provider.lies.update(sub=""),
    "a number": lambda provider: provider.lies.update(sub=7),
    "an endless name": lambda provider: provider.lies.update(sub="s" * 300),
    "wrong access token": lambda provider: provider.lies.update(at_hash="AAAA"),
    "not signed": lambda provider: setattr(provider, "algorithm", "none"),
    "the public key as a secret": lambda provider: setattr(provider, "algorithm", "HS256"),
    "another key": lambda provider: setattr(provider, "signing", RSAKey.generate_key(2048)),
    "refused": lambda provider: setattr(provider, "refuses", True),
}


def test_invalid_id_tokens_are_rejected(user: ProviderClient, provider: Provider) -> None:
    user.comes()
    user.sends("/sign-in/name", {"name": "Ann"})
    user.leaves()
    true = dict(provider.__dict__)
    for lie, tell in LIES.items():
        provider.__dict__.update(true, lies={}, codes={})
        tell(provider)

        response = user.comes()

        assert response.status_code == 401, (lie, response.text)
        assert REFUSED in user.text, lie
        assert not user.me, lie
    provider.__dict__.update(true, lies={}, codes={})
    assert user.comes().status_code == 200
    assert user.me["name"] == "Ann"


def test_a_response_to_another_request_is_rejected(user: ProviderClient) -> None:
    path = user.goes_there()
    elsewhere = user.goes_there()

    assert is_refused_with(user.arrives(path), 409, AGAIN)
    assert is_refused_with(user.arrives(elsewhere), 409, AGAIN)
    path = user.goes_there()
    user.leaves()
    assert is_refused_with(user.arrives(path), 409, AGAIN)
    assert is_refused_with(user.arrives("/sign-in/return"), 409, AGAIN)
    path = user.goes_there()
    assert is_refused_with(user.arrives(re.sub("state=[^&]+", "state=ÿ", path)), 409, AGAIN)
    assert not user.me


def test_a_code_is_valid_once(user: ProviderClient, provider: Provider) -> None:
    path = user.goes_there()
    copied = user.client.cookies[CEREMONY]
    assert user.arrives(path).url.path == "/sign-in/name"
    user.leaves()
    user.client.cookies.set(CEREMONY, copied, domain="testserver.local")
    assert is_refused_with(user.arrives(path), 409, AGAIN)

    used = re.search("code=([^&]+)", path)
    assert used
    again = re.sub("code=[^&]+", f"code={used[1]}", user.goes_there())
    assert is_refused_with(user.arrives(again), 401, REFUSED)
    assert not user.me


def test_a_response_of_another_issuer_is_rejected(user: ProviderClient) -> None:
    """RFC 9207: the issuer in a response must be the configured one."""
    path = user.goes_there()

    assert is_refused_with(user.arrives(re.sub("iss=[^&]+", "iss=https://elsewhere.example", path)), 401, REFUSED)


def test_the_provider_sign_in_redirects_to_no_other_site(user: ProviderClient) -> None:
    user.comes("/sign-in/provider?back=//elsewhere.example/")
    response = user.sends("/sign-in/name", {"name": "Ann"})
    assert (response.url.host, response.url.path) == ("testserver.local", "/")

    user.leaves()
    response = user.comes("/sign-in/provider?back=https://elsewhere.example/")
    assert (response.url.host, response.url.path) == ("testserver.local", "/")


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://elsewhere.example"},
        {"token_endpoint": "http://elsewhere.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": 7},
        {"filler": "x" * 300_000},
    ],
)
def test_an_invalid_provider_gives_503(user: ProviderClient, provider: Provider, metadata: Any) -> None:
    provider.metadata = metadata
    user.goes("/sign-in")

    assert is_refused_with(user.sends("/sign-in/provider"), 503, AWAY)


def test_other_sign_in_methods_work_without_the_provider(tmp_path: Path) -> None:
    """The service does not contact the provider at startup."""
    with providing() as gone:
        issuer = gone.issuer
    with TestClient(create_app(settings_with(tmp_path, issuer), entropy())) as client:
        user = ProviderClient(client)
        user.goes("/sign-in")

        assert is_refused_with(user.sends("/sign-in/provider"), 503, AWAY)
        user.sends("/sign-up", ANN)

        assert user.me["name"] == "Ann"


def test_a_provider_that_fails_during_sign_in_gives_an_error(user: ProviderClient, provider: Provider) -> None:
    path = user.goes_there()
    provider.metadata = {"token_endpoint": f"{provider.issuer}/nowhere", "jwks_uri": "http://localhost:1/"}

    assert user.arrives(path).status_code in {401, 503}
    path = user.goes_there()
    provider.metadata = {"jwks_uri": "http://localhost:1/"}
    assert is_refused_with(user.arrives(path), 503, AWAY)
    assert not user.me


def test_without_a_provider_its_routes_give_404(own_client: TestClient[Any]) -> None:
    user = ProviderClient(own_client)
    assert "/sign-in/provider" not in user.goes("/sign-in")

    assert user.sends("/sign-in/provider").status_code == 404
    assert user.arrives("/sign-in/return?code=1&state=2").status_code == 404


def test_the_client_secret_is_in_no_response_or_log_line(
    user: ProviderClient, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = SETTINGS.of(user.client)
    user.comes()
    provider.metadata = {"issuer": "https://elsewhere.example"}
    user.goes("/sign-in")
    user.sends("/sign-in/provider")

    output = capfd.readouterr()
    assert "provider" in output.out + output.err or "fault" in output.out + output.err
    assert SECRET not in output.out + output.err + user.text + repr(settings) + str(settings)
