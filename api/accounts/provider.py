"""Sign-in at a provider: pending ceremonies and their results."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from typing import Any, Final

import msgspec

from api.accounts.service import AccountService
from api.accounts.sign_in_methods import Identity, LinkedIdentity, NoSuchCeremony, SignInMethods
from api.http.app_state import AppKey
from api.http.identity import Person
from domain.kernel.loading import load
from projections.platform.clock import now
from projections.platform.settings import Settings

RETURN_PATH = "/sign-in/return"
"""Redirect path, registered by the operator at the provider."""


class NoProvider(Exception):
    """No provider is configured."""


class ProviderUnavailable(Exception):
    """The provider does not answer, or not correctly."""


class ProviderRefused(Exception):
    """The provider returned no identity, or an invalid one."""


class ProviderIdentity(msgspec.Struct, frozen=True):
    """An identity at the provider and the name there."""

    identity: Identity
    name: str


class Pending(msgspec.Struct, frozen=True):
    """Secrets of a pending ceremony, kept on the server."""

    state: str
    """Returned by the browser; ties the response to this request."""
    nonce: str
    """Returned in the ID token; ties the token to this request."""
    verifier: str
    """Required to exchange the code for an ID token (PKCE)."""
    back: str
    """Path to show at the end."""


class SignInResult(msgspec.Struct, frozen=True):
    """The result of a return: a known person, or a new one who must choose a name."""

    back: str
    person: Person | None = None
    secret: str = ""
    """Secret of the naming ceremony, for a new person."""


class PendingName(msgspec.Struct, frozen=True):
    """The identity of a new person who must choose a name."""

    issuer: str
    subject: str
    suggested: str
    back: str


class ProviderService:
    """Sign-in at a provider. People are identified by issuer and subject, never by name or mail address."""

    def __init__(self, methods: SignInMethods, accounts: AccountService, settings: Settings) -> None:
        self._methods = methods
        self._accounts = accounts
        self._settings = settings
        self._client: Any = None
        self._client_lock = asyncio.Lock()

    @property
    def label(self) -> str:
        """Label of the provider; empty if there is none."""
        return self._settings.openid_label if self._settings.openid_issuer else ""

    @property
    def issuer(self) -> str:
        """Issuer of the provider; empty if there is none."""
        return self._settings.openid_issuer

    async def close(self) -> None:
        """Close the HTTP client."""
        if self._client is not None:
            await self._client.close()

    async def _provider(self) -> Any:
        """Return the provider client, created on first use; its libraries are imported on a thread.

        Raises `NoProvider` if none is configured.
        """
        if not self.label:
            raise NoProvider("no sign-in provider is configured")
        if self._client is None:
            settings = self._settings

            def make() -> Any:
                credentials = (settings.openid_issuer, settings.openid_client, settings.openid_secret.word)
                return load("api.accounts.openid", "Provider")(*credentials, f"{settings.origin}{RETURN_PATH}")

            async with self._client_lock:
                self._client = self._client or await asyncio.to_thread(make)
        return self._client

    async def begin(self, back: str, linking: Person | None = None, session: str = "") -> tuple[str, str]:
        """Return the provider's URL and the secret of a ceremony, after which the browser is shown `back`.

        To add an identity to the account `linking`, the session must be recent (`SignInTooOld`), and the account no
        guest's (`ProviderRefused`). Raises `NoProvider` if none is configured, `ProviderUnavailable` if it does not
        answer.
        """
        provider = await self._provider()
        if linking is not None:
            if linking.is_guest:
                raise ProviderRefused("a guest cannot link a sign-in provider; sign up first")
            self._accounts.require_fresh(session)
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        pending = Pending(state, nonce, verifier, back)
        address = await provider.address(pending)
        facts, person_id = msgspec.structs.asdict(pending), linking.id if linking else None
        return address, await asyncio.to_thread(self._methods.begin_ceremony, "ask provider", person_id, facts, now())

    async def finish(self, secret: str, caller: Person | None, state: str, code: str, issuer: str) -> SignInResult:
        """Finish the ceremony of this browser; raise `NoSuchCeremony` if it began none, or with another `state`.

        The result has the known person, or, for a new one, the secret of the ceremony in which they choose a name, or
        neither if an identity was added to the caller's account. Raises `ProviderRefused` if the provider rejected the
        sign-in, and as `_provider`, `Provider.identify` and `_link` do.
        """
        provider = await self._provider()
        ceremony = await asyncio.to_thread(self._methods.finish_ceremony, "ask provider", secret, now())
        pending = msgspec.convert(ceremony.facts, Pending)
        if not hmac.compare_digest(state.encode(), pending.state.encode()):
            raise NoSuchCeremony("the sign-in was not started in this browser")
        if not code or issuer not in {"", self.issuer}:
            raise ProviderRefused("the provider did not confirm your identity")
        provided: ProviderIdentity = await provider.identify(code, pending)
        if ceremony.person_id is not None:
            return await self._link(ceremony.person_id, caller, provided, pending.back)
        person_id = await asyncio.to_thread(self._methods.identify, provided.identity, now())
        if person_id is not None and (person := self._accounts.find(person_id)) is not None:
            return SignInResult(pending.back, person)
        naming = PendingName(provided.identity.issuer, provided.identity.subject, provided.name, pending.back)
        facts = msgspec.structs.asdict(naming)
        return SignInResult(
            pending.back,
            secret=await asyncio.to_thread(self._methods.begin_ceremony, "choose name", None, facts, now()),
        )

    async def _link(self, person_id: str, caller: Person | None, provided: ProviderIdentity, back: str) -> SignInResult:
        """Add the identity to the caller's account; raise `NoSuchCeremony` if another person began the ceremony.

        Raises `IdentityTaken` if another account has the identity.
        """
        if caller is None or caller.id != person_id:
            raise NoSuchCeremony("this was started by another person")
        await asyncio.to_thread(self._methods.link, person_id, provided.identity, now())
        return SignInResult(back)

    def find_pending_name(self, secret: str) -> PendingName:
        """Return the identity of the new person in this browser; raise `NoSuchCeremony` if none chooses a name."""
        return msgspec.convert(self._methods.find_ceremony("choose name", secret, now()).facts, PendingName)

    async def sign_up(self, secret: str, caller: Person | None, name: str) -> tuple[Person, str]:
        """Create an account, or convert a guest's, and return it with the path to show.

        Raises `NoSuchCeremony` without one, otherwise as `People.create` and `claim`. A rejected name changes nothing,
        so the person can choose another.
        """
        naming = self.find_pending_name(secret)
        identity = Identity(naming.issuer, naming.subject)
        person = await self._accounts.sign_up(caller, name, None, identity)
        await asyncio.to_thread(self._methods.finish_ceremony, "choose name", secret, now())
        return person, naming.back

    def identities(self, person: Person) -> tuple[LinkedIdentity, ...]:
        """Return a person's identities, latest first."""
        return self._methods.identities(person.id)

    async def unlink(self, person: Person, identity_id: str) -> None:
        """Remove an identity; raise `NoSuchIdentity`, or `LastSignInMethod` if there is no other sign-in method."""
        await asyncio.to_thread(self._methods.unlink, person.id, identity_id)


PROVIDER: Final = AppKey[ProviderService]("provider")
