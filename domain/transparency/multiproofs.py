"""Inclusion proofs for many leaves at once, without repeated hashes; specified in `docs/specifications/proof.md`.

The tree is divided as in RFC 6962. The proof lists the roots of the subtrees without any of the leaves, from left to
right; all other nodes can be computed.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from domain.transparency.checkpoints import Checkpoint
from domain.transparency.errors import FalseProof
from domain.transparency.leaves import PlacedLeaf, hash_leaves
from domain.transparency.merkle import PROOF_MAX, SIZE_MAX, node_hash, require_hashes, split_of
from domain.transparency.tiles import Tiles


def create_multiproof(tiles: Tiles, leaves: Sequence[int], size: int) -> list[bytes]:
    """Return the proof for leaves, given by increasing indices from 0 on, in the tree of this size.

    Raise `AssertionError` without leaves, or if they do not increase or reach the size; `TileMissing` without a tile.
    """
    assert leaves
    assert all(earlier < later for earlier, later in zip(leaves, [*leaves[1:], size], strict=True))

    def walk(start: int, end: int, targets: Sequence[int]) -> list[bytes]:
        if not targets:
            return [tiles.range_root(start, end)]
        if end - start == 1:
            return []
        middle = start + split_of(end - start)
        cut = bisect_left(targets, middle)
        return walk(start, middle, targets[:cut]) + walk(middle, end, targets[cut:])

    return walk(0, size, leaves)


def check_multiproof(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raise `FalseProof` unless the leaf hashes are at their indices in the tree of this size and root.

    Takes at most 63 steps per leaf, whatever the size.
    """
    indices = sorted(leaves)
    if not indices or not 0 <= indices[0] <= indices[-1] < size <= SIZE_MAX:
        raise FalseProof(f"a tree of {size} leaves does not have these leaves")
    if len(proof) > PROOF_MAX * len(leaves):
        raise FalseProof("the proof is too long")
    require_hashes(root, *leaves.values(), *proof)
    hashes = iter(proof)

    def walk(start: int, end: int, targets: Sequence[int]) -> bytes:
        if not targets:
            sibling = next(hashes, None)
            if sibling is None:
                raise FalseProof("the proof is too short")
            return sibling
        if end - start == 1:
            return leaves[start]
        middle = start + split_of(end - start)
        cut = bisect_left(targets, middle)
        left = walk(start, middle, targets[:cut])
        return node_hash(left, walk(middle, end, targets[cut:]))

    computed = walk(0, size, indices)
    if next(hashes, None) is not None:
        raise FalseProof("the proof is too long")
    if computed != root:
        raise FalseProof("the proof does not lead to the root")


def check_leaves(
    leaves: Iterable[PlacedLeaf], announcements: Mapping[int, bytes], checkpoint: Checkpoint, proof: Sequence[bytes]
) -> None:
    """Raise `FalseProof` unless these leaves, and the hashes of announcements, are in the tree of a checkpoint."""
    check_multiproof({**hash_leaves(leaves), **announcements}, checkpoint.size, proof, checkpoint.root)
