"""Four-digit codes that identify players at face-to-face tables.

They are derived from a secret of the service and the entry, never stored and never logged, so that a copy of the log
reveals nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final
from uuid import UUID

from api.http.app_state import AppKey
from api.http.limits import Limits
from domain.tournaments.entries import TournamentEntry
from domain.tournaments.errors import CodeLocked, WrongCode

SECRET: Final = "seat codes"  # noqa: S105 - the name under which the secret is kept
DIGITS: Final = 4


class SeatCodes:
    """The seat codes of all events, with limits on attempts."""

    def __init__(self, secret: str, limits: Limits) -> None:
        self._key = secret.encode()
        self._limits = limits

    def code_of(self, event_id: UUID, entry: TournamentEntry) -> str:
        """Return the code of an entry, `DIGITS` digits that are valid for the whole event until it is renewed."""
        text = f"{event_id}/{entry.id}/{entry.codes}"
        number = int.from_bytes(hmac.digest(self._key, text.encode(), hashlib.sha256)[:8])
        return f"{number % 10**DIGITS:0{DIGITS}}"

    async def require(self, event_id: UUID, table_name: str, entry: TournamentEntry, code: str, address: str) -> None:
        """Raise `WrongCode` for a wrong code, or `CodeLocked` after too many attempts; a right code resets the counts.

        Attempts are limited per table and address, and per entry from anywhere. Bots have no code.
        """
        address_key, entry_key = f"{event_id}/{table_name}/{address}", f"{event_id}/{entry.id}"
        if (wait_seconds := await self._limits.spend("code", address_key)) is not None:
            raise CodeLocked(f"too many wrong codes at {table_name}; retry in {wait_seconds} s")
        if (wait_seconds := await self._limits.spend("seat", entry_key)) is not None:
            raise CodeLocked(f"too many wrong codes for {entry.id}; retry in {wait_seconds} s")
        expected_code = self.code_of(event_id, entry)
        if entry.is_bot or not hmac.compare_digest(code.strip().encode(), expected_code.encode()):
            raise WrongCode(f"wrong code for {entry.id}")
        await self._limits.reset("code", address_key)
        await self._limits.reset("seat", entry_key)


SEAT_CODES: Final = AppKey[SeatCodes]("seat_codes")
