"""Proof files out of the tree: where the entries of a log stand in it, and the published checkpoint over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

from api.transparency.errors import NotCovered, NothingSigned, TreeDiffers
from api.transparency.store import Leaf, Signed, TreeStore
from domain.matches.file import LogFile
from domain.matches.log import Entry, digest
from domain.matches.proof import LeafLine, ProofFile
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import is_signed
from domain.transparency.leaves import leaf_of
from domain.transparency.merkle import leaf_hash
from domain.transparency.multiproofs import check_together, prove_together
from domain.transparency.notes import Note, VerifierKey, parse_key
from domain.transparency.tiles import Tiles
from domain.transparency.witnesses import WitnessAt

TILES_KEPT: Final = 256
"""So many tiles of 8 kB are held while one proof is made: its entries often share them."""


def prove(store: TreeStore, house: VerifierKey, witnesses: Sequence[WitnessAt], log: LogFile) -> ProofFile:
    """The proof of all entries of a log. `NotCovered` while the checkpoint does not reach them, `TreeDiffers` where the
    log or the tree is not what was signed."""
    lines = find_leaves(store, log)
    published = store.published()
    if published is None:
        raise NothingSigned("nothing has been signed yet")
    signed, note = published
    checkpoint = signed.checkpoint
    behind = next((line for line in lines if line.leaf >= checkpoint.size), None)
    if behind is not None:
        raise NotCovered(f"entry {behind.version} of the match is not covered by a checkpoint yet")
    tiles = Tiles(lru_cache(TILES_KEPT)(store.tile))
    try:
        hashes = tuple(prove_together(tiles, [line.leaf for line in lines], checkpoint.size))
        check_together(
            {line.leaf: leaf_hash(leaf_in(line, entry)) for line, entry in zip(lines, log.entries, strict=True)},
            checkpoint.size,
            hashes,
            checkpoint.root,
        )
    except TransparencyFault as fault:
        raise TreeDiffers(f"the tree is not the one that was signed: {fault}") from fault
    keys, note = known_keys(signed, note, house, witnesses)
    return ProofFile(log, lines, hashes, note, checkpoint, keys)


def leaf_in(line: LeafLine, entry: Entry) -> bytes:
    return leaf_of(bytes.fromhex(line.salt), line.stream or entry.originator_id, entry.version, digest(entry))


def find_leaves(store: TreeStore, log: LogFile) -> tuple[LeafLine, ...]:
    """Where the entries stand. An entry is kept in the stream of its own match, or in that of a later fork: where the
    house does not have the parent."""
    ids = list(dict.fromkeys(entry.originator_id for entry in log.entries))
    taken_up = {stream: store.leaves_of(stream) for stream in ids}
    place = {stream: number for number, stream in enumerate(ids)}
    return tuple(find_leaf(entry, ids[place[entry.originator_id] :], taken_up) for entry in log.entries)


def find_leaf(
    entry: Entry, streams: Sequence[UUID], taken_up: Mapping[UUID, Mapping[int, tuple[int, Leaf]]]
) -> LeafLine:
    """The leaf of an entry, in the last of these streams that has it; a parent may have come later."""
    found, held = digest(entry), False
    for stream in reversed(streams):
        if entry.version not in taken_up[stream]:
            continue
        number, leaf = taken_up[stream][entry.version]
        if leaf_of(leaf.salt, stream, entry.version, found) == leaf.leaf:
            other = None if stream == entry.originator_id else stream
            return LeafLine(entry.version, number, leaf.salt.hex(), other)
        held = held or stream == entry.originator_id
    if held:
        raise TreeDiffers(f"entry {entry.version} of the match is not the one that was taken up")
    raise NotCovered(f"entry {entry.version} of the match has not been taken up by the tree yet")


def known_keys(
    signed: Signed, note: Note, house: VerifierKey, witnesses: Sequence[WitnessAt]
) -> tuple[tuple[VerifierKey, ...], Note]:
    """The keys of the signatures, and the note with the signatures of these keys alone. The house may have been called
    otherwise when it signed."""
    known = [house._replace(name=signed.signature.name), *(parse_key(witness.key) for witness in witnesses)]
    signatures = {
        key: signature
        for signature in note.signatures
        for key in known
        if key.made(signature) and is_signed(key, note.text, signature)
    }
    return tuple(signatures), Note(note.text, tuple(signatures.values()))
