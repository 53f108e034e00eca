"""Passkeys: only their holder can sign in, whatever was copied, kept or forged."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from api.accounts.passkey_service import PASSKEY_SERVICE
from api.http.cookies import CEREMONY
from tests.api.accounts.sign_in_clients import (
    AGAIN,
    ANN,
    BEN,
    PRESENT,
    VERIFIED,
    WRONG,
    Authenticator,
    PasskeyClient,
    is_refused_with,
    people_of,
)
from tests.api.service import account_of


def test_a_passkey_replaces_name_and_password(holder: PasskeyClient) -> None:
    response = holder.comes_back()

    assert response.status_code == 200
    assert holder.me["name"] == "Ann"
    assert CEREMONY not in holder.client.cookies


def test_sign_in_options_reveal_no_account_and_require_verification(holder: PasskeyClient) -> None:
    options = holder.begins("/sign-in/passkey/begin")

    assert options["allowCredentials"] == []
    assert (options["rpId"], options["userVerification"]) == ("localhost", "required")
    holder.comes_back()
    holder.goes("/account")
    wanted = holder.begins("/account/passkeys/begin")
    assert wanted["authenticatorSelection"]["residentKey"] == "required"
    assert wanted["authenticatorSelection"]["userVerification"] == "required"
    assert wanted["attestation"] == "none"
    assert [each["id"] for each in wanted["excludeCredentials"]] == [holder.device.id]


def test_passkeys_are_listed_and_a_removed_one_is_invalid(holder: PasskeyClient) -> None:
    holder.comes_back()
    page = holder.goes("/account")
    (passkey,) = PASSKEY_SERVICE.of(holder.client).passkeys(account_of(holder.client, holder.me["id"]))
    assert "Key ring" in page
    assert passkey.used is not None

    holder.sends("/account/passkeys/remove", {"passkey": passkey.id})
    assert "You have no passkeys yet." in holder.text
    holder.leaves()

    assert is_refused_with(holder.comes_back(), 401, WRONG)
    assert holder.me is None


def test_a_typed_name_must_match_the_passkey(holder: PasskeyClient) -> None:
    holder.signs_up(BEN)
    holder.leaves()

    assert is_refused_with(holder.comes_back(name="Ben"), 401, WRONG)
    assert is_refused_with(holder.comes_back(name="Nobody"), 401, WRONG)
    assert holder.comes_back(name="ann").status_code == 200
    assert holder.me["name"] == "Ann"


def spoil(answer: str, **response: str) -> str:
    """Return a response with changed fields."""
    credential = json.loads(answer)
    credential["response"] |= response
    return json.dumps(credential)


LIES: dict[str, Callable[[Authenticator], None]] = {
    "another origin": lambda device: setattr(device, "origin", "https://elsewhere.example"),
    "another port": lambda device: setattr(device, "origin", "http://localhost:8001"),
    "another domain": lambda device: setattr(device, "domain", "elsewhere.example"),
    "another key": lambda device: setattr(device, "key", Authenticator().key),
    "nobody opened it": lambda device: setattr(device, "flags", PRESENT),
    "nobody was there": lambda device: setattr(device, "flags", VERIFIED),
    "another account": lambda device: setattr(device, "holder", bytes(16)),
    "no account": lambda device: setattr(device, "holder", b""),
    "an unknown credential": lambda device: setattr(device, "credential", bytes(16)),
}


@pytest.mark.parametrize("lie", LIES)
def test_an_invalid_response_is_rejected(holder: PasskeyClient, lie: str) -> None:
    LIES[lie](holder.device)

    assert is_refused_with(holder.comes_back(), 401, WRONG)
    assert holder.me is None


NO_ANSWERS = (
    "",
    "no JSON",
    "[]",
    "{}",
    '{"id": 1}',
    '{"id": "", "response": {}}',
    '{"id": "ÿ", "response": 7}',
    "[" * 9_000,
)
GARBAGE = ("", "AA", "////", "ÿ", "eyJ0eXBlIjoxfQ", "oWNmbXRkbm9uZQ", "m____________", "gYGB" * 3_000)
"""Empty, random, valid JSON and CBOR of another meaning, an endless list, and nested lists."""


def test_malformed_responses_are_rejected_without_server_error(holder: PasskeyClient) -> None:
    for answer in NO_ANSWERS:
        holder.goes("/sign-in")
        holder.begins("/sign-in/passkey/begin")
        assert holder.sends("/sign-in/passkey", {"credential": answer}).status_code in {400, 401}, answer[:40]
    assert holder.me is None


def test_garbage_in_a_response_is_rejected(holder: PasskeyClient) -> None:
    for field in ("clientDataJSON", "authenticatorData", "signature", "userHandle"):
        for garbage in GARBAGE:
            holder.goes("/sign-in")
            signed = holder.device.signs(holder.begins("/sign-in/passkey/begin"))
            response = holder.sends("/sign-in/passkey", {"credential": spoil(signed, **{field: garbage})})

            assert is_refused_with(response, 401, WRONG), (field, garbage[:40])
    assert holder.me is None


def test_garbage_instead_of_a_new_passkey_is_rejected(holder: PasskeyClient) -> None:
    holder.goes("/sign-in")
    holder.sends("/sign-in", ANN)
    for answer in NO_ANSWERS[1:]:
        holder.goes("/account")
        holder.begins("/account/passkeys/begin")
        assert is_refused_with(holder.sends("/account/passkeys", {"credential": answer}), 422, "could not be added"), (
            answer[:40]
        )
    for field in ("clientDataJSON", "attestationObject"):
        for garbage in GARBAGE:
            holder.goes("/account")
            credential = Authenticator().makes(holder.begins("/account/passkeys/begin"))
            answer = holder.sends("/account/passkeys", {"credential": spoil(credential, **{field: garbage})})

            assert is_refused_with(answer, 422, "could not be added"), (field, garbage[:40])
    assert holder.text.count('name="passkey"') == 1


def test_a_challenge_is_valid_once(holder: PasskeyClient) -> None:
    """Cookie and response were both copied."""
    holder.goes("/sign-in")
    credential = holder.device.signs(holder.begins("/sign-in/passkey/begin"))
    copied = holder.client.cookies[CEREMONY]
    holder.sends("/sign-in/passkey", {"credential": credential})
    assert holder.me["name"] == "Ann"

    holder.leaves()
    holder.client.cookies.set(CEREMONY, copied, domain="testserver.local")

    assert is_refused_with(holder.sends("/sign-in/passkey", {"credential": credential}), 409, AGAIN)
    assert holder.me is None


def test_a_wrong_response_invalidates_the_challenge(holder: PasskeyClient) -> None:
    holder.goes("/sign-in")
    options = holder.begins("/sign-in/passkey/begin")
    copied = holder.client.cookies[CEREMONY]
    assert is_refused_with(
        holder.sends("/sign-in/passkey", {"credential": spoil(holder.device.signs(options))[:-9]}), 401, WRONG
    )

    holder.client.cookies.set(CEREMONY, copied, domain="testserver.local")

    assert is_refused_with(holder.sends("/sign-in/passkey", {"credential": holder.device.signs(options)}), 409, AGAIN)


def test_a_response_to_another_browsers_challenge_is_rejected(holder: PasskeyClient) -> None:
    holder.goes("/sign-in")
    credential = holder.device.signs(holder.begins("/sign-in/passkey/begin"))
    holder.leaves()

    assert is_refused_with(holder.sends("/sign-in/passkey", {"credential": credential}), 409, AGAIN)
    assert is_refused_with(holder.comes_back(lambda _: credential), 401, WRONG)
    assert holder.me is None


def test_a_passkey_ceremony_belongs_to_the_person_who_began_it(holder: PasskeyClient) -> None:
    """The ceremony began in Ben's session, but Ann is signed in now."""
    holder.signs_up(BEN)
    other = Authenticator()
    holder.goes("/account")
    credential = other.makes(holder.begins("/account/passkeys/begin"))
    holder.goes("/sign-in")
    holder.sends("/sign-in", ANN)
    holder.goes("/account")

    assert is_refused_with(holder.sends("/account/passkeys", {"credential": credential}), 409, AGAIN)
    assert holder.text.count('name="passkey"') == 1


def test_challenges_of_different_kinds_are_not_interchangeable(holder: PasskeyClient) -> None:
    holder.goes("/sign-in")
    options = holder.begins("/sign-in/passkey/begin")
    copied = holder.client.cookies[CEREMONY]
    holder.sends("/sign-in", ANN)
    holder.goes("/account")
    holder.client.cookies.set(CEREMONY, copied, domain="testserver.local")
    credential = Authenticator().makes({**options, "user": {"id": ""}})

    assert is_refused_with(holder.sends("/account/passkeys", {"credential": credential}), 409, AGAIN)


def test_a_decreasing_sign_count_is_rejected(holder: PasskeyClient) -> None:
    holder.device.count = 6
    assert holder.comes_back().status_code == 200
    holder.leaves()

    holder.device.count = 4
    assert is_refused_with(holder.comes_back(), 401, WRONG)
    holder.device.count = 6
    assert is_refused_with(holder.comes_back(), 401, WRONG)
    assert holder.me is None
    assert holder.comes_back().status_code == 200


def test_a_passkey_without_a_counter_is_accepted(holder: PasskeyClient) -> None:
    """Passkeys that are synchronised between devices have no counter."""
    for _ in range(2):
        holder.device.count = -1
        assert holder.comes_back().status_code == 200
        assert holder.me["name"] == "Ann"
        holder.leaves()


@pytest.mark.parametrize("lie", ["another origin", "another domain", "nobody opened it", "nobody was there"])
def test_an_invalid_new_passkey_is_rejected(holder: PasskeyClient, lie: str) -> None:
    holder.goes("/sign-in")
    holder.sends("/sign-in", ANN)
    holder.device = Authenticator()
    LIES[lie](holder.device)

    assert is_refused_with(holder.adds(), 422, "This passkey could not be added. Try again.")
    assert holder.text.count('name="passkey"') == 1


def test_a_passkey_belongs_to_one_account(holder: PasskeyClient) -> None:
    holder.signs_up(BEN)

    assert is_refused_with(holder.adds(), 422, "This passkey could not be added. Try again.")
    holder.leaves()
    ann = people_of(holder).by_name("Ann")
    assert ann is not None
    holder.device.holder = bytes.fromhex(ann.id)
    holder.comes_back()
    assert holder.me["name"] == "Ann"
