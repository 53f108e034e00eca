"""The service of signing keys."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from litestar.di import NamedDependency

from api.http.guards import Caller
from api.keys import commands
from api.keys.schemas import KeyShown, KeysShown
from api.matches.schemas import SignedBy
from api.matches.service import MatchService
from domain.keys.commands import keyring_of, register_key, retire_key
from domain.keys.state import Keyring
from domain.matches.aggregate import Match
from domain.matches.errors import KeyOfProgram
from domain.matches.facts import SigningStopped
from domain.signatures.keys import NamedKey
from projections.platform.clock import now


@dataclass(frozen=True)
class KeyService:
    """The keys of one caller."""

    tables: MatchService
    caller: Caller

    async def list_keys(self) -> KeysShown:
        """Return the caller's registered keys."""
        return self._encode(await self.tables.writer.read_log(keyring_of, self.caller.actor))

    async def register(self, key: NamedKey) -> KeysShown:
        """Register a key."""
        return self._encode(await self.tables.writer.execute(register_key, self.caller.actor, key, at=now()))

    async def give_up(self, key: str) -> KeysShown:
        """Give up a key, and return the caller's others; seats that named it do not change.

        Raise `NoSuchKey` if the caller has no such key.
        """
        return self._encode(await self.tables.writer.execute(retire_key, self.caller.actor, key, at=now()))

    async def register_at_seat(self, match_id: UUID, key: NamedKey, share: str | None = None) -> Match:
        """Register a browser's key for the caller's seat, with a commitment to randomness if given.

        Raise `NotSeated` or `NotHeld` if the caller has no seat, `BadSignature` for a key that cannot be registered.
        """
        return await self.tables.writer.execute(
            commands.register_seat_key, match_id, self.caller, key, share=share, at=now()
        )

    async def stop_signing(self, match_id: UUID, signed: SignedBy | None = None) -> Match:
        """Let the caller's seat continue unsigned; without a signature, the entry is by the service.

        Raise `NotSeated` or `NotHeld` without a seat, `BadSignature` for a wrong signature or an unsigned seat.
        """
        checked = await self.tables.signing.check_signed(
            match_id, self.caller, signed, lambda seat: SigningStopped(seat, self.caller.actor)
        )
        return await self.tables.writer.execute(commands.stop_signing, match_id, self.caller, checked, at=now())

    def _encode(self, keyring: Keyring) -> KeysShown:
        keys = tuple(KeyShown(key.key, key.by or None) for key in keyring.seat_keys())
        return KeysShown(self.caller.actor, keys)


def takes_browser_keys(caller: Caller) -> bool:
    """Return whether browsers register keys for this account; a bot's program could not use them."""
    return caller.person is None or not caller.person.is_bot


def require_browser_keys(caller: Caller) -> None:
    """Raise `KeyOfProgram` for a bot account."""
    if not takes_browser_keys(caller):
        raise KeyOfProgram("this is a bot account; its program registers keys with POST /api/me/keys")


def provide_keys(matches: NamedDependency[MatchService], caller: NamedDependency[Caller]) -> KeyService:
    """Provide the service for the caller."""
    return KeyService(matches, caller)
