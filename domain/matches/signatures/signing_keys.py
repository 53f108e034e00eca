"""Signing keys of a seat: initial keys, adding one, stopping to sign (`docs/specifications/signatures.md`)."""

from collections.abc import Sequence

from domain.matches.aggregate import Match, info_of, require_actor, require_playable
from domain.matches.errors import BadSignature
from domain.matches.facts import SERVICE, Actor, KeyNamed, SigningStopped, is_local
from domain.signatures.errors import SignatureFault
from domain.signatures.keys import NamedKey, check_another, check_keys, require_key


def require_keys(keys: Sequence[NamedKey], actor: Actor) -> None:
    """Raise `BadSignature` if a key of a new player is invalid."""
    try:
        check_keys(keys, actor)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def check_service_key(key: str) -> None:
    """Raise `BadSignature` if the service's key is invalid."""
    try:
        require_key(key)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def name_key(match: Match, seat: int, by: Actor, key: NamedKey) -> KeyNamed:
    """Add a signing key to a seat, for example of another browser.

    Raise `NotSeated` for another actor, `BadSignature` for a bot, a local guest, or a key that is invalid, named
    already, above `KEYS_MAX` or vouched for by an unknown key.
    """
    info = info_of(match, seat)
    require_actor(match, seat, by)
    require_playable(match)
    if not info.is_person or is_local(by):
        raise BadSignature(f"{by!r} in seat {seat} cannot sign")
    try:
        check_another((each.key for each in info.keys), key, by)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault
    return KeyNamed(seat, by, key)


def stop_signing(match: Match, seat: int, by: Actor) -> SigningStopped:
    """Let the player continue unsigned, for example without the browser that holds the keys.

    Since format 3 the player signs this with one of the keys, or the service states it for a player who has none left.
    Raise `NotSeated` for other actors, `BadSignature` if the seat is unsigned already.
    """
    info = info_of(match, seat)
    if by != SERVICE or match.format < 3:
        require_actor(match, seat, by)
    require_playable(match)
    if not info.keys:
        raise BadSignature(f"seat {seat} is already unsigned")
    return SigningStopped(seat, by)
