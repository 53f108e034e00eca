"""Commands about keys of a seat, run on the writer's thread."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.guards import Caller
from api.matches.callers import own_seat
from domain.eventstore.application import Matches
from domain.keys import commands
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE
from domain.signatures.acts import SignedAct
from domain.signatures.keys import NamedKey


def register_seat_key(
    matches: Matches, match_id: UUID, caller: Caller, key: NamedKey, *, share: str | None, at: datetime
) -> Match:
    """Register a browser's key for the caller's seat, with a commitment to randomness if given.

    Raise `NotSeated` or `NotHeld` if the caller has no seat, `BadSignature` for a key that cannot be registered.
    """
    own_seat(matches.get(match_id), caller)
    return commands.add_seat_key(matches, match_id, caller.actor, key, at=at, share=share)


def stop_signing(matches: Matches, match_id: UUID, caller: Caller, signed: SignedAct | None, *, at: datetime) -> Match:
    """Let the caller's seat continue unsigned; raise `NotSeated` or `NotHeld` without a seat.

    Without a signature, the entry is by the service, in older formats by the caller. Raise `BadSignature` for a wrong
    one, or if the seat is unsigned already.
    """
    match = matches.get(match_id)
    by = SERVICE if match.format > 2 and signed is None else caller.actor
    return matches.stop_signing(match_id, own_seat(match, caller), by, signed=signed, at=at)
