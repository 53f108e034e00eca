"""What a person's stream of keys holds: those registered, in their order, and those given up."""

from hashlib import sha256
from typing import Final
from uuid import UUID

from domain.kernel.values import Value, replace, tagger
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record
from domain.signatures.keys import NamedKey

STREAM_PREFIX: Final = b"esporles.keys/1\x00"


class KeyFact(Value, frozen=True, tag_field="type", tag=tagger("keys"), omit_defaults=True):
    """Base of what happens to somebody's keys."""


class KeyRegistered(KeyFact, frozen=True):
    """The person signs with one more key, vouched for by an earlier one, or good by sign-in only; or an earlier one
    vouches for a key that was."""

    person: Actor
    key: NamedKey


class KeyGivenUp(KeyFact, frozen=True):
    """The person signs with this key no more; what it has signed and vouched for stays good."""

    person: Actor
    key: str


class Keyring(Value, frozen=True):
    """The keys of a person; `retired` are keys (hex) given up, which are never taken up again."""

    keys: tuple[NamedKey, ...] = ()
    retired: tuple[str, ...] = ()

    def seated(self) -> tuple[NamedKey, ...]:
        """The keys as they are named where the person sits down: one whose voucher is gone is good by sign-in only."""
        known: dict[str, NamedKey] = {}
        for named in self.keys:
            known[named.key] = named if named.by in known else NamedKey(named.key)
        return tuple(known.values())


def stream_of(person: Actor) -> UUID:
    """The stream of a person's keys."""
    return UUID(bytes=sha256(STREAM_PREFIX + person.encode()).digest()[:16], version=5)


def evolve(keyring: Keyring | None, _record: Record, fact: KeyRegistered | KeyGivenUp) -> Keyring:
    known = keyring or Keyring()
    if isinstance(fact, KeyRegistered):
        if fact.key.key in [named.key for named in known.keys]:
            vouched = tuple(fact.key if named.key == fact.key.key else named for named in known.keys)
            return replace(known, keys=vouched)
        return replace(known, keys=(*known.keys, fact.key))
    rest = tuple(named for named in known.keys if named.key != fact.key)
    return replace(known, keys=rest, retired=(*known.retired, fact.key))


KEYS: Final[Kind[KeyRegistered | KeyGivenUp, Keyring]] = Kind("keys", KeyRegistered | KeyGivenUp, evolve)
