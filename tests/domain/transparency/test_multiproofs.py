"""Inclusion proofs for many leaves."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.transparency.errors import FalseProof
from domain.transparency.merkle import SIZE_MAX, check_inclusion
from domain.transparency.multiproofs import check_multiproof, create_multiproof
from tests.domain.transparency.trees import Tree

TREE = Tree(600)


def choose_leaves(*indices: int) -> dict[int, bytes]:
    return {index: TREE.leaves[index] for index in indices}


def test_any_leaves_of_any_small_tree_are_proved() -> None:
    for size in range(1, 9):
        for count in range(1, size + 1):
            for indices in combinations(range(size), count):
                proof = create_multiproof(TREE.read, indices, size)

                check_multiproof(choose_leaves(*indices), size, proof, TREE.root(size))


@given(st.sets(st.integers(0, 599), min_size=1, max_size=50), st.data())
def test_no_part_of_the_proof_can_be_replaced(indices: set[int], data: st.DataObject) -> None:
    proof = create_multiproof(TREE.read, sorted(indices), 600)
    check_multiproof(choose_leaves(*indices), 600, proof, TREE.root())
    index = data.draw(st.integers(0, len(proof) - 1))
    other = [*proof[:index], bytes(32), *proof[index + 1 :]]
    moved = data.draw(st.sampled_from(sorted(indices)))

    with pytest.raises(FalseProof, match="does not lead to the root"):
        check_multiproof(choose_leaves(*indices), 600, other, TREE.root())
    with pytest.raises(FalseProof, match="does not lead to the root"):
        check_multiproof(choose_leaves(*indices) | {moved: bytes(32)}, 600, proof, TREE.root())
    with pytest.raises(FalseProof, match="does not lead to the root"):
        check_multiproof(choose_leaves(*indices), 600, proof, bytes(32))


def test_the_proof_of_one_leaf_has_the_hashes_of_its_inclusion_proof() -> None:
    """Compare as sets: one is sorted by position, the other by height."""
    for index in (0, 255, 256, 411, 599):
        inclusion = TREE.read.inclusion(index, 600)
        check_inclusion(index, 600, TREE.leaves[index], inclusion, TREE.root())

        assert sorted(create_multiproof(TREE.read, [index], 600)) == sorted(inclusion)


def test_hashes_are_not_repeated() -> None:
    indices = range(100, 200)

    assert len(create_multiproof(TREE.read, indices, 600)) < 20


@pytest.mark.parametrize("size", [0, 3, SIZE_MAX + 1, 10**18 * 10**12])
def test_leaves_outside_of_the_tree_are_refused(size: int) -> None:
    with pytest.raises(FalseProof, match="does not have these"):
        check_multiproof(choose_leaves(3), size, [], TREE.root())


def test_a_proof_of_no_leaves_is_refused() -> None:
    with pytest.raises(FalseProof, match="does not have these"):
        check_multiproof({}, 600, [TREE.root()], TREE.root())
    with pytest.raises(FalseProof, match="does not have these"):
        check_multiproof({-1: bytes(32)}, 600, [TREE.root()], TREE.root())


def test_a_proof_has_neither_more_nor_fewer_hashes_than_it_needs() -> None:
    proof = create_multiproof(TREE.read, [3, 77], 600)

    for false, expected in ((proof[:-1], "too short"), ([*proof, bytes(32)], "too long"), ([], "too short")):
        with pytest.raises(FalseProof, match=expected):
            check_multiproof(choose_leaves(3, 77), 600, false, TREE.root())
    with pytest.raises(FalseProof, match="the proof is too long"):
        check_multiproof(choose_leaves(3, 77), 600, [bytes(32)] * 127, TREE.root())
    with pytest.raises(FalseProof, match="32 bytes"):
        check_multiproof(choose_leaves(3, 77), 600, [*proof[:-1], b"short"], TREE.root())


def test_the_largest_tree_is_verified_at_once() -> None:
    with pytest.raises(FalseProof, match="does not lead to the root"):
        check_multiproof({SIZE_MAX - 1: bytes(32)}, SIZE_MAX, [bytes(32)] * 62, bytes(32))
