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


def test_a_new_person_chooses_a_name_and_is_recognised_later(comer: ProviderClient, provider: Provider) -> None:
    comer.goes("/sign-in?back=/rankings")
    assert "Sign in with Chess Club" in comer.text
    answer = comer.comes("/sign-in/provider?back=/rankings")
    assert answer.url.path == "/sign-in/name"
    assert 'value="Ann"' in comer.text
    assert not comer.me

    answer = comer.sends("/sign-in/name", {"name": "Anna of the club"})

    assert answer.url.path == "/rankings"
    anna = comer.me
    assert anna["name"] == "Anna of the club"
    assert not people_of(comer).find(anna["id"]).is_guest  # type: ignore[union-attr]
    comer.leaves()
    provider.person["preferred_username"] = "somebody else by now"
    assert comer.comes().url.path == "/"
    assert comer.me == anna
    assert CEREMONY not in comer.client.cookies


def test_the_chosen_name_must_follow_the_rules(comer: ProviderClient, provider: Provider) -> None:
    people_of(comer).create("Ann", PASSWORD, datetime.now(UTC))
    provider.person["email"] = "ann@club.example"
    comer.comes()

    for name, status in (("Ann", 409), ("ANN", 409), ("Аnn", 400), ("Ann\u200b", 400), ("bot:greedy", 400), ("A", 400)):
        assert comer.sends("/sign-in/name", {"name": name}).status_code == status, name
        assert 'name="name"' in comer.text
    people_of(comer).create("BOB", PASSWORD, datetime.now(UTC))
    assert comer.sends("/sign-in/name", {"name": "ВОВ"}).status_code == 409
    assert "looks like the name of another account" in comer.text
    assert not comer.me
    assert comer.sends("/sign-in/name", {"name": "Ann of the club"}).status_code == 200
    assert comer.me["name"] == "Ann of the club"


def test_people_with_the_same_name_at_the_provider_get_separate_accounts(
    comer: ProviderClient, provider: Provider
) -> None:
    comer.comes()
    comer.sends("/sign-in/name", {"name": "Ann"})
    first = comer.me
    comer.leaves()
    provider.person = {"sub": "s-2", "preferred_username": "Ann", "email": "ann@club.example"}

    assert comer.comes().url.path == "/sign-in/name"
    assert comer.sends("/sign-in/name", {"name": "Ann"}).status_code == 409
    comer.sends("/sign-in/name", {"name": "Annabel"})

    assert comer.me["name"] == "Annabel"
    assert comer.me["id"] != first["id"]


def test_converting_a_guest_keeps_the_id_and_ends_old_sessions(comer: ProviderClient) -> None:
    comer.sends("/guest")
    guest, old = comer.me["id"], comer.client.cookies[SESSION]
    comer.comes()

    comer.sends("/sign-in/name", {"name": "Ann"})

    assert comer.me == {"id": guest, "name": "Ann"}
    assert people_of(comer).access.session(old, datetime.now(UTC)) is None


def test_a_guest_with_a_known_identity_switches_to_its_account(comer: ProviderClient) -> None:
    comer.comes()
    comer.sends("/sign-in/name", {"name": "Ann"})
    ann = comer.me
    comer.leaves()
    comer.sends("/guest")
    old = comer.client.cookies[SESSION]

    comer.comes()

    assert comer.me == ann
    assert people_of(comer).access.session(old, datetime.now(UTC)) is None


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


def test_invalid_id_tokens_are_rejected(comer: ProviderClient, provider: Provider) -> None:
    comer.comes()
    comer.sends("/sign-in/name", {"name": "Ann"})
    comer.leaves()
    true = dict(provider.__dict__)
    for lie, tell in LIES.items():
        provider.__dict__.update(true, lies={}, codes={})
        tell(provider)

        answer = comer.comes()

        assert answer.status_code == 401, (lie, answer.text)
        assert REFUSED in comer.text, lie
        assert not comer.me, lie
    provider.__dict__.update(true, lies={}, codes={})
    assert comer.comes().status_code == 200
    assert comer.me["name"] == "Ann"


def test_a_response_to_another_request_is_rejected(comer: ProviderClient) -> None:
    path = comer.goes_there()
    elsewhere = comer.goes_there()

    assert is_refused_with(comer.arrives(path), 409, AGAIN)
    assert is_refused_with(comer.arrives(elsewhere), 409, AGAIN)
    path = comer.goes_there()
    comer.leaves()
    assert is_refused_with(comer.arrives(path), 409, AGAIN)
    assert is_refused_with(comer.arrives("/sign-in/return"), 409, AGAIN)
    path = comer.goes_there()
    assert is_refused_with(comer.arrives(re.sub("state=[^&]+", "state=ÿ", path)), 409, AGAIN)
    assert not comer.me


def test_a_code_is_valid_once(comer: ProviderClient, provider: Provider) -> None:
    path = comer.goes_there()
    copied = comer.client.cookies[CEREMONY]
    assert comer.arrives(path).url.path == "/sign-in/name"
    comer.leaves()
    comer.client.cookies.set(CEREMONY, copied, domain="testserver.local")
    assert is_refused_with(comer.arrives(path), 409, AGAIN)

    used = re.search("code=([^&]+)", path)
    assert used
    again = re.sub("code=[^&]+", f"code={used[1]}", comer.goes_there())
    assert is_refused_with(comer.arrives(again), 401, REFUSED)
    assert not comer.me


def test_a_response_of_another_issuer_is_rejected(comer: ProviderClient) -> None:
    """RFC 9207: the issuer in a response must be the configured one."""
    path = comer.goes_there()

    assert is_refused_with(comer.arrives(re.sub("iss=[^&]+", "iss=https://elsewhere.example", path)), 401, REFUSED)


def test_the_provider_sign_in_redirects_to_no_other_site(comer: ProviderClient) -> None:
    comer.comes("/sign-in/provider?back=//elsewhere.example/")
    answer = comer.sends("/sign-in/name", {"name": "Ann"})
    assert (answer.url.host, answer.url.path) == ("testserver.local", "/")

    comer.leaves()
    answer = comer.comes("/sign-in/provider?back=https://elsewhere.example/")
    assert (answer.url.host, answer.url.path) == ("testserver.local", "/")


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
def test_an_invalid_provider_gives_503(comer: ProviderClient, provider: Provider, metadata: Any) -> None:
    provider.metadata = metadata
    comer.goes("/sign-in")

    assert is_refused_with(comer.sends("/sign-in/provider"), 503, AWAY)


def test_other_sign_in_methods_work_without_the_provider(tmp_path: Path) -> None:
    """The service does not contact the provider at startup."""
    with providing() as gone:
        issuer = gone.issuer
    with TestClient(create_app(settings_with(tmp_path, issuer), entropy())) as client:
        comer = ProviderClient(client)
        comer.goes("/sign-in")

        assert is_refused_with(comer.sends("/sign-in/provider"), 503, AWAY)
        comer.sends("/sign-up", ANN)

        assert comer.me["name"] == "Ann"


def test_a_provider_that_fails_during_sign_in_gives_an_error(comer: ProviderClient, provider: Provider) -> None:
    path = comer.goes_there()
    provider.metadata = {"token_endpoint": f"{provider.issuer}/nowhere", "jwks_uri": "http://localhost:1/"}

    assert comer.arrives(path).status_code in {401, 503}
    path = comer.goes_there()
    provider.metadata = {"jwks_uri": "http://localhost:1/"}
    assert is_refused_with(comer.arrives(path), 503, AWAY)
    assert not comer.me


def test_without_a_provider_its_routes_give_404(own_client: TestClient[Any]) -> None:
    comer = ProviderClient(own_client)
    assert "/sign-in/provider" not in comer.goes("/sign-in")

    assert comer.sends("/sign-in/provider").status_code == 404
    assert comer.arrives("/sign-in/return?code=1&state=2").status_code == 404


def test_the_client_secret_is_in_no_response_or_log_line(
    comer: ProviderClient, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = SETTINGS.of(comer.client)
    comer.comes()
    provider.metadata = {"issuer": "https://elsewhere.example"}
    comer.goes("/sign-in")
    comer.sends("/sign-in/provider")

    told = capfd.readouterr()
    assert "provider" in told.out + told.err or "fault" in told.out + told.err
    assert SECRET not in told.out + told.err + comer.text + repr(settings) + str(settings)
