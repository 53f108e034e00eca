"""Signatures of callers, checked before the writer stores an act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from api.http.guards import Caller
from api.matches.callers import own_seat
from api.matches.match_reading import MatchReading
from api.matches.schemas import SignedBy
from api.matches.signatures import SignatureChecks, signed_act_of
from domain.matches.facts import Fact
from domain.matches.signatures.signing import act_of
from domain.signatures.acts import SignedAct


@dataclass(frozen=True)
class SignedActs:
    """Verification of callers' signatures, on dedicated threads."""

    _reading: MatchReading
    _signatures: SignatureChecks

    async def check_signed(
        self, match_id: UUID, caller: Caller, signed: SignedBy | None, act: Callable[[int], Fact]
    ) -> SignedAct | None:
        """Return the signed act of the caller's seat, or `None` without a signature; `act` builds the fact for a seat.

        Raises `NotSeated` or `NotHeld` without a seat, `BadSignature` if it does not verify. The writer checks it
        again.
        """
        if signed is None:
            return None
        fact = act(own_seat(await self._reading.get(match_id), caller))
        return await self.check(signed_act_of(match_id, signed, act_of(fact)))

    async def check(self, act: SignedAct) -> SignedAct:
        """Return the act; raise `BadSignature` unless its signature verifies."""
        await self._signatures.check(act)
        return act
