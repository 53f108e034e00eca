"""Cosignatures of trusted witnesses: the quorum, and cosignatures that do not count."""

from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import Trust, verify_content
from domain.proofs.match_file import proof_bytes
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE
from domain.transparency.policy import parse_policy, policy_of_keys
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log
from tests.domain.proofs.match_proofs import HOUSE, STRANGER, WITNESS, proof_of

LOG = toy_log()


def check(content: bytes, trust: Trust) -> VerifyReport:
    return verify_content(content, titles=ALL_TITLES, trust=trust)


def find_fault(content: bytes, trust: Trust) -> str:
    """Return the reason of the fault."""
    fault = check(content, trust).fault
    assert fault is not None, "nothing was found"
    return fault.why


def test_removed_cosignatures_are_found() -> None:
    """All are missing, or one of two that the quorum needs."""
    other = Signer("other.example/w", b"\x07" * 32, COSIGNATURE)
    keys = [HOUSE.key, WITNESS.key, other.key]
    both = f"log {HOUSE.key}\nwitness a {WITNESS.key}\nwitness b {other.key}\ngroup both all a b\nquorum both\n"
    policy = parse_policy(both.encode())
    whole, one, none = (proof_bytes(proof_of(LOG, *signers)) for signers in ([WITNESS, other], [WITNESS], []))

    assert find_fault(none, policy_of_keys(keys)) == (
        "the checkpoint is below the quorum: it needs a cosignature of 1 of (witness.example/club, other.example/w), "
        "but has none of a trusted witness"
    )
    assert "but has those of witness.example/club only" in find_fault(one, policy)
    assert check(one, policy_of_keys(keys)).unchecked[-1] == "cosignature of other.example/w: not on this checkpoint"
    report = check(whole, policy)
    assert report.is_good, report.fault
    assert report.proof is not None
    assert report.proof.checked[-1] == ("quorum of the cosignatures: 2 of (witness.example/club, other.example/w)")
    assert check(none, parse_policy(both.replace("quorum both", "quorum none").encode())).is_good


def test_an_unknown_cosignature_does_not_count() -> None:
    content = proof_bytes(proof_of(LOG, STRANGER))
    report = check(content, policy_of_keys([HOUSE.key]))

    assert report.proof is not None
    assert report.proof.cosigned[0].is_trusted is False
    assert "cosignature of stranger.example/w: its key is not trusted" in report.unchecked
    assert any(
        "whether the service shows everyone the same history, and since when: no trusted witness has cosigned" in each
        for each in report.unchecked
    )
    assert "has none of a trusted witness" in find_fault(content, policy_of_keys([HOUSE.key, WITNESS.key]))


def test_a_witness_is_identified_by_its_key() -> None:
    false = Signer(WITNESS.key.name, b"\x04" * 32, COSIGNATURE)
    content = proof_bytes(proof_of(LOG, false))

    assert "has none of a trusted witness" in find_fault(content, policy_of_keys([HOUSE.key, WITNESS.key]))
