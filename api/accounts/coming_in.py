"""The door to another way into an account than a password: passkeys."""

from __future__ import annotations

import asyncio
import secrets
from functools import cached_property
from typing import Any, Final

from api.accounts.service import AccountService, Throttle, now
from api.accounts.ways import NotBegun, Passkey, PasskeyRefused, PasskeyWrong, Ways
from api.http.app_state import AppKey
from api.http.digests import digest
from api.http.identity import Person
from domain.kernel.loading import load
from projections.platform.settings import Settings


class WaysIn:
    """What adds a way in asks for a session that has just begun; what writes or computes runs on a thread."""

    def __init__(self, ways: Ways, accounts: AccountService, throttle: Throttle, settings: Settings) -> None:
        self._ways = ways
        self._accounts = accounts
        self._throttle = throttle
        self._settings = settings

    # Passkeys

    @property
    def origin(self) -> str:
        """Where passkeys can be made and used; empty where they cannot."""
        return self._settings.origin if self._settings.passkey_domain else ""

    @cached_property
    def _authenticators(self) -> Any:
        """Made at its first use, on a thread."""
        return load("api.accounts.passkeys", "Authenticators")(self._settings.passkey_domain, self._settings.origin)

    async def begin_passkey(self, person: Person, session: str) -> tuple[str, str]:
        """What the person's browser asks of an authenticator, and the secret by which it finishes."""
        self._require_lasting(person)
        self._accounts.require_fresh(session)
        challenge = secrets.token_urlsafe(32)

        def begin() -> tuple[str, str]:
            known = self._ways.credentials(person.id)
            options = self._authenticators.registration_options(person, challenge, known)
            return options, self._ways.begin("add passkey", person.id, {"challenge": challenge}, now())

        return await asyncio.to_thread(begin)

    async def add_passkey(self, person: Person, secret: str, label: str, answer: str) -> Passkey:
        """Another passkey of the person, which answers what the same person began in this browser."""

        def add() -> Passkey:
            begun = self._ways.finish("add passkey", secret, now())
            if begun.person_id != person.id:
                raise NotBegun("somebody else has begun this")
            made = self._authenticators.registered(begun.facts["challenge"], answer)
            return self._ways.keep_passkey(person.id, made, label, now())

        return await asyncio.to_thread(add)

    async def ask_passkey(self) -> tuple[str, str]:
        """What a browser asks of an authenticator to sign somebody in, and the secret by which it finishes."""
        self._require_domain()
        challenge = secrets.token_urlsafe(32)

        def begin() -> tuple[str, str]:
            options = self._authenticators.request_options(challenge)
            return options, self._ways.begin("use passkey", None, {"challenge": challenge}, now())

        return await asyncio.to_thread(begin)

    async def check_passkey(self, secret: str, name: str, answer: str) -> Person:
        """Whose passkey has signed what this browser was asked; where a name is given, it has to be theirs. Each try is
        counted by passkey, as that of a password is by name, until one is right."""
        self._require_domain()
        begun = await asyncio.to_thread(self._ways.finish, "use passkey", secret, now())
        credential = await asyncio.to_thread(lambda: self._authenticators.credential_of(answer))
        tried = digest(f"passkey {credential}")
        await self._throttle.try_password(tried)

        def check() -> Person:
            key = self._ways.key(credential)
            count = self._authenticators.signed(begun.facts["challenge"], answer, key)
            person = self._accounts.find(key.person_id)
            if person is None or (name and self._accounts.by_name(name) != person):
                raise PasskeyWrong(f"this passkey is not that of {name!r}")
            self._ways.note_use(credential, key, count, now())
            return person

        person = await asyncio.to_thread(check)
        await self._throttle.found_password(tried)
        return person

    def passkeys(self, person: Person) -> tuple[Passkey, ...]:
        """A person's passkeys, the newest first."""
        return self._ways.passkeys(person.id)

    async def remove_passkey(self, person: Person, passkey_id: str) -> None:
        """The passkey is no longer good; the last way in stays."""
        await asyncio.to_thread(self._ways.remove_passkey, person.id, passkey_id)

    # The password, as one way of several

    def has_password(self, person: Person) -> bool:
        return self._ways.has_password(person.id)

    async def remove_password(self, person: Person, password: str) -> None:
        """The account goes on without a password, for who knows it; the last way in stays. All sessions end and all
        tokens are revoked."""
        await self._accounts.check(person.name, password)
        await asyncio.to_thread(self._ways.remove_password, person.id)

    # Who may

    def _require_lasting(self, person: Person) -> None:
        self._require_domain()
        if person.is_guest:
            raise PasskeyRefused("a guest has no account yet that could have a passkey")

    def _require_domain(self) -> None:
        if not self._settings.passkey_domain:
            raise PasskeyRefused("the service has no name of its own: passkeys are made for one")


WAYS_IN: Final = AppKey[WaysIn]("ways_in")
