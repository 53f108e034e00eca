"""Both verifiers agree on proofs of a service whose key has changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

import pytest

from domain.matches.verification.verify import VerifyFault
from domain.proofs.match import verify_content
from domain.proofs.match_file import ProofFile, proof_bytes
from domain.transparency.announcements import KeyChanged, RootNamed
from domain.transparency.keys import Signer
from domain.transparency.notes import VerifierKey
from domain.transparency.policy import policy_of_keys
from tests.domain.proofs.match_proofs import WITNESS, proof_of
from tests.domain.proofs.test_key_changes import (
    AFTER,
    END,
    FIRST,
    LAST,
    LOG,
    NEW,
    OLD,
    ROOT,
    STRANGER,
    changed_proof,
)
from tests.domain.transparency.key_holders import change, log_key, naming, root_key, signer_named
from tests.transparency.second import Fault, SecondVerifier

UNTIL: Final = END.replace(microsecond=0)
THIRD: Final = log_key(2, OLD.key.name)


def faults(
    second_verifier: SecondVerifier, proof: ProofFile, *trusted: VerifierKey
) -> tuple[VerifyFault | None, Fault | None]:
    """Return the faults that both verifiers find, which are at the same entry."""
    content = proof_bytes(proof)
    first = verify_content(content, trust=policy_of_keys([*trusted]) if trusted else None).fault
    second = second_verifier.examine(content, "\n".join(map(str, trusted)) or None).fault
    assert (first is None, first and first.entry) == (second is None, second and second.entry), (first, second)
    return first, second


@pytest.mark.parametrize("trusted", [(), (ROOT,), (OLD,), (NEW,)])
def test_both_accept_a_changed_key_by_each_trusted_key(
    second_verifier: SecondVerifier, trusted: tuple[Signer, ...]
) -> None:
    keys = [each.key for each in trusted]
    report = second_verifier.examine(proof_bytes(AFTER), "\n".join(map(str, keys)) or None)

    assert faults(second_verifier, AFTER, *keys) == (None, None)
    assert {"id": "key_chain", "values": {"count": 1, "root": str(ROOT.key)}} in report.checked
    assert "other_house" not in report.unchecked_ids


def test_both_accept_a_change_with_a_very_old_end(second_verifier: SecondVerifier) -> None:
    ended = changed_proof(LAST + 1, until=datetime(999, 1, 1, tzinfo=UTC))

    assert faults(second_verifier, ended) == (None, None)


def test_a_browser_without_ed25519_reports_no_signature_as_checked(second_verifier: SecondVerifier) -> None:
    trust = f"{ROOT.key}\n{WITNESS.key}\n"
    content = proof_bytes(AFTER)
    signed = {"house_signed", "cosigned", "quorum", "key_chain"}

    assert signed <= second_verifier.examine(content, trust).checked_ids
    report = second_verifier.examine(content, trust, has_ed25519=False)
    assert report.fault is None
    assert not signed & report.checked_ids
    assert "no_ed25519" in report.unchecked_ids


def test_neither_trusts_a_stranger_through_the_chain(second_verifier: SecondVerifier) -> None:
    assert None not in faults(second_verifier, AFTER, STRANGER.key)


def test_both_hold_entries_against_the_key_of_their_leaf(second_verifier: SecondVerifier) -> None:
    at, good = LOG.entries[LAST - 1].timestamp, AFTER.leaves[LAST - 1].leaf + 1
    second = timedelta(seconds=1)
    honest = [changed_proof(FIRST + 1, until=at + second), changed_proof(LAST + 1, "stolen", size=good)]
    forged = [
        changed_proof(FIRST + 1, until=at - second),
        changed_proof(LAST + 1, "stolen", size=AFTER.leaves[FIRST - 1].leaf + 2),
    ]

    assert [faults(second_verifier, each) for each in honest] == [(None, None)] * 2
    assert [(fault.entry if fault else None) for each in forged for fault in faults(second_verifier, each)] == [
        LAST
    ] * 4


def with_notes(*notes: str, house: Signer = NEW) -> ProofFile:
    """Return a proof whose log announces these notes, before the first entry and after the last signature."""
    announced = [RootNamed(note) if note.startswith("esporles.root/1") else KeyChanged(note) for note in notes]
    spread = {1: announced[:1], LAST + 1: announced[1:]}
    return proof_of(LOG, WITNESS, house=house, labelled_from=1, announce=spread)


SAME: Final = Signer("root.example/0", sha256(b"pen house").digest())
"""The key of the service with the name of a root key."""
CHANGED: Final = change(OLD, NEW, ROOT, 1, until=UNTIL)
NAMED: Final = naming(OLD, ROOT)
FALSE: Final[dict[str, Callable[[], ProofFile]]] = {
    "a former key": lambda: changed_proof(LAST + 1, house=OLD),
    "another root key": lambda: changed_proof(LAST + 1, root=root_key(5)),
    "no root key": lambda: with_notes(CHANGED),
    "another old key": lambda: with_notes(NAMED, change(THIRD, NEW, ROOT, 1, until=UNTIL)),
    "a root key for another key": lambda: with_notes(naming(THIRD, ROOT), house=OLD),
    "the key of the log as root key": lambda: with_notes(
        naming(OLD, Signer("r", sha256(b"pen house").digest())), house=OLD
    ),
    "a root key twice": lambda: with_notes(NAMED, naming(OLD, ROOT, ROOT), house=OLD),
    "the same key again": lambda: with_notes(NAMED, change(OLD, OLD, ROOT, 1, until=UNTIL), house=OLD),
    "a checkpoint after the change": lambda: with_notes(NAMED, change(OLD, NEW, ROOT, 10**9, until=UNTIL)),
    "no good checkpoint": lambda: with_notes(NAMED, change(OLD, NEW, ROOT, -1, until=UNTIL)),
    "an unknown reason": lambda: with_notes(NAMED, change(OLD, NEW, ROOT, 1, "bored")),  # type: ignore[arg-type]
    "a hash of the wrong length": lambda: with_notes(NAMED, change(OLD, NEW, ROOT, 1, until=UNTIL, good_root=b"7")),
    "a signature too few": lambda: with_notes(NAMED, without_last_line(CHANGED)),
    "a signature by a stranger": lambda: with_notes(NAMED, CHANGED.replace("size 1", "size 2")),
    "another line": lambda: with_notes(NAMED.replace("\n\n", "\nx y\n\n"), house=OLD),
    "no signatures": lambda: with_notes(NAMED.split("\n\n")[0], house=OLD),
}


def without_last_line(note: str) -> str:
    return "".join(note.splitlines(keepends=True)[:-1])


@pytest.mark.walk
@pytest.mark.parametrize("name", FALSE)
def test_both_refuse_a_false_chain(second_verifier: SecondVerifier, name: str) -> None:
    first, second = faults(second_verifier, FALSE[name]())

    assert first is not None
    assert second is not None
    assert second.why.startswith("the keys of the service: ")


def test_both_name_the_key_of_another_service(second_verifier: SecondVerifier) -> None:
    report = second_verifier.examine(proof_bytes(with_notes(naming(NEW, ROOT))))

    assert report.fault is None
    assert {"id": "other_house", "values": {"entry": FIRST}} in report.unchecked


def test_a_new_name_keeps_the_key(second_verifier: SecondVerifier) -> None:
    renamed = signer_named("new.example/tlog", "log key 1")
    proof = changed_proof(LAST + 1)
    assert proof.keys[0] == NEW.key
    changes = [CHANGED, change(NEW, renamed, ROOT, size_of(proof), until=UNTIL)]
    third = with_notes(NAMED, *changes, house=renamed)

    assert faults(second_verifier, third, ROOT.key, WITNESS.key) == (None, None)


def size_of(proof: ProofFile) -> int:
    """Return a size of the tree after the change of its key."""
    return next(line.leaf for line in proof.labels.log if "key_changed" in line.text) + 1
