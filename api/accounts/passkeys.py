"""WebAuthn options and verification, using the package `webauthn`.

Imported lazily: importing it takes a fifth of the service's start, and few requests need it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from api.accounts.sign_in_methods import Key, NewPasskey, PasskeyRefused, PasskeyWrong
from api.http.identity import Person

SERVICE_NAME: Final = "Esporles"
TIMEOUT_MS: Final = 300_000
ALGORITHMS: Final = [
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]
CREDENTIAL_BYTES_MAX: Final = 1023
"""Maximum length of a credential id (WebAuthn, 4)."""
FAULTS: Final = (
    *(WebAuthnException, UnsupportedAlgorithm),
    *(ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError),
)
"""Exceptions that the package raises for invalid responses, including malformed ones."""


class Authenticators:
    """The WebAuthn relying party: one domain and one origin."""

    def __init__(self, domain: str, origin: str) -> None:
        self._domain = domain
        self._origin = origin

    def registration_options(self, person: Person, challenge: str, excluded: Iterable[str]) -> str:
        """Return the WebAuthn options for creating a passkey, as JSON; devices that hold one in `excluded` cannot.

        A passkey replaces name and password. So it must be discoverable, and user verification is required: possession
        of the device is not enough.
        """
        options = generate_registration_options(
            rp_id=self._domain,
            rp_name=SERVICE_NAME,
            user_id=bytes.fromhex(person.id),
            user_name=person.name,
            challenge=base64url_to_bytes(challenge),
            timeout=TIMEOUT_MS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in excluded],
            supported_pub_key_algs=ALGORITHMS,
        )
        return options_to_json(options)

    def request_options(self, challenge: str) -> str:
        """Return the options for signing in, as JSON.

        No passkeys are listed, because strangers must not learn which ones an account has.
        """
        options = generate_authentication_options(
            rp_id=self._domain,
            challenge=base64url_to_bytes(challenge),
            timeout=TIMEOUT_MS,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    def verify_registration(self, challenge: str, response: str) -> NewPasskey:
        """Return the new passkey.

        Raises `PasskeyRefused` if the browser's response is not valid or the id is too long.
        """
        try:
            registration = verify_registration_response(
                credential=response,
                expected_challenge=base64url_to_bytes(challenge),
                expected_rp_id=self._domain,
                expected_origin=self._origin,
                require_user_verification=True,
                supported_pub_key_algs=ALGORITHMS,
            )
        except FAULTS as fault:
            raise PasskeyRefused(f"invalid response of the authenticator: {fault}") from fault
        if len(registration.credential_id) > CREDENTIAL_BYTES_MAX:
            raise PasskeyRefused(f"the id of a passkey has at most {CREDENTIAL_BYTES_MAX} bytes")
        return NewPasskey(
            bytes_to_base64url(registration.credential_id),
            bytes_to_base64url(registration.credential_public_key),
            registration.sign_count,
        )

    @staticmethod
    def credential_of(response: str) -> str:
        """Return the credential id in a browser's response (JSON); raise `PasskeyWrong` if there is none."""
        try:
            decoded: Any = msgspec.json.decode(response)
        except (ValueError, RecursionError) as fault:
            raise PasskeyWrong(f"the response is not JSON: {fault}") from fault
        credential = decoded.get("id") if isinstance(decoded, dict) else None
        if not isinstance(credential, str) or not credential:
            raise PasskeyWrong("the response has no passkey id")
        return credential

    def verify_signature(self, challenge: str, response: str, key: Key) -> int:
        """Verify a signature and return its sign count.

        Raises `PasskeyWrong` if the signature is not valid, belongs to another account, the user was not verified, or
        the count did not rise, which indicates a copy.
        """
        try:
            _require_holder(response, key)
            authentication = verify_authentication_response(
                credential=response,
                expected_challenge=base64url_to_bytes(challenge),
                expected_rp_id=self._domain,
                expected_origin=self._origin,
                credential_public_key=base64url_to_bytes(key.public_key),
                credential_current_sign_count=key.sign_count,
                require_user_verification=True,
            )
        except FAULTS as fault:
            raise PasskeyWrong(f"invalid response of the passkey: {fault}") from fault
        return authentication.new_sign_count


def _require_holder(response: str, key: Key) -> None:
    """Raise `PasskeyWrong` if the user handle in the response belongs to another account."""
    user_handle = msgspec.json.decode(response)["response"].get("userHandle")
    if base64url_to_bytes(user_handle).hex() != key.person_id:
        raise PasskeyWrong("the passkey belongs to another account")
