"""Dependencies of the commands of a store of matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.kernel.title import Titles
from domain.matches.entropy import Entropy
from domain.matches.facts import Actor, Standing
from domain.matches.transaction import MatchReader, Transaction
from domain.signatures.acts import ServiceKey, Signed
from domain.signatures.keys import NamedKey


def no_notification(_position: int, _versions: Mapping[UUID, int]) -> None:
    """Ignore a notification."""


def no_standing(_actor: Actor, _at: datetime) -> Standing:
    """Return the standing of an unknown player."""
    return ""


def no_keys(_matches: MatchReader, _actor: Actor) -> tuple[NamedKey, ...]:
    """Return the signing keys of a player who has none."""
    return ()


def no_official_keys(_batch: Transaction, _actor: Actor) -> tuple[str, ...]:
    """Return the signing keys of an official who has none."""
    return ()


def no_order() -> Signed | None:
    """Return the signature of a request without one."""
    return None


@dataclass
class Dependencies:
    """Rules, randomness, keys and callbacks. A store and its pending transactions share one object."""

    titles: Titles
    entropy: Entropy
    on_append: Callable[[int, Mapping[UUID, int]], None] = no_notification
    """Called after an append, with the last position and the new version of every changed match and stream."""
    standing: Callable[[Actor, datetime], Standing] = no_standing
    """Return the standing of a player at a time."""
    house: ServiceKey | None = None
    """The service's signing key."""
    keys_of: Callable[[MatchReader, Actor], tuple[NamedKey, ...]] = no_keys
    """Return the signing keys of a player."""
    order: Callable[[], Signed | None] = no_order
    """Return the signature of the current request."""
    official_keys: Callable[[Transaction, Actor], tuple[str, ...]] = no_official_keys
    """Return the signing keys of a person with a role."""
