"""The keys of a seat: those its player sits down with, one more, none any longer. `docs/specifications/signatures.md`
specifies it."""

from collections.abc import Sequence

from domain.matches.aggregate import Match, info_of, require_actor, require_going_on
from domain.matches.errors import BadSignature
from domain.matches.facts import SERVICE, Actor, KeyNamed, SigningStopped, is_local
from domain.signatures.errors import SignatureFault
from domain.signatures.keys import NamedKey, check_another, check_keys, require_key


def require_keys(keys: Sequence[NamedKey], actor: Actor) -> None:
    """The keys of somebody who sits down; `BadSignature` where one is not what it says it is."""
    try:
        check_keys(keys, actor)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def check_house(key: str) -> None:
    """The key of a service is one."""
    try:
        require_key(key)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault


def name_key(match: Match, seat: int, by: Actor, key: NamedKey) -> KeyNamed:
    """The player signs with one more key from now on, as from another browser."""
    info = info_of(match, seat)
    require_actor(match, seat, by)
    require_going_on(match)
    if not info.is_person or is_local(by):
        raise BadSignature(f"{by!r} on seat {seat} signs nothing")
    try:
        check_another((known.key for known in info.keys), key, by)
    except SignatureFault as fault:
        raise BadSignature(str(fault)) from fault
    return KeyNamed(seat, by, key)


def stop_signing(match: Match, seat: int, by: Actor) -> SigningStopped:
    """Let the player continue unsigned, for example without the browser that holds the keys.

    Since format 3 the player signs this with one of the keys, or the service states it for a player who has none left.
    """
    info = info_of(match, seat)
    if by != SERVICE or match.format < 3:
        require_actor(match, seat, by)
    require_going_on(match)
    if not info.keys:
        raise BadSignature(f"seat {seat} is unsigned already")
    return SigningStopped(seat, by)
