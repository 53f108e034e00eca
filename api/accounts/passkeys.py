"""What an authenticator is asked, and whether its answer holds: WebAuthn, by the package `webauthn`.

Loaded late: importing it costs as much as a fifth of the whole service, and few requests need it.
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

from api.accounts.ways import Key, NewPasskey, PasskeyRefused, PasskeyWrong
from api.http.identity import Person

SERVICE_NAME: Final = "Esporles"
TIMEOUT_MS: Final = 300_000
ALGORITHMS: Final = [
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]
CREDENTIAL_BYTES_MAX: Final = 1023
"""The longest id a credential may have (WebAuthn, 4)."""
FAULTS: Final = (
    *(WebAuthnException, UnsupportedAlgorithm),
    *(ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError),
)
"""What the package raises at answers that are wrong, and at such as no browser gives."""


class Authenticators:
    """The devices of people, as one site meets them: its domain, and the one origin whose pages use its passkeys."""

    def __init__(self, domain: str, origin: str) -> None:
        self._domain = domain
        self._origin = origin

    def registration_options(self, person: Person, challenge: str, known: Iterable[str]) -> str:
        """What the browser asks of an authenticator that shall make a passkey, as JSON.

        A passkey stands in the place of name and password together. So it has to be one that an authenticator finds by
        itself, and that is opened by a finger, a face or a number of the holder: having the device is not enough.
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
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in known],
            supported_pub_key_algs=ALGORITHMS,
        )
        return options_to_json(options)

    def request_options(self, challenge: str) -> str:
        """What the browser asks of an authenticator that shall sign, as JSON. No passkey is named: which ones an
        account has is nobody's business who is not in it."""
        options = generate_authentication_options(
            rp_id=self._domain,
            challenge=base64url_to_bytes(challenge),
            timeout=TIMEOUT_MS,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    def registered(self, challenge: str, answer: str) -> NewPasskey:
        """The passkey that an authenticator has made in answer to the challenge; `PasskeyRefused` where it has not."""
        try:
            made = verify_registration_response(
                credential=answer,
                expected_challenge=base64url_to_bytes(challenge),
                expected_rp_id=self._domain,
                expected_origin=self._origin,
                require_user_verification=True,
                supported_pub_key_algs=ALGORITHMS,
            )
        except FAULTS as fault:
            raise PasskeyRefused(f"the authenticator's answer does not hold: {fault}") from fault
        if len(made.credential_id) > CREDENTIAL_BYTES_MAX:
            raise PasskeyRefused(f"the id of a passkey has at most {CREDENTIAL_BYTES_MAX} bytes")
        return NewPasskey(
            bytes_to_base64url(made.credential_id), bytes_to_base64url(made.credential_public_key), made.sign_count
        )

    @staticmethod
    def credential_of(answer: str) -> str:
        """The credential that the answer says it is of; `PasskeyWrong` where it says none."""
        try:
            said: Any = msgspec.json.decode(answer)
        except (ValueError, RecursionError) as fault:
            raise PasskeyWrong(f"the answer is no JSON: {fault}") from fault
        credential = said.get("id") if isinstance(said, dict) else None
        if not isinstance(credential, str) or not credential:
            raise PasskeyWrong("the answer names no passkey")
        return credential

    def signed(self, challenge: str, answer: str, key: Key) -> int:
        """How often the passkey says that it was used, when it has signed the challenge for this site; `PasskeyWrong`
        when it has not, when nobody opened it, or when it counts back: then it is a copy."""
        try:
            _require_holder(answer, key)
            used = verify_authentication_response(
                credential=answer,
                expected_challenge=base64url_to_bytes(challenge),
                expected_rp_id=self._domain,
                expected_origin=self._origin,
                credential_public_key=base64url_to_bytes(key.public_key),
                credential_current_sign_count=key.sign_count,
                require_user_verification=True,
            )
        except FAULTS as fault:
            raise PasskeyWrong(f"the passkey's answer does not hold: {fault}") from fault
        return used.new_sign_count


def _require_holder(answer: str, key: Key) -> None:
    """The authenticator names the account for which it keeps the passkey; it has to be the one that we know of."""
    holder = msgspec.json.decode(answer)["response"].get("userHandle")
    if base64url_to_bytes(holder).hex() != key.person_id:
        raise PasskeyWrong("the passkey is kept for another account")
