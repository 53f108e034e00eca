"""Proofs without a service: the entries of a log in a small tree, signed with keys of the tests."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from domain.matches.log.entries import digest
from domain.matches.log.log_files import LogFile
from domain.proofs.match_file import LeafLine, ProofFile, proof_bytes
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import Signer
from domain.transparency.leaves import leaf_of
from domain.transparency.merkle import leaf_hash
from domain.transparency.multiproofs import create_multiproof
from domain.transparency.notes import COSIGNATURE, Note
from tests.domain.transparency.trees import Tree

HOUSE: Final = Signer("house.example/tlog", b"\x01" * 32)
WITNESS: Final = Signer("witness.example/club", b"\x02" * 32, COSIGNATURE)
STRANGER: Final = Signer("stranger.example/w", b"\x03" * 32, COSIGNATURE)
SEEN_AT: Final = 1_800_000_000
SALT: Final = b"\x05" * 16
BETWEEN: Final = 3
"""Distance between leaves of the log; the leaves between belong to other matches."""


def sign_checkpoint(checkpoint: Checkpoint, *witnesses: Signer, house: Signer = HOUSE, at: int = SEEN_AT) -> Note:
    text = checkpoint.text
    return Note(text, (house.sign(text), *(each.cosign(text, at) for each in witnesses)))


def proof_of(log: LogFile, *witnesses: Signer, house: Signer = HOUSE, at: int = SEEN_AT, **streams: Any) -> ProofFile:
    """Return the proof of a log. `of`: the streams that store entries, by version."""
    stream_ids = streams.get("of", {})
    tree, lines = Tree(), []
    for entry in log.entries:
        tree.grow(BETWEEN - 1)
        stream = stream_ids.get(entry.version)
        leaf = leaf_hash(leaf_of(SALT, stream or entry.originator_id, entry.version, digest(entry)))
        lines.append(LeafLine(entry.version, len(tree.leaves), SALT.hex(), stream))
        tree.leaves.append(leaf)
        tree.growth.add([leaf])
        tree.tiles |= tree.growth.take_changed_tiles()
    tree.grow(5)
    size = len(tree.leaves)
    checkpoint = Checkpoint(house.key.name, size, tree.root())
    hashes = tuple(create_multiproof(tree.read, [line.leaf for line in lines], size))
    keys = (house.key, *(each.key for each in witnesses))
    return ProofFile(
        log, tuple(lines), hashes, sign_checkpoint(checkpoint, *witnesses, house=house, at=at), checkpoint, keys
    )


class Lines:
    """The lines of a proof file, to change one of them."""

    def __init__(self, proof: ProofFile) -> None:
        self.lines = proof_bytes(proof).split(b"\n")[:-1]

    @property
    def content(self) -> bytes:
        return b"\n".join(self.lines) + b"\n"

    def change_line(self, index: int, **fields: Any) -> bytes:
        """Return the file with fields of a line changed, in canonical encoding."""
        values = msgspec.json.decode(self.lines[index]) | fields
        return self.replace_line(index, msgspec.json.encode(values))

    def replace_line(self, index: int, line: bytes) -> bytes:
        lines = list(self.lines)
        lines[index] = line
        return b"\n".join(lines) + b"\n"
