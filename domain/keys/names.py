"""Commitments to the names of accounts, so that names swapped in the accounts database are found.

The log contains ids of people only. A record of the person's stream commits to the name with a salt that only the
accounts database holds. Erasing the account erases the salt, and then the commitment neither shows nor confirms a name.
"""

from datetime import datetime
from hashlib import sha256
from typing import Final

from domain.keys.state import KEYS, Keyring, NameCommitted, stream_of
from domain.matches.facts import Actor
from domain.matches.transaction import MatchWriter, Transaction

NAME_PREFIX: Final = b"esporles.name/1\x00"


def name_commitment(salt: bytes, person: Actor, name: str) -> str:
    """Return SHA-256 (hex) over prefix, salt (32 bytes), id, a zero byte and name, both in UTF-8."""
    return sha256(NAME_PREFIX + salt + person.encode() + b"\x00" + name.encode()).hexdigest()


def commit_name(matches: MatchWriter, person: Actor, commitment: str, *, at: datetime) -> None:
    """Record the commitment to the name of an account; a recorded one stays."""

    def compose(batch: Transaction) -> None:
        stream = batch.find(KEYS, stream_of(person))
        if stream is None or not stream.state.name_commitment:
            batch.record(KEYS, stream_of(person), NameCommitted(person, commitment))

    matches.transact(compose, at=at)


def is_renamed(keyring: Keyring, salt: bytes | None, person: Actor, name: str) -> bool:
    """Return whether an account has another name than the recorded one, or has lost its salt."""
    if not keyring.name_commitment:
        return False
    return salt is None or name_commitment(salt, person, name) != keyring.name_commitment
