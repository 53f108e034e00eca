"""Both verifiers agree on unusual checkpoints in proof files: names of keys, other lines, and numbers of signatures."""

from __future__ import annotations

import pytest

from domain.proofs.match import verify_content
from domain.proofs.match_file import ProofFile, proof_bytes
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE, SIGNATURES_MAX, Note, VerifierKey
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log
from tests.domain.proofs.match_proofs import HOUSE, proof_of
from tests.transparency.second import SecondVerifier

LOG = toy_log()


def has_fault(second_verifier: SecondVerifier, proof: ProofFile) -> bool:
    """Return whether both verifiers reject a proof; fail if they disagree."""
    content = proof_bytes(proof)
    first = verify_content(content, titles=ALL_TITLES).fault
    second = second_verifier.examine(content).fault
    assert (first is None) == (second is None), (first, second)
    return first is not None


def signer_named(name: str) -> Signer:
    """Return a signer with a name that may be invalid."""
    signer = Signer("a", b"\x05" * 32)
    vars(signer)["key"] = VerifierKey(name, *signer.key[1:])
    return signer


@pytest.mark.parametrize(
    ("name", "is_valid"),
    [
        ("é/😀", True),
        ("a\ufeffb", True),
        ("a\x7fb", True),
        ("a\x85b", False),
        ("a\xa0b", False),
        ("a\u2029b", False),
        ("a\x01b", False),
        ("a\x1cb", False),
    ],
    ids=ascii,
)
def test_both_know_the_same_names_of_keys(second_verifier: SecondVerifier, name: str, is_valid: bool) -> None:
    assert has_fault(second_verifier, proof_of(LOG, house=signer_named(name))) != is_valid


@pytest.mark.parametrize("extension", ["other", "\tother", ""])
def test_both_refuse_a_checkpoint_with_other_lines(second_verifier: SecondVerifier, extension: str) -> None:
    proof = proof_of(LOG)
    text = f"{proof.note.text}{extension}\n"

    assert has_fault(second_verifier, proof._replace(note=Note(text, (HOUSE.sign(text),))))


@pytest.mark.parametrize("count", [SIGNATURES_MAX, SIGNATURES_MAX + 1])
def test_both_accept_the_same_number_of_signatures(second_verifier: SecondVerifier, count: int) -> None:
    witnesses = [Signer(f"w{number}.example", bytes([number] * 32), COSIGNATURE) for number in range(1, count)]

    assert has_fault(second_verifier, proof_of(LOG, *witnesses)) == (count > SIGNATURES_MAX)
