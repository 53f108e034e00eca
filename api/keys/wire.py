"""What requests about keys and their answers look like."""

from __future__ import annotations

from typing import Annotated

import msgspec

from api.http.wire import Asked, Wire
from domain.signatures.keys import NamedKey

Key = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Voucher = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")]
Vouching = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{128})?$")]


class BringKey(Asked, frozen=True):
    """An Ed25519 public key, in hex; vouched for by the earlier key `by`, whose `signature` is over what
    `docs/specifications/signatures.md` says."""

    key: Key
    by: Voucher = ""
    signature: Vouching = ""

    @property
    def named(self) -> NamedKey:
        """As a log names it."""
        return NamedKey(self.key, self.by, self.signature)


class KeyShown(Wire, frozen=True):
    """A key of the caller; without `by` it is good by sign-in only."""

    key: str
    by: str | None


class KeysShown(Wire, frozen=True):
    """The caller's keys, in the order in which they were registered."""

    person: str
    keys: tuple[KeyShown, ...]
