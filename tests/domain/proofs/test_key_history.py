"""The history of a log's keys: its file, and which proofs it refuses."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from domain.matches.errors import LogFault
from domain.proofs.key_history import KnownKeys, find_refusal, history_bytes, keys_shown, read_history
from domain.proofs.match_file import LogLine
from domain.transparency.announcements import PREFIX, KeyChanged, RootNamed, encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.key_notes import Reason
from domain.transparency.keys import Signer
from domain.transparency.labels import Labeller
from domain.transparency.multiproofs import create_multiproof
from domain.transparency.policy import policy_of_keys
from tests.domain.proofs.match_proofs import VRF, WITNESS, sign_checkpoint
from tests.domain.proofs.test_key_changes import LAST, NEW, OLD, ROOT, changed_proof, check
from tests.domain.transparency.key_holders import change, log_key, naming
from tests.domain.transparency.trees import Tree

SIZE: Final = 40


def announced(*notes: RootNamed | KeyChanged, house: Signer, size: int = SIZE) -> dict[str, Any]:
    """Return the parts of a history: labels at leaf 0, then a note after every tenth leaf."""
    tree, lines = Tree(), list[LogLine]()
    for each in (Labeller(VRF, OLD.key.name).announcement, *notes):
        tree.grow(9 if lines else 0)
        content = encode_announcement(each)
        lines.append(LogLine(len(tree.leaves), content.removeprefix(PREFIX).decode()))
        tree.append(content)
    tree.grow(size - len(tree.leaves))
    checkpoint = Checkpoint(house.key.name, size, tree.root())
    hashes = create_multiproof(tree.read, [line.leaf for line in lines], size)
    return {"log": lines, "hashes": hashes, "note": sign_checkpoint(checkpoint, WITNESS, house=house)}


def history(reason: Reason = "planned", good: int = 15) -> bytes:
    """Return a history with the root key at leaf 10, and a change of the key at leaf 20."""
    notes = (RootNamed(naming(OLD, ROOT)), KeyChanged(change(OLD, NEW, ROOT, good, reason)))
    return history_bytes(**announced(*notes, house=NEW), keys=(NEW.key, WITNESS.key))


def known_keys(reason: Reason = "planned", good: int = 15) -> KnownKeys:
    return read_history(history(reason, good), "keys.jsonl")


def other_keys(size: int, *notes: RootNamed | KeyChanged, house: Signer) -> KnownKeys:
    parts = announced(*notes, house=house, size=size)
    return read_history(history_bytes(**parts, keys=(house.key, WITNESS.key)), "other.jsonl")


def test_a_history_is_read_as_it_was_written() -> None:
    keys = known_keys()

    assert [term.key for term in keys.chain.terms] == [OLD.key, NEW.key]
    assert (set(keys.names), keys.history.size, len(keys.history.announced)) == ({OLD.key.name}, SIZE, 2)
    for trusted in (OLD, NEW, ROOT):
        trust = policy_of_keys([trusted.key])
        assert read_history(history(), "keys.jsonl", trust) == keys


def test_a_log_without_announcements_has_a_history_too() -> None:
    note = sign_checkpoint(Checkpoint(OLD.key.name, 3, bytes(32)), house=OLD)

    keys = read_history(history_bytes((), (), note, (OLD.key,)), "keys.jsonl")

    assert keys.chain.current == OLD.key


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"format": "esporles.keys/2"}, "unknown format 'esporles.keys/2'; expected esporles.keys/1"),
        ({"keys": []}, "its checkpoint: it has 2 signatures, but 0 keys are listed"),
        ({"hashes": ["00"]}, "'00' is not 32 bytes"),
        ({"hashes": []}, "not all of its entries are in the signed tree"),
        ({"log": []}, "not all of its entries are in the signed tree"),
    ],
)
def test_another_history_is_refused(fields: dict[str, Any], why: str) -> None:
    content = msgspec.json.encode(msgspec.json.decode(history()) | fields)
    with pytest.raises(LogFault, match=why):
        read_history(content, "keys.jsonl")


def test_a_history_must_be_signed_and_trusted() -> None:
    with pytest.raises(LogFault, match="is not trusted"):
        read_history(history(), "keys.jsonl", policy_of_keys([log_key(9).key]))
    forged = msgspec.json.decode(history())
    forged["checkpoint"] = forged["checkpoint"].replace("\n40\n", "\n41\n")
    with pytest.raises(LogFault, match=r"the signature of signing\.example on the checkpoint is invalid"):
        read_history(msgspec.json.encode(forged), "keys.jsonl")


NAMED: Final = RootNamed(naming(OLD, ROOT))


def test_old_proofs_hold_for_a_reader_who_knows_the_change() -> None:
    assert find_refusal(other_keys(10, house=OLD), known_keys()) is None
    assert find_refusal(other_keys(20, NAMED, house=OLD), known_keys()) is None
    assert find_refusal(other_keys(15, NAMED, house=OLD), known_keys("stolen")) is None
    assert find_refusal(known_keys(), other_keys(20, NAMED, house=OLD)) is None
    assert find_refusal(known_keys(), known_keys()) is None


def test_a_forgery_by_a_former_key_is_refused_by_who_knows_the_change() -> None:
    """Trust row: whoever knows the change, from `--keys` or another file, refuses later trees by the old key."""
    forged = other_keys(30, NAMED, house=OLD)

    assert "the announcements of the log up to 30 leaves differ" in (find_refusal(forged, known_keys()) or "")
    assert "(keys.jsonl)" in (find_refusal(forged, known_keys()) or "")


def test_a_stolen_key_is_refused_beyond_the_last_good_checkpoint() -> None:
    """Trust row: the announcement came later, and the thief has signed a tree in between."""
    forged = other_keys(18, NAMED, house=OLD)

    assert find_refusal(forged, known_keys()) is None
    why = find_refusal(forged, known_keys("stolen")) or ""
    assert f"its checkpoint of 18 leaves is signed with {OLD.key}, which was not valid for that size: keys" in why


def test_other_logs_refuse_nothing() -> None:
    other = sign_checkpoint(Checkpoint("other.example", 3, bytes(32)), house=(signer := log_key(3, "other.example")))

    assert find_refusal(read_history(history_bytes((), (), other, (signer.key,)), "x"), known_keys()) is None


def test_a_proof_shows_its_history() -> None:
    report = check(changed_proof(LAST + 1))
    assert report.proof is not None

    keys = keys_shown(report.proof, "proof.jsonl")

    assert keys.chain.current == NEW.key
    assert len(keys.history.announced) == 2
