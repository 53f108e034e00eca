"""The encoding of leaves in `docs/specifications/transparency.md`, and the kinds of records that are leaves."""

import hashlib
import json
import re
from pathlib import Path
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from domain.transparency.announcements import PREFIX, encode_announcement
from domain.transparency.labels import Labeller, label_from, match_text
from domain.transparency.leaves import is_logged, leaf_of
from domain.transparency.merkle import leaf_hash, root_of
from domain.transparency.vrf import VrfKey, verify_output

ROOT = Path(__file__).parents[3]
STREAM = UUID(int=0x0123456789ABCDEF0123456789ABCDEF)


def test_a_leaf_follows_the_specification() -> None:
    preimage = b"esporles.leaf/1\x00" + b"\x05" * 16 + STREAM.bytes + bytes([0, 0, 0, 0, 0, 0, 1, 2]) + b"\x07" * 32

    assert leaf_of(b"\x05" * 16, STREAM, 258, b"\x07" * 32) == hashlib.sha256(preimage).digest()


def example() -> list[str]:
    """Return the values in the example of the specification."""
    text = (ROOT / "docs" / "specifications" / "transparency.md").read_text().split("## Example\n")[1]
    return re.findall(r"`([0-9a-f-]+)`", text)


def test_the_example_of_the_specification_is_right() -> None:
    salt, stream, version, digest, leaf, hashed, root, *_ = example()
    leaf_bytes = leaf_of(bytes.fromhex(salt), UUID(stream), int(version), bytes.fromhex(digest))

    assert leaf_bytes.hex() == leaf
    assert leaf_hash(leaf_bytes).hex() == hashed
    assert root_of([leaf_hash(leaf_bytes)] * 2).hex() == root


def test_the_example_with_a_label_is_right() -> None:
    commitment, (public, announced, *proof, output_1, output_2, label, hashed) = example()[4], example()[7:15]
    *record_proof, record_label = example()[15:]
    key, version = VrfKey(b"\x05" * 64), 258
    labeller = Labeller(key, "example.org/tlog")
    output = verify_output(key.public, match_text("example.org/tlog", STREAM), bytes.fromhex("".join(proof)))

    assert key.public.hex() == public
    assert leaf_hash(encode_announcement(labeller.announcement)).hex() == announced
    assert labeller.prove_match(STREAM).hex() == "".join(proof)
    assert output.hex() == output_1 + output_2
    assert label_from(output, version).hex() == label == labeller.of_entry(STREAM, version).hex()
    assert leaf_hash(bytes.fromhex(label + commitment)).hex() == hashed
    assert labeller.prove_record(STREAM, version).hex() == "".join(record_proof)
    assert labeller.of_record(STREAM, version).hex() == record_label


def test_the_example_of_a_proof_with_labels_is_right() -> None:
    """It has the values of the other example."""
    text = (ROOT / "docs" / "specifications" / "proof.md").read_text().rsplit("## Example\n")[1]
    fields = "".join(line.strip() for line in text.splitlines() if line.startswith("    ") and "root =" not in line)
    end = json.loads("{" + fields + "}")
    labeller = Labeller(VrfKey(b"\x05" * 64), "example.org/tlog")

    content = encode_announcement(labeller.announcement)
    assert end["log"] == [{"leaf": 0, "text": content.removeprefix(PREFIX).decode()}]
    assert end["labels"] == [{"stream": str(STREAM), "proof": labeller.prove_match(STREAM).hex()}]


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
