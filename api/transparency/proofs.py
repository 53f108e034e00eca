"""Proof files: the leaves of a log's entries and their inclusion in a published checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

from api.transparency.errors import NotCovered, NothingSigned, TreeDiffers
from api.transparency.freshness import find_contradiction
from api.transparency.log_chain import load_chain
from api.transparency.published_labels import PublishedLabels, leaves_of_records
from api.transparency.store import Leaf, TreeStore
from domain.matches.errors import NoSuchEntry
from domain.matches.log.entries import Entry, digest
from domain.matches.log.log_files import LogFile, line_of
from domain.matches.log.records import Record, record_digest
from domain.proofs.entry_file import EXTRA, AnnouncedLeaf, EntryExtra, encode_entry_proof
from domain.proofs.event_file import ClaimedResults, EventFile, header_of
from domain.proofs.key_history import history_bytes
from domain.proofs.match_file import LeafLine, ProofFile, ProofLabels, Recorded, entry_leaf, proof_bytes
from domain.proofs.rulings import rulings_in
from domain.transparency.errors import TransparencyFault
from domain.transparency.keys import is_signed
from domain.transparency.leaves import PlacedLeaf, hash_leaves, leaf_of
from domain.transparency.multiproofs import check_multiproof, create_multiproof
from domain.transparency.notes import Note, VerifierKey, parse_key
from domain.transparency.proofs import LogProof
from domain.transparency.tiles import Tiles
from domain.transparency.vrf import VrfKey
from domain.transparency.witnesses import WitnessAddress

TILES_CACHED_MAX: Final = 256
"""Tiles of 8 kB cached per proof, because entries often share them."""


class Prover:
    """Proofs for the checkpoint published at creation time."""

    def __init__(
        self,
        store: TreeStore,
        service_key: VerifierKey,
        witnesses: Sequence[WitnessAddress],
        vrf: VrfKey | None = None,
    ) -> None:
        """Read the published checkpoint and the announcements; a tree with labels needs their key.

        Raise `NothingSigned` without a checkpoint, `TreeDiffers` for another key of labels.
        """
        published = store.load_published()
        if published is None:
            raise NothingSigned("no checkpoint has been signed yet")
        names = {parse_key(witness.key).name for witness in witnesses}
        if contradiction := find_contradiction(store.witnesses(), names):
            raise TreeDiffers(f"the witness {contradiction.name} {contradiction.reason}; no proof is issued")
        signed, note = published
        self._store, self._tiles = store, Tiles(lru_cache(TILES_CACHED_MAX)(store.tile))
        self.checkpoint: Final = signed.checkpoint
        term = load_chain(store, service_key).term_for(self.checkpoint.size)
        self.keys, self.note = known_keys(note, service_key if term is None else term.key, witnesses)
        self._labels = PublishedLabels(store, self.checkpoint.size, vrf)

    def match(self, log: LogFile, roles: Sequence[Record] = ()) -> ProofFile:
        """Return the proof of a log's entries and of the role records covered by the checkpoint.

        Raise `NotCovered` if an entry is not covered yet, `TreeDiffers` if log or tree contradicts the signed
        checkpoint.
        """
        lines = find_leaves(self._store, log)
        uncovered = next((line for line in lines if line.leaf >= self.checkpoint.size), None)
        if uncovered is not None:
            raise NotCovered(f"entry {uncovered.version} of the match is not covered by a checkpoint yet")
        leaves = [entry_leaf(line, entry) for line, entry in zip(lines, log.entries, strict=True)]
        role_records, labels = self.covered_records(roles), self._labels
        hashes = self.inclusion_hashes([*labels.of_entries(leaves), *leaves_of_records(role_records)])
        proven = ProofLabels(labels.log, labels.prove_matches(leaves))
        return ProofFile(log, lines, hashes, self.note, self.checkpoint, self.keys, role_records, proven)

    def entry(self, log: LogFile, number: int) -> bytes:
        """Return the proof file of one entry of a log, counted from 1 (C2SP tlog-proof).

        Raise `NoSuchEntry` beyond the log, otherwise as `match`.
        """
        if not 1 <= number <= len(log.entries):
            raise NoSuchEntry(f"match {log.header.match} has {len(log.entries)} entries")
        entry, line = log.entries[number - 1], find_leaves(self._store, log)[number - 1]
        if line.leaf >= self.checkpoint.size:
            raise NotCovered(f"entry {number} of the match is not covered by a checkpoint yet")
        leaf, labels = entry_leaf(line, entry), self._labels
        self.inclusion_hashes(labels.of_entries([leaf]))
        announced = tuple(
            AnnouncedLeaf(each.leaf, each.text, tuple(node.hex() for node in self._path(each.leaf)))
            for each in labels.log
        )
        keys = tuple(map(str, self.keys))
        proven = labels.prove_matches([leaf])
        extra = EntryExtra(EXTRA, line_of(entry), leaf.stream, line.salt, proven, announced, keys)
        return encode_entry_proof(LogProof(line.leaf, tuple(self._path(line.leaf)), self.note), extra)

    def _path(self, leaf: int) -> list[bytes]:
        return self._tiles.inclusion(leaf, self.checkpoint.size)

    def covered_records(self, records: Sequence[Record]) -> Recorded:
        """Return the first records of a stream that the checkpoint covers, with their leaves.

        Raise `TreeDiffers` if a record contradicts its leaf.
        """
        if not records:
            return Recorded()
        stream = records[0].stream_id
        leaves, lines = self._store.leaves_of(stream), list[LeafLine]()
        for record in records:
            number, leaf = leaves.get(record.version, (self.checkpoint.size, None))
            if leaf is None or number >= self.checkpoint.size:
                break
            if leaf_of(leaf.salt, stream, record.version, record_digest(record)) != leaf.leaf:
                raise TreeDiffers(f"record {record.version} of {stream} differs from its leaf in the tree")
            label = self._labels.prove_record(number, stream, record.version)
            lines.append(LeafLine(record.version, number, leaf.salt.hex(), stream, label))
        return Recorded(tuple(records[: len(lines)]), tuple(lines))

    def event(
        self, records: Sequence[Record], roles: Sequence[Record], matches: int, claims: ClaimedResults
    ) -> EventFile:
        """Return the part of a tournament's proof before its matches; raise `NotCovered` if a record is not covered.

        Raise `TreeDiffers` if a record or the tree contradicts the checkpoint.
        """
        own_records, role_records = self.covered_records(records), self.covered_records(roles)
        if len(own_records.records) < len(records):
            raise NotCovered(f"record {len(own_records.records) + 1} of the event is not covered by a checkpoint yet")
        log = self._labels.log
        header = header_of(
            own_records.records, len(role_records.records), matches, self.checkpoint, is_labelled=bool(log)
        )
        leaves = [*leaves_of_records(own_records), *leaves_of_records(role_records)]
        return EventFile(
            header,
            own_records,
            role_records,
            self.inclusion_hashes(leaves),
            self.note,
            self.checkpoint,
            self.keys,
            claims,
            ProofLabels(log),
        )

    def key_history(self) -> bytes:
        """Return the history of the log's keys; raise `TreeDiffers` if the tree contradicts the checkpoint."""
        hashes = self.inclusion_hashes(()) if self._labels.log else ()
        return history_bytes(self._labels.log, hashes, self.note, self.keys)

    def inclusion_hashes(self, placed: Sequence[PlacedLeaf]) -> tuple[bytes, ...]:
        """Return the hashes that lead from these leaves and the announcements to the root.

        Raise `TreeDiffers` if they do not.
        """
        checkpoint, leaves = self.checkpoint, {**hash_leaves(placed), **self._labels.announced}
        try:
            hashes = tuple(create_multiproof(self._tiles, sorted(leaves), checkpoint.size))
            check_multiproof(leaves, checkpoint.size, hashes, checkpoint.root)
        except TransparencyFault as fault:
            raise TreeDiffers(f"the tree differs from the signed one: {fault}") from fault
        return hashes


def match_proof(prover: Prover, log: LogFile, roles: Callable[[], Sequence[Record]]) -> bytes:
    """Return the proof of a match, with role records if it has rulings."""
    return proof_bytes(prover.match(log, roles() if any(rulings_in(log)) else ()))


def find_leaves(store: TreeStore, log: LogFile) -> tuple[LeafLine, ...]:
    """Return the leaves of a log's entries, in order; raise `NotCovered` or `TreeDiffers` as `find_leaf`.

    An entry is stored in the stream of its match, or of a later fork if the service does not have the parent.
    """
    ids = list(dict.fromkeys(entry.originator_id for entry in log.entries))
    leaves_by_stream = {stream: store.leaves_of(stream) for stream in ids}
    stream_index = {stream: number for number, stream in enumerate(ids)}
    return tuple(find_leaf(entry, ids[stream_index[entry.originator_id] :], leaves_by_stream) for entry in log.entries)


def find_leaf(
    entry: Entry, streams: Sequence[UUID], leaves_by_stream: Mapping[UUID, Mapping[int, tuple[int, Leaf]]]
) -> LeafLine:
    """Return the leaf of an entry, in the last of these streams that has it; a parent may have been imported later.

    Raise `TreeDiffers` if the entry's own stream has another leaf there, otherwise `NotCovered`.
    """
    found, has_own_stream = digest(entry), False
    for stream in reversed(streams):
        if entry.version not in leaves_by_stream[stream]:
            continue
        number, leaf = leaves_by_stream[stream][entry.version]
        if leaf_of(leaf.salt, stream, entry.version, found) == leaf.leaf:
            other_stream = None if stream == entry.originator_id else stream
            return LeafLine(entry.version, number, leaf.salt.hex(), other_stream)
        has_own_stream = has_own_stream or stream == entry.originator_id
    if has_own_stream:
        raise TreeDiffers(f"entry {entry.version} of the match differs from its leaf in the tree")
    raise NotCovered(f"entry {entry.version} of the match is not in the tree yet")


def known_keys(
    note: Note, service_key: VerifierKey, witnesses: Sequence[WitnessAddress]
) -> tuple[tuple[VerifierKey, ...], Note]:
    """Return the known keys among the signatures, and the note with their signatures only."""
    keys = [service_key, *(parse_key(witness.key) for witness in witnesses)]
    signatures = {
        key: signature
        for signature in note.signatures
        for key in keys
        if key.is_claimed_by(signature) and is_signed(key, note.text, signature)
    }
    return tuple(signatures), Note(note.text, tuple(signatures.values()))
