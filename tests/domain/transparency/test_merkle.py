"""Trees, tiles and both proofs: published test vectors, and properties of any tree."""

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.transparency.bundles import bundle_of, entries_in
from domain.transparency.errors import FalseProof, Malformed, TileMissing
from domain.transparency.merkle import (
    EMPTY_ROOT,
    PROOF_MAX,
    check_consistency,
    check_inclusion,
    leaf_hash,
    root_of,
)
from domain.transparency.tiles import GrowingTree, Tile, Tiles, parse_level, parse_path, width_of
from tests.domain.transparency.trees import Tree, leaf, plain_root
from tests.seeding import example_count

ENTRIES: Final = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS: Final = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION: Final = {
    (0, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (5, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (1, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
CONSISTENCY: Final = {
    (1, 1): (),
    (1, 8): INCLUSION[0, 8],
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
    (6, 7): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
}
"""Eight entries with roots and proofs from the tests of Certificate Transparency.

Source: transparency-dev/merkle, proof/verify_test.go.
"""


def known_tree() -> Tiles:
    growth = GrowingTree(0, {})
    growth.add([leaf_hash(entry) for entry in ENTRIES])
    tiles = growth.take_changed_tiles()
    return Tiles(lambda level, number: tiles.get((level, number)))


def test_roots_match_the_vectors() -> None:
    tree = known_tree()

    assert tree.root(0) == root_of([]) == EMPTY_ROOT
    assert [tree.root(size).hex() for size in range(1, 9)] == ROOTS
    assert EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(("index", "size"), INCLUSION)
def test_inclusion_proofs_match_the_vectors(index: int, size: int) -> None:
    proof = known_tree().inclusion(index, size)

    assert tuple(each.hex() for each in proof) == INCLUSION[index, size]
    check_inclusion(index, size, leaf_hash(ENTRIES[index]), proof, bytes.fromhex(ROOTS[size - 1]))


@pytest.mark.parametrize(("old", "size"), CONSISTENCY)
def test_consistency_proofs_match_the_vectors(old: int, size: int) -> None:
    proof = known_tree().consistency(old, size)

    assert tuple(each.hex() for each in proof) == CONSISTENCY[old, size]
    check_consistency(old, size, bytes.fromhex(ROOTS[old - 1]), bytes.fromhex(ROOTS[size - 1]), proof)


LARGE: Final = Tree(70_000)


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 511, 65_535, 65_536, 65_537, 70_000])
def test_the_root_from_tiles_equals_the_root_of_the_leaves(size: int) -> None:
    assert LARGE.root(size) == plain_root(LARGE.leaves[:size]) == root_of(LARGE.leaves[:size])


def test_a_tree_of_70_000_has_the_tiles_the_specification_counts() -> None:
    """C2SP tlog-tiles, "Partial tiles"."""
    widths = {place: len(data) // 32 for place, data in LARGE.tiles.items()}

    assert sum(width == 256 for (level, _), width in widths.items() if level == 0) == 273
    assert (widths[0, 273], widths[1, 0], widths[1, 1], widths[2, 0]) == (112, 256, 17, 1)
    assert len(widths) == 277
    assert widths == {place: width_of(*place, 70_000) for place in widths}
    assert Tree(256).tiles.keys() == {(0, 0), (1, 0)}
    assert width_of(0, 274, 70_000) == width_of(3, 0, 70_000) == 0


@given(st.lists(st.integers(0, 700), max_size=6))
@settings(max_examples=example_count(30), deadline=None)
def test_growing_in_steps_or_at_once_makes_the_same_tree(steps: list[int]) -> None:
    grown, whole = Tree(*steps), Tree(sum(steps))

    assert grown.tiles == whole.tiles
    assert grown.root() == plain_root(grown.leaves)


@given(st.integers(0, 1_300), st.integers(0, 600))
@settings(max_examples=example_count(20), deadline=None)
def test_growth_continues_from_the_stored_edge(size: int, more: int) -> None:
    tree = Tree(size)
    edge = {level: data for (level, _), data in tree.tiles.items() if len(data) < 256 * 32}
    growth = GrowingTree(size, edge)
    growth.add([leaf(number) for number in range(size, size + more)])

    assert tree.tiles | growth.take_changed_tiles() == Tree(size + more).tiles
    assert growth.take_changed_tiles() == {}


@given(st.data(), st.integers(1, 70_000))
@settings(max_examples=example_count(60), deadline=None)
def test_only_the_right_inclusion_proof_verifies(data: st.DataObject, size: int) -> None:
    index = data.draw(st.integers(0, size - 1))
    root, proof = LARGE.root(size), LARGE.read.inclusion(index, size)
    check_inclusion(index, size, leaf(index), proof, root)

    other = data.draw(st.integers(0, size).filter(lambda number: number != index))
    with pytest.raises(FalseProof):
        check_inclusion(other, size, leaf(index), proof, root)
    for wrong in (size - 1, data.draw(st.integers(size + 1, 2**62))):
        if not same_way(index, size, wrong):
            with pytest.raises(FalseProof):
                check_inclusion(index, wrong, leaf(index), proof, root)
    for broken in damage_proof(data, proof):
        with pytest.raises(FalseProof):
            check_inclusion(index, size, leaf(index), broken, root)
    with pytest.raises(FalseProof):
        check_inclusion(index, size, leaf(index, "!"), proof, root)
    with pytest.raises(FalseProof):
        check_inclusion(index, size, leaf(index), proof, flip_bit(root, data))


def same_way(index: int, size: int, other: int) -> bool:
    """Return whether the path from leaf to root is the same in trees of both sizes.

    Only the checkpoint tells such sizes apart.
    """
    return index < other and way(index, size) == way(index, other)


def way(index: int, size: int) -> list[bool]:
    """Return left or right for each step up from the leaf."""
    start, end, path = 0, size, list[bool]()
    while end - start > 1:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        path.append(index < middle)
        start, end = (start, middle) if index < middle else (middle, end)
    return path[::-1]


def flip_bit(data: bytes, draw: st.DataObject) -> bytes:
    at, bit = draw.draw(st.integers(0, len(data) - 1)), draw.draw(st.integers(0, 7))
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def damage_proof(draw: st.DataObject, proof: list[bytes]) -> list[list[bytes]]:
    """Return variants of the proof: a flipped bit, a missing hash, an extra hash, two swapped."""
    found = [[*proof, leaf(0)], [leaf(0), *proof], [*proof, b""], [*proof, *[leaf(1)] * 64]]
    if proof:
        at = draw.draw(st.integers(0, len(proof) - 1))
        found.append([*proof[:at], flip_bit(proof[at], draw), *proof[at + 1 :]])
        found.append([*proof[:at], *proof[at + 1 :]])
        found.append([*proof[:at], proof[at][:-1], *proof[at + 1 :]])
    if len(proof) > 1:
        found.append([proof[1], proof[0], *proof[2:]])
    return found


def test_every_consistency_proof_of_a_small_tree_verifies() -> None:
    for size in range(1, 20):
        for old in range(1, size + 1):
            check_consistency(old, size, LARGE.root(old), LARGE.root(size), LARGE.read.consistency(old, size))


@given(st.data(), st.integers(1, 70_000))
@settings(max_examples=example_count(60), deadline=None)
def test_only_the_right_consistency_proof_verifies(data: st.DataObject, size: int) -> None:
    old = data.draw(st.integers(0, size))
    old_root, root, proof = LARGE.root(old), LARGE.root(size), LARGE.read.consistency(old, size)
    check_consistency(old, size, old_root, root, proof)

    for broken in damage_proof(data, proof):
        with pytest.raises(FalseProof):
            check_consistency(old, size, old_root, root, broken)
    with pytest.raises(FalseProof):
        check_consistency(old, size, flip_bit(old_root, data), root, proof)
    if old:
        with pytest.raises(FalseProof):
            check_consistency(old, size, old_root, flip_bit(root, data), proof)
    other = data.draw(st.integers(1, size))
    if other != old:
        with pytest.raises(FalseProof):
            check_consistency(other, size, old_root, root, proof)


@given(st.integers(1, 600), st.integers(0, 300))
@settings(max_examples=example_count(20), deadline=None)
def test_no_proof_leads_from_one_history_to_another(size: int, more: int) -> None:
    mine, forked = Tree(size), Tree(size + more, salt="'")

    for proof in (mine.read.consistency(size, size), forked.read.consistency(size, size + more)):
        with pytest.raises(FalseProof):
            check_consistency(size, size + more, mine.root(), forked.root(), proof)


@pytest.mark.parametrize(("old", "size"), [(1, 0), (-1, 3), (3, 2**63)])
def test_an_older_tree_cannot_follow_a_newer_one(old: int, size: int) -> None:
    with pytest.raises(FalseProof):
        check_consistency(old, size, leaf(0), leaf(1), [])
    with pytest.raises(FalseProof):
        LARGE.read.consistency(old, size)


def test_the_empty_tree_has_one_root() -> None:
    check_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, [])
    with pytest.raises(FalseProof):
        check_consistency(0, 0, EMPTY_ROOT, leaf(0), [])
    with pytest.raises(FalseProof):
        check_consistency(0, 5, leaf(0), leaf(1), [])
    with pytest.raises(FalseProof):
        check_consistency(0, 5, EMPTY_ROOT, leaf(1), [leaf(0)])


@pytest.mark.parametrize("size", [10**12, 2**62, 2**63 - 1])
def test_oversized_trees_are_refused(size: int) -> None:
    with pytest.raises(TileMissing):
        LARGE.read.root(size)
    with pytest.raises(TileMissing):
        LARGE.read.inclusion(7, size)
    with pytest.raises(TileMissing):
        LARGE.read.consistency(69_999, size)
    with pytest.raises(FalseProof):
        check_inclusion(size - 1, size, leaf(0), [leaf(0)] * PROOF_MAX, leaf(1))
    with pytest.raises(FalseProof):
        check_consistency(size // 3, size, leaf(0), leaf(1), [leaf(0)] * PROOF_MAX)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (5, 5), (-1, 5), (0, 2**63)])
def test_no_leaf_is_outside_of_a_tree(index: int, size: int) -> None:
    with pytest.raises(FalseProof):
        check_inclusion(index, size, leaf(0), [], leaf(0))
    with pytest.raises(FalseProof):
        LARGE.read.inclusion(index, size)
    with pytest.raises(FalseProof):
        LARGE.read.root(-1)


def test_a_truncated_tile_is_missing() -> None:
    tree = Tree(300)
    tree.tiles[0, 1] = tree.tiles[0, 1][:-1]

    with pytest.raises(TileMissing):
        tree.root()
    assert tree.root(256) == plain_root(tree.leaves[:256])


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0), "000"),
        (Tile(1_234_067), "x001/x234/067"),
        (Tile(999), "999"),
        (Tile(1_000), "x001/000"),
        (Tile(273, 112), "273.p/112"),
        (Tile(1_234_067, 1), "x001/x234/067.p/1"),
    ],
)
def test_paths_of_tiles_follow_the_specification(tile: Tile, path: str) -> None:
    assert tile.path == path
    assert parse_path(path) == tile


@given(st.integers(0, 10**15), st.integers(1, 256))
def test_a_path_names_its_tile(number: int, width: int) -> None:
    assert parse_path(Tile(number, width).path) == Tile(number, width)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "0",
        "00",
        "0000",
        "x000/001",
        "001/002",
        "x001/x002",
        "001.p/0",
        "001.p/256",
        "001.p/01",
        "001.p/999",
        "001.p",
        "-01",
        "００１",
        "x001/" * 9 + "001",
        "x999/" * 100_000 + "001",
        "000/",
        "../000",
    ],
)
def test_a_tile_has_one_path_only(path: str) -> None:
    with pytest.raises(Malformed):
        parse_path(path)


def test_levels_are_0_to_63() -> None:
    assert [parse_level("0"), parse_level("63")] == [0, 63]
    for wrong in ("64", "01", "-1", "", "entries", "1" * 1_000_000):
        with pytest.raises(Malformed):
            parse_level(wrong)


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_a_bundle_round_trips(entries: list[bytes]) -> None:
    bundle = bundle_of(entries)

    assert entries_in(bundle) == entries
    for cut in (1, 2, 3):
        if entries and len(entries[-1]) >= cut:
            with pytest.raises(Malformed):
                entries_in(bundle[:-cut])


def test_a_truncated_bundle_is_refused() -> None:
    with pytest.raises(Malformed):
        entries_in(b"\x00")
