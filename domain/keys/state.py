"""A person's registered and retired keys, and the commitment to the name of the account."""

from hashlib import sha256
from typing import Final
from uuid import UUID

from domain.kernel.values import Value, replace, tagger
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record
from domain.signatures.keys import NamedKey

STREAM_PREFIX: Final = b"esporles.keys/1\x00"


class KeyFact(Value, frozen=True, tag_field="type", tag=tagger("keys"), omit_defaults=True):
    """Base of the facts about a person's keys."""


class KeyRegistered(KeyFact, frozen=True):
    """A key was registered, vouched for by an earlier one or valid by sign-in only.

    For a known key: an earlier key now vouches for it.
    """

    person: Actor
    key: NamedKey


class KeyGivenUp(KeyFact, frozen=True):
    """A key was retired; its past signatures and vouchers remain valid."""

    person: Actor
    key: str


class NameCommitted(KeyFact, frozen=True):
    """The account's name is fixed by a salted digest (hex); the salt is erased with the account (`domain.keys.names`).

    A name never changes, so the first commitment counts.
    """

    person: Actor
    commitment: str


class Keyring(Value, frozen=True):
    """The keys of a person; `retired` keys (hex) are never registered again."""

    keys: tuple[NamedKey, ...] = ()
    retired: tuple[str, ...] = ()
    name_commitment: str = ""

    def seat_keys(self) -> tuple[NamedKey, ...]:
        """Return the keys to name at a seat, in order of registration.

        A key whose voucher is retired, or was registered after it, is valid by sign-in only.
        """
        keys: dict[str, NamedKey] = {}
        for each in self.keys:
            keys[each.key] = each if each.by in keys else NamedKey(each.key)
        return tuple(keys.values())


def stream_of(person: Actor) -> UUID:
    """Return the id of the stream of a person's keys."""
    return UUID(bytes=sha256(STREAM_PREFIX + person.encode()).digest()[:16], version=5)


KeysFact = KeyRegistered | KeyGivenUp | NameCommitted


def evolve(keyring: Keyring | None, _record: Record, fact: KeysFact) -> Keyring:
    """Return the keyring after one more record; a known key is replaced in its place, a given-up key is retired."""
    current = keyring or Keyring()
    if isinstance(fact, NameCommitted):
        return replace(current, name_commitment=current.name_commitment or fact.commitment)
    if isinstance(fact, KeyRegistered):
        if fact.key.key in [each.key for each in current.keys]:
            keys = tuple(fact.key if each.key == fact.key.key else each for each in current.keys)
            return replace(current, keys=keys)
        return replace(current, keys=(*current.keys, fact.key))
    remaining = tuple(each for each in current.keys if each.key != fact.key)
    return replace(current, keys=remaining, retired=(*current.retired, fact.key))


KEYS: Final[Kind[KeysFact, Keyring]] = Kind("keys", KeysFact, evolve)
