"""Attack: one tree with two histories of a match. Rows of `docs/specifications/trust.md`."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, Final

import pytest

from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import verify_content
from domain.proofs.match_file import LabelLine, ProofFile, proof_bytes
from domain.transparency.labels import LABEL_BYTES, Labeller, label_from
from domain.transparency.policy import policy_of_keys
from domain.transparency.vrf import VrfKey
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.match_proofs import HOUSE, VRF, WITNESS
from tests.domain.proofs.two_histories import FIRST, LABELLER, SECOND, two_histories

MATCH: Final = FIRST.header.match


def check(proof: ProofFile) -> VerifyReport:
    return verify_content(proof_bytes(proof), titles=ALL_TITLES, trust=policy_of_keys([HOUSE.key, WITNESS.key]))


def places(report: VerifyReport) -> Any:
    return report.ranking


def test_two_histories_in_a_tree_without_labels_are_both_good_and_said_to_be_possible() -> None:
    """Proofs of formats 1 and 2 stay valid, so the report must not promise more than they show."""
    both = two_histories(second_labels=None)

    for report in map(check, both[:2]):
        assert report.is_good, report.fault
        assert any(each.startswith("two histories cannot be excluded for entries 1 to") for each in report.unchecked)
    assert places(check(both.first)) != places(check(both.second))


def test_two_leaves_for_one_entry_have_one_label_in_the_tiles() -> None:
    """Both proofs are good alone. Everyone who reads the tiles finds the fraud, without any log or key."""
    both = two_histories()

    for report in map(check, both[:2]):
        assert report.is_good, report.fault
        assert not any("two histories" in each for each in report.unchecked)
    assert (FIRST.header.head, both.first.checkpoint) != (SECOND.header.head, both.second.checkpoint)
    assert both.first.checkpoint == both.second.checkpoint
    counts = Counter(content[:LABEL_BYTES] for content in both.contents[1:])
    shared = min(FIRST.header.entries, SECOND.header.entries)
    assert sorted(counts.values(), reverse=True)[:shared] == [2] * shared


@pytest.mark.parametrize(
    "labels", [Labeller(VrfKey(b"\x08" * 64), HOUSE.key.name), Labeller(VRF, "other.example/tlog")]
)
def test_a_second_history_under_other_labels_is_refused(labels: Labeller) -> None:
    """The announcement names one key and origin, so there is one true proof for the labels of a match."""
    both = two_histories(labels)
    own = LabelLine(MATCH, LABELLER.prove_match(MATCH).hex())

    assert check(both.first).is_good
    for proof in (both.second, both.second._replace(labels=both.second.labels._replace(matches=(own,)))):
        fault = check(proof).fault
        assert fault is not None
        assert "the proof of a label is false" in fault.why or "does not lead to the root" in fault.why


def test_labels_confirm_no_guess() -> None:
    """Attack: a dictionary of all streams and versions, by someone who knows the public key and all formats."""
    labels = {content[:LABEL_BYTES] for content in two_histories().contents[1:]}
    public, origin = VRF.public, HOUSE.key.name.encode()
    for version in range(1, FIRST.header.entries + 1):
        encoded = version.to_bytes(8, "big")
        for secret in (b"", public, origin, public + origin, hashlib.sha512(public + MATCH.bytes).digest()):
            for text in (b"", MATCH.bytes, MATCH.bytes + encoded, origin + MATCH.bytes):
                assert label_from(secret + text, version) not in labels
