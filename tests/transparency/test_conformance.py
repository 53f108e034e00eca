"""Our notes, checkpoints, cosignatures, tiles and proofs as an outside library reads and writes them (C2SP, RFC 6962).

The library is `proofbundle`, which shares no code with us; it is installed for tests only.
"""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from proofbundle import checkpoint as outside
from proofbundle import merkle, tlogproof

from domain.transparency.bundles import entries_in
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import FalseProof, Malformed, NotSigned, TransparencyFault
from domain.transparency.keys import Signer, cosignature_seconds, signatures_of
from domain.transparency.merkle import check_consistency, check_inclusion, leaf_hash
from domain.transparency.notes import COSIGNATURE, Note, parse_key, parse_note
from domain.transparency.policy import Policy, PolicyGroup, PolicyLog, PolicyWitness
from domain.transparency.proofs import LogProof, check_proof, parse_proof
from domain.transparency.tiles import WIDTH, GrowingTree, Tile, Tiles, hashes_in
from tests.ops.transparency.served_log import ServedLog, honest_leaves
from tests.seeding import example_count

SEEDS: Final = {name: bytes([number] * 32) for number, name in enumerate(("log", "one", "two", "three"), start=1)}
LOG: Final = Signer("log.example/tlog", SEEDS["log"])
WITNESSES: Final = [Signer(f"{name}.example/w", SEEDS[name], COSIGNATURE) for name in ("one", "two", "three")]
LEAVES: Final = [f"leaf {number}".encode() for number in range(600)]
SIZES: Final = (1, 2, 3, 7, 8, 9, 255, 256, 257, 513, 600)


def private(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(SEEDS[name])


def tree_of(count: int) -> Tiles:
    growth = GrowingTree(0, {})
    growth.add([leaf_hash(leaf) for leaf in LEAVES[:count]])
    tiles = growth.take_changed_tiles()
    return Tiles(lambda level, number: tiles.get((level, number)))


def checkpoint_of(size: int) -> Checkpoint:
    return Checkpoint(LOG.key.name, size, tree_of(size).root(size))


def note_of(size: int, *witnesses: Signer) -> Note:
    text = checkpoint_of(size).text
    return Note(text, (LOG.sign(text), *(each.cosign(text, 1_700_000_000) for each in witnesses)))


def test_keys_are_written_alike() -> None:
    assert outside.vkey(LOG.key.name, LOG.key.public) == str(LOG.key)
    for witness in WITNESSES:
        assert outside.cosign_vkey(witness.key.name, witness.key.public) == str(witness.key)


def test_both_write_the_same_signed_checkpoint() -> None:
    ours = checkpoint_of(600)
    theirs = outside.sign_checkpoint(ours.origin, ours.size, ours.root, private("log"), ours.origin)

    assert theirs == str(note_of(600))
    assert parse_checkpoint(parse_note(theirs.encode()).text) == ours


def test_both_write_the_same_cosignature() -> None:
    theirs = outside.cosign_checkpoint(str(note_of(9)), private("one"), "one.example/w", 1_700_000_000)

    assert theirs == str(note_of(9, WITNESSES[0]))
    (signature,) = signatures_of(parse_note(theirs.encode()), [WITNESSES[0].key])
    assert cosignature_seconds(signature) == outside.verify_cosignature(theirs, str(WITNESSES[0].key))["timestamp"]


def test_both_verify_the_same_notes() -> None:
    """Each with one byte changed, too. Only we refuse unused bits at the end of a base64 text."""
    note, chance = str(note_of(9, WITNESSES[0])), random.Random(9)
    for change in range(example_count(100)):
        data = bytearray(note.encode())
        if change:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
        if is_signed_for_us(bytes(data)) != is_signed_outside(bytes(data)):
            with pytest.raises(Malformed, match="not canonical base64"):
                parse_note(bytes(data))


def is_signed_for_us(data: bytes) -> bool:
    try:
        note = parse_note(data)
        checkpoint = parse_checkpoint(note.text)
        signed = signatures_of(note, [LOG.key, WITNESSES[0].key])
    except TransparencyFault:
        return False
    return len(signed) == 2 and checkpoint.origin == LOG.key.name


def is_signed_outside(data: bytes) -> bool:
    try:
        text = data.decode()
        signed = outside.verify_checkpoint(text, str(LOG.key))
        return bool(signed["ok"] and outside.verify_cosignature(text, str(WITNESSES[0].key))["ok"])
    except Exception:
        return False


@pytest.mark.parametrize("size", SIZES)
def test_both_compute_the_same_trees_and_proofs(size: int) -> None:
    leaves, tree = LEAVES[:size], tree_of(size)
    root = merkle.merkle_tree_hash(leaves)
    assert tree.root(size) == root
    chance = random.Random(size)
    for index in {0, size - 1, *(chance.randrange(size) for _ in range(3))}:
        proof = merkle.inclusion_proof(leaves, index)
        assert tree.inclusion(index, size) == proof
        assert merkle.verify_inclusion(leaves[index], index, size, tree.inclusion(index, size), root)
        check_inclusion(index, size, leaf_hash(leaves[index]), proof, root)
    for old in {1, size, *(chance.randrange(1, size + 1) for _ in range(3))}:
        proof, old_root = merkle.consistency_proof(leaves, old), merkle.merkle_tree_hash(leaves[:old])
        assert tree.consistency(old, size) == proof
        assert merkle.verify_consistency(old, size, tree.consistency(old, size), old_root, root)
        check_consistency(old, size, old_root, root, proof)


def test_both_refuse_the_same_proofs() -> None:
    """One hash is changed, missing or added, or the index is another one."""
    size, chance = 100, random.Random(3)
    leaves, root = LEAVES[:size], merkle.merkle_tree_hash(LEAVES[:size])
    for _ in range(example_count(100)):
        index, at = chance.randrange(size), chance.randrange(6)
        proof = list(merkle.inclusion_proof(leaves, index))
        match chance.randrange(4):
            case 0:
                proof[at % len(proof)] = bytes(32)
            case 1:
                del proof[at % len(proof)]
            case 2:
                proof.insert(at, bytes(32))
            case _:
                index = chance.randrange(size)
        is_theirs = merkle.verify_inclusion(leaves[5], index, size, proof, root)
        assert is_included(index, size, leaf_hash(leaves[5]), proof, root) == is_theirs


def is_included(*proof: Any) -> bool:
    try:
        check_inclusion(*proof)
    except FalseProof:
        return False
    return True


def test_entry_bundles_and_tiles_give_their_root() -> None:
    """The files that a log serves: leaves and hashes of each tile, by the outside library's hashes."""
    log = ServedLog(honest_leaves(600))
    checkpoint, leaves = parse_checkpoint(log.note.text), list[bytes]()
    for number, width in ((0, WIDTH), (1, WIDTH), (2, 600 - 2 * WIDTH)):
        tile = Tile(number, width)
        bundle, hashes = log.content(f"tile/entries/{tile.path}"), log.content(f"tile/0/{tile.path}")
        assert bundle is not None
        assert hashes is not None
        leaves += entries_in(bundle)
        assert [merkle.leaf_hash(leaf) for leaf in entries_in(bundle)] == hashes_in(hashes)
    assert merkle.merkle_tree_hash(leaves) == checkpoint.root
    upper = log.content("tile/1/000.p/2")
    assert upper is not None
    assert hashes_in(upper) == [merkle.merkle_tree_hash(leaves[at : at + WIDTH]) for at in (0, WIDTH)]


def test_both_read_the_same_proof_files() -> None:
    """C2SP tlog-proof, with a quorum of two witnesses of three."""
    keys, policy = [str(each.key) for each in WITNESSES], two_of_three()
    for cosigners in ([], WITNESSES[:1], WITNESSES[1:], WITNESSES):
        note = note_of(600, *cosigners)
        path = tree_of(600).inclusion(77, 600)
        ours = str(LogProof(77, tuple(path), note, b"extra data"))

        assert tlogproof.format_tlog_proof(77, path, str(note), b"extra data") == ours
        theirs = tlogproof.verify_tlog_proof(ours, LEAVES[77], str(LOG.key), keys, threshold=2)
        checked = check_proof(parse_proof(ours.encode()), LEAVES[77], LOG.key, policy.witness_keys)
        is_met = policy.is_met([key for key in policy.witness_keys if any(map(key.is_claimed_by, checked.witnesses))])
        assert (theirs["inclusion_ok"], theirs["log_ok"], theirs["witnesses_ok"]) == (True, True, is_met)
        assert is_met == (len(cosigners) >= 2)
        assert not tlogproof.verify_tlog_proof(ours, LEAVES[78], str(LOG.key), keys, threshold=0)["ok"]


def two_of_three() -> Policy:
    members = tuple(PolicyWitness(each.key.name.encode(), each.key) for each in WITNESSES)
    group = PolicyGroup(b"group", 2, tuple(each.name for each in members))
    return Policy((PolicyLog(LOG.key),), members, (group,), b"group")


def test_a_foreign_signature_convinces_neither() -> None:
    thief = Signer(LOG.key.name, SEEDS["two"])
    text = checkpoint_of(9).text
    note = Note(text, (thief.sign(text),))

    with pytest.raises(NotSigned):
        signatures_of(note, [parse_key(str(LOG.key))])
    assert not outside.verify_checkpoint(str(note), str(LOG.key))["ok"]
