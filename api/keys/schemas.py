"""Requests and responses of the keys API."""

from __future__ import annotations

from typing import Annotated

import msgspec

from api.http.structs import RequestStruct, ResponseStruct
from domain.signatures.keys import NamedKey

Key = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Voucher = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")]
Vouching = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{128})?$")]


class BringKey(RequestStruct, frozen=True):
    """An Ed25519 public key in hex.

    The earlier key `by` vouches for it with `signature` (`docs/specifications/signatures.md`).
    """

    key: Key
    by: Voucher = ""
    signature: Vouching = ""

    @property
    def named_key(self) -> NamedKey:
        """The key as logs contain it."""
        return NamedKey(self.key, self.by, self.signature)


class KeyShown(ResponseStruct, frozen=True):
    """A key of the caller; without `by` only the sign-in vouches for it."""

    key: str
    by: str | None


class KeysShown(ResponseStruct, frozen=True):
    """The caller's keys in the order of registration."""

    person: str
    keys: tuple[KeyShown, ...]
