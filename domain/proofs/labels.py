"""Verification of the labels in a proof file: the announcements of the log, and the proofs of labels.

Specified in `docs/specifications/proof.md`.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.verification.proof_report import KeyNoteShown, ProofShown
from domain.proofs.match_file import KIND, LabelLine, LeafLine, LogLine, bytes_in
from domain.transparency.announcements import FORMAT, PREFIX, Announcement, FormatChanged, parse_announcement
from domain.transparency.errors import FalseProof, Malformed
from domain.transparency.key_chain import notes_in
from domain.transparency.labels import label_from, match_text, record_text
from domain.transparency.leaves import PlacedLeaf
from domain.transparency.merkle import leaf_hash
from domain.transparency.vrf import POINT_BYTES, verify_output

OUTPUTS_MAX: Final = 10_000
"""Verified outputs that are kept, as matches of a tournament repeat the records of roles; verifying takes 0.2 ms."""
LABELLED: Final = "labels: {count} leaves have one; a second leaf for the same entry or record would show in the tree"
UNLABELLED: Final = "two histories cannot be excluded for {what}: their leaves have no labels"


class LabelledTree(NamedTuple):
    """How a tree makes labels, and for the leaves after which index."""

    since: int
    origin: str
    key: bytes


class AnnouncedLog(NamedTuple):
    """The announcements of a file: the hashes of their leaves by index, and labels if the log announces them."""

    leaves: Mapping[int, bytes] = {}
    labels: LabelledTree | None = None
    announced: tuple[tuple[int, Announcement], ...] = ()
    """All announcements by the index of their leaf."""

    def has_label(self, leaf: int) -> bool:
        """Return whether the leaf of an entry or record at this index has a label."""
        return self.labels is not None and leaf > self.labels.since


def read_log(lines: Sequence[LogLine], size: int) -> AnnouncedLog:
    """Return the announcements of a file of format 3, or none for earlier formats.

    Raise `LogFault` unless they are canonical, at ascending indices below the size of the tree, and one of them
    announces labels.
    """
    if not lines:
        return AnnouncedLog()
    leaves, found, last = dict[int, bytes](), list[LabelledTree](), -1
    announced = list[tuple[int, Announcement]]()
    for line in lines:
        if not last < line.leaf < size:
            why = f"the announcement at leaf {line.leaf} is not after the previous one and below {size}"
            raise LogFault(None, KIND, f"{why}, the size of the tree")
        last = line.leaf
        try:
            content = PREFIX + line.text.encode()
            announcement = parse_announcement(content)
        except (Malformed, UnicodeEncodeError) as fault:
            raise LogFault(None, KIND, f"the announcement at leaf {line.leaf}: {fault}") from fault
        leaves[line.leaf] = leaf_hash(content)
        announced.append((line.leaf, announcement))
        if isinstance(announcement, FormatChanged):
            found.append(labels_of(line.leaf, announcement))
    if len(found) != 1:
        raise LogFault(None, KIND, f"the log must announce its labels once, not {len(found)} times")
    return AnnouncedLog(leaves, found[0], tuple(announced))


def digest_of_log(lines: Sequence[LogLine]) -> str:
    """Return a digest of announcements, to compare them; empty without any."""
    return hashlib.sha256(msgspec.json.encode(lines)).hexdigest() if lines else ""


def labels_of(leaf: int, announcement: FormatChanged) -> LabelledTree:
    """Return the labels that are announced at a leaf; raise `LogFault` for an unknown format or a malformed key."""
    if announcement.format != FORMAT:
        raise LogFault(None, KIND, f"unknown format {announcement.format} of the tree; expected {FORMAT}")
    return LabelledTree(leaf, announcement.origin, bytes_in(announcement.vrf, POINT_BYTES, None))


@lru_cache(OUTPUTS_MAX)
def verified_output(key: bytes, text: bytes, proof: str) -> bytes:
    """Return the output of a text; raise `FalseProof` if its proof (hex) is false."""
    return verify_output(key, text, bytes.fromhex(proof))


def label_entries(log: AnnouncedLog, leaves: Sequence[PlacedLeaf], proofs: Sequence[LabelLine]) -> list[PlacedLeaf]:
    """Return the leaves of entries with their labels.

    Raise `LogFault` unless the proofs are for the streams with labels, in the order of their first entries, and
    true.
    """
    labelled = [leaf for leaf in leaves if log.has_label(leaf.place)]
    if list(dict.fromkeys(leaf.stream for leaf in labelled)) != [line.stream for line in proofs]:
        raise LogFault(None, KIND, "the proofs of labels are not those of the matches whose entries have labels")
    if log.labels is None:
        return list(leaves)
    outputs = dict[object, bytes]()
    for line in proofs:
        try:
            outputs[line.stream] = verified_output(
                log.labels.key, match_text(log.labels.origin, line.stream), line.proof
            )
        except FalseProof as fault:
            first = next(leaf.version for leaf in labelled if leaf.stream == line.stream)
            raise LogFault(first, KIND, f"its label: {fault}") from fault
    return [
        leaf._replace(label=label_from(outputs[leaf.stream], leaf.version)) if log.has_label(leaf.place) else leaf
        for leaf in leaves
    ]


def label_records(
    log: AnnouncedLog, leaves: Sequence[PlacedLeaf], lines: Sequence[LeafLine], what: str
) -> list[PlacedLeaf]:
    """Return the leaves of records with their labels; `what` names the records.

    Raise `LogFault` for the first record whose proof is false, is missing, or should be.
    """
    return [
        leaf._replace(label=label_of_record(log, leaf, line.label, what))
        for leaf, line in zip(leaves, lines, strict=True)
    ]


def label_of_record(log: AnnouncedLog, leaf: PlacedLeaf, proof: str, what: str) -> bytes:
    """Return the label of a record, empty without one; raise `LogFault` if its proof does not fit."""
    subject = f"the label of record {leaf.version} of the {what}"
    if log.has_label(leaf.place) != bool(proof):
        raise LogFault(None, KIND, f"{subject}: {'it has none' if proof else 'its proof is missing'}")
    if not proof or log.labels is None:
        return b""
    try:
        text = record_text(log.labels.origin, leaf.stream, leaf.version)
        return label_from(verified_output(log.labels.key, text, proof), leaf.version)
    except FalseProof as fault:
        raise LogFault(None, KIND, f"{subject}: {fault}") from fault


def require_distinct(log: AnnouncedLog, leaves: Iterable[PlacedLeaf], why: str) -> None:
    """Raise `LogFault` with this reason if two of the leaves, or one and an announcement, have the same index."""
    places = [leaf.place for leaf in leaves]
    if len(set(places)) < len(places):
        raise LogFault(None, KIND, why)
    if not log.leaves.keys().isdisjoint(places):
        raise LogFault(None, KIND, "an announcement of the log has the leaf of an entry or record")


class NamedLeaves(NamedTuple):
    """Leaves of one kind, with patterns for one and several of them."""

    one: str
    several: str
    leaves: Sequence[PlacedLeaf]

    def name_unlabelled(self) -> Iterator[str]:
        """Yield the name of the leaves without labels, if there are any; they are the first ones."""
        versions = [leaf.version for leaf in self.leaves if not leaf.label]
        if versions:
            yield (self.one if len(versions) == 1 else self.several).format(versions[0], versions[-1])


def with_labels(shown: ProofShown, *parts: NamedLeaves) -> ProofShown:
    """Return a proof with the numbers of leaves with labels and the names of those without."""
    count = sum(leaf.label != b"" for part in parts for leaf in part.leaves)
    checked = (LABELLED.format(count=count), *shown.checked) if count else shown.checked
    unlabelled = tuple(name for part in parts for name in part.name_unlabelled())
    return replace(shown, checked=checked, labels_checked=count, unlabelled=unlabelled)


def with_key_notes(shown: ProofShown, log: AnnouncedLog) -> ProofShown:
    """Return a proof with the notes about keys that its log announces."""
    return replace(shown, key_notes=tuple(KeyNoteShown(leaf, note) for leaf, note in notes_in(log.announced)))


def unlabelled_statement(names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence about leaves without labels, if there are any."""
    if names:
        yield UNLABELLED.format(what=" and ".join(names))
