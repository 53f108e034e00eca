"""Proofs of a service whose key has changed: old and new ones hold, and no former key is accepted later."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from domain.matches.log.log_files import read_log
from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import verify_content
from domain.proofs.match_file import ProofFile, proof_bytes
from domain.proofs.service_keys import OTHER_SERVICE
from domain.transparency.announcements import KeyChanged, RootNamed
from domain.transparency.key_notes import Reason
from domain.transparency.keys import Signer
from domain.transparency.notes import VerifierKey
from domain.transparency.policy import policy_of_keys
from tests.domain.proofs.match_proofs import WITNESS, proof_of
from tests.domain.transparency.key_holders import change, log_key, naming, root_key

GOLDEN: Final = Path(__file__).parents[2] / "golden" / "la_granja-signed.jsonl"
OLD: Final = Signer("signing.example", sha256(b"pen house").digest())
"""The service that has signed the golden log."""
NEW, STRANGER = log_key(1, OLD.key.name), log_key(66, OLD.key.name)
ROOT: Final = root_key()
LOG: Final = read_log(GOLDEN)
SIGNED: Final = verify_content(GOLDEN.read_bytes()).signatures
FIRST, LAST = SIGNED.services_from[0][1], SIGNED.services_to[0][1]
END: Final = LOG.entries[-1].timestamp


def changed_proof(
    version: int,
    reason: Reason = "planned",
    *,
    size: int = 1,
    until: datetime = END,
    house: Signer = NEW,
    **note: Any,
) -> ProofFile:
    """Return a proof whose log names its root key at the beginning, and changes its key before an entry."""
    keys = {"old": OLD, "new": NEW, "root": ROOT} | note
    changes = KeyChanged(change(keys["old"], keys["new"], keys["root"], size, reason, until.replace(microsecond=0)))
    announce = {1: [RootNamed(naming(OLD, ROOT))], version: [changes]}
    return proof_of(LOG, WITNESS, house=house, labelled_from=1, announce=announce)


def check(proof: ProofFile, *trusted: VerifierKey) -> VerifyReport:
    return verify_content(proof_bytes(proof), trust=policy_of_keys([*trusted]) if trusted else None)


def fault_of(proof: ProofFile, *trusted: VerifierKey) -> tuple[int | None, str]:
    fault = check(proof, *trusted).fault
    assert fault is not None, "nothing was found"
    return fault.entry, fault.why


AFTER: Final = changed_proof(LAST + 1)


@pytest.mark.parametrize("trusted", [ROOT, OLD, NEW])
def test_a_match_of_the_old_key_holds_with_each_trusted_key(trusted: Signer) -> None:
    report = check(AFTER, trusted.key, WITNESS.key)

    assert report.is_good, report.fault
    assert report.proof is not None
    assert report.proof.is_trusted is True
    follows = "with a trusted key" if trusted is NEW else "with a key that follows from a trusted one"
    assert f"signature of {NEW.key.name} on the checkpoint, {follows}" in report.proof.checked
    assert f"keys of the service: 1 change, signed with the root key {ROOT.key}" in report.proof.checked
    assert not any("another key" in each for each in report.unchecked)


def test_the_report_says_whether_and_how_often_the_key_has_changed() -> None:
    named = proof_of(LOG, house=OLD, labelled_from=1, announce={1: [RootNamed(naming(OLD, ROOT))]})
    third, until = log_key(2, OLD.key.name), END.replace(microsecond=0)
    # The second change names the checkpoint that the first one made.
    size = next(line.leaf for line in AFTER.labels.log if "key_changed" in line.text) + 1
    changes = [change(OLD, NEW, ROOT, 1, until=until), change(NEW, third, ROOT, size, "lost")]
    spread = {1: [RootNamed(naming(OLD, ROOT))], LAST + 1: [*map(KeyChanged, changes)]}
    twice = check(proof_of(LOG, house=third, labelled_from=1, announce=spread))

    for report, sentence in (
        (check(named), f"the root key {ROOT.key} is named, and no key has changed"),
        (twice, f"2 changes, signed with the root key {ROOT.key}"),
    ):
        assert report.is_good, report.fault
        assert report.proof is not None
        assert f"keys of the service: {sentence}" in report.proof.checked


def test_a_stranger_is_not_trusted_through_the_chain() -> None:
    assert "is not trusted" in fault_of(AFTER, STRANGER.key)[1]


def test_in_the_overlap_the_old_key_signs_entries_and_after_it_none() -> None:
    """Trust row: the thief of a retired key cannot add facts of the service."""
    at = LOG.entries[LAST - 1].timestamp

    assert check(changed_proof(FIRST + 1, until=at + timedelta(seconds=1))).is_good
    entry, why = fault_of(changed_proof(FIRST + 1, until=at - timedelta(seconds=1)))
    assert entry == LAST
    assert why.startswith(
        f"it is signed with the key {OLD.key.public.hex()} of the service, which was not valid at leaf"
    )


def test_after_a_theft_no_entry_beyond_the_good_checkpoint_is_accepted() -> None:
    """Trust row: what a thief of the key signed beyond the last good checkpoint is refused."""
    good = AFTER.leaves[LAST - 1].leaf + 1
    assert check(changed_proof(LAST + 1, "stolen", size=good)).is_good
    entry, why = fault_of(changed_proof(LAST + 1, "stolen", size=AFTER.leaves[FIRST - 1].leaf + 2))
    assert (entry, "which was not valid at leaf" in why) == (LAST, True)


def test_a_checkpoint_by_a_former_key_is_refused() -> None:
    """Trust row: a larger tree signed with a key that was replaced."""
    for proof in (changed_proof(LAST + 1, house=OLD), changed_proof(LAST + 1, "stolen", house=OLD)):
        assert "but the log announces the key" in fault_of(proof)[1]
        assert "but the log announces the key" in fault_of(proof, OLD.key)[1]


def test_a_change_without_the_root_key_is_refused() -> None:
    """Trust row: the thief of the log's key announces a change of its own."""
    forged = changed_proof(LAST + 1, root=root_key(5))

    assert fault_of(forged)[1].startswith(
        "the keys of the service: a note about keys is not signed with root.example/0"
    )


def test_the_key_of_another_service_is_still_named() -> None:
    proof = proof_of(LOG, house=NEW, labelled_from=1, announce={1: [RootNamed(naming(NEW, ROOT))]})

    expected = OTHER_SERVICE.format(key=OLD.key.public.hex(), entry=FIRST)
    assert expected in check(proof).unchecked
