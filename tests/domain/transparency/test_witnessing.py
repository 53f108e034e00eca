"""Answers of a witness (C2SP tlog-witness), and inclusion proofs as files (C2SP tlog-proof)."""

from typing import Final

import pytest

from domain.transparency.checkpoints import Checkpoint
from domain.transparency.errors import FalseProof, Malformed, NotSigned
from domain.transparency.keys import Signer
from domain.transparency.merkle import EMPTY_ROOT
from domain.transparency.notes import COSIGNATURE, ED25519, Note, VerifierKey, encode
from domain.transparency.proofs import FORMAT, LogProof, check_proof, parse_proof
from domain.transparency.witnessing import (
    NOTHING_SEEN,
    REQUEST_BYTES_MAX,
    AddCheckpoint,
    CosignRefusal,
    SeenTree,
    SignedRequest,
    check_cosignable,
    parse_request,
    verify_request,
)
from tests.domain.transparency.trees import Tree, plain

SIGSUM: Final = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562"
SIGSUM_KEY: Final = VerifierKey(
    SIGSUM, ED25519, bytes.fromhex("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f")
)
OF_1: Final = ("1", "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
OF_3: Final = ("3", "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=")
OF_5: Final = ("5", "QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=")
SIGNED_1: Final = "UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY="
SIGNED_3: Final = "UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go="
SIGNED_5: Final = "UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww="
LEAF_1: Final = "KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
LEAF_2: Final = "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
LEAF_3: Final = "KgMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
LEAF_4: Final = "KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
TWO: Final = "wgiIFdZfYNv6WU1OllBKsWnLYIS/DBMqt8Uh/S4OukE="
"""The log and the sequence of requests in the tests of FiloSottile/torchwood.

Source: cmd/litewitness/testdata/litewitness.txt. Its status 403 for an unknown log is 404 in the current specification.
"""


def build_request(old: int, proof: list[str], tree: tuple[str, str], signed: str, origin: str = SIGSUM) -> bytes:
    size, root = tree
    lines = [f"old {old}", *proof, "", origin, size, root, "", f"— {origin} {signed}"]
    return "".join(f"{line}\n" for line in lines).encode()


def answer_request(data: bytes, tree: SeenTree) -> int:
    known = verify_request(data, {SIGSUM: [SIGSUM_KEY]})
    if isinstance(known, CosignRefusal):
        return known.status
    refusal = check_cosignable(known, tree)
    return refusal.status if refusal else 200


SEEN_1: Final = SeenTree(1, plain(OF_1[1]))
SEEN_3: Final = SeenTree(3, plain(OF_3[1]))
SEEN_5: Final = SeenTree(5, plain(OF_5[1]))


@pytest.mark.parametrize(
    ("tree", "data", "status"),
    [
        (NOTHING_SEEN, build_request(0, [], OF_1, SIGNED_1), 200),
        (SEEN_1, build_request(1, [LEAF_1, LEAF_2], OF_3, SIGNED_3.replace("6go=", "6gx=")), 400),
        (SEEN_1, build_request(1, [LEAF_1, LEAF_2], OF_3, SIGNED_5), 403),
        (SEEN_1, build_request(1, [LEAF_1, LEAF_2], OF_3, SIGNED_3, SIGSUM[:-1] + "3"), 404),
        (SEEN_1, build_request(1, [], OF_3, SIGNED_3), 422),
        (SEEN_1, build_request(1, [LEAF_1, LEAF_2.replace("AAA=", "ABA=")], OF_3, SIGNED_3), 422),
        (SEEN_1, build_request(1, [LEAF_1, LEAF_2], OF_3, SIGNED_3), 200),
        (SEEN_3, build_request(1, [LEAF_1, LEAF_2, LEAF_4], OF_5, SIGNED_5), 409),
        (SEEN_3, build_request(3, [LEAF_2, LEAF_3, TWO, LEAF_4], OF_5, SIGNED_5), 200),
        (SEEN_5, build_request(0, [], OF_5, SIGNED_5), 409),
        (SEEN_5, build_request(5, [], OF_5, SIGNED_5), 200),
        (SeenTree(5, EMPTY_ROOT), build_request(5, [], OF_5, SIGNED_5), 422),
        (SEEN_5, build_request(5, [LEAF_1], OF_5, SIGNED_5), 422),
        (NOTHING_SEEN, build_request(0, [LEAF_1], OF_5, SIGNED_5), 422),
        (NOTHING_SEEN, build_request(6, [], OF_5, SIGNED_5), 400),
        (NOTHING_SEEN, build_request(10**12, [], OF_5, SIGNED_5), 400),
    ],
)
def test_answers_match_the_vectors(tree: SeenTree, data: bytes, status: int) -> None:
    assert answer_request(data, tree) == status


def test_a_conflict_names_the_known_size() -> None:
    known = verify_request(build_request(0, [], OF_5, SIGNED_5), {SIGSUM: [SIGSUM_KEY]})
    assert isinstance(known, SignedRequest)

    refusal = check_cosignable(known, SEEN_3)

    assert refusal is not None
    assert refusal.known_size == 3


def test_a_checkpoint_without_a_known_signature_is_refused() -> None:
    other = Signer("somebody-else", b"\x03" * 32).key
    refusal = verify_request(build_request(0, [], OF_1, SIGNED_1), {SIGSUM: [other]})

    assert isinstance(refusal, CosignRefusal)
    assert refusal.status == 403


def test_an_empty_tree_has_the_empty_root() -> None:
    signer = Signer("house", b"\x01" * 32)
    for root, status in ((EMPTY_ROOT, None), (b"\x00" * 32, 422)):
        text = Checkpoint("house", 0, root).text
        known = verify_request(
            str(AddCheckpoint(0, (), Note(text, (signer.sign(text),)))).encode(), {"house": [signer.key]}
        )
        assert isinstance(known, SignedRequest)
        refusal = check_cosignable(known, NOTHING_SEEN)
        assert (refusal and refusal.status) == status


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"old 0",
        b"old 0\n\n",
        b"new 0\n\n" + build_request(0, [], OF_1, SIGNED_1)[7:],
        build_request(0, [], OF_1, SIGNED_1).replace(b"old 0", b"old 00"),
        build_request(0, [], OF_1, SIGNED_1).replace(b"old 0", b"old -0"),
        build_request(1, [LEAF_1] * 64, OF_3, SIGNED_3),
        build_request(1, ["AAAA"], OF_3, SIGNED_3),
        build_request(0, [], ("x", OF_1[1]), SIGNED_1),
        b"old 0\n\n" + b"x" * REQUEST_BYTES_MAX,
        b"\xff" + build_request(0, [], OF_1, SIGNED_1),
    ],
)
def test_malformed_requests_are_refused(data: bytes) -> None:
    assert answer_request(data, NOTHING_SEEN) == 400


def test_a_request_round_trips() -> None:
    data = build_request(3, [LEAF_2, LEAF_3, TWO, LEAF_4], OF_5, SIGNED_5)

    assert str(parse_request(data)).encode() == data


# Inclusion proofs.

TREE: Final = Tree(1_000)
HOUSE: Final = Signer("house.example/tlog", b"\x01" * 32)
CLUBS: Final = [Signer(f"witness.example/w{number}", bytes([number]) * 32, COSIGNATURE) for number in (2, 3)]


def proof_of(index: int, extra: bytes | None = None) -> LogProof:
    text = Checkpoint(HOUSE.key.name, 1_000, TREE.root()).text
    signatures = (HOUSE.sign(text), *(club.cosign(text, 1_700_000_000) for club in CLUBS))
    return LogProof(index, tuple(TREE.read.inclusion(index, 1_000)), Note(text, signatures), extra)


@pytest.mark.parametrize("extra", [None, b"", b"what else is to be said"])
def test_a_proof_shows_an_entry_and_its_witnesses(extra: bytes | None) -> None:
    data = str(proof_of(321, extra)).encode()
    proof = parse_proof(data)

    assert proof == proof_of(321, extra)
    assert str(proof).encode() == data
    proven = check_proof(proof, b"leaf 321", HOUSE.key, [CLUBS[1].key])
    assert proven.checkpoint.size == 1_000
    assert [each.name for each in proven.witnesses] == ["witness.example/w3"]


def test_false_proofs_are_refused() -> None:
    proof, stranger = proof_of(321), Signer(HOUSE.key.name, b"\x09" * 32)
    text = proof.checkpoint.text

    with pytest.raises(FalseProof):
        check_proof(proof, b"leaf 322", HOUSE.key)
    with pytest.raises(FalseProof):
        check_proof(proof._replace(leaf=322), b"leaf 321", HOUSE.key)
    with pytest.raises(NotSigned):
        check_proof(proof, b"leaf 321", stranger.key)
    cosigned_only = Note(text, (CLUBS[0].cosign(text, 1),))
    with pytest.raises(NotSigned, match="not signed by the log"):
        check_proof(proof._replace(checkpoint=cosigned_only), b"leaf 321", HOUSE.key, [CLUBS[0].key])
    with pytest.raises(Malformed, match="is from"):
        check_proof(proof, b"leaf 321", Signer("other.example", b"\x01" * 32).key)


@pytest.mark.parametrize(
    "data",
    [
        "wrong-header\nindex 0\n\ncheckpoint\n",
        f"{FORMAT}\nextra !!notbase64!!\nindex 0\n\ncheckpoint\n",
        f"{FORMAT}\n\n\ncheckpoint\n",
        f"{FORMAT}\nindex notanumber\n\ncheckpoint\n",
        f"{FORMAT}\nindex -5\n\ncheckpoint\n",
        f"{FORMAT}\nindex 0\n!!notbase64!!\n\ncheckpoint\n",
        f"{FORMAT}\nindex 0\n{encode(bytes(64))}\n\ncheckpoint\n",
        f"{FORMAT}\nindex 0\n",
        f"{FORMAT}\nindex 0\n" + f"{encode(bytes(32))}\n" * 64 + "\ncheckpoint\n",
        f"{FORMAT}\nextra AAAA\n",
        f"{FORMAT}\nextra AAAA\n\ncheckpoint\n",
    ],
)
def test_malformed_proofs_are_refused(data: str) -> None:
    """Most of these are from transparency-dev/merkle, proof/tlog_proof_test.go."""
    with pytest.raises(Malformed):
        parse_proof(data.encode())


def test_hostile_proofs_are_refused() -> None:
    for data in (f"{FORMAT}\nindex {10**18}\n" + "AAAA\n" * 190_000, "\n" * 10_000_000, f"{FORMAT}\n\n" * 50_000):
        with pytest.raises(Malformed):
            parse_proof(data.encode())
