"""The encoding of leaves in `docs/specifications/transparency.md`, and the kinds of records that are leaves."""

import hashlib
import re
from pathlib import Path
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from domain.transparency.leaves import is_logged, leaf_of
from domain.transparency.merkle import leaf_hash, root_of

ROOT = Path(__file__).parents[3]
STREAM = UUID(int=0x0123456789ABCDEF0123456789ABCDEF)


def test_a_leaf_follows_the_specification() -> None:
    preimage = b"esporles.leaf/1\x00" + b"\x05" * 16 + STREAM.bytes + bytes([0, 0, 0, 0, 0, 0, 1, 2]) + b"\x07" * 32

    assert leaf_of(b"\x05" * 16, STREAM, 258, b"\x07" * 32) == hashlib.sha256(preimage).digest()


def test_the_example_of_the_specification_is_right() -> None:
    text = (ROOT / "docs" / "specifications" / "transparency.md").read_text().split("## Example\n")[1]
    salt, stream, version, digest, leaf, hashed, root = re.findall(r"`([0-9a-f-]+)`", text)
    leaf_bytes = leaf_of(bytes.fromhex(salt), UUID(stream), int(version), bytes.fromhex(digest))

    assert leaf_bytes.hex() == leaf
    assert leaf_hash(leaf_bytes).hex() == hashed
    assert root_of([leaf_hash(leaf_bytes)] * 2).hex() == root


leaves = st.tuples(
    st.binary(min_size=16, max_size=16), st.uuids(), st.integers(0, 2**63), st.binary(min_size=32, max_size=32)
)


@given(leaves, leaves)
def test_different_records_have_different_leaves(
    one: tuple[bytes, UUID, int, bytes], two: tuple[bytes, UUID, int, bytes]
) -> None:
    assert (leaf_of(*one) == leaf_of(*two)) == (one == two)


def test_studies_are_no_leaves() -> None:
    assert is_logged("league.round_closed")
    assert not is_logged("study.comment_written")
    assert not is_logged("leaguers.something")
