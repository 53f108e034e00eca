"""Signing in at a provider and coming back: what is kept meanwhile, and what becomes of who comes back."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from typing import Any, Final

import msgspec

from api.accounts.service import AccountService, now
from api.accounts.ways import Identity, LinkedIdentity, NotBegun, Ways
from api.http.app_state import AppKey
from api.http.identity import Person
from domain.kernel.loading import load
from projections.platform.settings import Settings

BACK = "/sign-in/return"
"""Where a provider leads back to; the operator tells it this address."""


class NoProvider(Exception):
    """The operator has chosen no provider."""


class ProviderAway(Exception):
    """The provider does not answer, or not as a provider does."""


class ProviderRefused(Exception):
    """The provider did not say who somebody is, or what it said does not hold."""


class Known(msgspec.Struct, frozen=True):
    """Who somebody is at the provider, and what they are called there."""

    identity: Identity
    name: str


class Pending(msgspec.Struct, frozen=True):
    """What the service keeps to itself while somebody is at the provider."""

    state: str
    """Comes back with the browser: the answer is to what was asked here."""
    nonce: str
    """Comes back in the ID token: it was made for this time."""
    verifier: str
    """Whoever has it, and nobody else, gets an ID token for the code (PKCE)."""
    back: str
    """The page that is shown in the end."""


class Arrival(msgspec.Struct, frozen=True):
    """Somebody who came back: a person of this house, or somebody new with a name to choose."""

    back: str
    person: Person | None = None
    secret: str = ""
    """By which the browser of somebody new finishes."""


class Naming(msgspec.Struct, frozen=True):
    """What is known of somebody new."""

    issuer: str
    subject: str
    suggested: str
    back: str


class ProviderService:
    """The way to a provider and back. A person is known by issuer and subject alone, never by name or mail."""

    def __init__(self, ways: Ways, accounts: AccountService, settings: Settings) -> None:
        self._ways = ways
        self._accounts = accounts
        self._settings = settings
        self._made: Any = None
        self._making = asyncio.Lock()

    @property
    def label(self) -> str:
        """What the provider is called; empty where there is none."""
        return self._settings.openid_label if self._settings.openid_issuer else ""

    @property
    def issuer(self) -> str:
        return self._settings.openid_issuer

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()

    async def _provider(self) -> Any:
        """Made at its first use; its libraries are imported on a thread."""
        if not self.label:
            raise NoProvider("this service asks no provider")
        if self._made is None:
            settings = self._settings

            def make() -> Any:
                told = (settings.openid_issuer, settings.openid_client, settings.openid_secret.word)
                return load("api.accounts.openid", "Provider")(*told, f"{settings.origin}{BACK}")

            async with self._making:
                self._made = self._made or await asyncio.to_thread(make)
        return self._made

    async def begin(self, back: str, linking: Person | None = None, session: str = "") -> tuple[str, str]:
        """Where the browser goes, and the secret by which it finishes. Whoever adds a way to an account has just signed
        in to it, and is no guest."""
        provider = await self._provider()
        if linking is not None:
            if linking.is_guest:
                raise ProviderRefused("a guest has no account yet that could have another way in")
            self._accounts.require_fresh(session)
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        pending = Pending(state, nonce, verifier, back)
        address = await provider.address(pending)
        facts, person_id = msgspec.structs.asdict(pending), linking.id if linking else None
        return address, await asyncio.to_thread(self._ways.begin, "ask provider", person_id, facts, now())

    async def arrive(self, secret: str, caller: Person | None, state: str, code: str, issuer: str) -> Arrival:
        """Who came back by what this browser began; `NotBegun` where it began nothing of the kind."""
        provider = await self._provider()
        begun = await asyncio.to_thread(self._ways.finish, "ask provider", secret, now())
        pending = msgspec.convert(begun.facts, Pending)
        if not hmac.compare_digest(state.encode(), pending.state.encode()):
            raise NotBegun("the provider answers what was not asked in this browser")
        if not code or issuer not in {"", self.issuer}:
            raise ProviderRefused("the provider did not say who you are")
        known: Known = await provider.identify(code, pending)
        if begun.person_id is not None:
            return await self._link(begun.person_id, caller, known, pending.back)
        person_id = await asyncio.to_thread(self._ways.identify, known.identity, now())
        if person_id is not None and (person := self._accounts.find(person_id)) is not None:
            return Arrival(pending.back, person)
        naming = Naming(known.identity.issuer, known.identity.subject, known.name, pending.back)
        facts = msgspec.structs.asdict(naming)
        return Arrival(
            pending.back, secret=await asyncio.to_thread(self._ways.begin, "choose name", None, facts, now())
        )

    async def _link(self, person_id: str, caller: Person | None, known: Known, back: str) -> Arrival:
        if caller is None or caller.id != person_id:
            raise NotBegun("somebody else has begun this")
        await asyncio.to_thread(self._ways.link, person_id, known.identity, now())
        return Arrival(back)

    def naming(self, secret: str) -> Naming:
        """What is known of somebody new in this browser."""
        return msgspec.convert(self._ways.look("choose name", secret, now()).facts, Naming)

    async def sign_up(self, secret: str, caller: Person | None, name: str) -> tuple[Person, str]:
        """An account of that name for somebody new, and the page that is shown then; a guest's becomes a lasting one. A
        name that cannot be had changes nothing: another one may be chosen."""
        naming = self.naming(secret)
        identity = Identity(naming.issuer, naming.subject)
        person = await self._accounts.sign_up(caller, name, None, identity)
        await asyncio.to_thread(self._ways.finish, "choose name", secret, now())
        return person, naming.back

    # What is there

    def identities(self, person: Person) -> tuple[LinkedIdentity, ...]:
        """A person's identities, the newest first."""
        return self._ways.identities(person.id)

    async def unlink(self, person: Person, identity_id: str) -> None:
        """The identity no longer leads to the account; the last way in stays."""
        await asyncio.to_thread(self._ways.unlink, person.id, identity_id)


PROVIDER: Final = AppKey[ProviderService]("provider")
