"""Entry bundles (C2SP tlog-tiles): the entries of a tile, each preceded by its length."""

from collections.abc import Iterable
from typing import Final

from domain.transparency.errors import Malformed

LENGTH_BYTES: Final = 2


def bundle_of(entries: Iterable[bytes]) -> bytes:
    """Return the bundle of these entries; each has at most 65,535 bytes."""
    return b"".join(len(entry).to_bytes(LENGTH_BYTES, "big") + entry for entry in entries)


def entries_in(bundle: bytes) -> list[bytes]:
    """Return the entries of a bundle, each after its length; raise `Malformed` if it is truncated."""
    entries, at = list[bytes](), 0
    while at < len(bundle):
        begin = at + LENGTH_BYTES
        at = begin + int.from_bytes(bundle[at:begin], "big")
        if begin > len(bundle) or at > len(bundle):
            raise Malformed("the bundle ends within an entry")
        entries.append(bundle[begin:at])
    return entries
