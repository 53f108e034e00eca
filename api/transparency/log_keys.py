"""The keys of the log among the secrets of the service: the current one, the next, and the one before.

The current key always has the same name, so that everything else reads one secret.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from api.accounts.people import People
from api.transparency.log_secrets import FORMER, KEY_NAME, NEXT, ORIGIN, UNTIL, LogSecrets, SecretStore
from domain.signatures.acts import ServiceKey
from domain.transparency.key_notes import KeyChange, parse_time, write_time
from domain.transparency.keys import FormerKey, Signer
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings

FINGERPRINT_BYTES: Final = 8


class LogKeys(NamedTuple):
    """The key of the log, and during a planned change the key before."""

    signer: Signer
    former: FormerKey | None = None


def secrets_of(people: SecretStore, settings: Settings) -> LogSecrets:
    """Return the secrets with the keys of the log decrypted by the settings; raise `BadSetting` as `LogSecrets`."""
    return LogSecrets(people, settings.key_passphrase.word)


def require_key(people: People, settings: Settings) -> None:
    """Raise `BadSetting`, after closing the accounts, if the stored key of the log cannot be read by the settings."""
    try:
        secrets_of(people, settings).find_secret(KEY_NAME)
    except BadSetting:
        people.close()
        raise


def signer_of(people: SecretStore, origin: str) -> Signer:
    """Return the signer of the service, with the configured name or one derived from its first key."""
    seed = bytes.fromhex(people.secret(KEY_NAME))
    if name := origin or people.find_secret(ORIGIN):
        return Signer(name, seed)
    public_key = Signer("esporles", seed).key.public
    return Signer(f"esporles/{public_key[:FINGERPRINT_BYTES].hex()}", seed)


def log_keys_of(people: SecretStore, origin: str) -> LogKeys:
    """Return the keys with which the service signs its checkpoints."""
    signer, former, until = signer_of(people, origin), people.find_secret(FORMER), people.find_secret(UNTIL)
    if former is None or until is None:
        return LogKeys(signer)
    return LogKeys(signer, FormerKey(Signer(signer.key.name, bytes.fromhex(former)), parse_time(until)))


def service_key(people: SecretStore) -> ServiceKey:
    """Return the same key for the service's signatures in matches."""
    return ServiceKey(bytes.fromhex(people.secret(KEY_NAME)))


def find_next(people: SecretStore, origin: str) -> Signer | None:
    """Return the next key with this name, or None if none was requested."""
    seed = people.find_secret(NEXT)
    return None if seed is None else Signer(origin, bytes.fromhex(seed))


def store_next(people: SecretStore, seed: bytes) -> None:
    """Store the next key by its secret bytes, in place of an earlier key that was not installed."""
    people.store_secrets({NEXT: seed.hex()})


def promote_next(people: SecretStore, change: KeyChange) -> None:
    """Make the next key the current one, in one transaction; the former key remains for the overlap only."""
    current, upcoming = people.secret(KEY_NAME), people.find_secret(NEXT)
    assert upcoming is not None
    overlaps = change.until is not None and change.old.name == change.new.name
    people.store_secrets(
        {
            KEY_NAME: upcoming,
            NEXT: None,
            ORIGIN: change.new.name,
            FORMER: current if overlaps else None,
            UNTIL: write_time(change.until) if change.until is not None and overlaps else None,
        }
    )


def drop_former(people: SecretStore, at: datetime) -> None:
    """Erase the former key after the overlap."""
    until = people.find_secret(UNTIL)
    if until is not None and parse_time(until) <= at:
        people.store_secrets({FORMER: None, UNTIL: None})
