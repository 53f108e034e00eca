"""Proofs without a service: the entries of a log in a small tree, signed with keys of the tests."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec

from domain.matches.log.entries import digest
from domain.matches.log.log_files import LogFile
from domain.proofs.match_file import LabelLine, LeafLine, LogLine, ProofFile, ProofLabels, proof_bytes
from domain.transparency.announcements import PREFIX, encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import Signer
from domain.transparency.labels import Labeller
from domain.transparency.leaves import leaf_of
from domain.transparency.multiproofs import create_multiproof
from domain.transparency.notes import COSIGNATURE, Note
from domain.transparency.vrf import VrfKey
from tests.domain.transparency.trees import Tree

HOUSE: Final = Signer("house.example/tlog", b"\x01" * 32)
WITNESS: Final = Signer("witness.example/club", b"\x02" * 32, COSIGNATURE)
STRANGER: Final = Signer("stranger.example/w", b"\x03" * 32, COSIGNATURE)
SEEN_AT: Final = 1_800_000_000
SALT: Final = b"\x05" * 16
VRF: Final = VrfKey(b"\x06" * 64)
BETWEEN: Final = 3
"""Distance between leaves of the log; the leaves between belong to other matches."""


def sign_checkpoint(checkpoint: Checkpoint, *witnesses: Signer, house: Signer = HOUSE, at: int = SEEN_AT) -> Note:
    text = checkpoint.text
    return Note(text, (house.sign(text), *(each.cosign(text, at) for each in witnesses)))


def proof_of(log: LogFile, *witnesses: Signer, house: Signer = HOUSE, at: int = SEEN_AT, **options: Any) -> ProofFile:
    """Return the proof of a log.

    `of`: the streams that store entries, by version. `labelled_from`: the first entry with a label. `vrf`: their key.
    `announce`: other announcements before an entry, by its version.
    """
    stream_ids, labelled_from = options.get("of", {}), options.get("labelled_from")
    labeller = Labeller(options.get("vrf", VRF), house.key.name)
    tree, lines, announced, labels = Tree(), list[LeafLine](), list[LogLine](), dict[UUID, LabelLine]()
    for entry in log.entries:
        tree.grow(BETWEEN - 1)
        stream = stream_ids.get(entry.version)
        owner, label = stream or entry.originator_id, b""
        if entry.version == labelled_from:
            announced.append(LogLine(len(tree.leaves), text_of(labeller)))
            tree.append(encode_announcement(labeller.announcement))
        for each in options.get("announce", {}).get(entry.version, ()):
            content = encode_announcement(each)
            announced.append(LogLine(len(tree.leaves), content.removeprefix(PREFIX).decode()))
            tree.append(content)
        if announced:
            label = labeller.of_entry(owner, entry.version)
            labels[owner] = LabelLine(owner, labeller.prove_match(owner).hex())
        lines.append(LeafLine(entry.version, len(tree.leaves), SALT.hex(), stream))
        tree.append(label + leaf_of(SALT, owner, entry.version, digest(entry)))
    tree.grow(5)
    size = len(tree.leaves)
    checkpoint = Checkpoint(house.key.name, size, tree.root())
    indices = sorted([*(line.leaf for line in lines), *(line.leaf for line in announced)])
    return ProofFile(
        log,
        tuple(lines),
        tuple(create_multiproof(tree.read, indices, size)),
        sign_checkpoint(checkpoint, *witnesses, house=house, at=at),
        checkpoint,
        (house.key, *(each.key for each in witnesses)),
        labels=ProofLabels(tuple(announced), tuple(labels.values())),
    )


def text_of(labeller: Labeller) -> str:
    """Return the JSON text of the announcement of labels."""
    return encode_announcement(labeller.announcement).removeprefix(PREFIX).decode()


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
