"""Proofs of labels: an entry has one place in the tree, and everything that differs is refused."""

from __future__ import annotations

from typing import Any, Final

import pytest

from domain.kernel.values import replace
from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import verify_content
from domain.proofs.match_file import LabelLine, LogLine, ProofFile, ProofLabels, parse_proof_file, proof_bytes
from domain.transparency.announcements import PREFIX, LogBegun, encode_announcement
from domain.transparency.labels import Labeller
from domain.transparency.policy import policy_of_keys
from domain.transparency.vrf import VrfKey
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log, uuid
from tests.domain.proofs.match_proofs import HOUSE, VRF, WITNESS, Lines, proof_of, text_of

LOG: Final = toy_log()
COUNT: Final = LOG.header.entries
PROOF: Final = proof_of(LOG, WITNESS, labelled_from=1)
LATE: Final = proof_of(LOG, WITNESS, labelled_from=4)
OTHER: Final = VrfKey(b"\x07" * 64)
MATCH: Final = LOG.header.match
ORIGIN: Final = HOUSE.key.name


def check(proof: ProofFile | bytes) -> VerifyReport:
    content = proof if isinstance(proof, bytes) else proof_bytes(proof)
    return verify_content(content, titles=ALL_TITLES, trust=policy_of_keys([HOUSE.key, WITNESS.key]))


def find_fault(proof: ProofFile | bytes) -> str:
    fault = check(proof).fault
    assert fault is not None, "nothing was found"
    return fault.why


def test_a_proof_of_format_3_round_trips() -> None:
    for proof in (PROOF, LATE):
        content = proof_bytes(proof)

        assert content.startswith(b'{"format":"esporles.proof/3"')
        assert b'"roles"' not in content.split(b"\n", 1)[0]
        assert parse_proof_file(content) == proof
        assert proof_bytes(parse_proof_file(content)) == content


def test_the_report_says_how_many_labels_were_checked() -> None:
    report = check(PROOF)

    assert report.proof is not None
    assert (report.proof.labels_checked, report.proof.unlabelled) == (COUNT, ())
    sentence = f"labels: {COUNT} leaves have one; a second leaf for the same entry or record would show in the tree"
    assert sentence in report.proof.checked
    assert not any("two histories" in each for each in report.unchecked)


@pytest.mark.parametrize(
    ("proof", "labels", "names"),
    [
        (proof_of(LOG, WITNESS), 0, (f"entries 1 to {COUNT}",)),
        (LATE, COUNT - 3, ("entries 1 to 3",)),
        (proof_of(LOG, WITNESS, labelled_from=2), COUNT - 1, ("entry 1",)),
    ],
)
def test_the_report_names_the_entries_with_possible_second_histories(
    proof: ProofFile, labels: int, names: tuple[str, ...]
) -> None:
    report = check(proof)

    assert report.proof is not None
    assert (report.proof.labels_checked, report.proof.unlabelled) == (labels, names)
    expected = f"two histories cannot be excluded for {names[0]}: their leaves have no labels"
    assert expected in report.unchecked
    assert any(each.startswith("labels: ") for each in report.proof.checked) == (labels > 0)


def with_labels(proof: ProofFile, **fields: Any) -> ProofFile:
    return proof._replace(labels=proof.labels._replace(**fields))


def line_of(key: VrfKey, stream: int | None = None, origin: str = ORIGIN) -> LabelLine:
    owner = MATCH if stream is None else uuid(stream)
    return LabelLine(owner, Labeller(key, origin).prove_match(owner).hex())


(OWN,) = PROOF.labels.matches
(ANNOUNCED,) = PROOF.labels.log
BEGUN: Final = encode_announcement(LogBegun("the disk was lost")).removeprefix(PREFIX).decode()
NOT_THOSE: Final = "the proofs of labels are not those of the matches whose entries have labels"


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ((), NOT_THOSE),
        ((OWN, OWN), NOT_THOSE),
        ((OWN, line_of(VRF, 5)), NOT_THOSE),
        ((line_of(VRF, 5),), NOT_THOSE),
        ((LabelLine(MATCH, line_of(VRF, 5).proof),), "its label: the proof of a label is false"),
        ((line_of(OTHER),), "its label: the proof of a label is false"),
        ((line_of(VRF, origin="other.example/tlog"),), "its label: the proof of a label is false"),
        ((LabelLine(MATCH, "00" * 80),), "its label: the proof of a label or its key is malformed"),
        ((LabelLine(MATCH, OWN.proof[:-2]),), "is not 80 bytes in hexadecimal digits"),
        ((LabelLine(MATCH, OWN.proof.upper()),), "is not 80 bytes in hexadecimal digits"),
    ],
)
def test_other_proofs_of_labels_are_refused(labels: tuple[LabelLine, ...], why: str) -> None:
    assert why in find_fault(with_labels(PROOF, matches=labels))


@pytest.mark.parametrize(
    ("log", "why"),
    [
        ((LogLine(ANNOUNCED.leaf - 1, ANNOUNCED.text),), "not all of its entries are in the signed tree"),
        ((LogLine(PROOF.checkpoint.size, ANNOUNCED.text),), "is not after the previous one and below"),
        ((ANNOUNCED, ANNOUNCED), "is not after the previous one and below"),
        ((LogLine(0, BEGUN), ANNOUNCED), "does not lead to the root"),
        ((LogLine(ANNOUNCED.leaf, BEGUN),), "the log must announce its labels once, not 0 times"),
        ((LogLine(1, ANNOUNCED.text), ANNOUNCED), "the log must announce its labels once, not 2 times"),
        ((LogLine(ANNOUNCED.leaf, ANNOUNCED.text + " "),), "not in canonical form"),
        ((LogLine(ANNOUNCED.leaf, ANNOUNCED.text.replace(":2,", ":3,")),), "unknown format 3 of the tree; expected 2"),
        ((LogLine(ANNOUNCED.leaf, ANNOUNCED.text.replace('vrf":"', 'vrf":"0')),), "is not 32 bytes"),
        ((LogLine(ANNOUNCED.leaf, '{"type":"log.sung"}'),), f"the announcement at leaf {ANNOUNCED.leaf}: "),
        ((LogLine(ANNOUNCED.leaf, text_of(Labeller(OTHER, ORIGIN))),), "its label: the proof of a label is false"),
        ((LogLine(PROOF.leaves[3].leaf, ANNOUNCED.text),), "an announcement of the log has the leaf of an entry"),
    ],
)
def test_other_announcements_are_refused(log: tuple[LogLine, ...], why: str) -> None:
    assert why in find_fault(with_labels(PROOF, log=log))


def test_a_labelled_entry_cannot_be_shown_without_its_label_or_the_other_way_round() -> None:
    """The announcement decides which leaves have labels, and it is in the tree."""
    assert "the proof is too short" in find_fault(PROOF._replace(labels=ProofLabels()))
    assert "unknown field" in find_fault(proof_bytes(PROOF).replace(b"proof/3", b"proof/1", 1))
    moved = with_labels(LATE, log=(LogLine(LATE.leaves[5].leaf - 1, LATE.labels.log[0].text),))
    assert "not all of its entries are in the signed tree" in find_fault(moved)


def test_a_file_of_format_3_has_announcements() -> None:
    content = Lines(PROOF).change_line(-1, log=[], labels=[])

    assert find_fault(content) == "the log must announce its labels once, not 0 times"


def test_the_leaf_of_an_entry_has_no_proof_of_its_own() -> None:
    changed = Lines(PROOF).change_line(COUNT + 3, label=OWN.proof)

    assert find_fault(changed) == "its leaf has a proof of its label, which is for records only"


def test_an_imported_fork_has_the_labels_of_its_own_stream() -> None:
    own = LOG.header.match
    parent = uuid(77)
    entries = tuple(replace(each, originator_id=parent) if each.version < 4 else each for each in LOG.entries)
    fork = replace(LOG, entries=entries)
    proof = proof_of(fork, of=dict.fromkeys(range(1, 4), own), labelled_from=1)

    assert [line.stream for line in proof.labels.matches] == [own]
    assert [line.stream for line in proof_of(fork, labelled_from=1).labels.matches] == [parent, own]
