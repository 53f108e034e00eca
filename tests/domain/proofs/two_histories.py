"""A server that puts two histories of one match into one tree."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.kernel.values import replace
from domain.matches.log.entries import digest
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.proofs.match_file import LabelLine, LeafLine, LogLine, ProofFile, ProofLabels
from domain.transparency.announcements import encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.labels import Labeller
from domain.transparency.leaves import leaf_of
from domain.transparency.multiproofs import create_multiproof
from tests.domain.matches.match_helpers import BOT, BOTS, TOY, toy_log
from tests.domain.proofs.match_proofs import HOUSE, SALT, VRF, WITNESS, sign_checkpoint, text_of
from tests.domain.transparency.trees import Tree

FIRST: Final = toy_log()
SECOND: Final = log_of(
    play_to_end(
        table_of_bots(TOY, (BOT,) * 3, {}, replace(seeded_origins(b"another"), match_id=FIRST.header.match)), BOTS
    ).entries
)
LABELLER: Final = Labeller(VRF, HOUSE.key.name)


class TwoHistories(NamedTuple):
    """The proofs of both histories, under one checkpoint, and the contents of all leaves, as in the tiles."""

    first: ProofFile
    second: ProofFile
    contents: tuple[bytes, ...]


def two_histories(second_labels: Labeller | None = LABELLER) -> TwoHistories:
    """Return both proofs. `second_labels`: of the second history; None: format 1 of the tree, without labels."""
    tree, contents = Tree(), list[bytes]()
    log: tuple[LogLine, ...] = ()

    def append(content: bytes) -> int:
        contents.append(content)
        tree.append(content)
        return len(contents) - 1

    if second_labels is not None:
        log = (LogLine(append(encode_announcement(LABELLER.announcement)), text_of(LABELLER)),)
    lines = list[tuple[LeafLine, ...]]()
    for history, labeller in ((FIRST, LABELLER), (SECOND, second_labels)):
        places = []
        for entry in history.entries:
            label = labeller.of_entry(entry.line_id, entry.version) if log and labeller else b""
            places.append(append(label + leaf_of(SALT, entry.line_id, entry.version, digest(entry))))
        lines.append(tuple(LeafLine(version, place, SALT.hex()) for version, place in enumerate(places, start=1)))
    checkpoint = Checkpoint(HOUSE.key.name, len(contents), tree.root())
    note, keys = sign_checkpoint(checkpoint, WITNESS), (HOUSE.key, WITNESS.key)

    def prove(history: LogFile, leaves: tuple[LeafLine, ...], labeller: Labeller | None) -> ProofFile:
        indices = sorted([*(line.leaf for line in log), *(line.leaf for line in leaves)])
        hashes, match = tuple(create_multiproof(tree.read, indices, checkpoint.size)), history.header.match
        proven = (LabelLine(match, labeller.prove_match(match).hex()),) if log and labeller else ()
        return ProofFile(history, leaves, hashes, note, checkpoint, keys, labels=ProofLabels(log, proven))

    return TwoHistories(prove(FIRST, lines[0], LABELLER), prove(SECOND, lines[1], second_labels), tuple(contents))
