"""The keys of the log at rest: in clear text, or encrypted with a passphrase that only the settings have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from domain.matches.entropy import system_entropy
from domain.transparency.keys import SEED_BYTES
from projections.platform.setting_values import BadSetting
from projections.platform.settings import names_of

ENCRYPTED: Final = "-----BEGIN ENCRYPTED PRIVATE KEY-----"
"""Start of an encrypted key (PKCS#8, PEM); a key in clear text is hexadecimal."""
KEY_NAME: Final = "tree"
"""Name of the current key among the secrets of the service."""
NEXT: Final = "tree/next"
FORMER: Final = "tree/former"
UNTIL: Final = "tree/until"
ORIGIN: Final = "tree/origin"
"""Names of the next key, the former key, the end of the overlap, and the origin once the key has changed."""
SEEDS: Final = (KEY_NAME, NEXT, FORMER)
"""The secrets that are private keys."""


class SecretStore(Protocol):
    """The store of the secrets of the service, by name."""

    def secret(self, name: str) -> str:
        """Return a secret, created on first use."""
        ...

    def find_secret(self, name: str) -> str | None:
        """Return a secret, or None."""
        ...

    def add_secret(self, name: str, value: str) -> str:
        """Store a secret if there is none of this name, and return the stored one."""
        ...

    def store_secrets(self, values: Mapping[str, str | None]) -> None:
        """Replace secrets in one transaction; None erases one."""
        ...


class LogSecrets:
    """The secrets of the service with its private keys decrypted; with a passphrase, keys are stored encrypted."""

    def __init__(self, store: SecretStore, passphrase: str) -> None:
        """Encrypt keys that are stored in clear text, if there is a passphrase."""
        self._store, self._passphrase = store, passphrase.encode()
        if passphrase:
            found = {name: store.find_secret(name) for name in SEEDS}
            clear = {name: value for name, value in found.items() if value and not value.startswith(ENCRYPTED)}
            if clear:
                self.store_secrets(clear)

    def secret(self, name: str) -> str:
        """Return a secret, created on first use; raise `BadSetting` as `find_secret`."""
        if name not in SEEDS or not self._passphrase:
            self._store.secret(name)
        else:
            self._store.add_secret(name, self._encrypt(system_entropy(SEED_BYTES, "log key")))
        value = self.find_secret(name)
        assert value is not None
        return value

    def find_secret(self, name: str) -> str | None:
        """Return a secret, or None; raise `BadSetting` if it is encrypted and the passphrase is missing or wrong."""
        value = self._store.find_secret(name)
        if value is None or not value.startswith(ENCRYPTED):
            return value
        if not self._passphrase:
            raise BadSetting(f"the key of the log is encrypted: set {names_of('key_passphrase')}")
        try:
            private = load_pem_private_key(value.encode(), self._passphrase)
        except ValueError as fault:
            raise BadSetting(f"{names_of('key_passphrase')} is not the passphrase of the key of the log") from fault
        assert isinstance(private, Ed25519PrivateKey)
        return private.private_bytes_raw().hex()

    def store_secrets(self, values: Mapping[str, str | None]) -> None:
        """Replace secrets in one transaction, private keys encrypted; None erases one."""
        self._store.store_secrets(
            {
                name: self._encrypt(bytes.fromhex(value)) if value and name in SEEDS and self._passphrase else value
                for name, value in values.items()
            }
        )

    def add_secret(self, name: str, value: str) -> str:
        """Store a secret if there is none of this name, and return the stored one; not for private keys."""
        assert name not in SEEDS
        return self._store.add_secret(name, value)

    def _encrypt(self, seed: bytes) -> str:
        private = Ed25519PrivateKey.from_private_bytes(seed)
        encryption = BestAvailableEncryption(self._passphrase)
        return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode()


def is_key_encrypted(store: SecretStore) -> bool:
    """Return whether the key of the log is stored encrypted."""
    return (store.find_secret(KEY_NAME) or "").startswith(ENCRYPTED)
