"""Proofs of single entries (C2SP tlog-proof): what they prove, and refusal of any change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from domain.kernel.values import replace
from domain.matches.log.entries import digest
from domain.matches.log.log_files import line_of
from domain.proofs.entry_file import (
    ALONE,
    EXTRA,
    AnnouncedLeaf,
    EntryExtra,
    EntryReport,
    encode_entry_proof,
    is_entry_proof,
    verify_entry_proof,
)
from domain.proofs.match_file import LabelLine
from domain.transparency.announcements import encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.labels import Labeller
from domain.transparency.leaves import leaf_of
from domain.transparency.policy import policy_of_keys
from domain.transparency.proofs import LogProof, check_proof, parse_proof
from tests.domain.matches.match_helpers import toy_log, uuid
from tests.domain.proofs.match_proofs import HOUSE, SALT, VRF, WITNESS, sign_checkpoint, text_of
from tests.domain.transparency.trees import Tree

ENTRY: Final = toy_log().entries[4]
LABELLER: Final = Labeller(VRF, HOUSE.key.name)
TRUST: Final = policy_of_keys([HOUSE.key, WITNESS.key])


def proof_with(
    *, is_labelled: bool = True, owner: Any = ENTRY.originator_id, **changes: Any
) -> tuple[LogProof, EntryExtra, bytes]:
    """Return the proof of an entry, its extra data with changes, and the content of its leaf."""
    tree = Tree(2)
    if is_labelled:
        tree.append(encode_announcement(LABELLER.announcement))
    tree.grow(2)
    label = LABELLER.of_entry(owner, ENTRY.version) if is_labelled else b""
    index, content = len(tree.leaves), label + leaf_of(SALT, owner, ENTRY.version, digest(ENTRY))
    tree.append(content)
    tree.grow(3)
    size = len(tree.leaves)

    def path(leaf: int) -> tuple[bytes, ...]:
        return tuple(tree.read.inclusion(leaf, size))

    log = [AnnouncedLeaf(2, text_of(LABELLER), tuple(each.hex() for each in path(2)))] if is_labelled else []
    labels = [LabelLine(owner, LABELLER.prove_match(owner).hex())] if is_labelled else []
    keys = (str(HOUSE.key), str(WITNESS.key))
    extra = EntryExtra(EXTRA, line_of(ENTRY), owner, SALT.hex(), tuple(labels), tuple(log), keys)
    note = sign_checkpoint(Checkpoint(HOUSE.key.name, size, tree.root()), WITNESS)
    return LogProof(index, path(index), note), replace(extra, **changes), content


def verify(**changes: Any) -> EntryReport:
    proof, extra, _ = proof_with(**changes)
    return verify_entry_proof(encode_entry_proof(proof, extra), TRUST)


def why(**changes: Any) -> str:
    report = verify(**changes)
    assert not report.is_good
    assert report.fault is not None
    return report.fault.why


def test_an_entry_is_proven_with_its_label() -> None:
    report = verify()

    assert report.is_good, report.fault
    assert (report.match, report.entry) == (str(ENTRY.originator_id), ENTRY.version)
    assert report.body == bytes(ENTRY.body).decode()
    assert report.proof is not None
    assert (report.proof.leaves_checked, report.proof.labels_checked) == (1, 1)
    assert report.proof.checked[0] == f"inclusion: entry {ENTRY.version} is leaf 5 of the tree of {HOUSE.key.name}"
    assert report.unchecked == (ALONE,)


def test_the_file_is_a_proof_for_any_reader_of_the_format() -> None:
    proof, extra, content = proof_with()
    file = encode_entry_proof(proof, extra)

    assert is_entry_proof(file)
    checked = check_proof(parse_proof(file), content, HOUSE.key, [WITNESS.key])
    assert len(checked.witnesses) == 1


def test_a_leaf_without_a_label_is_reported() -> None:
    report = verify(is_labelled=False)

    assert report.is_good, report.fault
    assert any("two histories cannot be excluded for entry 5" in each for each in report.unchecked)


def test_an_entry_that_a_fork_stores_is_reported() -> None:
    report = verify(owner=uuid(77))

    assert report.is_good, report.fault
    assert f"the other entries of the match {uuid(77)}" in report.unchecked[0]


def test_without_trusted_keys_their_owners_are_unknown() -> None:
    proof, extra, _ = proof_with()
    report = verify_entry_proof(encode_entry_proof(proof, extra))

    assert report.is_good, report.fault
    assert any("no trusted keys were given" in each for each in report.unchecked)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": "esporles.entry/2"}, "is not esporles.entry/1 in canonical form"),
        ({"entry": replace(line_of(ENTRY), version=6)}, "is not the canonical encoding of an entry and its digest"),
        ({"entry": replace(line_of(ENTRY), previous="x")}, "the line is not an entry: "),
        ({"stream": uuid(3)}, "the proofs of labels are not those of the matches"),
        ({"salt": "00" * 16}, "not all of its entries are in the signed tree"),
        ({"salt": "0"}, "is not 16 bytes"),
        ({"labels": ()}, "the proofs of labels are not those of the matches"),
        ({"labels": (LabelLine(ENTRY.originator_id, LABELLER.prove_match(uuid(3)).hex()),)}, "its label: "),
        ({"log": ()}, "the proofs of labels are not those of the matches"),
        ({"log": (AnnouncedLeaf(2, text_of(LABELLER), ()),)}, "not all of its entries are in the signed tree"),
        ({"log": (AnnouncedLeaf(2, text_of(LABELLER), ("00" * 32,) * 99),)}, "the proof is too long"),
        ({"log": (AnnouncedLeaf(2, text_of(LABELLER), ("x",)),)}, "is not 32 bytes"),
        ({"keys": (str(HOUSE.key),)}, "it has 2 signatures, but 1 keys are listed"),
    ],
)
def test_changed_extra_data_is_refused(changes: dict[str, Any], expected: str) -> None:
    assert expected in why(**changes)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda proof: proof._replace(leaf=4), "not all of its entries are in the signed tree"),
        (lambda proof: proof._replace(path=proof.path[1:]), "not all of its entries are in the signed tree"),
        (lambda proof: proof._replace(extra=None), "is not that of an entry"),
        (lambda proof: proof._replace(extra=b"{}"), "is not that of an entry"),
        (lambda proof: proof._replace(extra=proof.extra + b" "), "in canonical form"),
    ],
)
def test_a_changed_proof_is_refused(change: Callable[[LogProof], LogProof], expected: str) -> None:
    proof, extra, _ = proof_with()
    report = verify_entry_proof(str(change(proof._replace(extra=msgspec.json.encode(extra)))).encode(), TRUST)

    assert report.fault is not None
    assert expected in report.fault.why


def test_a_file_in_another_format_is_refused() -> None:
    report = verify_entry_proof(b"c2sp.org/tlog-proof@v1\n", TRUST)

    assert report.fault is not None
    assert "must begin with c2sp.org/tlog-proof@v1" in report.fault.why
