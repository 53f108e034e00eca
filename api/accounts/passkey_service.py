"""Sign-in methods other than passwords: passkeys."""

from __future__ import annotations

import asyncio
import secrets
from functools import cached_property
from typing import Any, Final

from api.accounts.service import AccountService, Throttle
from api.accounts.sign_in_methods import NoSuchCeremony, Passkey, PasskeyRefused, PasskeyWrong, SignInMethods
from api.http.app_state import AppKey
from api.http.digests import digest
from api.http.identity import Person
from domain.kernel.loading import load
from projections.platform.clock import now
from projections.platform.settings import Settings


class PasskeyService:
    """Manages passkeys and their ceremonies.

    Adding one requires a recent session; writing and cryptography run on threads.
    """

    def __init__(
        self, methods: SignInMethods, accounts: AccountService, throttle: Throttle, settings: Settings
    ) -> None:
        self._methods = methods
        self._accounts = accounts
        self._throttle = throttle
        self._settings = settings

    @property
    def origin(self) -> str:
        """Origin of passkeys; empty if the service supports none."""
        return self._settings.origin if self._settings.passkey_domain else ""

    @cached_property
    def _authenticators(self) -> Any:
        """Verifier of WebAuthn responses, loaded on first use, on a thread."""
        return load("api.accounts.passkeys", "Authenticators")(self._settings.passkey_domain, self._settings.origin)

    async def begin_passkey(self, person: Person, session: str) -> tuple[str, str]:
        """Return WebAuthn options for a new passkey, and the secret of the ceremony.

        Raises `SignInTooOld` unless the session is recent, `PasskeyRefused` for guests and without a domain for
        passkeys.
        """
        self._require_account(person)
        self._accounts.require_fresh(session)
        challenge = secrets.token_urlsafe(32)

        def begin() -> tuple[str, str]:
            credentials = self._methods.credentials(person.id)
            options = self._authenticators.registration_options(person, challenge, credentials)
            return options, self._methods.begin_ceremony("add passkey", person.id, {"challenge": challenge}, now())

        return await asyncio.to_thread(begin)

    async def add_passkey(self, person: Person, secret: str, label: str, response: str) -> Passkey:
        """Add the passkey of a finished ceremony, which cannot be used again, and return it.

        Raises `NoSuchCeremony` if it is unknown, expired or another person's, `PasskeyRefused` if the browser's answer
        is not valid, or the passkey is known or one too many.
        """

        def add() -> Passkey:
            ceremony = self._methods.finish_ceremony("add passkey", secret, now())
            if ceremony.person_id != person.id:
                raise NoSuchCeremony("this was started by another person")
            passkey = self._authenticators.verify_registration(ceremony.facts["challenge"], response)
            return self._methods.store_passkey(person.id, passkey, label, now())

        return await asyncio.to_thread(add)

    async def ask_passkey(self) -> tuple[str, str]:
        """Return WebAuthn options for signing in, and the secret of the ceremony.

        Raises `PasskeyRefused` without a domain for passkeys.
        """
        self._require_domain()
        challenge = secrets.token_urlsafe(32)

        def begin() -> tuple[str, str]:
            options = self._authenticators.request_options(challenge)
            return options, self._methods.begin_ceremony("use passkey", None, {"challenge": challenge}, now())

        return await asyncio.to_thread(begin)

    async def check_passkey(self, secret: str, name: str, response: str) -> Person:
        """Return the person whose passkey signed the challenge; raise `PasskeyWrong` if it is not valid.

        A given name must match. Attempts are counted per passkey until one succeeds; too many are 429. Raises
        `NoSuchCeremony` if this browser began none, `PasskeyRefused` without a domain for passkeys.
        """
        self._require_domain()
        ceremony = await asyncio.to_thread(self._methods.finish_ceremony, "use passkey", secret, now())
        credential = await asyncio.to_thread(lambda: self._authenticators.credential_of(response))
        throttle_key = digest(f"passkey {credential}")
        await self._throttle.count_password_attempt(throttle_key)

        def check() -> Person:
            key = self._methods.key(credential)
            count = self._authenticators.verify_signature(ceremony.facts["challenge"], response, key)
            person = self._accounts.find(key.person_id)
            if person is None or (name and self._accounts.by_name(name) != person):
                raise PasskeyWrong(f"this passkey does not belong to {name!r}")
            self._methods.note_use(credential, key, count, now())
            return person

        person = await asyncio.to_thread(check)
        await self._throttle.reset_password_attempts(throttle_key)
        return person

    def passkeys(self, person: Person) -> tuple[Passkey, ...]:
        """Return a person's passkeys, latest first."""
        return self._methods.passkeys(person.id)

    async def remove_passkey(self, person: Person, passkey_id: str) -> None:
        """Remove a passkey; raise `NoSuchPasskey`, or `LastSignInMethod` if the account has no other sign-in method."""
        await asyncio.to_thread(self._methods.remove_passkey, person.id, passkey_id)

    def has_password(self, person: Person) -> bool:
        """Return whether the account has a password."""
        return self._methods.has_password(person.id)

    async def remove_password(self, person: Person, password: str) -> None:
        """Remove the password, given its current value; end all sessions and revoke all tokens.

        Raises `WrongCredentials` for a wrong value, `LastSignInMethod` if the account has no other sign-in method.
        """
        await self._accounts.check(person.name, password)
        await asyncio.to_thread(self._methods.remove_password, person.id)

    def _require_account(self, person: Person) -> None:
        """Raise `PasskeyRefused` for a guest, and without a domain for passkeys."""
        self._require_domain()
        if person.is_guest:
            raise PasskeyRefused("a guest cannot have a passkey; sign up first")

    def _require_domain(self) -> None:
        """Raise `PasskeyRefused` if the service has no domain for passkeys."""
        if not self._settings.passkey_domain:
            raise PasskeyRefused("passkeys are not available: the service has no public host name")


PASSKEY_SERVICE: Final = AppKey[PasskeyService]("ways_in")
