"""The Merkle tree of RFC 6962, section 2.1: hashes, roots, and verification of both kinds of proof.

The loops are from RFC 9162, sections 2.1.3.2 and 2.1.4.2. Sizes are below 2^63 and proofs have at most 63 hashes, so
verification is fast for any input.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from domain.transparency.errors import FalseProof

HASH_BYTES: Final = 32
SIZE_MAX: Final = 2**63 - 1
PROOF_MAX: Final = 63
"""Maximum number of hashes of a proof in a tree with fewer than 2^63 leaves."""
LEAF: Final = b"\x00"
NODE: Final = b"\x01"
EMPTY_ROOT: Final = hashlib.sha256().digest()
"""The root of the empty tree."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf with this content."""
    return hashlib.sha256(LEAF + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(NODE + left + right).digest()


def split_of(size: int) -> int:
    """Return the largest power of two below a size of at least 2: the number of leaves of the left subtree."""
    return 1 << (size - 1).bit_length() - 1


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root of a tree with these leaf hashes; `EMPTY_ROOT` without any."""
    if not hashes:
        return EMPTY_ROOT
    row = list(hashes)
    while len(row) > 1:
        pairs = [node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)]
        row = pairs + row[len(pairs) * 2 :]
    return row[0]


def require_hashes(*hashes: bytes) -> None:
    """Raise `FalseProof` unless every hash has 32 bytes."""
    if any(len(each) != HASH_BYTES for each in hashes):
        raise FalseProof("a hash has 32 bytes")


def check_inclusion(index: int, size: int, leaf: bytes, proof: Sequence[bytes], root: bytes) -> None:
    """Raise `FalseProof` unless the leaf hash is at this index in the tree of this size and root.

    Also raise it for an impossible index or size, and for a proof that is too long or too short.
    """
    if not 0 <= index < size <= SIZE_MAX:
        raise FalseProof(f"a tree of {size} leaves has no leaf {index}")
    if len(proof) > PROOF_MAX:
        raise FalseProof("the proof is too long")
    require_hashes(leaf, root, *proof)
    at, last, computed = index, size - 1, leaf
    for each in proof:
        if last == 0:
            raise FalseProof("the proof is too long")
        if at & 1 or at == last:
            computed = node_hash(each, computed)
            while at & 1 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            computed = node_hash(computed, each)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise FalseProof("the proof is too short")
    if computed != root:
        raise FalseProof("the proof does not lead to the root")


def check_consistency(old_size: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> None:
    """Raise `FalseProof` unless the old tree is a prefix of the new one."""
    if not 0 <= old_size <= size <= SIZE_MAX:
        raise FalseProof(f"a tree of {size} leaves has no prefix of {old_size}")
    require_hashes(old_root, root, *proof)
    if old_size in (0, size):
        if proof:
            raise FalseProof("the proof must be empty")
        if old_root != (EMPTY_ROOT if old_size == 0 else root) or (size == 0 and root != EMPTY_ROOT):
            raise FalseProof("two trees of the same size have different roots")
        return
    if not 0 < len(proof) <= PROOF_MAX:
        raise FalseProof("the proof is empty or too long")
    path = list(proof) if old_size & (old_size - 1) else [old_root, *proof]
    at, last = old_size - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old_computed = computed = path[0]
    for each in path[1:]:
        if last == 0:
            raise FalseProof("the proof is too long")
        if at & 1 or at == last:
            old_computed, computed = node_hash(each, old_computed), node_hash(each, computed)
            while at & 1 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            computed = node_hash(computed, each)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise FalseProof("the proof is too short")
    if (old_computed, computed) != (old_root, root):
        raise FalseProof("the older tree is not a prefix of the newer one")
