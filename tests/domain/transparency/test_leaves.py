"""What a leaf is made of: the encoding that `docs/transparency.md` describes, and which records are leaves."""

import hashlib
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from domain.transparency.leaves import is_logged, leaf_of

STREAM = UUID(int=0x0123456789ABCDEF0123456789ABCDEF)


def test_a_leaf_is_what_the_document_says() -> None:
    told = b"esporles.leaf/1\x00" + b"\x05" * 16 + STREAM.bytes + bytes([0, 0, 0, 0, 0, 0, 1, 2]) + b"\x07" * 32

    assert leaf_of(b"\x05" * 16, STREAM, 258, b"\x07" * 32) == hashlib.sha256(told).digest()


leaves = st.tuples(
    st.binary(min_size=16, max_size=16), st.uuids(), st.integers(0, 2**63), st.binary(min_size=32, max_size=32)
)


@given(leaves, leaves)
def test_two_things_are_two_leaves(one: tuple[bytes, UUID, int, bytes], two: tuple[bytes, UUID, int, bytes]) -> None:
    assert (leaf_of(*one) == leaf_of(*two)) == (one == two)


def test_studies_are_no_leaves() -> None:
    assert is_logged("league.round_closed")
    assert not is_logged("study.comment_written")
    assert not is_logged("leaguers.something")
