"""What the commands of a store of matches take from outside."""

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
    """Notify nobody."""


def no_standing(_actor: Actor, _at: datetime) -> Standing:
    """Return the standing of a player about whom nothing is known."""
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
    """Rules, randomness, keys and callbacks. A store and the transactions that wait for it share one object."""

    titles: Titles
    entropy: Entropy
    on_append: Callable[[int, Mapping[UUID, int]], None] = no_notification
    """Called after an append, with the last position and the newest version of every match and stream that grew."""
    standing: Callable[[Actor, datetime], Standing] = no_standing
    """What is known of a player at a time."""
    house: ServiceKey | None = None
    """The key with which the service signs its own acts."""
    keys_of: Callable[[MatchReader, Actor], tuple[NamedKey, ...]] = no_keys
    """The keys with which a player signs."""
    order: Callable[[], Signed | None] = no_order
    """The signature that came with the current request."""
    official_keys: Callable[[Transaction, Actor], tuple[str, ...]] = no_official_keys
    """The keys with which a person with a role signs."""
