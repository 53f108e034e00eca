"""An independent reader of proof files, written from the specifications alone, without code of the product.

See `docs/specifications/proof.md`, `docs/specifications/transparency.md` and `docs/specifications/log.md`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.proofs.match_file import proof_bytes
from domain.transparency.multiproofs import check_multiproof, create_multiproof
from domain.transparency.notes import Note
from tests.domain.matches.match_helpers import toy_log
from tests.domain.proofs.match_proofs import WITNESS, Lines, proof_of, sign_checkpoint
from tests.domain.transparency.trees import Tree

PROOF = proof_of(toy_log(), WITNESS)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def leaf_hash(line: bytes, leaf: dict[str, Any]) -> bytes:
    """Return the leaf hash of a log line and its salt, using the body bytes as written."""
    entry = json.loads(line)
    body = line[line.index(b'"body":') + len(b'"body":') :]
    decoder = json.JSONDecoder()
    text = body.decode()
    body = text[: decoder.raw_decode(text)[1]].encode()
    at = (datetime.fromisoformat(entry["timestamp"]) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    version = entry["version"].to_bytes(8, "big")
    head = UUID(entry["match"]).bytes + version + at.to_bytes(8, "big", signed=True)
    digest = sha(b"esporles.entry/1\x00", head, bytes.fromhex(entry["previous"]), body)
    stream = UUID(leaf.get("stream", entry["match"])).bytes
    return sha(b"\x00", sha(b"esporles.leaf/1\x00", bytes.fromhex(leaf["salt"]), stream, version, digest))


def root_of(leaves: dict[int, bytes], hashes: Iterator[bytes], start: int, end: int) -> bytes:
    if not any(start <= index < end for index in leaves):
        return next(hashes)
    if end - start == 1:
        return leaves[start]
    middle = 1
    while middle * 2 < end - start:
        middle *= 2
    left = root_of(leaves, hashes, start, start + middle)
    return sha(b"\x01", left, root_of(leaves, hashes, start + middle, end))


def is_proven(content: bytes) -> bool:
    """Return whether the hashes lead to the root; raise for a false signature."""
    lines = content.split(b"\n")
    header = json.loads(lines[0])
    count = header["entries"]
    assert len(lines) == 2 * count + 4
    end = json.loads(lines[2 * count + 2])
    text, _, below = end["checkpoint"].partition("\n\n")
    origin, size, root = text.split("\n")
    assert (origin, int(size)) == (header["origin"], header["size"])
    for index, (signature, key) in enumerate(zip(below.splitlines(), end["keys"], strict=True)):
        name, key_id, data = key.split("+")
        kind, public = base64.b64decode(data)[:1], base64.b64decode(data)[1:]
        assert kind == (b"\x04" if index else b"\x01")
        assert sha(name.encode(), b"\n", kind, public)[:4].hex() == key_id
        dash, signer, encoded = signature.split(" ")
        signed, message = base64.b64decode(encoded), f"{text}\n".encode()
        assert (dash, signer, signed[:4].hex()) == ("—", name, key_id)
        if index:
            seconds = int.from_bytes(signed[4:12], "big")
            message = f"cosignature/v1\ntime {seconds}\n".encode() + message
        Ed25519PublicKey.from_public_bytes(public).verify(signed[12 if index else 4 :], message)
    leaves = dict[int, bytes]()
    for line, below_it in zip(lines[2 : count + 2], lines[count + 2 : 2 * count + 2], strict=True):
        stands = json.loads(below_it)
        leaves[stands["leaf"]] = leaf_hash(line, stands)
    hashes = iter([bytes.fromhex(each) for each in end["hashes"]])
    return root_of(leaves, hashes, 0, int(size)) == base64.b64decode(root) and next(hashes, None) is None


def test_the_specification_suffices_to_check_a_proof() -> None:
    assert is_proven(proof_bytes(PROOF))


def test_the_independent_reader_finds_another_salt_and_a_false_signature() -> None:
    count, file = PROOF.log.header.entries, Lines(PROOF)

    assert not is_proven(file.change_line(count + 2, salt="06" * 16))
    other = sign_checkpoint(PROOF.checkpoint._replace(root=bytes(32)), WITNESS).signatures
    for signatures in ((other[0], PROOF.note.signatures[1]), (PROOF.note.signatures[0], other[1])):
        with pytest.raises(InvalidSignature):
            is_proven(proof_bytes(PROOF._replace(note=Note(PROOF.note.text, signatures))))


def test_the_example_of_the_specification() -> None:
    """Two leaves of five: the hashes in order, and the root in the specification."""
    tree = Tree(5)
    zero, one, two, three, four = tree.leaves
    both = sha(b"\x01", sha(b"\x01", zero, one), sha(b"\x01", two, three))

    assert create_multiproof(tree.read, [1, 3], 5) == [zero, two, four]
    assert sha(b"\x01", both, four) == tree.root()
    check_multiproof({1: one, 3: three}, 5, [zero, two, four], tree.root())
